import ArgumentParser
import MapSnapshots
import MapState

struct SnapshotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot",
    abstract: "Compare pictures of maps with references, or record references.",
    subcommands: [Verify.self, Record.self])

  struct Cases: ParsableArguments {
    @Argument(help: "The folder of cases.")
    var folder = "Snapshots"
    @Argument(help: "Cases by their path below the folder; none is all.")
    var cases: [String] = []

    func names() throws -> [String] {
      let names = try SnapshotCase.names(in: folder, named: cases)
      guard !names.isEmpty else {
        throw MapError(.expectation, "\(folder): there is no case (a folder with case.json)")
      }
      return names
    }
  }

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Draw every case and compare; exit with 1 when one differs, has no reference, or there is none, and "
        + "with 2 when one cannot be drawn.")
    @OptionGroup var selection: Cases

    func run() async throws {
      let names = try selection.names()
      var failed = 0
      var isBroken = false
      for name in names {
        let outcome = await outcome(of: name)
        try StandardOutput.write("\(outcome.word)\t\(name)\(outcome.detail.map { "\t" + $0 } ?? "")\n")
        if !outcome.isPass { failed += 1 }
        if case .error = outcome { isBroken = true }
      }
      StandardError.write("\(names.count - failed) passed, \(failed) failed")
      // A case that could not be drawn is wrong input, a picture that differs a failed expectation.
      if isBroken { throw ExitCode(MapError.Kind.input.exitCode) }
      if failed > 0 { throw ExitCode(MapError.Kind.expectation.exitCode) }
    }

    /// A case that cannot be read fails like one that cannot be drawn, and the others still run.
    private func outcome(of name: String) async -> SnapshotOutcome {
      do throws(MapError) {
        return await (try SnapshotCase(name, in: selection.folder)).verify()
      } catch {
        return .error(error.description)
      }
    }
  }

  struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the reference of every case named, or of all; look at each picture afterwards.")
    @OptionGroup var selection: Cases

    func run() async throws {
      // All are read before the first is written, so that a misspelt key leaves the references as they were.
      let cases = try selection.names().map { name in try SnapshotCase(name, in: selection.folder) }
      for snapshot in cases {
        // Who names a skipped case means it.
        if snapshot.isSkipped, selection.cases.isEmpty {
          try StandardOutput.write("skipped\t\(snapshot.name)\n")
          continue
        }
        try await snapshot.record()
        try StandardOutput.write("recorded\t\(snapshot.name)\n")
      }
    }
  }
}
