package import MapFeatures
package import MapFilter
import MapGeometry

/// Writes features as comma-separated values: the id, the fields, then the geometry.
///
/// The geometry is in WGS 84, or on request in its own spatial reference. The id is a column `OBJECTID`, unless a field
/// holds the id or has this name.
///
/// Points become columns `longitude` and `latitude`, or `x` and `y` in another spatial reference. Fields that a reader
/// would use as these columns are not repeated if they equal the geometry. Other geometries, and points that differ
/// from such fields, become well-known text in a column `WKT`. Null is an empty cell, empty text a pair of quotation
/// marks.
///
/// - Source: RFC 4180, but lines end with a line feed only, which MapState's reader and most tools accept.
package struct DelimitedWriter: RowWriter {
  package let features: FeatureRows
  private let place: @Sendable (Double, Double) -> (x: Double, y: Double)
  private let isInDegrees: Bool
  /// Whether a field holds the ids, or has the name of their column.
  private let holdsIDs: Bool
  private var geometryColumns = GeometryColumns.none
  /// Whether fields with the names of coordinates decide on the columns, by the values of all rows.
  package private(set) var dependsOnValues = false

  /// Creates a writer of some features, and unless it ``dependsOnValues``, of others with the same fields.
  ///
  /// - Throws: ``OutputError`` for geometries that cannot be projected to WGS 84.
  package init(_ features: FeatureRows, keepsReference: Bool = false) throws(OutputError) {
    self.features = features
    isInDegrees = !keepsReference || features.table.schema.spatialReference == .wgs84
    place = try OutputError.places(of: features, keepsReference: keepsReference)
    let fields = features.fields.map { features.table.schema.fields[$0] }
    holdsIDs = fields.contains { $0.type == .oid || $0.name.lowercased() == "objectid" }
    (geometryColumns, dependsOnValues) = geometryColumns(fields.map(\.name))
  }

  /// The columns of the geometry, after the fields.
  private enum GeometryColumns: Sendable {
    /// No geometry, or fields that hold it.
    case none
    case axes(x: String, y: String)
    case text(name: String)
  }

  package var start: [UInt8] {
    var names = features.fields.map { features.table.schema.fields[$0].name }
    switch geometryColumns {
    case .none: break
    case .axes(let x, let y): names += [x, y]
    case .text(let name): names.append(name)
    }
    if !holdsIDs { names.insert("OBJECTID", at: 0) }
    return Array((names.map { Self.quoted($0, besides: [0x09, 0x3B]) }.joined(separator: ",") + "\n").utf8)
  }
  package var separator: [UInt8] { [] }
  package var end: [UInt8] { [] }

  package func rows(_ features: FeatureRows) -> [UInt8] {
    let (table, ids) = (features.table, ObjectIDs(features.table))
    var bytes: [UInt8] = []
    for row in features.rows {
      var cells = features.fields.map { Self.cell(table.columns[$0].value(at: row)) }
      if let geometry = table.geometry {
        switch geometryColumns {
        case .none: break
        case .axes:
          let place = place(geometry.x[row], geometry.y[row])
          cells += geometry.isEmpty(row: row) ? ["", ""] : ["\(place.x)", "\(place.y)"]
        case .text:
          cells.append(table.buffer(ofRow: row).map { Self.quoted(wellKnownText($0, row)) } ?? "")
        }
      }
      if !holdsIDs { cells.insert(String(ids.id(ofRow: row)), at: 0) }
      for (index, cell) in cells.enumerated() {
        if index > 0 { bytes.append(0x2C) }
        bytes.append(contentsOf: cell.utf8)
      }
      bytes.append(0x0A)
    }
    return bytes
  }

  private func geometryColumns(_ names: [String]) -> (GeometryColumns, dependsOnValues: Bool) {
    guard features.hasGeometry, let geometry = features.table.geometry else { return (.none, false) }
    let lowered = names.map { $0.lowercased() }
    let text = GeometryColumns.text(
      name: (["WKT"] + CSVCoordinateNames.texts).first { !lowered.contains($0.lowercased()) } ?? "WKT")
    guard geometry.kind == .point, features.table.otherGeometries.isEmpty else { return (text, false) }
    let axes = isInDegrees ? ["longitude", "latitude"] : ["x", "y"]
    if let pair = isInDegrees
      ? CSVCoordinateNames.degreeColumns(names) : CSVCoordinateNames.planeColumns(names)
    {
      let isHeld = holdsGeometry(x: features.fields[pair.x], y: features.fields[pair.y], geometry)
      return (isHeld ? .none : text, true)
    }
    return (lowered.contains(where: axes.contains) ? text : .axes(x: axes[0], y: axes[1]), false)
  }

  /// Whether two fields hold the coordinates of every row to be written.
  private func holdsGeometry(x: Int, y: Int, _ geometry: CoordinateBuffer) -> Bool {
    func number(_ field: Int, _ row: Int) -> Double? {
      switch features.table.columns[field].value(at: row) {
      case .real(let value): value
      case .integer(let value): Double(value)
      default: nil
      }
    }
    return features.rows.allSatisfy { row in
      guard !geometry.isEmpty(row: row) else { return number(x, row) == nil && number(y, row) == nil }
      let place = place(geometry.x[row], geometry.y[row])
      return number(x, row) == place.x && number(y, row) == place.y
    }
  }

  /// Returns a value as a cell.
  package static func cell(_ value: AttributeValue) -> String {
    switch value {
    case .null: ""
    case .text(let text): text.isEmpty ? "\"\"" : quoted(text)
    default: value.plainText
    }
  }

  /// Returns text, in quotation marks if needed.
  package static func quoted(_ text: String) -> String { quoted(text, besides: []) }

  /// Returns text, in quotation marks if needed; names also need them around other possible separators.
  private static func quoted(_ text: String, besides others: [UInt8]) -> String {
    // Compare bytes, because a quotation mark with a combining character after it is another `Character`.
    let special: [UInt8] = [0x2C, 0x22, 0x0A, 0x0D] + others
    let needsMarks = text.utf8.contains { special.contains($0) }
    guard needsMarks || text.utf8.first == 0x20 || text.utf8.last == 0x20 else { return text }
    let doubled = text.utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }
    return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
  }

  private func wellKnownText(_ geometry: CoordinateBuffer, _ row: Int) -> String {
    func list(_ vertices: some Sequence<Int>) -> String {
      "("
        + vertices.map { index in
          let place = place(geometry.x[index], geometry.y[index])
          return "\(place.x) \(place.y)"
        }.joined(separator: ", ") + ")"
    }
    func chains(_ parts: some Sequence<Int>) -> String {
      "(" + parts.map { list(geometry.vertices(ofPart: $0)) }.joined(separator: ", ") + ")"
    }
    switch geometry.kind {
    case .point: return "POINT " + list([row])
    case .multipoint: return "MULTIPOINT " + list(geometry.vertices(ofRow: row))
    case .polyline:
      let parts = geometry.parts(ofRow: row)
      return parts.count == 1
        ? "LINESTRING " + list(geometry.vertices(ofPart: parts.lowerBound))
        : "MULTILINESTRING " + chains(parts)
    case .polygon:
      let polygons = geometry.polygons(ofRow: row)
      return polygons.count == 1
        ? "POLYGON " + chains(polygons[0])
        : "MULTIPOLYGON (" + polygons.map { chains($0) }.joined(separator: ", ") + ")"
    }
  }
}

extension AttributeValue {
  /// The value as readable text: dates in ISO 8601, empty for null.
  package var plainText: String {
    switch self {
    case .null: ""
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .text(let text): text
    case .boolean(let value): value ? "true" : "false"
    case .date(let date): date.description
    case .instant(let instant): instant.description
    case .duration(let duration): duration.sqlLiteral
    }
  }
}
