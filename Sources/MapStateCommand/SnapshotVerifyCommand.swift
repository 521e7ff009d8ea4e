import ArgumentParser
import MapSnapshots
import MapState

struct SnapshotVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract:
      "Draw every case and compare; exit with 1 when one is not as its reference, and say what changed.",
    discussion: """
      It also fails on a missing reference, one without a case, no case at all, a picture of one colour that is not \
      declared blank, and a case that two drawings of this run show differently. A case that cannot be drawn makes \
      the exit code 2. Skipped cases are counted apart. First a change is planted in a map of its own, to prove that \
      it is found.
      """)
  @OptionGroup var selection: SnapshotSelection
  @Option(
    help: ArgumentHelp(
      "Write report.html, junit.xml, report.json and report.md there, and what accept takes.",
      valueName: "dir"))
  var reportDir: String?
  @OptionGroup var reporting: ReportingOptions
  @OptionGroup var limits: LimitOptions

  func run() async throws {
    let run = try selection.run(reporting)
    var (passed, failed, skipped) = (0, 0, 0)
    var isBroken = false
    var report = try reportDir.map { folder throws(MapError) in
      try SnapshotReport(folder: folder, root: run.root)
    }
    try await run.verify { result throws(MapError) in
      let outcome = result.outcome
      let detail = outcome.detail.map { "\t" + MessageText.line($0) } ?? ""
      var text = "\(outcome.word)\t\(MessageText.name(result.name))\(detail)\n"
      for change in result.changes.prefix(5) { text += "\t\(MessageText.line(change.description))\n" }
      if result.changes.count > 5 { text += "\tand \(result.changes.count - 5) more\n" }
      try StandardOutput.write(text)
      try report?.add(result)
      // Cases show on purpose what is not drawn as written: their warnings count where they are asked for.
      if reporting.strict { for warning in result.warnings { Warnings.add("\(result.name): \(warning)") } }
      if outcome.isPass { passed += 1 }
      if outcome.isSkip { skipped += 1 }
      if outcome.isFailure { failed += 1 }
      if case .error = outcome { isBroken = true }
    }
    try report?.write()
    StandardError.write("\(passed) passed, \(failed) failed" + (skipped > 0 ? ", \(skipped) skipped" : ""))
    // A case that could not be drawn is wrong input, a picture that differs a failed expectation.
    if isBroken { throw ExitCode(MapError.Kind.input.exitCode) }
    guard failed == 0 else { throw ExitCode(MapError.Kind.expectation.exitCode) }
    guard passed > 0 else { throw MapError(.expectation, "every case is skipped; nothing was compared") }
  }
}
