import MapGeometry
import MapJSON
import MapLayout
import MapModel
import MapState
import MapSystem

/// The steps that make legends, series of images and tiles of the open map, and check its document.
extension MapSession {
  mutating func legend(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    let output = try MapStateError.reading {
      returnsData ? try step.string("output") : try step.required("output").string()
    }
    if let output { try Self.check(output, others: ["json"]) }
    let isJSON = output.map { FilePath.pathExtension(of: $0) == "json" } ?? false
    let (title, counts, inView, bars, background) = try MapStateError.reading {
      (
        try step.string("title") ?? "", try step.boolean("counts") ?? false,
        try step.boolean("inView") ?? false, try step.boolean("bars") ?? false,
        try step["background"].map { try DrawingRequest.background(text: $0.string()) } ?? .white
      )
    }
    let frozen = view.freeze()
    var legend = try await frozen.legend(viewOnly: inView, counts: counts, bars: bars)
    legend.title = title
    var warnings = legend.isEmpty ? ["the legend is empty: no layer has a class to show"] : []
    let bytes: [UInt8]
    if isJSON {
      warnings += legend.warnings
      let json = try await legend.json(pixelRatio: frozen.pixelRatio)
      bytes = Array((json.text(style: .pretty) + "\n").utf8)
    } else {
      let image = try legend.makeImage(pixelRatio: frozen.pixelRatio, background: background)
      warnings += image.warnings
      bytes = try MapStateError.reading { try image.bitmap.pngData() }
    }
    if let output {
      try MapStateError.reading { try FileAccess.write([(bytes, output)], keeping: document.inputs) }
    } else {
      data = bytes
    }
    return Self.warnings(warnings)
  }

  func series(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    let (by, field, time, output, mute) = try MapStateError.reading {
      (
        try step.string("by"), try step.string("byField"),
        try step["byTime"].map { try TimeStep(text: $0.string()) },
        try step.required("output").string(), try step.boolean("mute") ?? false
      )
    }
    guard (by == nil) != (time == nil) else {
      throw MapStateError(.usage, "a series needs either \"by\" or \"byTime\"")
    }
    guard by != nil || field == nil else {
      throw MapStateError(.usage, "\"byField\" needs \"by\", the layer with the field")
    }
    guard by != nil || !mute else {
      throw MapStateError(.usage, "\"mute\" needs \"by\", the layer of the features that are not muted")
    }
    try Self.check(output, others: MapPage.extensions)
    let statistics = try StatisticsQuery(
      statistics: MapStateError.reading { try step["statistic"]?.strings() ?? [] }, groupBy: [])
    let dotsPerInch = try Self.dotsPerInch(step)
    var request = request
    if let dotsPerInch { request.pixelRatio = dotsPerInch / 96 }
    request.now = request.now ?? view.now
    // A view that a step has moved is the place of each step of time.
    if isMoved {
      let place = view.viewpoint
      (request.place, request.zoom) = (.center(place.center, scale: place.scale), nil)
      request.rotation = place.rotation
    }
    let asked = try LayoutRequest(step)
    let layout = asked == LayoutRequest() ? page.layout : asked.layout()
    var series: MapSeries
    if let by {
      series = try await MapSeries(document, by: by, field: field, path: output, request, layout)
    } else if let time {
      series = try await MapSeries(document, byTime: time, path: output, request, layout)
    } else {
      return []
    }
    series.mutesOthers = mute
    return try await write(series, to: output, statistics, dotsPerInch, keeping: document.inputs)
  }

  /// Draws and writes the images of a series, and returns the answer to its step.
  private func write(
    _ series: MapSeries, to output: String, _ statistics: StatisticsQuery, _ dotsPerInch: Double?,
    keeping inputs: [String]
  ) async throws(MapStateError) -> [(String, JSONValue)] {
    let hasFields = try !NameTemplate(output).fields.isEmpty
    let isOneFile = FilePath.pathExtension(of: output) == "pdf" && !hasFields
    var warnings = series.warnings
    var (pages, images): ([MapPage], [JSONValue]) = ([], [])
    for (number, item) in series.items.enumerated() {
      progress?(number, series.items.count)
      let page = try await series.page(item)
      guard !isOneFile else {
        pages.append(page)
        continue
      }
      let rendered = try await page.render(for: item.path, threads: threads, method: drawing.method)
      warnings += rendered.report.allWarnings.map { "\(item.path): \($0)" }
      try await series.write(rendered, of: page, item, dotsPerInch: dotsPerInch, keeping: inputs)
      images.append(try await series.report(on: rendered, of: page, item, statistics))
    }
    if isOneFile, !pages.isEmpty {
      let bytes = try await MapPage.pdfData(of: pages)
      try MapStateError.reading { try FileAccess.write([(bytes, output)], keeping: inputs) }
    }
    progress?(series.items.count, series.items.count)
    return [("images", .array(images))] + Self.warnings(warnings)
  }

  func tiles(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, _) = try current()
    let (output, levels, bounds, ratio) = try MapStateError.reading {
      (
        try step.required("output").string(), try ZoomRange(step.required("zoom")),
        try RequestedExtent.envelope(step.required("bounds")), try step.integer("pixelRatio") ?? 1
      )
    }
    guard bounds.spatialReference == .wgs84 else {
      throw MapStateError(.usage, "\"bounds\" of tiles are in degrees; leave the WKID out")
    }
    guard drawing.cells == nil else {
      throw MapStateError(
        .usage, "\"aggregate\" contradicts tiles: the colours of each image start from its own greatest count"
      )
    }
    var export = try TileExport(
      zooms: levels.range, bounds: [bounds.xMin, bounds.yMin, bounds.xMax, bounds.yMax], pixelRatio: ratio)
    export.threads = threads
    let form = try TileExport.Form(path: output)
    // Tiles are in Web Mercator; the map keeps its own spatial reference.
    let reference = document.map.spatialReference
    defer { if document.map.spatialReference != reference { document.map.draw(in: reference) } }
    let report = progress
    let warnings = try await export.write(document, request, to: output, as: form) {
      report?($0.done, $0.count)
    }
    return [("count", .number(export.count))] + Self.warnings(warnings)
  }

  func lint(_ step: JSONNode) async throws(MapStateError) -> [(String, JSONValue)] {
    let (document, view) = try current()
    var lint = DocumentLint()
    for name in try MapStateError.reading({ try step["disable"]?.strings() ?? [] }) {
      lint.disabled.insert(try LintRule(named: name))
    }
    (lint.now, lint.keepsLayers) = (view.now, true)
    let answer = try await lint.answer(document)
    return members(of: answer.json(warnings: .array(answer.warnings.map { .string($0) })))
  }

  private static func warnings(_ texts: [String]) -> [(String, JSONValue)] {
    [("warnings", .array(texts.map { .string(MessageText.line($0)) }))]
  }

  /// Refuses a file name that no image can have, and standard output, which carries the answers.
  private static func check(_ output: String, others: [String]) throws(MapStateError) {
    try PictureFile.check(output, others: others)
    guard output != "-", !FileAccess.isStream(output) else {
      throw MapStateError(.usage, "\(output): standard output carries the answers; write a file")
    }
  }
}
