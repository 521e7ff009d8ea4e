import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapScript
import MapState

/// The answers about a map: each decodes a request, asks once and encodes the answer.
extension MapRequest {
  /// The formats of images and their media types.
  static let imageFormats = [
    ("png", "image/png"), ("svg", "image/svg+xml"), ("pdf", "application/pdf"), ("jpg", "image/jpeg"),
    ("webp", "image/webp"),
  ]

  func image() async throws -> HTTPResponse {
    let format = text("format") ?? "png"
    let type = Self.imageFormats.first { $0.0 == format }?.1 ?? "image/png"
    return try await image(view(), layout(), format, type: type)
  }

  func image(
    _ request: ViewRequest, _ layout: LayoutRequest, _ format: String, type: String
  ) async throws -> HTTPResponse {
    let page = try await map.page(request, layout, classChanges())
    let file = "image." + format
    let rendered = try await page.render(for: file)
    try Task.checkCancellation()
    var response = HTTPResponse(try await page.fileBytes(for: file, rendered), type: type)
    let state = page.map
    let extent = state.extent
    response.headers += [
      (
        "X-Map-Extent",
        [extent.xMin, extent.yMin, extent.xMax, extent.yMax].map { "\($0)" }.joined(separator: ",")
      ),
      ("X-Map-Reference", "\(state.spatialReference.wkid)"), ("X-Map-Scale", "\(state.viewpoint.scale)"),
    ]
    let warnings =
      map.document.warnings.filter { !$0.isRemark }.map(\.description) + rendered.report.allWarnings
      + layout.warnings
    // A header is one line of ASCII, so only the number is told; the path of the map lists the warnings.
    if !warnings.isEmpty { response.headers.append(("X-Map-Warnings", "\(warnings.count)")) }
    return response
  }

  /// Draws a tile with its block, or alone without a state that keeps the block.
  func tile(
    _ tile: TileAddress, ratio: Double, blocks: TileBlocks, state: String?
  ) async throws -> HTTPResponse {
    let request = try view()
    guard request.place == nil else { throw HTTPFault(400, "a tile has its own place") }
    guard let state else {
      let image = try await draw(request, tile.envelope, side: TileAddress.side, ratio)
      return HTTPResponse(try image.pngData(), type: "image/png")
    }
    let block = TileBlock(of: tile, ratio: ratio, limit: limits.pixels)
    let files = try await blocks.files(TileBlocks.Key(block: block, state: state)) {
      let side = TileAddress.side * Double(block.side)
      return try block.cut(try await draw(request, block.envelope, side: side, ratio))
    }
    return HTTPResponse(files[block.index(of: tile)], type: "image/png")
  }

  private func draw(
    _ request: ViewRequest, _ area: Envelope, side: Double, _ ratio: Double
  ) async throws -> Bitmap {
    var request = request
    request.place = .bounds(area)
    request.reference = .webMercator
    request.size = ViewSize(width: side, height: side)
    (request.pixelRatio, request.padding, request.rotation) = (ratio, 0, 0)
    return try await state(request).renderPart().bitmap
  }

  func legend() async throws -> HTTPResponse {
    let request = try view()
    var legend = try await state(request).legend(
      viewOnly: boolean("legendInView"), counts: boolean("legendCounts"), bars: boolean("legendBars"))
    legend.title = text("legendTitle") ?? ""
    guard text("format") == "png" else {
      return HTTPResponse(json: try await legend.json(pixelRatio: request.pixelRatio))
    }
    let image = try legend.makeImage(pixelRatio: request.pixelRatio, background: .white)
    return HTTPResponse(try image.bitmap.pngData(), type: "image/png")
  }

  func count(funnel: Bool) async throws -> HTTPResponse {
    let asked = try await question(needsView: funnel)
    var options = CountOptions()
    (options.question, options.funnel, options.byClass) = (asked.question, funnel, boolean("byClass"))
    options.layers = try asked.layers
    let layers = (options.layers ?? Array(asked.state.layers.indices)).map { asked.state.layers[$0] }
    let warnings = try asked.state.check(asked.question, asking: layers, asksExtent: asked.asksExtent)
    let answer = asked.document.joined(try await asked.state.counts(options), layers: options.layers)
    return HTTPResponse(json: answer.json(warnings: warnings + answer.warnings))
  }

  func statistics() async throws -> HTTPResponse {
    guard !texts("statistic").isEmpty else {
      throw HTTPFault(400, "statistic is missing; give one, such as average:POP")
    }
    let query = try StatisticsQuery(
      statistics: texts("statistic"), groupBy: list("groupBy"),
      orderBy: try list("orderBy").map(OrderBy.init(text:)), having: ParsedFilter(text("having") ?? ""),
      top: try count("top") ?? 0)
    let asked = try await question()
    let (layer, _, warnings) = try asked.table()
    var json = try await asked.state.statistics(of: layer, query, asked.question).json.object ?? [:]
    json["exact"] = .boolean(layer.source.isExact)
    json["warnings"] = .array(warnings.map { .string($0) })
    return HTTPResponse(json: .object(json))
  }

  /// Returns a page of the features that the parameters ask for, in a spatial reference.
  ///
  /// - Parameter wkid: the spatial reference of the geometries; nil for that of the data.
  func found(wkid: Int?) async throws -> FoundFeatures {
    let asked = try await question()
    let (layer, layers, warnings) = try asked.table()
    var page = FeaturePage()
    page.orderByFields = try list("orderBy").map(OrderBy.init(text:))
    let most = try count("maxFeatures") ?? limits.features
    guard most > 0 else { throw HTTPFault(400, "maxFeatures is 0; it must be 1 or more") }
    (page.resultOffset, page.maxFeatures) = (try count("offset") ?? 0, min(most, limits.features))
    guard wkid ?? 1 > 0, parameters["maxOffset"]?.double ?? 0 >= 0 else {
      throw HTTPFault(400, "the WKID must be above 0, and maxOffset 0 or more")
    }
    var output = GeometryOutput()
    output.reference = wkid.map { SpatialReference(wkid: $0) }
    output.maxAllowableOffset = parameters["maxOffset"]?.double ?? 0
    let found = try await asked.state.features(
      of: layer, asked.question, page: page, fieldNames: list("outFields"),
      hasGeometry: !boolean("noGeometry"), output: output)
    try Task.checkCancellation()
    var options = CountOptions()
    (options.question, options.layers) = (asked.question, layers)
    let counts = asked.document.joined(try await asked.state.counts(options), layers: layers)
    return FoundFeatures(
      rows: found, matched: counts.layers.first?.count ?? 0, offset: page.resultOffset, layer: layer,
      warnings: warnings)
  }

  func features() async throws -> HTTPResponse {
    let (format, wkid) = (text("format") ?? "geojson", parameters["outWkid"]?.integer)
    let found = try await found(wkid: wkid ?? (format == "arrow" ? nil : 4326))
    let (file, type): (FeatureFile, String) =
      switch format {
      case "csv": (.csv, "text/csv; charset=utf-8")
      case "ndjson": (.ndjson, "application/geo+json-seq")
      case "arrow": (.arrowStream, "application/vnd.apache.arrow.stream")
      default: (.geoJSON, "application/geo+json")
      }
    var bytes = try file.bytes(of: found.rows, keepsReference: wkid != nil, layer: "").bytes
    if file == .geoJSON { bytes = Self.adding(found.members, to: bytes) }
    var response = HTTPResponse(bytes, type: type)
    response.headers += [
      ("X-Features-Matched", "\(found.matched)"), ("X-Features-Returned", "\(found.rows.rows.count)"),
    ]
    return response
  }

  /// Returns a GeoJSON feature collection with further members, which readers of GeoJSON ignore.
  static func adding(_ members: JSONObject, to collection: [UInt8]) -> [UInt8] {
    let start = Array(#"{"type":"FeatureCollection","#.utf8)
    guard collection.starts(with: start) else { return collection }
    return start + JSONValue.object(members).text().utf8.dropFirst().dropLast() + [UInt8(ascii: ",")]
      + collection.dropFirst(start.count)
  }
}

/// A page of features.
struct FoundFeatures {
  let rows: FeatureRows
  /// The number of features on all pages.
  let matched: Int
  let offset: Int
  let layer: LayerState
  let warnings: [String]

  /// Whether there is a further page.
  var isCut: Bool { offset + rows.rows.count < matched && !rows.rows.isEmpty }

  /// The members that describe the page, in an answer in GeoJSON.
  var members: JSONObject {
    [
      "numberMatched": .number(matched), "numberReturned": .number(rows.rows.count),
      "exact": .boolean(layer.source.isExact), "warnings": .array(warnings.map { .string($0) }),
    ]
  }
}
