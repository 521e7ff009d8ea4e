import ArgumentParser
import MapState
import MapSystem

/// The options of every command that limit time and memory.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Stop with an error after this time; default: no limit.", valueName: "seconds"))
  var timeout: Double?
  @Option(
    help: ArgumentHelp(
      "Stop with an error if memory use exceeds this size, such as 500MB or 2GB; default: no limit.",
      valueName: "size"))
  var maxMemory: ByteCount?

  func validate() throws {
    if let timeout, !(timeout > 0 && timeout <= 1e9) {
      throw ValidationError("--timeout is \(timeout); it must be more than 0 seconds.")
    }
    LimitWatch.start(seconds: timeout, memory: maxMemory)
  }
}

/// The number of painting threads.
struct ThreadOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Number of painting threads; default: all cores. The image stays the same.", valueName: "n"))
  var threads: Int?

  func validate() throws {
    if let threads, threads < 1 { throw ValidationError("--threads is \(threads); it must be at least 1.") }
  }

  var count: Int { threads ?? Processors.count }
}

/// A number of bytes with a unit: `500MB`, `2 GB`, `1.5GiB`.
///
/// - Units: powers of 1024, with or without the `i`.
package struct ByteCount: ExpressibleByArgument {
  package let bytes: Int
  package let text: String

  package init?(argument: String) {
    guard let match = argument.uppercased().wholeMatch(of: /(\d{1,9}(?:\.\d{1,3})?) ?([KMG])I?B?/),
      let number = Double(match.1)
    else { return nil }
    let unit: Double =
      switch match.2 {
      case "K": 1024
      case "M": 1_048_576
      default: 1_073_741_824
      }
    guard let bytes = Int(exactly: (number * unit).rounded()), bytes > 0 else { return nil }
    (self.bytes, text) = (bytes, argument)
  }
}
