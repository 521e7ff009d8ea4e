import CGeospatial
import MapFeatures
import MapGeometry

/// A layer as GDAL's stream of columns (Arrow's C interface): thousands of features a call.
///
/// GDAL 3.6 misreads booleans in it, gives no geometry for a GeoPackage layer without fields, and curves as they are;
/// so it is used where ``suits(_:_:driver:)`` says, which tests read both ways.
///
/// - Source: the Arrow C data and stream interfaces.
struct ColumnStream {
  /// The types that a test reads both ways, by GDAL's numbers of type and subtype.
  private static let types: Set<[UInt32]> = [
    [OFTInteger.rawValue, OFSTNone.rawValue], [OFTInteger.rawValue, OFSTInt16.rawValue],
    [OFTInteger64.rawValue, OFSTNone.rawValue], [OFTReal.rawValue, OFSTNone.rawValue],
    [OFTReal.rawValue, OFSTFloat32.rawValue], [OFTString.rawValue, OFSTNone.rawValue],
  ]

  /// True for drivers, field types and geometry types that a test reads both ways.
  static func suits(_ definition: OGRFeatureDefnH, _ calls: cgeospatial_gdal, driver: String) -> Bool {
    let count = calls.OGR_FD_GetFieldCount(definition)
    // Points, lines and polygons, single and multipart, with Z and M or without; the unknown may hold curves.
    let geometry = (calls.OGR_FD_GetGeomType(definition).rawValue & 0x7FFF_FFFF) % 1000
    guard ["GPKG", "FlatGeobuf"].contains(driver), count > 0, (1...6).contains(geometry) else { return false }
    return (0..<count).allSatisfy { index in
      guard let field = calls.OGR_FD_GetFieldDefn(definition, index) else { return false }
      return types.contains([calls.OGR_Fld_GetType(field).rawValue, calls.OGR_Fld_GetSubType(field).rawValue])
    }
  }

  /// Hands out the arrays of a layer: first all formats by name, then batch after batch.
  ///
  /// `schema` says which of the children it wants; nil reads nothing and gives false.
  static func read(
    _ layer: OGRLayerH, _ calls: cgeospatial_gdal,
    schema: ([(name: String, format: String)]) -> [Int]?,
    batch: ([ArrowArray]) throws(LibraryError) -> Void
  ) throws(LibraryError) -> Bool {
    var stream = ArrowArrayStream()
    guard calls.OGR_L_GetArrowStream(layer, &stream, nil) else { return false }
    defer { stream.release?(&stream) }
    var described = ArrowSchema()
    guard stream.get_schema(&stream, &described) == 0 else { return false }
    defer { described.release?(&described) }
    let names = (0..<Int(described.n_children)).compactMap { index -> (String, String)? in
      guard let child = described.children[index]?.pointee, let name = child.name, let format = child.format
      else { return nil }
      return (String(cString: name), String(cString: format))
    }
    guard names.count == Int(described.n_children), let wanted = schema(names) else { return false }
    while true {
      var array = ArrowArray()
      guard stream.get_next(&stream, &array) == 0 else {
        throw LibraryError(stream.get_last_error(&stream).map { String(cString: $0) } ?? "reading failed")
      }
      // A released array is the end.
      guard let release = array.release else { return true }
      defer { release(&array) }
      let children = wanted.compactMap { array.children[$0]?.pointee }
      guard children.count == wanted.count else { throw LibraryError("a batch without all its columns") }
      try batch(children)
    }
  }
}

extension ArrowArray {
  /// True when the row is not null.
  func isValid(_ row: Int) -> Bool {
    guard null_count != 0, n_buffers > 0, let bits = buffers[0] else { return true }
    let place = row + Int(offset)
    return bits.load(fromByteOffset: place >> 3, as: UInt8.self) >> UInt8(place & 7) & 1 == 1
  }

  /// Calls `body` for each row with its value, which means nothing where the row is null.
  func forEach<Value: BitwiseCopyable>(_: Value.Type, _ body: (Value, Bool) -> Void) {
    guard n_buffers > 1, let values = buffers[1]?.assumingMemoryBound(to: Value.self) else { return }
    for row in 0..<Int(length) { body(values[row + Int(offset)], isValid(row)) }
  }

  /// Calls `body` for each row with its bytes; nil where the row is null.
  ///
  /// - Source: Arrow's variable-size layout, with offsets of 32 bits.
  func forEachBytes<Failure: Error>(
    _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Void
  ) throws(Failure) {
    guard n_buffers > 2, let ends = buffers[1]?.assumingMemoryBound(to: Int32.self) else { return }
    for row in 0..<Int(length) {
      let (start, end) = (Int(ends[row + Int(offset)]), Int(ends[row + Int(offset) + 1]))
      try body(
        isValid(row) ? UnsafeRawBufferPointer(start: buffers[2].map { $0 + start }, count: end - start) : nil)
    }
  }
}
