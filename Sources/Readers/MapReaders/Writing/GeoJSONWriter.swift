package import MapFeatures
package import MapFilter
package import MapGeometry
package import MapJSON

/// Writes features as GeoJSON in WGS 84, or on request in their own spatial reference, with the object id as `id`.
///
/// Another spatial reference is stated in the member `crs` of the specification of 2008, which most readers support.
///
/// - Source: RFC 7946: longitude first, outer rings counterclockwise, holes clockwise. Dates are ISO 8601 text.
package struct GeoJSONWriter: RowWriter {
  package let features: FeatureRows
  private let keys: [[UInt8]]
  private let place: @Sendable (Double, Double) -> (x: Double, y: Double)
  /// Whether the features are written as one collection, and not one per line.
  private let isCollection: Bool
  private let keepsReference: Bool

  /// Creates a writer of some features, and of others with the same fields.
  ///
  /// - Throws: ``OutputError`` for geometries that cannot be projected to WGS 84.
  package init(
    _ features: FeatureRows, keepsReference: Bool = false, isCollection: Bool = true
  ) throws(OutputError) {
    (self.features, self.keepsReference, self.isCollection) = (features, keepsReference, isCollection)
    keys = features.fields.map { field in
      var writer = JSONWriter()
      writer.append(string: features.table.schema.fields[field].name)
      return writer.bytes
    }
    place = try OutputError.places(of: features, keepsReference: keepsReference)
  }

  package var start: [UInt8] {
    guard isCollection else { return [] }
    var text = "{\"type\":\"FeatureCollection\","
    if keepsReference, let reference = features.table.schema.spatialReference, reference != .wgs84 {
      text +=
        "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::\(reference.wkid)\"}},"
    }
    return Array((text + "\"features\":[").utf8)
  }
  package var separator: [UInt8] { isCollection ? [0x2C] : [] }
  package var end: [UInt8] { isCollection ? Array("\n]}\n".utf8) : [] }

  package func rows(_ features: FeatureRows) -> [UInt8] {
    var rows = GeoJSONRows(features, keys, place)
    for (index, row) in features.rows.enumerated() {
      if isCollection { rows.append(index == 0 ? "\n" : ",\n") }
      rows.appendFeature(row)
      if !isCollection { rows.append("\n") }
    }
    return rows.bytes
  }
}

/// The text of some features.
private struct GeoJSONRows {
  private let features: FeatureRows
  private let ids: ObjectIDs
  private let keys: [[UInt8]]
  private let place: (Double, Double) -> (x: Double, y: Double)
  /// The output so far.
  private(set) var bytes: [UInt8] = []

  init(
    _ features: FeatureRows, _ keys: [[UInt8]], _ place: @escaping (Double, Double) -> (x: Double, y: Double)
  ) {
    (self.features, self.keys, self.place) = (features, keys, place)
    ids = ObjectIDs(features.table)
  }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func appendFeature(_ row: Int) {
    append("{\"type\":\"Feature\",\"id\":\(ids.id(ofRow: row)),\"properties\":{")
    for (index, field) in features.fields.enumerated() {
      if index > 0 { append(",") }
      bytes.append(contentsOf: keys[index])
      append(":")
      append(features.table.columns[field].value(at: row).jsonText)
    }
    append("},\"geometry\":")
    if features.hasGeometry, let geometry = features.table.buffer(ofRow: row) {
      appendGeometry(geometry, row)
    } else {
      append("null")
    }
    append("}")
  }

  private mutating func appendGeometry(_ geometry: CoordinateBuffer, _ row: Int) {
    switch geometry.kind {
    case .point:
      append("{\"type\":\"Point\",\"coordinates\":")
      appendPlace(geometry, row)
    case .multipoint:
      append("{\"type\":\"MultiPoint\",\"coordinates\":")
      appendChain(geometry, Array(geometry.vertices(ofRow: row)))
    case .polyline:
      let parts = geometry.parts(ofRow: row)
      append("{\"type\":\"\(parts.count > 1 ? "Multi" : "")LineString\",\"coordinates\":")
      appendList(Array(parts), bracketed: parts.count > 1) { writer, part in
        writer.appendChain(geometry, Array(geometry.vertices(ofPart: part)))
      }
    case .polygon:
      let polygons = geometry.polygons(ofRow: row)
      append("{\"type\":\"\(polygons.count > 1 ? "Multi" : "")Polygon\",\"coordinates\":")
      appendList(polygons, bracketed: polygons.count > 1) { writer, rings in
        writer.appendList(Array(rings.enumerated()), bracketed: true) { writer, ring in
          let vertices = Array(geometry.vertices(ofPart: ring.element))
          let isOuter = ring.offset == 0
          let runsLeft = geometry.doubleArea(ofPart: ring.element) > 0
          writer.appendChain(geometry, isOuter == runsLeft ? vertices : vertices.reversed())
        }
      }
    }
    append("}")
  }

  private mutating func appendList<Element>(
    _ elements: [Element], bracketed: Bool, _ body: (inout Self, Element) -> Void
  ) {
    if bracketed { append("[") }
    for (index, element) in elements.enumerated() {
      if index > 0 { append(",") }
      body(&self, element)
    }
    if bracketed { append("]") }
  }

  private mutating func appendChain(_ geometry: CoordinateBuffer, _ vertices: [Int]) {
    appendList(vertices, bracketed: true) { $0.appendPlace(geometry, $1) }
  }

  private mutating func appendPlace(_ geometry: CoordinateBuffer, _ vertex: Int) {
    let place = place(geometry.x[vertex], geometry.y[vertex])
    append("[\(place.x),\(place.y)]")
  }
}

/// The error for features that cannot be written as requested.
package enum OutputError: Error, Hashable, CustomStringConvertible {
  /// Coordinates that cannot be projected to WGS 84.
  case unsupportedReference(SpatialReference)

  /// The reason in one line.
  package var description: String {
    switch self {
    case .unsupportedReference(let reference):
      "geometries in EPSG:\(reference.wkid) cannot be written in WGS 84; ask for no geometry"
    }
  }

  /// Returns a function that converts coordinates of the features into longitude and latitude, or keeps them.
  static func places(
    of features: FeatureRows, keepsReference: Bool
  ) throws(OutputError) -> @Sendable (Double, Double) -> (x: Double, y: Double) {
    guard !keepsReference, features.hasGeometry, let reference = features.table.schema.spatialReference,
      reference != .wgs84
    else { return { (x: $0, y: $1) } }
    guard reference == .webMercator else { throw .unsupportedReference(reference) }
    return { (x: WebMercator.longitude(x: $0), y: WebMercator.latitude(y: $1)) }
  }
}

extension AttributeValue {
  /// The value as JSON: dates and timestamps as ISO 8601 text.
  package var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let value): .number(JSONNumber(value))
    case .real(let value): .number(value)
    case .text(let text): .string(text)
    case .boolean(let value): .boolean(value)
    case .date(let date): .string(date.description)
    case .instant(let instant): .string(instant.description)
    case .duration(let duration): .string(duration.sqlLiteral)
    }
  }

  /// The value as JSON text.
  var jsonText: String {
    switch self {
    case .null: "null"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .boolean(let value): value ? "true" : "false"
    case .text, .date, .instant, .duration: json.text()
    }
  }
}
