import ArgumentParser
import MapScript
import MapSnapshots
import MapState
import MapSystem

struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two documents, two data files or two revisions of one.",
    usage: "mapstate diff <before> <after> [<options>]",
    discussion: """
      Lists what differs in meaning, a line each: layer, class, property, and the value before and after. Then draws \
      both in the same views, which are that of the first source and each --extent, and compares the images. Exits \
      with 1 if anything differs, and with 0 otherwise.

      Of tables, it lists the rows that were added, removed and changed, and the fields that differ. Rows belong \
      together by the ids of both tables, by --key, or else by their position.

      PATH@REVISION is the file at a revision of its Git repository, such as map.json@HEAD~1. A document or style of \
      a revision reads the files that are in its folder now: data, tiles, sprites and glyphs.

      EXAMPLES:
        mapstate diff Styles/us-counties.json Styles/us-unemployment.json
        mapstate diff Styles/us-counties.json@HEAD Styles/us-counties.json
        mapstate diff Styles/data/world-cities.csv Styles/data/world-rivers.csv
      """)

  @Argument(help: "Web map document, data file or layer URL, or PATH@REVISION.", completion: .file())
  var before: String
  @Argument(help: "The same, later.", completion: .file())
  var after: String
  @OptionGroup(title: HelpGroup.output) var output: DocumentOutput
  @OptionGroup(title: HelpGroup.output) var json: JSONFlag
  @OptionGroup(title: HelpGroup.output) var report: ReportOutput
  @OptionGroup(title: HelpGroup.view) var views: ComparedViews
  @OptionGroup(title: HelpGroup.features) var rows: ComparedRows
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers
  @OptionGroup(title: HelpGroup.filters) var clock: ClockOptions
  @OptionGroup(title: HelpGroup.services) var sources: SourceOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions

  func run() async throws {
    let catalog = try sources.catalog()
    var choice = LayerChoice()
    choice.skipsUnavailable = unavailable.areSkipped
    let first = try await SourceRevision(before).open(catalog: catalog, choice: choice)
    let second = try await SourceRevision(after).open(catalog: catalog, choice: choice)
    for warning in first.document.warnings { Warnings.add("\(before): \(warning)") }
    for warning in second.document.warnings { Warnings.add("\(after): \(warning)") }
    for note in first.document.notes { Warnings.note("\(before): \(note)") }
    for note in second.document.notes { Warnings.note("\(after): \(note)") }
    sources.warnOfUnusedTiles([first.document, second.document])
    let comparison = try await MapComparison(
      first.document, second.document, views: views.requests(sources.reading.options, now: clock.now),
      key: rows.key)
    for warning in comparison.drawingWarnings.before { Warnings.add("\(before): \(warning)") }
    for warning in comparison.drawingWarnings.after { Warnings.add("\(after): \(warning)") }
    // The folders of data files at a revision are removed with these values.
    withExtendedLifetime((first.folder, second.folder)) {}
    if let folder = report.reportDir { try comparison.writeReport(into: folder) }
    let isJSON = output.format == .json || json.isSet
    try StandardOutput.write(
      isJSON ? comparison.json(warnings: Warnings.json).text(style: .pretty) + "\n" : text(comparison))
    guard comparison.isEqual else { throw ExitCode(MapStateError.Kind.expectation.exitCode) }
  }

  private func text(_ comparison: MapComparison) -> String {
    var text = comparison.lines.map { $0 + "\n" }.joined()
    for view in comparison.views {
      let detail = view.outcome.detail.map { "\t" + MessageText.line($0) } ?? ""
      text += "\(view.outcome.word)\t\(MessageText.name(view.name))\(detail)\n"
      for change in view.changes.prefix(5) { text += "\t\(MessageText.line(change.description))\n" }
      if view.changes.count > 5 { text += "\tand \(view.changes.count - 5) more\n" }
    }
    return text
  }
}

/// The views in which two sources are drawn.
struct ComparedViews: ParsableArguments {
  @Option(
    name: [.customLong("extent"), .customLong("bounds")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Area to draw too, in degrees unless a WKID is given; repeatable.",
      valueName: "xmin,ymin,xmax,ymax[,wkid]"),
    transform: { try RequestedExtent.envelope(text: $0) })
  var extents: [Envelope] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Size in view pixels (1/96 inch); default: 800x600.", valueName: "WxH"),
    transform: { try ViewSize(text: $0) })
  var size: ViewSize?

  func validate() throws {
    guard let size else { return }
    do { _ = try MapView.pictureSize(width: size.width, height: size.height, pixelRatio: 1) } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Returns the views by name: that of the first source, and each extent.
  func requests(_ reading: ReadingOptions, now: Instant?) -> [(name: String, request: ViewRequest)] {
    var own = ViewRequest()
    own.size = size ?? own.size
    (own.reading, own.now) = (reading, now)
    own = own.atOneTime
    return [("view", own)]
      + extents.enumerated().map { index, extent in
        var request = own
        request.place = .bounds(extent)
        return ("extent-\(index + 1)", request)
      }
  }
}

/// The option that matches rows.
struct ComparedRows: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Match the rows of tables by the values of this field.", valueName: "field"))
  var key: String?
}
