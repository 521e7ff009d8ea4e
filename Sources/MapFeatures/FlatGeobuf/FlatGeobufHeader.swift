import MapGeometry

/// What a FlatGeobuf file says of its features before the first.
///
/// - Source: FlatGeobuf 3, `header.fbs`; how a column's type becomes a field's is GDAL's.
struct FlatGeobufHeader: Sendable {
  /// A type of column, by the number it has in the file.
  enum ValueType: UInt8, Sendable {
    case byte, ubyte, bool, short, ushort, int, uint, long, ulong, float, double, string, json, dateTime,
      binary
  }

  /// A column as the file numbers them.
  struct ColumnPlace: Sendable {
    let type: ValueType
    /// Its place among the columns that are read; nil for one that is not.
    let column: Int?
  }

  /// The name of the layer.
  let name: String
  /// 1 for points to 6 for multipolygons; 0 where every feature says what it is.
  let geometryType: UInt8
  /// True when places have a third or fourth coordinate.
  let hasZ: Bool, hasM: Bool
  /// Every column of the file.
  private(set) var places: [ColumnPlace] = []
  /// Those that are read, without rows.
  private(set) var columns: [DeclaredColumn] = []
  /// The reference of the coordinates; nil where the file names none.
  let reference: SpatialReference?
  /// Number of features; 0 where the file does not say.
  let featureCount: Int
  /// Where the first feature starts.
  let firstFeature: Int
  /// Fields that are not read.
  private(set) var warnings: [String] = []

  /// Bytes before the header: the format's name and version, and the header's size.
  static let prefixSize = 12
  /// - Source: GDAL's own limit.
  private static let largestHeader = 10 << 20
  /// A feature's size, a table's place, its own way back and a list of no fields.
  static let smallestFeature = 16

  /// The size of the header after a file's first bytes.
  static func size(_ prefix: [UInt8], fileSize: Int) throws(FlatGeobufFault) -> Int {
    guard FlatGeobufReader.looksLikeFlatGeobuf(prefix) else {
      throw .content("is no FlatGeobuf of version 3")
    }
    let size = Int(try prefix.span.word32(at: 8))
    guard size <= largestHeader, size <= fileSize - prefixSize else {
      throw .content("its header lies beyond its bytes")
    }
    return size
  }

  /// Reads the bytes of a header.
  init(_ source: [UInt8], fileSize: Int, wanted: FieldSelection) throws(FlatGeobufFault) {
    let bytes = source.span
    let table = try FlatTable(rootOf: bytes)
    name = try table.text(0, bytes) ?? "unknown"
    geometryType = try table.byte(2, bytes) ?? 0
    // Curves, collections and surfaces.
    guard geometryType <= 6 else { throw .notCovered }
    hasZ = try (table.byte(3, bytes) ?? 0) != 0
    hasM = try (table.byte(4, bytes) ?? 0) != 0
    let count = try table.word64(8, bytes) ?? 0
    guard count <= UInt64(fileSize / Self.smallestFeature) else {
      throw .content("says that it holds \(count) features, more than its bytes can")
    }
    featureCount = Int(count)
    let nodeSize = try table.word16(9, bytes) ?? 16
    let index = Self.indexSize(featureCount: featureCount, nodeSize: Int(nodeSize))
    firstFeature = Self.prefixSize + source.count + index
    guard firstFeature <= fileSize else { throw .content("its index lies beyond its bytes") }
    reference = try Self.reference(try table.table(10, bytes), bytes)
    try readColumns(try table.vector(7, elementSize: 4, bytes), bytes)
    // Where every feature says what it is, a name of the geometry is looked for among the fields.
    let selection = wanted.among(
      columns.lazy.map(\.field.name), geometryName: kind == nil ? nil : FeatureSchema.defaultGeometryName)
    keep(selection)
  }

  /// Leaves the values of all other columns unread.
  private mutating func keep(_ selection: FieldSelection) {
    let all = columns
    columns = []
    places = places.map { place in
      guard let index = place.column, selection.contains(all[index].field.name) else {
        return ColumnPlace(type: place.type, column: nil)
      }
      columns.append(all[index])
      return ColumnPlace(type: place.type, column: columns.count - 1)
    }
  }

  /// Bytes of the index that stands before the features.
  ///
  /// - Source: FlatGeobuf's packed R-tree: 40 bytes a node, every feature one, level above level to a single one.
  private static func indexSize(featureCount: Int, nodeSize: Int) -> Int {
    guard nodeSize > 0, featureCount > 0 else { return 0 }
    let fanOut = max(2, nodeSize)
    var (level, nodes) = (featureCount, featureCount)
    repeat {
      level = (level + fanOut - 1) / fanOut
      nodes += level
    } while level > 1
    return nodes * 40
  }

  /// The reference by its code; one that has none of EPSG's is left to a reader with PROJ at hand.
  private static func reference(
    _ table: FlatTable?, _ bytes: Span<UInt8>
  ) throws(FlatGeobufFault) -> SpatialReference? {
    guard let table else { return nil }
    let authority = try table.text(0, bytes)
    let code = try table.word32(1, bytes).map { Int(Int32(bitPattern: $0)) }
    guard let code, code > 0, authority == nil || authority?.uppercased() == "EPSG" else { throw .notCovered }
    // WGS 84 with heights, which do not concern us.
    return SpatialReference(wkid: code == 4979 ? 4326 : code)
  }

  private mutating func readColumns(_ list: FlatVector?, _ bytes: Span<UInt8>) throws(FlatGeobufFault) {
    guard let list else { return }
    guard list.count <= FeatureSchema.fieldLimit else {
      throw .content("\(list.count) columns: a table has at most \(FeatureSchema.fieldLimit) fields")
    }
    // Columns may point to one name; together their names have no more room than the header.
    var left = bytes.count
    for index in 0..<list.count {
      let table = try list.table(index, bytes)
      guard let name = try table.text(0, bytes) else { throw .content("column \(index + 1) has no name") }
      let alias = try table.text(2, bytes) ?? ""
      left -= name.utf8.count + alias.utf8.count
      guard left >= 0 else { throw .content("names of columns are longer than the header") }
      let code = try table.byte(1, bytes) ?? 0
      guard let type = ValueType(rawValue: code) else {
        throw .content("column \(name) is of type \(code), which FlatGeobuf does not have")
      }
      if let (fieldType, kind) = type.field {
        places.append(ColumnPlace(type: type, column: columns.count))
        let width = try table.word32(4, bytes).map { Int(Int32(bitPattern: $0)) } ?? -1
        let field = Field(
          name: name, alias: alias.isEmpty ? nil : alias, type: fieldType,
          length: fieldType == .text ? width : 0, isNullable: try table.byte(7, bytes).map { $0 != 0 })
        columns.append(DeclaredColumn(field, kind))
      } else {
        places.append(ColumnPlace(type: type, column: nil))
        warnings.append("field \(name): values of type Binary are not read")
      }
    }
  }

  /// The kind of geometry that the header names; nil where each feature names its own.
  var kind: GeometryKind? { Self.kind(geometryType) }

  /// The kind of a geometry type by its number.
  static func kind(_ type: UInt8) -> GeometryKind? {
    switch type {
    case 1: .point
    case 4: .multipoint
    case 2, 5: .polyline
    case 3, 6: .polygon
    default: nil
    }
  }
}

extension FlatGeobufHeader.ValueType {
  /// The field's type and how its values are kept; nil for values that are not read.
  fileprivate var field: (FieldType, DeclaredColumn.Kind)? {
    switch self {
    // The map SDK has no boolean field; its tables keep one as a short integer.
    case .bool: (.int16, .boolean)
    case .short: (.int16, .integer)
    case .byte, .ubyte, .ushort, .int: (.int32, .integer)
    case .uint, .long: (.int64, .integer)
    case .float: (.float32, .real)
    case .ulong, .double: (.float64, .real)
    case .string, .json: (.text, .text)
    case .dateTime: (.date, .instant)
    case .binary: nil
    }
  }
}
