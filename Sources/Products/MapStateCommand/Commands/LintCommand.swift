import ArgumentParser
import MapScript
import MapSnapshots
import MapState
import MapSystem

struct LintCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract:
      "Check the classes, scales, labels and colours of a document, the layers of a style, or snapshot cases.",
    usage: "mapstate lint <source> [--disable <rule>] [<options>]",
    discussion: """
      Lists probable faults, a line each: the rule, the path in the document, and the fault with a correction. Exits \
      with 1 if there is one. Rows are those that count --by-class counts: the definition expression applies, and the \
      display filter does not. --tiles puts local archives in the place of a style's sources.

      RULES:
        class-gap            numbers between two class breaks that no class contains
        class-overlap        numbers that two class breaks contain
        duplicate-value      a unique value that is listed twice, or a name of two rules at one scale
        unreachable-class    a class that no value can reach
        value-without-class  rows without a class or rule, with their values and counts
        class-without-rows   a class or rule that no row of the data is in, with or without the definition expression
        scale-range          scale ranges of map, group, layer, display filter, rule or symbol that never meet
        label-never-placed   a label class without rows, or with scales that never meet those of the layer
        text-contrast        label text with a contrast below 4.5 to its halo, background or area (WCAG 2.1, 1.4.3; 3 \
      for text from 18 points, or bold from 14)
        color-confusion      classes that readers with protanopia, deuteranopia or tritanopia confuse: simulated \
      (Machado and others 2009), the colours differ by less than 5 (CIEDE2000), or by less than 10 and half of their \
      difference for other readers
        class-visibility     a class whose colour differs by less than 5 (CIEDE2000) from the ground, or from the \
      outline of all classes

      RULES OF STYLES:
        layer-never-drawn    no zoom is in its range or in that of its source, its filter is never true, or its \
      opacity, width or size is 0 at all zooms
        invalid-value        a value that the property may not have, also at a stop
        value-jump           a size that changes by a factor of 3 or more at once, or within half a zoom
        missing-source       a source that the style does not have
        missing-source-layer a layer that the tiles do not have
        missing-field        a field that the features do not have
        missing-image        an image that the sprites do not have
        missing-font         a list of fonts without an available one
        text-contrast        as above, with the halo, or else with the background or the areas of the same features
        duplicate-layer      an id that an earlier layer has
        unknown-property     a property or member that styles do not have
        unused-source        a source that no layer uses

      RULE OF SNAPSHOT CASES (a folder of cases, or a case.json):
        hidden-change        changes that a tolerance or mask hides in a case that compares the image alone; notes list \
      those of other cases

      EXAMPLES:
        mapstate lint Styles/us-counties.json
        mapstate lint Styles/world-cities.json --disable color-confusion --json
      """)

  @Argument(
    help:
      "Web map document or style (JSON), data file or layer URL, snapshot cases, or - for standard input.",
    completion: .file())
  var source: String
  @OptionGroup(title: HelpGroup.output) var output: FindingsOutput
  @OptionGroup(title: HelpGroup.output) var json: JSONFlag
  @OptionGroup(title: HelpGroup.question) var rules: LintRules
  @OptionGroup(title: HelpGroup.style) var style: StyleOptions
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers
  @OptionGroup(title: HelpGroup.filters) var clock: ClockOptions
  @OptionGroup(title: HelpGroup.services) var sources: SourceOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  func run() async throws {
    var lint = DocumentLint()
    lint.disabled = try rules.disabled()
    lint.now = clock.now
    if let cases = try ToleranceLint(source) {
      warnOfUnusedOptions()
      let isLeftOut = lint.disabled.contains(.hiddenChange)
      return try report(isLeftOut ? LintAnswer(findings: [], warnings: []) : cases.answer, in: cases.files)
    }
    var choice = LayerChoice()
    choice.skipsUnavailable = unavailable.areSkipped
    choice.readsBasemap = false
    let document: MapDocument
    do {
      document = try await MapDocument.open(source, catalog: try sources.catalog(), choice: choice)
        .styled(style.request)
    } catch {
      throw MapStateError(error)
    }
    for warning in document.warnings where !DocumentLint.isFinding(warning.description, of: document) {
      Warnings.add(warning.description)
    }
    for note in document.notes { Warnings.note(note) }
    sources.warnOfUnusedTiles([document])
    let answer = try await lint.answer(document)
    try report(answer, in: [])
  }

  /// Writes an answer; ends with 1 if it has findings.
  ///
  /// - Parameter files: the file of each finding; none if all are of the source.
  private func report(_ answer: LintAnswer, in files: [String]) throws {
    for warning in answer.warnings { Warnings.add(warning) }
    for note in answer.notes { Warnings.note(note) }
    switch json.isSet ? .json : output.format {
    case .json:
      let written = Warnings.noting(answer.json(warnings: Warnings.json))
      try StandardOutput.write(written.text(style: .pretty) + "\n")
    case .text: try StandardOutput.write(answer.text)
    case .github:
      try StandardOutput.write(GitHubAnnotation.plain(answer.text) + annotations(answer.findings, in: files))
    }
    guard answer.findings.isEmpty else { throw ExitCode(MapStateError.Kind.expectation.exitCode) }
  }

  /// Warns of options that have no effect on snapshot cases.
  private func warnOfUnusedOptions() {
    sources.warnOfUnusedOptions("the tolerances of snapshot cases are checked, and nothing is opened")
    if clock.now != nil { Warnings.add("--now has no effect: no case is drawn") }
    if let option = style.request.mainOption { Warnings.add("\(option) has no effect: no case is drawn") }
  }

  /// Returns the findings as annotations at the lines of their files.
  private func annotations(_ findings: [LintFinding], in files: [String]) -> String {
    var read: [String: (isEmpty: Bool, lines: DocumentLines)] = [:]
    return findings.enumerated().map { index, finding in
      let file = files.isEmpty ? source : files[index]
      let known: (isEmpty: Bool, lines: DocumentLines)
      if let found = read[file] {
        known = found
      } else {
        let bytes = (try? FileAccess.read(file)) ?? []
        known = (bytes.isEmpty, DocumentLines(bytes))
        read[file] = known
      }
      return GitHubAnnotation.line(
        file: known.isEmpty ? nil : file, line: finding.path.map { known.lines.line(of: $0) } ?? 1,
        title: "mapstate lint: \(finding.rule.rawValue)", "\(finding.message); \(finding.suggestion)") + "\n"
    }.joined()
  }
}

/// The format of findings.
struct FindingsOutput: ParsableArguments {
  /// The formats.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, github
  }

  @Option(help: "Format of the findings; github adds annotations of GitHub Actions.")
  var format: Format = .text
}

/// The rules that `lint` leaves out.
struct LintRules: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Leave out a rule; repeatable.", valueName: "rule"),
    completion: .list(LintRule.allCases.map(\.rawValue)))
  var disable: [String] = []

  func disabled() throws(MapStateError) -> Set<LintRule> {
    var rules: Set<LintRule> = []
    for name in disable { rules.insert(try LintRule(named: name)) }
    return rules
  }
}

/// A short form of `--format json`.
struct JSONFlag: ParsableArguments {
  @Flag(name: .customLong("json"), help: "The same as --format json.")
  var isSet = false
}
