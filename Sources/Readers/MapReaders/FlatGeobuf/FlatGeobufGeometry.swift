import MapGeometry

/// Reads geometries of FlatGeobuf into a builder.
///
/// - Source: FlatGeobuf 3, `feature.fbs`; missing or superfluous parts are treated as in GDAL.
struct FlatGeobufGeometry {
  private let hasZ: Bool
  private let hasM: Bool
  private var remarks = WellKnownBinary.Remarks()
  /// The number of vertices that the feature's bytes can still hold; parts that share bytes cannot exceed it.
  private var left: Int

  private init(hasZ: Bool, hasM: Bool, byteCount: Int) {
    (self.hasZ, self.hasM, left) = (hasZ, hasM, byteCount / 16)
  }

  /// Adds a geometry as a row; returns its losses.
  static func appendRow(
    _ table: FlatTable, _ header: FlatGeobufHeader, _ bytes: Span<UInt8>, to builder: inout CoordinateBuilder
  ) throws(FlatGeobufFault) -> WellKnownBinary.Remarks {
    let type = header.geometryType == 0 ? try table.byte(6, bytes) ?? 0 : header.geometryType
    if type == 1, builder.kind == .point, !header.hasZ, !header.hasM,
      let xy = try table.vector(1, elementSize: 8, bytes),
      xy.count >= 2,
      builder.appendPointAmongPoints(x: try bytes.double(at: xy.start), y: try bytes.double(at: xy.start + 8))
    {
      return WellKnownBinary.Remarks()
    }
    guard let kind = FlatGeobufHeader.kind(type) else { throw .notCovered }
    var reader = FlatGeobufGeometry(hasZ: header.hasZ, hasM: header.hasM, byteCount: bytes.count)
    do throws(GeometryFault) { try builder.beginRow(kind) } catch { throw .notCovered }
    if type == 6 {
      guard let parts = try table.vector(7, elementSize: 4, bytes) else { throw .content("has no parts") }
      for index in 0..<parts.count {
        try reader.append(try parts.table(index, bytes), type: 3, bytes, to: &builder)
        builder.endPolygon()
      }
    } else {
      try reader.append(table, type: type, bytes, to: &builder)
    }
    builder.endRow()
    return reader.remarks
  }

  private mutating func append(
    _ table: FlatTable, type: UInt8, _ bytes: Span<UInt8>, to builder: inout CoordinateBuilder
  ) throws(FlatGeobufFault) {
    guard let xy = try table.vector(1, elementSize: 8, bytes) else { throw .content("has no coordinates") }
    let count = xy.count / 2
    if hasZ { try check(try table.vector(2, elementSize: 8, bytes), count) }
    if hasM { try check(try table.vector(3, elementSize: 8, bytes), count) }
    if count > 0, hasZ || hasM { remarks.isFlattened = true }
    switch type {
    case 1:
      guard count > 0 else { throw .content("is a point without coordinates") }
      try append(0..<1, of: xy, bytes, isPlace: true, to: &builder)
    case 4: try append(0..<count, of: xy, bytes, isPlace: true, to: &builder)
    case 2: try appendPart(0..<count, of: xy, bytes, to: &builder)
    default: try appendParts(table, of: xy, bytes, to: &builder)
    }
  }

  /// Adds lines or rings by the ends of each; a single one may omit its end.
  private mutating func appendParts(
    _ table: FlatTable, of xy: FlatVector, _ bytes: Span<UInt8>, to builder: inout CoordinateBuilder
  ) throws(FlatGeobufFault) {
    let count = xy.count / 2
    guard let ends = try table.vector(0, elementSize: 4, bytes), ends.count >= 2 else {
      return try appendPart(0..<count, of: xy, bytes, to: &builder)
    }
    var start = 0
    for index in 0..<ends.count {
      let end = Int(try bytes.word32(at: ends.start + 4 * index))
      guard end >= start, end <= count else { throw .content("has parts that end beyond its coordinates") }
      try appendPart(start..<end, of: xy, bytes, to: &builder)
      start = end
    }
  }

  private mutating func appendPart(
    _ range: Range<Int>, of xy: FlatVector, _ bytes: Span<UInt8>, to builder: inout CoordinateBuilder
  ) throws(FlatGeobufFault) {
    try append(range, of: xy, bytes, isPlace: false, to: &builder)
    if !builder.endPartIfSound() { remarks.droppedParts += 1 }
  }

  private mutating func append(
    _ range: Range<Int>, of xy: FlatVector, _ bytes: Span<UInt8>, isPlace: Bool,
    to builder: inout CoordinateBuilder
  ) throws(FlatGeobufFault) {
    left -= range.count
    guard left >= 0 else { throw .content("has more coordinates than bytes for them") }
    for index in range {
      let place = xy.start + 16 * index
      let (x, y) = (try bytes.double(at: place), try bytes.double(at: place + 8))
      // An empty point can only be written as NaN.
      if isPlace, x.isNaN, y.isNaN { continue }
      do throws(GeometryFault) { try builder.addVertex(x: x, y: y) } catch { throw .content("\(error)") }
    }
  }

  private func check(_ list: FlatVector?, _ count: Int) throws(FlatGeobufFault) {
    guard let list, list.count >= count else {
      throw .content("has positions without their Z or M value")
    }
  }
}
