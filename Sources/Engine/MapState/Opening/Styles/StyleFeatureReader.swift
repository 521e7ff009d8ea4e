import MapFeatures
import MapGeometry
import MapJSON
import MapModel
import MapStyles
import MapSystem
import Synchronization

/// A reader of GeoJSON for a style's source.
///
/// Coordinates become units of the tile of zoom 0, which is the whole world. Values keep their types. The parts of a
/// collection of geometries become features of their own.
///
/// - Source: RFC 7946; MapLibre Style Specification, "Sources: geojson".
struct StyleFeatureReader {
  private let source: StyleSource
  private let filter: StyleExpression?
  private let clusters: StyleClusters?
  private var points: [StyleClusters.Item] = []
  private var table = StyleFeatureTable()
  /// The number of the current feature in the source.
  private var number = 0

  /// The greatest number of features, of vertices, and of features times properties.
  ///
  /// - Source: design decision; the whole source is in memory.
  private static let (featureLimit, vertexLimit, valueLimit) = (4 << 20, 32 << 20, 64 << 20)
  /// The greatest longitude in degrees, a hundred times around the world.
  ///
  /// - Source: design decision; larger numbers are metres, or a fault.
  private static let longitudeLimit = 36_000.0

  /// Creates the reader of a source.
  ///
  /// - Throws: ``MapStateError`` for an invalid filter, and for invalid properties of clusters.
  init(_ source: StyleSource) throws(MapStateError) {
    self.source = source
    clusters = try StyleClusters(source)
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
  /// - Parameter place: the path; nil for GeoJSON within the style.
  /// - Throws: ``MapStateError`` for other JSON.
  consuming func source(of json: JSONValue, place: String?) throws(MapStateError) -> StyleFeatureSource {
    var reader = self
    switch json["type"]?.string {
    case "FeatureCollection":
      guard let features = json["features"]?.array else { throw MapStateError(.input, "has no \"features\"") }
      for (number, feature) in features.enumerated() {
        reader.number = number
        guard feature.object != nil else { throw reader.failure("is no feature of GeoJSON") }
        try reader.add(feature: feature)
      }
    case "Feature": try reader.add(feature: json)
    case _?: try reader.add(json, JSONObject(), id: nil)
    case nil: throw MapStateError(.input, "its data are not GeoJSON")
    }
    return reader.result(place)
  }

  /// Returns the error for the current feature.
  private func failure(_ reason: String) -> MapStateError {
    MapStateError(.input, "feature \(number) \(reason)")
  }

  private mutating func add(feature: JSONValue) throws(MapStateError) {
    let properties = feature["properties"]?.object ?? JSONObject()
    var id = feature["id"]?.double ?? feature["id"]?.string.flatMap { Double($0) }
    if source.members["generateId"]?.boolean == true { id = Double(table.count) }
    if let name = source.members["promoteId"]?.string { id = properties[name]?.double }
    guard let geometry = feature["geometry"], !geometry.isNull else { return }
    try add(geometry, properties, id: id)
  }

  private mutating func add(_ geometry: JSONValue, _ properties: JSONObject, id: Double?)
    throws(MapStateError)
  {
    if let parts = geometry["geometries"]?.array {
      for part in parts { try add(part, properties, id: id) }
      return
    }
    let type = geometry["type"]?.string ?? ""
    let kind = StyleGeometryKind(name: type)
    guard kind != .unknown, let coordinates = geometry["coordinates"]?.array else {
      throw failure("has no geometry of GeoJSON")
    }
    let properties = properties.members.map { ($0.name, StyleValue(checked: $0.value) ?? .null) }
    if let filter {
      let feature = StyleFeature(
        id: id.map { .number($0) } ?? .null, kind: kind, properties: StyleObject(properties))
      guard (try? filter.value(StyleContext(zoom: 0), feature: feature))?.isTrue == true else { return }
    }
    let isMany = type.hasPrefix("Multi")
    var parts: [[StylePoint]] = []
    switch kind {
    case .polygon:
      for polygon in try isMany ? coordinates.map(array) : [coordinates] {
        for (index, ring) in polygon.enumerated() {
          parts.append(try part(try array(ring), isRing: true).turning(clockwise: index == 0))
        }
      }
    case .line:
      for line in try isMany ? coordinates.map(array) : [coordinates] {
        parts.append(try part(line, isRing: false))
      }
    default:
      // A point without coordinates is one without a geometry.
      let positions = isMany || coordinates.isEmpty ? coordinates : [.array(coordinates)]
      // A point on the antimeridian or up to a world beyond it lies in a copy of the world, as in MapLibre GL JS.
      parts.append(
        try part(positions, isRing: nil).map { point in
          let world = (point.x / StyleTile.extent).rounded(.down)
          guard abs(world) <= 1 else { return point }
          let x = point.x - world * StyleTile.extent
          return StylePoint(x < StyleTile.extent ? x : 0, point.y)
        })
    }
    if let clusters {
      // Clusters are of single points, as in MapLibre GL JS.
      guard kind == .point, !isMany, let place = parts.first?.first else { return }
      let feature = StyleFeature(kind: kind, properties: StyleObject(properties))
      points.append(
        StyleClusters.Item(
          place: place / StyleTile.extent, count: 1, id: table.count, isCluster: false,
          values: clusters.values(of: feature)))
    }
    table.add(kind, parts, properties, id: id)
    guard table.count <= Self.featureLimit, table.vertexCount <= Self.vertexLimit else {
      throw MapStateError(
        .input, "has more than \(Self.featureLimit) features or \(Self.vertexLimit) vertices, the limits")
    }
    guard table.columnCount <= FeatureSchema.fieldLimit, table.columnCount * table.count <= Self.valueLimit
    else {
      throw MapStateError(
        .input,
        "has more than \(FeatureSchema.fieldLimit) properties, or more than \(Self.valueLimit) values, the limits"
      )
    }
  }

  /// Returns the elements of a list of coordinates.
  private func array(_ json: JSONValue) throws(MapStateError) -> [JSONValue] {
    guard let elements = json.array else { throw failure("has coordinates that are no list") }
    return elements
  }

  /// Returns positions as a part in units of the tile; empty for too few.
  ///
  /// - Parameter isRing: whether the part is a ring; nil for points.
  /// - Throws: ``MapStateError`` for a position that is no longitude and latitude.
  private func part(_ positions: [JSONValue], isRing: Bool?) throws(MapStateError) -> [StylePoint] {
    var part: [StylePoint] = []
    part.reserveCapacity(positions.count)
    for position in positions {
      guard let numbers = position.array, numbers.count > 1, let longitude = numbers[0].double,
        let latitude = numbers[1].double, abs(longitude) <= Self.longitudeLimit, latitude.isFinite
      else { throw failure("has a position that is not a longitude and a latitude") }
      let limit = WebMercator.latitudeLimit
      let y = WebMercator.y(latitude: min(max(latitude, -limit), limit))
      part.append(
        StylePoint(
          (longitude / 360 + 0.5) * StyleTile.extent,
          (0.5 - y / (2 * WebMercator.halfWorld)) * StyleTile.extent))
    }
    if isRing == true, let first = part.first, part.last != first { part.append(first) }
    return part.count >= (isRing == nil ? 1 : isRing == true ? 4 : 2) ? part : []
  }

  private func result(_ place: String?) -> StyleFeatureSource {
    let content = table.content
    let extent = table.extent
    guard let clusters else { return StyleFeatureSource(place: place, extent: extent) { _ in content } }
    let clustered = ClusteredFeatures(clusters, points, content)
    return StyleFeatureSource(place: place, extent: extent) { clustered.content(atZoom: $0) }
  }
}

/// The features of a source with clusters, which are made when an image first needs a zoom.
private final class ClusteredFeatures: Sendable {
  private let clusters: StyleClusters
  private let points: [StyleClusters.Item]
  private let content: StyleTileContent
  private let known = Mutex<[Int: StyleTileContent]>([:])

  init(_ clusters: StyleClusters, _ points: [StyleClusters.Item], _ content: StyleTileContent) {
    (self.clusters, self.points, self.content) = (clusters, points, content)
  }

  func content(atZoom zoom: Int) -> StyleTileContent {
    guard zoom <= clusters.largestZoom, let layer = content.layers[""] else { return content }
    if let known = known.withLock({ $0[zoom] }) { return known }
    var table = StyleFeatureTable()
    for item in clusters.items(points, atZoom: zoom) {
      let feature = item.isCluster ? nil : layer.features.feature(row: item.id)
      let properties = feature.map { feature in
        feature.properties.names.map { ($0, feature.properties[$0] ?? .null) }
      }
      table.add(
        .point, [[item.place * StyleTile.extent]], properties ?? item.clusterProperties,
        id: feature.map { $0.id.number } ?? Double(item.id))
    }
    let made = table.content
    known.withLock { $0[zoom] = made }
    return made
  }
}

/// The features of GeoJSON in columns, while they are read.
private struct StyleFeatureTable {
  private var polygons = CoordinateBuffer(kind: .polygon)
  private var lines = CoordinateBuffer(kind: .polyline)
  private var points = CoordinateBuffer(kind: .multipoint)
  private var kinds: [StyleGeometryKind] = []
  private var ids: [Double?] = []
  /// The properties in order of first appearance.
  private var columns: [StyleFeatureColumn] = []
  private var places: [String: Int] = [:]

  var count: Int { kinds.count }
  var columnCount: Int { columns.count }
  var vertexCount: Int { polygons.vertexCount + lines.vertexCount + points.vertexCount }

  /// Adds a feature; its empty parts are left out.
  mutating func add(
    _ kind: StyleGeometryKind, _ parts: [[StylePoint]], _ properties: [(String, StyleValue)], id: Double?
  ) {
    func append(_ parts: [[StylePoint]], to buffer: inout CoordinateBuffer) {
      for part in parts where !part.isEmpty {
        for point in part { buffer.appendVertex(x: point.x, y: point.y) }
        buffer.endPart()
      }
      buffer.endRow()
    }
    append(kind == .polygon ? parts : [], to: &polygons)
    append(kind == .line ? parts : [], to: &lines)
    append(kind == .point ? parts : [], to: &points)
    for (name, value) in properties {
      let place = places[name] ?? columns.count
      if place == columns.count {
        columns.append(StyleFeatureColumn(name: name))
        places[name] = place
      }
      columns[place].set(value, row: kinds.count)
    }
    kinds.append(kind)
    ids.append(id)
  }

  /// The level on whose grid features are compared with polygons: 2 centimetres at the equator.
  ///
  /// - Source: MapLibre Style Specification, "Sources: geojson": the default of `maxzoom`.
  private static let finestZoom = 18

  /// The features as the only layer of a tile.
  var content: StyleTileContent {
    let count = kinds.count
    let buffers = [polygons, lines, points]
    let hasIDs = ids.contains { $0 != nil }
    let scale = Double(1 << Self.finestZoom)
    let features = StyleFeatures(
      kinds: kinds, coded: columns.map { ($0.name, $0.codes(count: count), $0.values) },
      ids: hasIDs
        ? Column(
          .reals(ids.map { $0 ?? 0 }),
          validity: RowSet(rowCount: count, rows: Set(ids.indices.filter { ids[$0] != nil }))) : nil,
      tile: StyleTile(zoom: Self.finestZoom, x: 0, y: 0)
    ) { row in
      guard let buffer = buffers.first(where: { !$0.isEmpty(row: row) }) else { return [] }
      return buffer.parts(ofRow: row).map { part in
        buffer.vertices(ofPart: part).map { StylePoint(buffer.x[$0], buffer.y[$0]) * scale }
      }
    }
    let layer = StyleTileContent.Layer(
      features: features, geometries: buffers, extent: StyleTile.extent,
      ids: ids.map { $0.flatMap { UInt64(exactly: $0) } })
    return StyleTileContent(layers: ["": layer], byteCount: vertexCount * 24)
  }

  /// The extent in Web Mercator.
  var extent: Envelope {
    var (low, high) = (StylePoint(repeating: .infinity), StylePoint(repeating: -.infinity))
    for buffer in [polygons, lines, points] {
      for vertex in buffer.x.indices {
        let point = StylePoint(buffer.x[vertex], buffer.y[vertex])
        (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
      }
    }
    let unit = 2 * WebMercator.halfWorld / StyleTile.extent
    return count == 0
      ? Envelope.empty
      : Envelope(
        xMin: low.x * unit - WebMercator.halfWorld, yMin: WebMercator.halfWorld - high.y * unit,
        xMax: high.x * unit - WebMercator.halfWorld, yMax: WebMercator.halfWorld - low.y * unit,
        spatialReference: .webMercator)
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

extension [StylePoint] {
  /// Returns a ring that turns in a direction, in units of a tile, whose y points down.
  ///
  /// - Source: MapLibre GL JS 5, which turns outer rings clockwise and holes counter-clockwise; offsets, gradients and texts
  ///   along lines depend on it.
  fileprivate func turning(clockwise: Bool) -> [StylePoint] {
    guard let first else { return self }
    var area = 0.0
    for (start, end) in zip(self, dropFirst()) {
      area += (start.x - first.x) * (end.y - first.y) - (end.x - first.x) * (start.y - first.y)
    }
    return area == 0 || (area > 0) == clockwise ? self : reversed()
  }
}
