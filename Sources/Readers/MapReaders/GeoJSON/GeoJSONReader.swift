package import MapFeatures
import MapGeometry
import MapJSON

/// Reads GeoJSON into columns: a feature collection, a feature, a geometry, or a sequence of features.
///
/// Points and multipoints become multipoints, lines and multilines polylines, polygons and multipolygons polygons. Of
/// other mixtures, each kind has its own geometries. A collection of one kind becomes a geometry of several parts, one of
/// several kinds a row without geometry, with a warning.
///
/// Fields are in the order of first appearance, each with the narrowest type that holds all its values. The `id` of
/// features becomes the first field, unless a property has that name. Text that consists of ISO 8601 dates or
/// date-times is read as such, a time without a time zone as UTC. Warnings describe losses and assumptions.
///
/// - Source: RFC 7946; feature sequences of RFC 8142, with and without record separators; the `crs` member of the
///   specification of 2008.
/// - Cost: one pass over the bytes, on all cores for long files; no object per feature. A file with an error is read
///   twice, and so is one with a property of several types.
package enum GeoJSONReader {
  /// Reads all features of a document, with the selected properties.
  ///
  /// - Throws: ``FeatureReadError`` with line and column.
  package static func read(
    _ bytes: [UInt8], fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions()
  ) throws(FeatureReadError) -> FeatureColumns {
    try read(bytes, fields: fields, options: options, pieceSize: FilePieces.size)
  }

  /// Reads a document with another piece size per core, in bytes, which does not change the result.
  ///
  /// - Parameter textFields: The names of fields to read as text, whatever their values.
  package static func read(
    _ bytes: [UInt8], fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions(),
    pieceSize: Int = FilePieces.size, textFields: Set<String> = []
  ) throws(FeatureReadError) -> FeatureColumns {
    do {
      return try read(
        TextBytes(bytes), fields: fields, options: options, pieceSize: pieceSize, textFields: textFields)
    } catch {
      throw FeatureReadError(error, in: bytes)
    }
  }

  /// Reads all features of a text in pieces.
  ///
  /// Only some pieces are in memory at a time. The text is read as a whole if it has an error, and if the starts of its
  /// features cannot be recognised.
  ///
  /// - Throws: ``FeatureReadError`` with line and column; `FileError`.
  package static func read(
    _ text: TextBytes, fields: FieldSelection = .all, options: ReadingOptions = ReadingOptions(),
    pieceSize: Int = FilePieces.size, textFields: Set<String> = []
  ) throws -> FeatureColumns {
    var texts = TextFields(kept: textFields)
    func parsed(_ fields: FieldSelection) throws -> GeoJSONParser {
      while true {
        let fresh = { [texts] in GeoJSONParser($0, fields: fields, options: options, texts: texts) }
        let parser =
          try GeoJSONPieces(text, fresh, size: pieceSize)?.whole() ?? whole(try text.all(), fresh, options)
        guard let mixed = parser.mixedTexts else { return parser }
        // Values that became numbers or times are no longer known as they were written.
        texts = mixed
      }
    }
    var parser = try parsed(fields)
    // The names of all properties are known only at the end.
    if !parser.hasFieldsWanted { parser = try parsed(.all) }
    return try parser.table(text)
  }

  /// Reads a text sequentially.
  private static func whole(
    _ bytes: [UInt8], _ fresh: ([UInt8]) -> GeoJSONParser, _ options: ReadingOptions
  ) throws(FeatureReadError) -> GeoJSONParser {
    do {
      var parser = fresh(bytes)
      do { try parser.document() } catch {
        guard options.skipsBadRows else { throw error }
        parser = fresh(bytes)
        parser.leavesOutBadRows = true
        try parser.document()
      }
      return parser
    } catch {
      throw FeatureReadError(error, in: bytes)
    }
  }

  /// Whether the content starts like GeoJSON: an object whose `type` is one of RFC 7946.
  ///
  /// Reads only up to the first object's `type`. Damage before it makes the result false.
  package static func looksLikeGeoJSON(_ bytes: [UInt8]) -> Bool {
    var scanner = JSONScanner(bytes)
    _ = scanner.skip(byte: 0x1E)
    guard let type = try? scanner.typeOfObject() else { return false }
    return isType(type)
  }

  /// Whether an object with a member `type` is GeoJSON.
  static func isType(_ type: String) -> Bool {
    ["FeatureCollection", "Feature", "GeometryCollection"].contains(type)
      || GeoJSONType(rawValue: type) != nil
  }
}

/// The geometry types of RFC 7946 that a table can hold.
enum GeoJSONType: String {
  case point = "Point"
  case multiPoint = "MultiPoint"
  case lineString = "LineString"
  case multiLineString = "MultiLineString"
  case polygon = "Polygon"
  case multiPolygon = "MultiPolygon"

  var kind: GeometryKind {
    switch self {
    case .point: .point
    case .multiPoint: .multipoint
    case .lineString, .multiLineString: .polyline
    case .polygon, .multiPolygon: .polygon
    }
  }

  /// The number of arrays around a position.
  var nesting: Int {
    switch self {
    case .point: 0
    case .multiPoint, .lineString: 1
    case .multiLineString, .polygon: 2
    case .multiPolygon: 3
    }
  }
}

extension JSONScanner {
  /// Returns the `type` member of the next object if it is a string; does not move the scanner.
  mutating func typeOfObject() throws -> String? {
    let start = mark
    defer { move(to: start) }
    try beginObject()
    while let name = try nextMember() {
      if name.equals(GeoJSONName.type, in: bytes), try peekKind() == .string {
        return try readString().text(in: bytes)
      }
      try skipValue()
    }
    return nil
  }
}

/// The names that the reader compares, as bytes.
enum GeoJSONName {
  static let type = Array("type".utf8)
  static let features = Array("features".utf8)
  static let geometry = Array("geometry".utf8)
  static let properties = Array("properties".utf8)
  static let coordinates = Array("coordinates".utf8)
  static let geometries = Array("geometries".utf8)
  /// The type of a collection of geometries.
  static let collection = "GeometryCollection"
  static let id = Array("id".utf8)
  static let crs = Array("crs".utf8)
  static let featureType = Array("Feature".utf8)
}
