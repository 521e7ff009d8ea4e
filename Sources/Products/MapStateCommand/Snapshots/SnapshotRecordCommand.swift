import ArgumentParser
import MapSnapshots
import MapState
import MapSystem

struct SnapshotRecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record reference images.",
    usage: "mapstate snapshot record [<folder>] [<cases> ...] [<options>]",
    discussion: """
      Name the cases, or give --only or one of the flags below. Look at each image afterwards.

      EXAMPLES:
        mapstate snapshot record Snapshots symbols/circle-marker
        mapstate snapshot record Snapshots --missing
      """)
  @OptionGroup(title: HelpGroup.cases) var recorded: RecordedCases
  @OptionGroup var selection: SnapshotSelection

  func validate() throws {
    guard recorded.count <= 1 else {
      throw ValidationError(
        "--missing, --failed, --engine-change and --all cannot be combined; give one of them.")
    }
    guard recorded.count == 1 || !selection.cases.isEmpty || !selection.options.only.isEmpty else {
      throw ValidationError(
        "Name the cases to record, or give --only, --missing, --failed, --engine-change or --all.")
    }
  }

  func run() async throws {
    let run = try selection.run()
    // Reads all cases before it writes the first image, so that a misspelt key changes no image.
    var cases = try run.names.map { name in try SnapshotCase(name, in: run.root) }
    if recorded.missing { cases.removeAll(where: \.hasReference) }
    if recorded.failed || recorded.engineChange {
      var names: Set<String> = []
      try await run.verify { result throws(MapStateError) in
        let outcome = result.outcome
        if recorded.failed ? outcome.isFailure : outcome.isEngineChange { names.insert(result.name) }
      }
      cases.removeAll { !names.contains($0.name) }
    }
    for var snapshot in cases {
      (snapshot.services, snapshot.standIns, snapshot.now) = (run.services, run.standIns, run.now)
      // A skipped case is recorded only when it is named.
      if snapshot.isSkipped, selection.cases.isEmpty {
        try StandardOutput.write("skipped\t\(MessageText.name(snapshot.name))\n")
        continue
      }
      for warning in try await snapshot.record() { Warnings.add("\(snapshot.name): \(warning)") }
      try StandardOutput.write("recorded\t\(MessageText.name(snapshot.name))\n")
    }
    if cases.isEmpty { StandardError.write("nothing to record") }
  }
}

/// The cases to record, beside those named.
struct RecordedCases: ParsableArguments {
  @Flag(help: "Record the cases without a reference image.")
  var missing = false
  @Flag(help: "Record the cases that fail now.")
  var failed = false
  @Flag(help: "Record the cases that only another version of MapState draws differently.")
  var engineChange = false
  @Flag(help: "Record all cases.")
  var all = false

  /// The number of flags given.
  var count: Int { [missing, failed, engineChange, all].count(where: { $0 }) }
}
