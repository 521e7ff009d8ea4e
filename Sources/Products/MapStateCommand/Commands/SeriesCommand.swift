import ArgumentParser
import MapScript
import MapState
import MapSystem

struct SeriesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "series",
    abstract: "Draw one image for each feature or group of a layer or each step of time.",
    usage: "mapstate series <source> (--by <layer> | --by-time <step>) -o <template>",
    discussion: """
      Reads the data once. With --by, each image shows one feature that matches the definition expression of its layer, \
      with its outline and a margin of 6 %. Fields in braces are replaced by values of the feature, in the path and in \
      the titles. With --by-field, each image shows the features with one value of a field, and {count} is their number. \
      With --by-time, all images show the same place, and {start} and {end} are the first and the last hour, \
      day, month or year of a step; --statistic is of the features with that time. A PDF file without fields in braces gets one page for each image, \
      and a .gif, .apng or .webp file is an animation of all images. With --grid, a page has several maps, each with the \
      title that has fields in braces.

      EXAMPLES:
        mapstate series Styles/us-counties.json --by States -o '{NAME}.png' --mute
        mapstate series Styles/san-francisco-incidents.json --by-time year \\
          -o '{start}.png'
        mapstate series Styles/san-francisco-incidents.json --by-time year \\
          -o years.png --grid 3x2 --title '{start}' --filters none
        mapstate series Styles/san-francisco-incidents.json --by-time year \\
          -o incidents.gif --frame-time 2s --title '{start}' --filters none
      """)

  @OptionGroup(title: HelpGroup.output) var output: SeriesOutput
  @OptionGroup(title: HelpGroup.drawing) var cells: CellOptions
  @OptionGroup(title: HelpGroup.drawing) var fonts: FontOptions
  @OptionGroup(title: HelpGroup.style) var style: StyleOptions
  @OptionGroup(title: HelpGroup.layout) var layout: LayoutOptions
  @OptionGroup var map: MapOptions
  @OptionGroup(title: HelpGroup.filters) var conditions: ConditionOptions
  @OptionGroup(title: HelpGroup.view) var bounds: ViewBounds
  @OptionGroup(title: HelpGroup.layers) var unavailable: UnavailableLayers
  @OptionGroup(title: HelpGroup.limits) var threads: ThreadOptions

  func validate() throws {
    try bounds.check(map)
    if output.dpi != nil, map.shape.pixelRatio != 1 {
      throw ValidationError("--dpi contradicts --pixel-ratio; give one of them.")
    }
    if cells.aggregate != nil, style.request.anyLabel != nil {
      throw ValidationError("--label contradicts --aggregate, which draws no features to label.")
    }
    if output.grid != nil {
      do {
        try SeriesGrid.check(layout.request.layout(), cells: cells.aggregate, path: output.images)
      } catch {
        throw ValidationError("\(error).")
      }
    }
    guard output.by != nil else { return }
    if bounds.envelope != nil || map.shape.viewpoint != nil || map.shape.fit != nil {
      throw ValidationError("--by shows each feature; it contradicts --bounds, --fit and --viewpoint.")
    }
  }

  func run() async throws {
    let start = RunReport()
    var files = try SeriesFiles(path: output.images)
    var choice = map.choice(.visible)
    choice.names += [output.by].compactMap { $0 }
    choice.skipsUnavailable = unavailable.areSkipped
    let template = try NameTemplate(output.images)
    let titles = [
      try NameTemplate(layout.request.title ?? ""), try NameTemplate(layout.request.subtitle ?? ""),
    ]
    let statistics = try output.query
    let asked = statistics.definitions.map(\.fieldName).filter { $0 != StatisticDefinition.allRows }
    let fields =
      template.fields + titles.flatMap(\.fields) + asked + conditions.fieldNames
      + [output.byField].compactMap { $0 }
    // A layer's time field is found from all fields alone.
    let fonts = try fonts.fonts()
    let style = style.request
    var document = try await map.open(
      output.byTime == nil && !layout.request.insets.contains(where: \.needsTexts)
        ? FieldSelection(map, style, names: fields) : .all, choice, fonts: fonts)
    var request = map.request(bounds: bounds.envelope, conditions: conditions.clauses)
    document = try await map.styled(document, style, for: request, fonts: fonts)
    document.map.fonts = fonts
    for warning in layout.request.warnings { Warnings.add(warning) }
    request.cells = cells.aggregate
    if layout.request == LayoutRequest() { try await self.fonts.warnOfUse(in: document, request) }
    map.warnOfResolution(of: output.images, dotsPerInch: output.dpi?.value)
    let dotsPerInch = request.applyMedium(dotsPerInch: output.dpi?.value)
    var series: MapSeries
    if let byTime = output.byTime {
      map.warnOfDrawing(document, request, style)
      series = try await MapSeries(
        document, byTime: byTime, path: output.images, request, layout.request.layout())
    } else {
      let layer = output.by ?? ""
      series = try await MapSeries(
        document, by: layer, field: output.byField, path: output.images, request, layout.request.layout())
      if series.items.isEmpty { Warnings.add("layer \"\(layer)\" has no feature to draw") }
    }
    series.mutesOthers = output.mute
    for warning in series.warnings { Warnings.add(warning) }
    (files.timing, files.grid) = (output.timing, output.grid)
    (files.statistics, files.dotsPerInch, files.threads) = (statistics, dotsPerInch, threads.count)
    files.inputs = document.inputs
    (files.hasReports, files.countsClasses) = (output.report != nil, output.report != nil)
    var run = output.report.map { _ in start }
    let count = series.items.count
    let written = try await Progress.counting("drawing images") { report async throws(MapStateError) in
      try await files.write(series, for: &run) { report(Progress.Part(done: $0, made: $0, count: count)) }
    }
    for warning in written.warnings { Warnings.add(warning) }
    for note in written.notes { Warnings.note(note) }
    if let report = output.report, let run {
      let json = run.adding(to: ["images": .array(written.images)], inputs: document.inputs)
      let text = json.text(style: .pretty) + "\n"
      do { try FileAccess.write([(Array(text.utf8), report)], keeping: document.inputs) } catch {
        throw MapStateError(error)
      }
    }
  }
}

/// The files that `series` writes.
struct SeriesOutput: ParsableArguments {
  @Option(
    help: ArgumentHelp("Layer with a feature for each image, by title, id or index.", valueName: "layer"))
  var by: String?
  @Option(
    help: ArgumentHelp(
      "Field of the layer of --by whose values make groups, each with an image.", valueName: "field"))
  var byField: String?
  @Option(
    help: ArgumentHelp(
      "Time of each image: hour, day, week, month, year or such as 6hours.", valueName: "step"),
    transform: { try TimeStep(text: $0) })
  var byTime: TimeStep?
  @Option(
    help: ArgumentHelp(
      "Maps on each page, as columns and rows such as 3x2, with one legend.", valueName: "CxR"),
    transform: { try SeriesGrid(text: $0) })
  var grid: SeriesGrid?
  @Flag(help: "Mute everything but the feature of the image.")
  var mute = false
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "PNG, JPEG, WebP, SVG or PDF file of each image, with fields in braces; or .gif, .apng or .webp file of all.",
      valueName: "template"))
  var images: String
  @Option(
    help: ArgumentHelp("Time of each image of an animation, such as 2s; default: 500ms.", valueName: "time"),
    transform: { try AnimationTiming.milliseconds(text: $0) })
  var frameTime: Int?
  @Option(
    help: ArgumentHelp(
      "Number of times that an animation plays; default: 0, without end.", valueName: "count"))
  var loops: Int?
  @Option(
    help: ArgumentHelp("Write the report of each image as JSON.", valueName: "file"), completion: .file())
  var report: String?
  @Option(
    name: .customLong("statistic"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Statistic for the report, of the features in each image, such as average:POP; repeatable.",
      valueName: "type:field[:alias]"))
  var statistics: [String] = []
  @Option(
    help: ArgumentHelp(
      "Output pixels per inch, 96 to 384: sets the pixel ratio, and is written in PNG and JPEG.",
      valueName: "number"))
  var dpi: NumberOption?

  /// The statistics of each image.
  var query: StatisticsQuery {
    get throws(MapStateError) { try StatisticsQuery(statistics: statistics, groupBy: []) }
  }

  /// The timing of an animation.
  var timing: AnimationTiming {
    var timing = AnimationTiming()
    if let frameTime { timing.milliseconds = frameTime }
    if let loops { timing.plays = loops }
    return timing
  }

  func validate() throws {
    guard (by == nil) != (byTime == nil) else {
      throw ValidationError("A series needs either --by or --by-time.")
    }
    if byField != nil, by == nil { throw ValidationError("--by-field needs --by, the layer with the field.") }
    if mute, by == nil {
      throw ValidationError("--mute needs --by, the layer of the features that are not muted.")
    }
    if !statistics.isEmpty, report == nil {
      throw ValidationError("--statistic needs --report, the file for the statistics.")
    }
    do { _ = try query } catch { throw ValidationError("\(error)") }
    if let dpi = dpi?.value, !(96...384).contains(dpi) {
      throw ValidationError("--dpi is \(dpi); it must be 96 to 384.")
    }
    let files: SeriesFiles
    do { files = try SeriesFiles(path: images) } catch { throw ValidationError("-o \(error).") }
    for (name, isGiven) in [("--frame-time", frameTime != nil), ("--loops", loops != nil)]
    where isGiven && !files.isAnimation {
      throw ValidationError("\(name) needs an animation: -o with the ending .gif, .apng or .webp.")
    }
    if let loops, !AnimationTiming.plays.contains(loops) {
      throw ValidationError("--loops is \(loops); it must be 0 to 65535, 0 for no end.")
    }
  }
}
