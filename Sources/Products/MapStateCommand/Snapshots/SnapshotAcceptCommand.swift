import ArgumentParser
import MapSnapshots
import MapState
import MapSystem

struct SnapshotAcceptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Accept the images of the last report as reference images.",
    usage: "mapstate snapshot accept (<cases> ... | --cause <n> | --all) [<options>]",
    discussion: """
      Look at the images in the report first. A case is given by its name, by a pattern or by its number in the \
      report. --cause accepts the cases without another cause, and lists the others.

      EXAMPLES:
        mapstate snapshot verify Snapshots --only "symbols/*" --report-dir report
        mapstate snapshot accept --all --report-dir report
      """)
  @Argument(help: "Cases by name, pattern or number. The folder of cases may come first.")
  var cases: [String] = []
  @OptionGroup(title: HelpGroup.cases) var selection: ReviewedCases
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  func validate() throws { try selection.check(cases, "accept") }

  func run() async throws {
    let (acceptance, names) = try selection.chosen(cases, .accepted)
    for name in names {
      let accepted = try acceptance.accept(name)
      try StandardOutput.write("accepted\t\(MessageText.name(accepted))\n")
    }
    try acceptance.noteAccepted(names)
  }
}

struct SnapshotRejectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reject",
    abstract: "Reject images of the last report, so that accept --all leaves them out.",
    usage: "mapstate snapshot reject (<cases> ... | --cause <n> | --all) [<options>]",
    discussion: """
      Cases and causes are given as for accept, but --cause rejects every case with the cause. No reference image \
      changes. The next report has no decisions.

      EXAMPLES:
        mapstate snapshot verify Snapshots --only "symbols/*" --report-dir report
        mapstate snapshot reject --all --report-dir report
      """)
  @Argument(help: "Cases by name, pattern or number. The folder of cases may come first.")
  var cases: [String] = []
  @OptionGroup(title: HelpGroup.cases) var selection: ReviewedCases
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  func validate() throws { try selection.check(cases, "reject") }

  func run() async throws {
    let (acceptance, names) = try selection.chosen(cases, .rejected)
    try acceptance.reject(names)
    for name in names { try StandardOutput.write("rejected\t\(MessageText.name(name))\n") }
  }
}

/// The cases of a report to accept or reject.
struct ReviewedCases: ParsableArguments {
  @Flag(help: "All failed cases of the report that are neither accepted nor rejected.")
  var all = false
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Cause by number, or by some of LAYER > CLASS > PROPERTY; repeatable.",
      valueName: "cause"))
  var cause: [String] = []
  @Option(help: ArgumentHelp("Folder of the report.", valueName: "dir"), completion: .directory)
  var reportDir = "snapshot-report"

  /// Checks that cases are given in one way.
  func check(_ words: [String], _ verb: String) throws {
    guard all || !cause.isEmpty || !words.isEmpty else {
      throw ValidationError("Name the cases to \(verb), or give --cause or --all.")
    }
    guard !(all && !cause.isEmpty) else {
      throw ValidationError("--cause cannot be combined with --all; give one of them.")
    }
  }

  /// Returns the report and the names of the chosen cases; lists those that are not accepted with a cause, because
  /// they have other causes.
  func chosen(
    _ words: [String], _ decided: ReviewDecisions.Decision
  ) throws(MapStateError) -> (report: SnapshotAcceptance, names: [String]) {
    let report = try SnapshotAcceptance(reportFolder: reportDir, cases: nil)
    var rest = words[...]
    if let first = rest.first, let found = FileAccess.realPath(first),
      found == FileAccess.realPath(report.root)
    {
      rest = rest.dropFirst()
    } else if let first = rest.first, rest.count > 1 || all || !cause.isEmpty, FileAccess.exists(first),
      (try? report.names(for: first)) == nil
    {
      // A first word that is no case of the report, but a folder, is another folder of cases.
      _ = try SnapshotAcceptance(reportFolder: reportDir, cases: first)
    }
    guard rest.isEmpty || !all && cause.isEmpty else {
      throw MapStateError(
        .usage,
        "\"\(rest.joined(separator: " "))\" cannot be combined with --\(all ? "all" : "cause"); give one of them"
      )
    }
    guard !rest.isEmpty || all || !cause.isEmpty else {
      throw MapStateError(
        .usage, "\(words[0]) is the folder of cases; name the cases too, or give --cause or --all")
    }
    if all {
      let names = report.undecided
      if names.isEmpty { StandardError.write("\(reportDir) has no image that can be \(decided.rawValue)") }
      return (report, names)
    }
    if !cause.isEmpty { return (report, try cases(of: report, decided)) }
    var names: [String] = []
    for word in rest {
      for name in try report.names(for: word) where !names.contains(name) { names.append(name) }
    }
    return (report, names)
  }

  private func cases(
    of report: SnapshotAcceptance, _ decided: ReviewDecisions.Decision
  ) throws(MapStateError) -> [String] {
    let found = try report.cases(ofCauses: cause)
    // An image that shows a rejected cause is wrong, whatever else it shows.
    if decided == .rejected, !found.all.isEmpty { return found.all }
    for (name, others) in found.left {
      do {
        try StandardOutput.write(
          "left\t\(MessageText.name(name))\talso \(MessageText.line(others.joined(separator: "; also ")))\n")
      } catch {
        throw MapStateError(error)
      }
    }
    guard !found.names.isEmpty else {
      let what = cause.map { "\"\($0)\"" }.joined(separator: " or ")
      throw MapStateError(
        .expectation,
        found.left.isEmpty
          ? "no case with the cause \(what) has an image that can be \(decided.rawValue)"
          : "every case with the cause \(what) has other causes, too; name the cases, or these causes as well"
      )
    }
    return found.names
  }
}
