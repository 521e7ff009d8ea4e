import ArgumentParser
import Glibc
import MapScript
import MapSnapshots
import MapState
import MapSystem

struct SnapshotVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Draw every case and compare it with its reference image.",
    usage: "mapstate snapshot verify [<folder>] [<cases> ...] [<options>]",
    discussion: """
      Exits with 1 if an image, a style, a count or a warning differs from the reference, and lists the changes by \
      layer, class and property. Without names, takes all cases. A run also fails if

      - a reference image is missing,
      - a reference image has no case,
      - there is no case at all,
      - an image shows no feature and its case does not declare it blank, or
      - two drawings of a case in the same run differ.

      If a case cannot be drawn, the exit code is 2. Each run first tests itself: it changes a built-in map \
      and stops if the comparison misses the change.

      EXAMPLES:
        mapstate snapshot verify Snapshots --only "labels/*" --report-dir report
      """)
  @OptionGroup(title: HelpGroup.output) var format: CaseFormat
  @OptionGroup(title: HelpGroup.output) var output: ReportOutput
  @OptionGroup(title: HelpGroup.cases) var changed: ChangedCases
  @OptionGroup var selection: SnapshotSelection

  func run() async throws {
    var run = try selection.run()
    if let revision = changed.since { run.changes = try ChangedFiles(since: revision, near: run.root) }
    var unchanged = 0
    var (passed, failed, skipped) = (0, 0, 0)
    var (isNew, isChanged, isBroken) = (false, false, false)
    run.exactFilters = changed.exactFilters
    var report = try output.report(of: run.root)
    var (known, count) = (Set<String>(), 0)
    if format.format == .tap { try StandardOutput.write("TAP version 14\n") }
    try await run.verify { result throws(MapStateError) in
      let outcome = result.outcome
      count += 1
      let text =
        switch format.format {
        case .text: Self.text(result)
        case .github:
          GitHubAnnotation.plain(Self.text(result, mark: "- "))
            + result.annotations(root: run.root, known: &known).map { $0 + "\n" }.joined()
        case .tap: result.tapLines(number: count)
        }
      try StandardOutput.write(text)
      try report?.add(result)
      // Some cases test what is not drawn as written, so their warnings count only on request.
      if selection.reporting.strict {
        for warning in result.warnings { Warnings.add("\(result.name): \(warning)") }
      }
      if outcome.isPass { passed += 1 }
      if case .unchanged = outcome { unchanged += 1 } else if outcome.isSkip { skipped += 1 }
      if outcome.isFailure { failed += 1 }
      switch outcome {
      case .error: isBroken = true
      case .noReference: isNew = true
      case .differs, .sizeDiffers, .engineDiffers, .styleDiffers, .newWarning, .numbersDiffer,
        .staleReference:
        isChanged = true
      default: break
      }
    }
    if format.format == .tap { try StandardOutput.write("1..\(count)\n") }
    try report?.write()
    if let report { try output.showSummary(of: report) }
    StandardError.write(
      "\(passed) passed, \(failed) failed" + (skipped > 0 ? ", \(skipped) skipped" : "")
        + (unchanged > 0 ? ", \(unchanged) not drawn because their files have not changed" : ""))
    adviseNext(isNew: isNew, isChanged: isChanged)
    // A case that cannot be drawn is wrong input; an image that differs is a failed expectation.
    if isBroken { throw ExitCode(MapStateError.Kind.input.exitCode) }
    guard failed == 0 else { throw ExitCode(MapStateError.Kind.expectation.exitCode) }
    guard passed + unchanged > 0 else {
      throw MapStateError(.expectation, "every case is skipped; nothing was compared")
    }
  }
}

extension SnapshotVerifyCommand {
  /// Returns the result of a case with its first changes, in lines.
  ///
  /// - Parameter mark: the start of each further line; a log of GitHub Actions takes a line `::…` for a command.
  private static func text(_ result: SnapshotResult, mark: String = "") -> String {
    let outcome = result.outcome
    let detail = outcome.detail.map { "\t" + MessageText.line($0) } ?? ""
    var text = "\(outcome.word)\t\(MessageText.name(result.name))\(detail)\n"
    for change in result.changes.prefix(5) { text += "\t\(mark)\(MessageText.line(change.description))\n" }
    if result.changes.count > 5 { text += "\t\(mark)and \(result.changes.count - 5) more\n" }
    for note in result.notes { text += "\t\(mark)\(MessageText.line(note))\n" }
    return text
  }

  /// Notes the commands that record new cases and accept changed ones.
  private func adviseNext(isNew: Bool, isChanged: Bool) {
    let words =
      [selection.folder] + selection.cases + selection.options.only.flatMap { ["--only", $0] }
    let chosen = words.map(SnapshotReport.shellWord).joined(separator: " ")
    if isNew {
      Warnings.note("to record the missing reference images: mapstate snapshot record \(chosen) --missing")
    }
    guard isChanged else { return }
    if let report = output.reportDir {
      Warnings.note(
        "if the changes in the report are right: mapstate snapshot accept --all --report-dir "
          + SnapshotReport.shellWord(report))
    } else {
      Warnings.note(
        "to see the changes, add --report-dir DIR; if they are right: mapstate snapshot record \(chosen) --failed"
      )
    }
  }
}

/// The report of a run.
struct ReportOutput: ParsableArguments {
  /// The forms of the summary.
  enum Summary: String, CaseIterable, ExpressibleByArgument {
    case github, gitlab, markdown
  }

  @Option(
    help: ArgumentHelp(
      "Write HTML, JUnit, JSON and Markdown reports, and the images that \"snapshot accept\" needs.",
      valueName: "dir"),
    completion: .directory)
  var reportDir: String?
  @Option(
    help: ArgumentHelp(
      "URL of the report's folder, for the images in report.md and summary.md.", valueName: "url"))
  var imageBase: String?
  @Option(
    help: ArgumentHelp(
      "Write summary.md for a review; github also adds it to the job summary.", valueName: "form"))
  var summary: Summary?
  @Flag(help: "Embed the images in report.html.")
  var embedImages = false

  func validate() throws {
    let given = [
      ("--image-base", imageBase != nil), ("--summary", summary != nil), ("--embed-images", embedImages),
    ]
    if let option = given.first(where: \.1)?.0, reportDir == nil {
      throw ValidationError("\(option) needs --report-dir.")
    }
  }

  /// Returns the report that the options request; nil for none.
  func report(of root: String) throws(MapStateError) -> SnapshotReport? {
    guard let reportDir else { return nil }
    var report = try SnapshotReport(folder: reportDir, root: root, imageBase: imageBase)
    report.summary = summary.flatMap { SnapshotSummary(rawValue: $0.rawValue) }
    report.embedsImages = embedImages
    return report
  }

  /// Adds the summary to the job summary of GitHub Actions, if it is for GitHub and there is one.
  func showSummary(of report: SnapshotReport) throws(MapStateError) {
    guard summary == .github,
      let path = unsafe getenv("GITHUB_STEP_SUMMARY").map({ unsafe String(cString: $0) }), !path.isEmpty
    else { return }
    do {
      let before = FileAccess.exists(path) ? try FileAccess.read(path) : []
      try FileAccess.write(before + Array(report.summaryText.utf8), to: path)
    } catch {
      throw MapStateError(error)
    }
  }
}

/// The format of the results of cases.
struct CaseFormat: ParsableArguments {
  /// The formats.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, github, tap
  }

  @Option(
    help:
      "Format of the results; github adds annotations of GitHub Actions, tap is the Test Anything Protocol.")
  var format: Format = .text
}

/// The options that decide which cases count as changed.
struct ChangedCases: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw only cases whose files differ from those of a Git revision.", valueName: "revision"))
  var since: String?
  @Flag(help: "Fail if a filter selects the same rows by other conditions, such as n <= 4 for n < 5.")
  var exactFilters = false
}
