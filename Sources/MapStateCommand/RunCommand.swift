import ArgumentParser
import MapState

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Drive a map with steps: from a file, or line by line through a pipe.",
    discussion: """
      A step is a JSON object with "step" (open, close, filter, viewpoint, pan, zoom, rotate, visibility, time, \
      select, count, statistics, query, identify, render, expect), an optional "id", and its fields. Each is answered with one JSON line. Sources are looked for beside \
      the script first, then in the current folder.
      """)

  @Argument(help: "A file of steps, as JSON lines or one JSON list; - reads lines from standard input.")
  var script: String
  @OptionGroup var sources: SourceOptions
  @OptionGroup var reporting: ReportingOptions
  @OptionGroup var limits: LimitOptions
  @Option(help: ArgumentHelp("Threads that paint.", valueName: "n"))
  var threads: Int?

  func validate() throws {
    if let threads, threads < 1 { throw ValidationError("--threads is \(threads); 1 or more can work.") }
  }

  func run() async throws {
    var session = MapSession(
      folder: script == "-" ? "." : FilePath.folder(of: script),
      catalog: try sources.catalog(reporting), threads: threads ?? Processors.count)
    var failure: MapError?
    var number = 0
    func print(_ answer: MapSession.Answer) throws {
      number += 1
      try StandardOutput.write(answer.json.text() + "\n")
      let warnings = answer.json["warnings"] ?? answer.json["report"]?["warnings"]
      for warning in warnings?.array ?? [] { Warnings.add(warning.string ?? "") }
      if let error = answer.failure {
        StandardError.report(error, at: (script == "-" ? "" : "\(script): ") + "step \(number)")
        failure = failure ?? error
      }
    }
    if script == "-" {
      while let line = readLine() {
        guard line.contains(where: { !$0.isWhitespace }) else { continue }
        try print(await session.answer(toLine: line))
      }
    } else {
      for line in try StepList.read(script) { try print(await session.answer(toLine: line)) }
    }
    if let failure { throw ExitCode(failure.kind.exitCode) }
  }
}

/// Steps from a script file.
enum StepList {
  /// A step a line, from a file of JSON lines or of one JSON list.
  static func read(_ path: String) throws(MapError) -> [String] {
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(path) } catch { throw MapError(error) }
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    if bytes.first(where: { !blank.contains($0) }) == UInt8(ascii: "[") {
      do {
        return try JSONValue(parsing: bytes).array?.map { $0.text() } ?? []
      } catch {
        throw MapError(.input, "\(path): \(error)")
      }
    }
    return bytes.split(separator: 0x0A).filter { $0.contains { !blank.contains($0) } }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
