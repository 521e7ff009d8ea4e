import MapGeometry
import MapReaders
import MapSystem

/// The geometries of features in protocol buffers.
///
/// Coordinates are integers, each relative to the previous vertex; the first vertex of a part is relative to 0.
struct BufferGeometry {
  private let kind: GeometryKind
  private let dimensions: Int
  private let x: Axis
  private let y: Axis
  private var builder = CoordinateBuilder()

  init(_ kind: GeometryKind, _ buffer: FeatureBuffer) throws(ProtobufError) {
    let types: [GeometryKind] = [.point, .multipoint, .polyline, .polygon]
    if !buffer.features.isEmpty {
      guard types.indices.contains(buffer.geometryType), types[buffer.geometryType] == kind else {
        throw ProtobufError("geometries of type \(buffer.geometryType) where \(kind.rawValue)s should be")
      }
    }
    (self.kind, dimensions) = (kind, buffer.dimensions)
    let transform = buffer.transform ?? FeatureBuffer.Transform(scale: (1, 1))
    x = Axis(transform.scale.x, transform.translation.x, isReversed: false)
    y = Axis(transform.scale.y, transform.translation.y, isReversed: !transform.isLowerLeft)
  }

  /// One axis of the transform.
  ///
  /// If 1 / scale is an integer, as for 1e-9, a coordinate is the quotient of two integers. It is then the same double
  /// that its decimal text gives.
  private struct Axis {
    let scale, translation: Double
    /// Steps per unit, and the translation in steps; nil if they are not integers.
    let whole: (perUnit: Double, shift: Int64)?
    let isReversed: Bool

    init(_ scale: Double, _ translation: Double, isReversed: Bool) {
      (self.scale, self.translation, self.isReversed) = (scale, translation, isReversed)
      let perUnit = (1 / scale).rounded()
      let shift = (translation * perUnit).rounded()
      let isWhole =
        perUnit >= 1 && perUnit <= 0x1p40 && abs(perUnit * scale - 1) < 1e-12 && abs(shift) < 0x1p53
        && shift / perUnit == translation
      whole = isWhole ? (perUnit, Int64(clamping: shift)) : nil
    }

    func coordinate(_ step: Int64) -> Double {
      let (negated, _) = Int64(0).subtractingReportingOverflow(step)
      let step = isReversed ? negated : step
      if let whole {
        let (sum, overflow) = step.addingReportingOverflow(whole.shift)
        if !overflow, sum.magnitude < 1 << 53 { return Double(sum) / whole.perUnit }
      }
      return Double(step) * scale + translation
    }
  }

  /// Adds a row without geometry.
  mutating func appendEmptyRow() { builder.appendEmptyRow() }

  /// Adds the geometry of a row.
  ///
  /// - Throws: `ProtobufError` for a damaged geometry or one of another kind.
  mutating func append(_ bytes: [UInt8], _ range: Range<Int>) throws(ProtobufError) {
    var lengths: [UInt64] = []
    var steps: [UInt64] = []
    var reader = ProtobufReader(bytes, range)
    while let (field, content) = try reader.next() {
      switch (field, content) {
      case (2, .bytes(let range)):
        var packed = ProtobufReader(bytes, range)
        lengths += try packed.packedVarints()
      case (2, .varint(let length)): lengths.append(length)
      case (3, .bytes(let range)):
        var packed = ProtobufReader(bytes, range)
        steps += try packed.packedVarints()
      case (3, .varint(let step)): steps.append(step)
      default: continue
      }
    }
    guard !steps.isEmpty else { return builder.appendEmptyRow() }
    if kind == .point || lengths.isEmpty { lengths = [UInt64(steps.count / dimensions)] }
    try append(steps, lengths)
  }

  private mutating func append(_ steps: [UInt64], _ lengths: [UInt64]) throws(ProtobufError) {
    var start = 0
    do throws(GeometryFault) { try builder.beginRow(kind) } catch { throw ProtobufError("\(error)") }
    for length in lengths {
      guard length <= UInt64((steps.count - start) / dimensions) else {
        throw ProtobufError("parts of more vertices than the geometry has")
      }
      let end = start + Int(length) * dimensions
      try appendPart(steps[start..<end])
      start = end
    }
    guard start == steps.count, kind != .point || steps.count == dimensions else {
      throw ProtobufError("more vertices than its parts have")
    }
    builder.endRow()
  }

  private mutating func appendPart(_ steps: ArraySlice<UInt64>) throws(ProtobufError) {
    var (column, row) = (Int64(0), Int64(0))
    do throws(GeometryFault) {
      for place in stride(from: steps.startIndex, to: steps.endIndex, by: dimensions) {
        let (nextColumn, far) = column.addingReportingOverflow(steps[place].zigzag)
        let (nextRow, high) = row.addingReportingOverflow(steps[place + 1].zigzag)
        guard !far, !high else { throw GeometryFault.notFinite }
        (column, row) = (nextColumn, nextRow)
        try builder.addVertex(x: x.coordinate(column), y: y.coordinate(row))
      }
      try builder.endPart()
    } catch { throw ProtobufError("\(error)") }
  }

  /// Returns the geometries with one row per feature, even if no feature has a geometry.
  func buffer(rows: Int) -> CoordinateBuffer {
    if let buffer = builder.result { return buffer }
    var empty = CoordinateBuffer(kind: kind)
    for _ in 0..<rows { empty.appendEmptyRow() }
    return empty
  }

  /// Warnings about losses while reading, with the same text for all pages.
  var warnings: [String] {
    (dimensions > 2 ? ["coordinates beyond the second were dropped"] : [])
      + (builder.closedRings > 0 ? ["rings that do not end where they start were closed"] : [])
  }
}
