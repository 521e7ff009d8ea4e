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
    let (title, counts, inView, bars, charts, background) = try MapStateError.reading {
      (
        try step.string("title") ?? "", try step.boolean("counts") ?? false,
        try step.boolean("inView") ?? false, try step.boolean("bars") ?? false,
        try step.boolean("charts") ?? false,
        try step["background"].map { try DrawingRequest.background(text: $0.string()) } ?? .white
      )
    }
    let frozen = view.freeze()
    var legend = try await frozen.legend(viewOnly: inView, counts: counts, bars: bars, charts: charts)
    legend.title = title
    var warnings = legend.isEmpty ? ["the legend is empty: no layer has a class to show"] : []
    let bytes: [UInt8]
    if isJSON {
      warnings += legend.warnings
      let json = try await legend.json(pixelRatio: frozen.pixelRatio)
      bytes = Array((json.text(style: .pretty) + "\n").utf8)
    } else {
      let columns = try step["columns"].map { node throws(MapStateError) in try LayoutRequest.columns(node) }
      let image = try legend.makeImage(
        pixelRatio: frozen.pixelRatio, background: background, columns: columns)
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
    try Self.check(output, others: SeriesFiles.extensions)
    var files = try SeriesFiles(path: output)
    try files.readTiming(step)
    files.statistics = try StatisticsQuery(
      statistics: MapStateError.reading { try step["statistic"]?.strings() ?? [] }, groupBy: [])
    files.dotsPerInch = try Self.dotsPerInch(step)
    var request = request
    if let dotsPerInch = files.dotsPerInch { request.pixelRatio = dotsPerInch / 96 }
    request.now = request.now ?? view.now
    // A view that a step has moved is the place of each step of time.
    if isMoved {
      let place = view.viewpoint
      (request.place, request.zoom) = (.center(place.center, scale: place.scale), nil)
      request.rotation = place.rotation
    }
    let asked = try LayoutRequest(step, in: [folder, "."])
    let layout = asked == LayoutRequest() ? page.layout : asked.layout()
    if let grid = step["grid"] {
      files.grid = try MapStateError.reading { try SeriesGrid(grid) }
      try SeriesGrid.check(layout, cells: request.cells, path: output)
    }
    var series: MapSeries
    if let by {
      series = try await MapSeries(document, by: by, field: field, path: output, request, layout)
    } else if let time {
      series = try await MapSeries(document, byTime: time, path: output, request, layout)
    } else {
      return []
    }
    series.mutesOthers = mute
    (files.threads, files.method, files.inputs) = (threads, drawing.method, document.inputs)
    let (report, count) = (progress, series.items.count)
    var run: RunReport?
    let written = try await files.write(series, for: &run) { report?($0, count) }
    return [("images", .array(written.images))] + Self.warnings(series.warnings + written.warnings)
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
