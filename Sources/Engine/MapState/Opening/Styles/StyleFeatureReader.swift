import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapStyles

/// A reader of GeoJSON for a style's source.
///
/// Coordinates become units of the tile of zoom 0, which is the whole world. Values keep their types. The parts of a
/// collection of geometries become features of their own.
///
/// - Source: RFC 7946; MapLibre Style Specification, "Sources: geojson".
struct StyleFeatureReader {
  private let source: StyleSource
  private let filter: StyleExpression?
  private var polygons = CoordinateBuffer(kind: .polygon)
  private var lines = CoordinateBuffer(kind: .polyline)
  private var points = CoordinateBuffer(kind: .multipoint)
  private var kinds: [StyleGeometryKind] = []
  private var ids: [Double?] = []
  /// The properties in order of first appearance.
  private var columns: [StyleFeatureColumn] = []
  private var places: [String: Int] = [:]
  private var vertexCount = 0

  /// The greatest number of features and of vertices.
  ///
  /// - Source: design decision; the whole source is in memory.
  private static let (featureLimit, vertexLimit) = (4 << 20, 32 << 20)

  /// Creates the reader of a source.
  ///
  /// - Throws: ``MapStateError`` for an invalid filter.
  init(_ source: StyleSource) throws(MapStateError) {
    self.source = source
    do throws(StyleExpressionErrors) {
      filter = try source.members["filter"].map { json throws(StyleExpressionErrors) in
        try StyleExpression(filter: json)
      }
    } catch {
      throw MapStateError(.input, "its filter: \(error.errors.first?.description ?? "is invalid")")
    }
  }

  /// Returns the features of GeoJSON.
  ///
  /// - Throws: ``MapStateError`` for other JSON.
  consuming func source(of json: JSONValue) throws(MapStateError) -> StyleFeatureSource {
    var reader = self
    switch json["type"]?.string {
    case "FeatureCollection":
      guard let features = json["features"]?.array else { throw MapStateError(.input, "has no \"features\"") }
      for feature in features { try reader.add(feature: feature) }
    case "Feature": try reader.add(feature: json)
    case _?: try reader.add(json, [:], id: nil)
    case nil: throw MapStateError(.input, "its data are not GeoJSON")
    }
    return reader.result
  }

  private mutating func add(feature: JSONValue) throws(MapStateError) {
    let properties = feature["properties"]?.object ?? JSONObject()
    var id = feature["id"]?.double ?? feature["id"]?.string.flatMap { Double($0) }
    if source.members["generateId"]?.boolean == true { id = Double(kinds.count) }
    if let name = source.members["promoteId"]?.string { id = properties[name]?.double }
    guard let geometry = feature["geometry"], !geometry.isNull else { return }
    try add(geometry, properties, id: id)
  }

  private mutating func add(_ geometry: JSONValue, _ properties: JSONObject, id: Double?)
    throws(MapStateError)
  {
    if let parts = geometry["geometries"]?.array {
      for part in parts where part["geometries"] == nil { try add(part, properties, id: id) }
      return
    }
    let type = geometry["type"]?.string ?? ""
    let kind = StyleGeometryKind(name: type)
    guard kind != .unknown, let coordinates = geometry["coordinates"]?.array else {
      throw MapStateError(.input, "feature \(kinds.count) has no geometry of GeoJSON")
    }
    if let filter {
      let feature = StyleFeature(
        id: id.map { .number($0) } ?? .null, kind: kind, properties: StyleObject(properties))
      guard (try? filter.value(StyleContext(zoom: 0), feature: feature))?.isTrue == true else { return }
    }
    let isMany = type.hasPrefix("Multi")
    switch kind {
    case .polygon:
      for polygon in isMany ? coordinates.map({ $0.array ?? [] }) : [coordinates] {
        for ring in polygon { Self.append(ring.array ?? [], isRing: true, to: &polygons) }
      }
    case .line:
      for line in isMany ? coordinates.map({ $0.array ?? [] }) : [coordinates] {
        Self.append(line, isRing: false, to: &lines)
      }
    default: Self.append(isMany ? coordinates : [geometry["coordinates"] ?? .null], isRing: nil, to: &points)
    }
    polygons.endRow()
    lines.endRow()
    points.endRow()
    for member in properties.members {
      let place = places[member.name] ?? columns.count
      if place == columns.count {
        columns.append(StyleFeatureColumn(name: member.name))
        places[member.name] = place
      }
      columns[place].set(StyleValue(checked: member.value) ?? .null, row: kinds.count)
    }
    kinds.append(kind)
    ids.append(id)
    vertexCount = polygons.vertexCount + lines.vertexCount + points.vertexCount
    guard kinds.count <= Self.featureLimit, vertexCount <= Self.vertexLimit else {
      throw MapStateError(
        .input, "has more than \(Self.featureLimit) features or \(Self.vertexLimit) vertices, the limits")
    }
  }

  /// Adds positions as a part; those that are no numbers are left out.
  ///
  /// - Parameter isRing: whether the part is a ring; nil for points.
  private static func append(_ positions: [JSONValue], isRing: Bool?, to buffer: inout CoordinateBuffer) {
    var part: [StylePoint] = []
    part.reserveCapacity(positions.count)
    for position in positions {
      guard let numbers = position.array, numbers.count > 1, let longitude = numbers[0].double,
        let latitude = numbers[1].double, longitude.isFinite, latitude.isFinite
      else { continue }
      let limit = 85.051_128_779_806_59
      let y = WebMercator.y(latitude: min(max(latitude, -limit), limit))
      part.append(
        StylePoint(
          (longitude / 360 + 0.5) * StyleTile.extent,
          (0.5 - y / (2 * WebMercator.halfWorld)) * StyleTile.extent))
    }
    if isRing == true, let first = part.first, part.last != first { part.append(first) }
    guard part.count >= (isRing == nil ? 1 : isRing == true ? 4 : 2) else { return }
    for point in part { buffer.appendVertex(x: point.x, y: point.y) }
    buffer.endPart()
  }

  private var result: StyleFeatureSource {
    let count = kinds.count
    let buffers = [polygons, lines, points]
    let hasIDs = ids.contains { $0 != nil }
    let features = StyleFeatures(
      kinds: kinds, coded: columns.map { ($0.name, $0.codes(count: count), $0.values) },
      ids: hasIDs
        ? Column(
          .reals(ids.map { $0 ?? 0 }),
          validity: RowSet(rowCount: count, rows: Set(ids.indices.filter { ids[$0] != nil }))) : nil,
      tile: StyleTile(zoom: 0, x: 0, y: 0)
    ) { row in
      guard let buffer = buffers.first(where: { !$0.isEmpty(row: row) }) else { return [] }
      return buffer.parts(ofRow: row).map { part in
        buffer.vertices(ofPart: part).map { StylePoint(buffer.x[$0], buffer.y[$0]) }
      }
    }
    var (low, high) = (StylePoint(repeating: .infinity), StylePoint(repeating: -.infinity))
    for buffer in buffers {
      for vertex in buffer.x.indices {
        let point = StylePoint(buffer.x[vertex], buffer.y[vertex])
        (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
      }
    }
    let unit = 2 * WebMercator.halfWorld / StyleTile.extent
    let extent =
      count == 0
      ? Envelope.empty
      : Envelope(
        xMin: low.x * unit - WebMercator.halfWorld, yMin: WebMercator.halfWorld - high.y * unit,
        xMax: high.x * unit - WebMercator.halfWorld, yMax: WebMercator.halfWorld - low.y * unit,
        spatialReference: .webMercator)
    let layer = StyleTileContent.Layer(
      features: features, geometries: buffers, extent: StyleTile.extent,
      ids: ids.map { $0.flatMap { UInt64(exactly: $0) } })
    return StyleFeatureSource(
      StyleTileContent(layers: ["": layer], byteCount: vertexCount * 24), extent: extent)
  }
}

/// The values of one property, each stored once.
struct StyleFeatureColumn {
  let name: String
  private(set) var values: [StyleValue] = []
  private var places: [StyleValue: Int32] = [:]
  private var known: [(row: Int, code: Int32)] = []

  init(name: String) { self.name = name }

  mutating func set(_ value: StyleValue, row: Int) {
    let code = places[value] ?? Int32(clamping: values.count)
    if Int(code) == values.count {
      values.append(value)
      places[value] = code
    }
    known.append((row, code))
  }

  /// Returns for each row the index of its value; -1 for none.
  func codes(count: Int) -> [Int32] {
    var codes = [Int32](repeating: -1, count: count)
    for (row, code) in known { codes[row] = code }
    return codes
  }
}
