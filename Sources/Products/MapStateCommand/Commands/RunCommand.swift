import ArgumentParser
import MapScript
import MapState
import MapSystem

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run steps (open, zoom, count, render, …) from a file or a pipe.",
    usage: "mapstate run <script> [<options>]",
    discussion: """
      A step is a JSON object with "step", an optional "id" and the fields of the step. The answer to each step is one \
      line of JSON. Relative sources are looked up in the folder of the script, then in the current folder.

      View fields describe a view. They are size, pixelRatio, viewpoint, bounds, fit, padding, rotation, zoom, \
      reference, layer, only, hide, show, idsOf, filters, definition, displayFilter, time and now.

      Data fields tell what a data file does not say. They are sourceReference, x, y, encoding, \
      delimiter, decimal, skipBadRows and tileZoom. join and joinFirst add the columns of tables. tiles puts archives in \
      the place of a style's sources, or gives the basemap streets.

      Style fields choose the symbols of a data file, or as "NAME: VALUE" those of a layer. They are style, colorBy, \
      normalizeBy, crossBy, classes, method, breaks, edges, midpoint, ramp, colors, hatch, symbol, sizeBy, \
      sizeRange, sizeScaling, label, labelShort and labelPriority.

      Drawing fields choose the basemap and the appearance. They are basemap, basemapLanguage, noBasemap, \
      basemapNames, graticule, background, aggregate, missingTiles, font, painter and dpi.

      Layout fields add parts around the map. They are title, subtitle, legend, legendTitle, legendInView, \
      legendCounts, legendBars, legendCharts, legendColumns, scaleBar, locator, northArrow, inset, attribution, \
      frame and margin. template names a JSON file with such fields.

      Selection fields select features. They are layer, only, everywhere, inView, bounds, where, cql2, propertyCase, \
      geometry, relation, time and objectIds.

      The steps and their fields:

      open: source (without it, an empty map), data, skipUnavailable; view, data, style, layout and drawing fields
      add: source, title, where, data fields, style fields; adds data above the layers
      viewpoint: one of viewpoint, center with scale, bounds and fit; padding, rotation
      pan, zoom, rotate: by (pan: view pixels; zoom: a factor; rotate: degrees)
      filter: layer; definition, displayFilter or filters
      visibility: layer with visible; or only, hide, show
      time: time (START/END; without it, all times), now
      count: selection fields; funnel, byClass, expect, extents
      statistics: selection fields; statistic, groupBy, orderBy, having, top
      query: selection fields; outFields, orderBy, offset, maxFeatures, noGeometry, ids, extentOnly, \
      countOnly, outWkid, maxOffset
      select: selection fields; mode
      identify: layer, at, tolerance, maximum
      explain: layer, objectId
      render: output, pixelRatio, svgText, svgIds, worldFile, saveDocument, listLabels, describe
      legend: output, title, counts, inView, bars, charts, columns, background
      series: by or byTime, grid, output, mute, statistic, dpi, layout fields
      tiles: output, zoom, bounds, pixelRatio
      lint: disable
      expect: selection fields; count, drawn, image
      close: no fields

      EXAMPLES:
        mapstate run Styles/san-francisco-incidents.run
        echo '{"step": "open", "source": "Styles/us-counties.json"}' | mapstate run -
      """)

  @Argument(
    help: "File of steps, as JSON lines or one JSON list, or - for standard input.", completion: .file())
  var script: String
  @OptionGroup(title: HelpGroup.filters) var clock: ClockOptions
  @OptionGroup(title: HelpGroup.services) var sources: SourceOptions
  @OptionGroup(title: HelpGroup.messages) var reporting: ReportingOptions
  @OptionGroup(title: HelpGroup.limits) var limits: LimitOptions
  @OptionGroup(title: HelpGroup.limits) var threads: ThreadOptions

  func run() async throws {
    var session = MapSession(
      folder: script == "-" ? "." : FilePath.folder(of: script),
      catalog: try sources.catalog(), threads: threads.count)
    session.now = clock.now
    var failure: MapStateError?
    var number = 0
    func print(_ answer: MapSession.Answer) throws {
      number += 1
      try StandardOutput.write(answer.json.text() + "\n")
      let warnings = answer.json["warnings"] ?? answer.json["report"]?["warnings"]
      for warning in warnings?.array ?? [] { Warnings.add(warning.string ?? "") }
      if let error = answer.failure {
        StandardError.report(error, at: (script == "-" ? "" : "\(script): ") + "step \(number)")
        failure = failure ?? error
      }
    }
    if script == "-" {
      while let line = readLine() {
        guard line.contains(where: { !$0.isWhitespace }) else { continue }
        try print(await session.answer(toLine: line))
      }
    } else {
      switch try StepList(script) {
      case .lines(let lines): for line in lines { try print(await session.answer(toLine: line)) }
      case .list(let steps): for step in steps { try print(await session.answer(to: step)) }
      }
    }
    if let failure { throw ExitCode(failure.kind.exitCode) }
  }
}

/// Steps from a script file: JSON lines, which are parsed one after the other, or one JSON list.
enum StepList {
  case lines([String])
  case list([JSONValue])

  init(_ path: String) throws(MapStateError) {
    let bytes: [UInt8]
    do { bytes = try FileAccess.read(path) } catch { throw MapStateError(error) }
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    guard bytes.first(where: { !blank.contains($0) }) == UInt8(ascii: "[") else {
      self = .lines(
        bytes.split(separator: 0x0A).filter { $0.contains { !blank.contains($0) } }
          .map { String(decoding: $0, as: UTF8.self) })
      return
    }
    do {
      self = .list(try JSONValue(parsing: bytes).array ?? [])
    } catch {
      throw MapStateError(.input, "\(path): \(error)")
    }
  }
}
