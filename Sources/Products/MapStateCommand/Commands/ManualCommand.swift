import ArgumentParser
import Glibc
import MapState
import MapSystem

/// Writes the man pages, for `Scripts/install`; help does not list it.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-manual", abstract: "Write the man pages of all commands.", shouldDisplay: false)

  @Argument(help: "Folder to write, which must exist.", completion: .directory)
  var folder: String

  @Option(
    help:
      "File with what another program prints for --experimental-dump-help; its pages are written instead.",
    completion: .file())
  var dump: String?

  func run() throws {
    let root = try root()
    let today = Instant(microseconds: Self.now * 1_000_000).date.description
    for command in root.all {
      let page = ManualPage(command, in: root, date: today)
      do { try FileAccess.write(Array(page.text.utf8), to: "\(folder)/\(page.name).1") } catch {
        throw MapStateError(error)
      }
    }
  }

  private func root() throws -> CommandInfo {
    guard let dump else { return try CommandInfo.tool() }
    do { return try CommandInfo(dump: FileAccess.read(dump)) } catch let error as FileError {
      throw MapStateError(error)
    }
  }

  /// The time in seconds: that of a reproducible build, otherwise now.
  ///
  /// - Source: reproducible-builds.org, SOURCE_DATE_EPOCH.
  private static var now: Int64 {
    let given = unsafe getenv("SOURCE_DATE_EPOCH").map { unsafe String(cString: $0) }
    return given.flatMap { Int64($0) }.map { min(max($0, 0), 253_402_300_799) } ?? Int64(Glibc.time(nil))
  }
}
