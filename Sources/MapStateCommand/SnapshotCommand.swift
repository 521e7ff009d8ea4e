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
  }

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Draw every case and compare; exit with 1 when one differs, has no reference, or there is none.")
    @OptionGroup var selection: Cases

    func run() async throws {
      let cases = try SnapshotCommand.cases(selection)
      var failed = 0
      for snapshot in cases {
        let outcome = await snapshot.verify()
        try StandardOutput.write(
          "\(outcome.word)\t\(snapshot.name)\(outcome.detail.map { "\t" + $0 } ?? "")\n")
        if !outcome.isPass { failed += 1 }
      }
      StandardError.write("\(cases.count - failed) passed, \(failed) failed")
      if failed > 0 { throw ExitCode(1) }
    }
  }

  struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write the reference of every case named.")
    @OptionGroup var selection: Cases

    func run() async throws {
      for snapshot in try SnapshotCommand.cases(selection) {
        try await snapshot.record()
        try StandardOutput.write("recorded\t\(snapshot.name)\n")
      }
    }
  }

  static func cases(_ selection: Cases) throws -> [SnapshotCase] {
    let all = try SnapshotCase.all(in: selection.folder, named: selection.cases)
    guard !all.isEmpty else {
      throw MapError(.expectation, "\(selection.folder): there is no case (a folder with case.json)")
    }
    return all
  }
}
