import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapScript
import MapState
import MapSystem

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
    return try await image(imageView(), layout(), format, type: type)
  }

  func image(
    _ request: ViewRequest, _ layout: LayoutRequest, _ format: String, type: String
  ) async throws -> HTTPResponse {
    let (page, document) = try await map.page(request, layout, styling(for: request))
    return try await image(page, document, layout, format, type: type)
  }

  /// Draws a page.
  func image(
    _ page: MapPage, _ document: MapDocument, _ layout: LayoutRequest, _ format: String, type: String
  ) async throws -> HTTPResponse {
    let file = "image." + format
    let rendered = try await page.render(for: file)
    try Task.checkCancellation()
    let bytes = try await page.fileBytes(
      for: file, rendered, svg: svgOptions(format), dotsPerInch: try dotsPerInch())
    var response = HTTPResponse(bytes, type: type)
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
      document.warnings.filter { !$0.isRemark }.map(\.description) + rendered.report.allWarnings
      + layout.warnings + (try DrawingRequest(node)).warnings(of: document, shown: state)
    // A header is one line of ASCII, so only the number is told; the path of the map lists the warnings.
    if !warnings.isEmpty { response.headers.append(("X-Map-Warnings", "\(warnings.count)")) }
    return response
  }

  /// Returns a response that a browser saves as a file with the name of the map, if the request asks for that.
  ///
  /// - Source: RFC 6266.
  /// - Parameter format: the usual format, which is the ending of the file.
  func named(_ response: HTTPResponse, _ map: String, format: String) -> HTTPResponse {
    guard boolean("download") else { return response }
    let isSummary = boolean("ids") || boolean("extentOnly") || boolean("countOnly")
    let ending = isSummary ? "json" : text("format") ?? format
    var response = response
    // The second form has the characters that the first one cannot have.
    let plain = map.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) ? $0 : "_" }
    response.headers.append(
      (
        "Content-Disposition",
        "attachment; filename=\"\(String(plain)).\(ending)\"; "
          + "filename*=UTF-8''\(FilePath.percentEncoded("\(map).\(ending)"))"
      ))
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
    (request.reference, request.medium) = (.webMercator, .screen)
    request.size = ViewSize(width: side, height: side)
    (request.pixelRatio, request.padding, request.rotation) = (ratio, 0, 0)
    return try await state(request).counting(in: request.cells).renderPart().bitmap
  }

  func legend() async throws -> HTTPResponse {
    var request = try view()
    request.applyMedium()
    var legend = try await state(request).legend(
      viewOnly: boolean("legendInView"), counts: boolean("legendCounts"), bars: boolean("legendBars"),
      charts: boolean("legendCharts"))
    legend.title = text("legendTitle") ?? ""
    guard text("format") == "png" else {
      return HTTPResponse(json: try await legend.json(pixelRatio: request.pixelRatio))
    }
    let background = request.background ?? .some(.white)
    let image = try legend.makeImage(
      pixelRatio: request.pixelRatio, background: background, columns: try layout().legendColumns)
    return HTTPResponse(try image.bitmap.pngData(), type: "image/png")
  }

  func count(funnel: Bool) async throws -> HTTPResponse {
    guard funnel || boolean("byClass") || parameters["colorBy"] == nil else {
      throw HTTPFault(400, "colorBy needs byClass in a count")
    }
    let asked = try await question(needsView: funnel)
    var options = CountOptions()
    (options.question, options.funnel, options.byClass) = (asked.question, funnel, boolean("byClass"))
    options.layers = try asked.layers
    let layers = (options.layers ?? Array(asked.state.layers.indices)).map { asked.state.layers[$0] }
    let warnings = try asked.state.check(asked.question, asking: layers, asksExtent: asked.asksExtent)
    let answer = asked.document.joined(try await asked.state.counts(options), layers: options.layers)
    return HTTPResponse(
      json: answer.json(warnings: (warnings + answer.warnings).map(ParameterSpelling.text)))
  }

  func statistics() async throws -> HTTPResponse {
    guard !texts("statistic").isEmpty else {
      throw HTTPFault(400, "statistic is missing; give one, such as average:POP")
    }
    let query = try StatisticsQuery(
      statistics: texts("statistic"), groupBy: list("groupBy").map(QuotedNames.unquoted),
      orderBy: try list("orderBy").map(OrderBy.init(text:)), having: ParsedFilter(text("having") ?? ""),
      top: try count("top") ?? 0)
    var request = StatisticsRequest(query)
    request.bins = try reading { try text("bins").map { try StatisticsBins(text: $0) } }
    request.timeStep = try reading { try text("byTime").map { try TimeStep(text: $0) } }
    try reading { try request.check() }
    let asked = try await question()
    let (layer, _, warnings) = try asked.table()
    var json = try await asked.state.statistics(of: layer, request, asked.question).json.object ?? [:]
    json.set(extentOf: asked.question, in: asked.state)
    json.set(inexactReason: layer.source.inexactReason)
    json["warnings"] = .array(warnings.map { .string(ParameterSpelling.text($0)) })
    return HTTPResponse(json: .object(json))
  }

  /// Returns a page of the features that the parameters ask for, in a spatial reference.
  ///
  /// - Parameter reference: the spatial reference of the geometries; nil for that of the data.
  func found(_ reference: SpatialReference?) async throws -> FoundFeatures {
    let asked = try await question()
    let (layer, layers, warnings) = try asked.table()
    var page = FeaturePage()
    page.orderByFields = try list("orderBy").map(OrderBy.init(text:))
    let most = try count("maxFeatures") ?? limits.features
    guard most > 0 else { throw HTTPFault(400, "maxFeatures is 0; it must be 1 or more") }
    (page.resultOffset, page.maxFeatures) = (try count("offset") ?? 0, min(most, limits.features))
    guard parameters["maxOffset"]?.double ?? 0 >= 0 else {
      throw HTTPFault(400, "maxOffset must be 0 or more")
    }
    var output = GeometryOutput()
    output.reference = reference
    output.maxAllowableOffset = parameters["maxOffset"]?.double ?? 0
    let found = try await asked.state.features(
      of: layer, asked.question, page: page, fieldNames: list("outFields").map(QuotedNames.unquoted),
      hasGeometry: !boolean("noGeometry"), output: output)
    try Task.checkCancellation()
    var options = CountOptions()
    (options.question, options.layers) = (asked.question, layers)
    let counts = asked.document.joined(try await asked.state.counts(options), layers: layers)
    return FoundFeatures(
      rows: found, matched: counts.layers.first?.count ?? 0, offset: page.resultOffset, layer: layer,
      warnings: warnings.map(ParameterSpelling.text))
  }

  func features() async throws -> HTTPResponse {
    let format = text("format") ?? "geojson"
    let asked = try reading { try text("outWkid").map { try SpatialReference(text: $0) } }
    let found = try await found(asked ?? (format == "arrow" ? nil : .wgs84))
    if let summary = try summary(of: found) { return summary }
    let (file, type): (FeatureFile, String) =
      switch format {
      case "csv": (.csv, "text/csv; charset=utf-8")
      case "ndjson": (.ndjson, "application/x-ndjson")
      case "arrow": (.arrowStream, "application/vnd.apache.arrow.stream")
      default: (.geoJSON, "application/geo+json")
      }
    var bytes = try file.bytes(of: found.rows, keepsReference: asked != nil, layer: "").bytes
    if file == .geoJSON { bytes = Self.adding(found.members, to: bytes) }
    var response = HTTPResponse(bytes, type: type)
    response.headers += [
      ("X-Features-Matched", "\(found.matched)"), ("X-Features-Returned", "\(found.rows.rows.count)"),
    ]
    return response
  }

  /// Returns only the ids, the extent or the number of features, if the parameters ask for one of them.
  private func summary(of found: FoundFeatures) throws(HTTPFault) -> HTTPResponse? {
    let names = ["ids", "extentOnly", "countOnly"].filter { boolean($0) }
    guard let name = names.first else { return nil }
    guard names.count == 1 else {
      throw HTTPFault(400, "ids, extentOnly and countOnly cannot be combined; give one of them")
    }
    guard parameters["format"] == nil else {
      throw HTTPFault(400, "\(name) is an answer in JSON; leave format out")
    }
    var json: JSONObject =
      switch name {
      case "ids": found.rows.idsJSON.object ?? [:]
      case "extentOnly": found.rows.extentJSON.object ?? [:]
      // Not only those of a page, unless the request asks for a page.
      default:
        [
          "count": .number(
            parameters["maxFeatures"] == nil ? max(0, found.matched - found.offset) : found.rows.rows.count)
        ]
      }
    for member in found.members.members { json[member.name] = member.value }
    return HTTPResponse(json: .object(json))
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
    var members: JSONObject = [
      "numberMatched": .number(matched), "numberReturned": .number(rows.rows.count),
    ]
    members.set(inexactReason: inexactReason)
    members["warnings"] = .array(warnings.map { .string($0) })
    return members
  }

  /// The reason why the page is not the whole answer; nil if it is.
  var inexactReason: String? {
    layer.source.inexactReason
      ?? (isCut ? Exactness.reason(count: rows.rows.count, offset: offset, of: matched) : nil)
  }
}
