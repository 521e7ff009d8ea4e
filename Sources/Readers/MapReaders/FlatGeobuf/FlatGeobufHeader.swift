import MapFeatures
import MapGeometry

/// The header of a FlatGeobuf file, which describes its features.
///
/// - Source: FlatGeobuf 3, `header.fbs`; the conversion of column types into field types follows GDAL.
struct FlatGeobufHeader: Sendable {
  /// The type of a column, by its number in the file.
  enum ValueType: UInt8, Sendable {
    case byte, ubyte, bool, short, ushort, int, uint, long, ulong, float, double, string, json, dateTime,
      binary
  }

  /// A column in the file's numbering.
  struct ColumnPlace: Sendable {
    let type: ValueType
    /// The index among the columns that are read; nil for one that is not read.
    let column: Int?
  }

  /// The name of the layer.
  let name: String
  /// The geometry type, from 1 for points to 6 for multipolygons; 0 if each feature states its own.
  let geometryType: UInt8
  /// Whether positions have Z and M values.
  let hasZ: Bool, hasM: Bool
  /// Every column of the file.
  private(set) var places: [ColumnPlace] = []
  /// The columns that are read, without rows.
  private(set) var columns: [DeclaredColumn] = []
  /// The spatial reference of the coordinates; nil if the file states none.
  let reference: SpatialReference?
  /// The number of features; 0 if the file does not state it.
  let featureCount: Int
  /// The number of children of a node of the index; 0 for a file without an index.
  let nodeSize: Int
  /// The offset of the first feature.
  let firstFeature: Int
  /// Warnings about fields that are not read.
  private(set) var warnings: [String] = []

  /// The number of bytes before the header: the format's name and version, and the header's size.
  static let prefixSize = 12
  /// The maximum size of a header in bytes.
  ///
  /// - Source: GDAL's own limit.
  private static let largestHeader = 10 << 20
  /// The minimum size of a feature in bytes: its size, a table's offset, its distance back and an empty list of fields.
  static let smallestFeature = 16

  /// Returns the size of the header from a file's first bytes.
  static func size(_ prefix: [UInt8], fileSize: Int) throws(FlatGeobufFault) -> Int {
    guard FlatGeobufReader.looksLikeFlatGeobuf(prefix) else {
      throw .content("is not a FlatGeobuf file of version 3")
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
    // Types above 6 are curves, collections and surfaces.
    guard geometryType <= 6 else { throw .notCovered }
    hasZ = try (table.byte(3, bytes) ?? 0) != 0
    hasM = try (table.byte(4, bytes) ?? 0) != 0
    let count = try table.word64(8, bytes) ?? 0
    guard count <= UInt64(fileSize / Self.smallestFeature) else {
      throw .content("states \(count) features, more than its bytes can hold")
    }
    featureCount = Int(count)
    nodeSize = Int(try table.word16(9, bytes) ?? 16)
    let index = Self.indexSize(featureCount: featureCount, nodeSize: nodeSize)
    firstFeature = Self.prefixSize + source.count + index
    guard firstFeature <= fileSize else { throw .content("its index lies beyond its bytes") }
    reference = try Self.reference(try table.table(10, bytes), bytes)
    try readColumns(try table.vector(7, elementSize: 4, bytes), bytes)
    // If each feature states its own type, the name of the geometry must be a field.
    let selection = wanted.among(
      columns.lazy.map(\.field.name), geometryName: kind == nil ? nil : FeatureSchema.defaultGeometryName)
    keep(selection)
  }

  /// Keeps the selected columns; the values of the others are not read.
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

  /// Returns the size in bytes of the index before the features.
  ///
  /// - Source: FlatGeobuf's packed R-tree: 40 bytes per node, one leaf per feature, and levels up to a single node.
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

  /// Returns the spatial reference by its code; other references are left to a reader with PROJ.
  private static func reference(
    _ table: FlatTable?, _ bytes: Span<UInt8>
  ) throws(FlatGeobufFault) -> SpatialReference? {
    guard let table else { return nil }
    let authority = try table.text(0, bytes)
    let code = try table.word32(1, bytes).map { Int(Int32(bitPattern: $0)) }
    guard let code, code > 0, authority == nil || authority?.uppercased() == "EPSG" else { throw .notCovered }
    // EPSG:4979 is WGS 84 with heights; the heights are not used.
    return SpatialReference(wkid: code == 4979 ? 4326 : code)
  }

  private mutating func readColumns(_ list: FlatVector?, _ bytes: Span<UInt8>) throws(FlatGeobufFault) {
    guard let list else { return }
    guard list.count <= FeatureSchema.fieldLimit else {
      throw .content("\(list.count) columns: a table has at most \(FeatureSchema.fieldLimit) fields")
    }
    // Columns may share a name's bytes, but all names together must fit into the header.
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

  /// The geometry kind in the header; nil if each feature states its own.
  var kind: GeometryKind? { Self.kind(geometryType) }

  /// Returns the kind of a geometry type by its number; nil for types that are not read.
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
  /// The field type and the storage of the values; nil for values that are not read.
  fileprivate var field: (FieldType, DeclaredColumn.Kind)? {
    switch self {
    // The map SDK has no boolean field; its tables store one as a short integer.
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
