import ArgumentParser
import MapSnapshots
import MapState

struct SnapshotRecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract:
      "Write the references of the cases named, or of those a flag says; look at each picture afterwards.")
  @OptionGroup var selection: SnapshotSelection
  @Flag(help: "Of the cases that have no reference.")
  var missing = false
  @Flag(help: "Of the cases that now fail.")
  var failed = false
  @Flag(help: "Of all cases.")
  var all = false
  @OptionGroup var reporting: ReportingOptions
  @OptionGroup var limits: LimitOptions

  func validate() throws {
    guard [missing, failed, all].count(where: { $0 }) <= 1 else {
      throw ValidationError("--missing, --failed and --all each say which; give one of them.")
    }
    guard missing || failed || all || !selection.cases.isEmpty || !selection.only.isEmpty else {
      throw ValidationError("say which: cases by name, --only, --missing, --failed or --all.")
    }
  }

  func run() async throws {
    let run = try selection.run(reporting)
    // All are read before the first is written, so that a misspelt key leaves the references as they were.
    var cases = try run.names.map { name in try SnapshotCase(name, in: run.root) }
    if missing { cases.removeAll(where: \.hasReference) }
    if failed {
      var names: Set<String> = []
      try await run.verify { result throws(MapError) in
        if result.outcome.isFailure { names.insert(result.name) }
      }
      cases.removeAll { !names.contains($0.name) }
    }
    for var snapshot in cases {
      snapshot.services = run.services
      // Who names a skipped case means it.
      if snapshot.isSkipped, selection.cases.isEmpty {
        try StandardOutput.write("skipped\t\(MessageText.name(snapshot.name))\n")
        continue
      }
      try await snapshot.record()
      try StandardOutput.write("recorded\t\(MessageText.name(snapshot.name))\n")
    }
    if cases.isEmpty { StandardError.write("nothing to record") }
  }
}
