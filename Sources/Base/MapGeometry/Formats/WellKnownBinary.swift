import MapJSON

/// Reads geometries in well-known binary, as GDAL, GeoPackage and PostGIS provide them.
///
/// Both byte orders are read. Third and fourth coordinates, in ISO's or PostGIS's encoding, are ignored. A collection of
/// one kind becomes a geometry of several parts, one of several kinds a row without geometry. Curves and polyhedral
/// surfaces are refused. Lines of one vertex and rings of fewer than three different vertices are
/// dropped.
///
/// - Source: OGC 06-103r4, section 8; ISO 13249-3's codes 1000 to 3000; PostGIS's flags.
package struct WellKnownBinary: Sendable {
  /// The losses of a reading.
  package struct Remarks: Hashable, Sendable {
    /// Whether coordinates after the second were dropped.
    package var isFlattened = false
    /// The number of invalid lines and rings that were dropped.
    package var droppedParts = 0
    /// Whether it is a collection of several kinds, which becomes a row without geometry.
    package var isOfSeveralKinds = false
    /// Whether it is a collection of one kind, which becomes a geometry of several parts.
    package var isJoined = false
    /// The SRID in PostGIS's encoding; nil without one.
    package var srid: Int?

    /// Creates remarks without losses.
    package init() {}
  }

  private var offset = 0
  private var remarks = Remarks()

  /// Reads one geometry as a row of a builder; an empty one becomes a row without geometry.
  ///
  /// - Throws: ``WellKnownBinaryError``; the builder is then no longer usable.
  package static func appendRow(_ bytes: Span<UInt8>, to builder: inout CoordinateBuilder)
    throws(WellKnownBinaryError) -> Remarks
  {
    if let (x, y) = plainPoint(bytes), builder.appendPointAmongPoints(x: x, y: y) { return Remarks() }
    var reader = WellKnownBinary()
    do { try reader.row(bytes, &builder) } catch {
      switch error {
      case let error as WellKnownBinaryError: throw error
      case let fault as GeometryFault: throw .geometry(fault)
      default: throw .truncated
      }
    }
    return reader.remarks
  }

  /// Returns the position of a point with two coordinates, the lowest byte first; nil for other geometries.
  @inline(__always)
  private static func plainPoint(_ bytes: Span<UInt8>) -> (x: Double, y: Double)? {
    // The first byte is 1, the order of the bytes; the next four are the type, 1.
    guard bytes.count == 21, ByteWord(bytes, at: 0).bits & 0xFF_FFFF_FFFF == 0x0_0000_0101 else { return nil }
    return (
      Double(bitPattern: ByteWord(bytes, at: 5).bits), Double(bitPattern: ByteWord(bytes, at: 13).bits)
    )
  }

  /// The header before a geometry's body.
  private struct Head {
    let isLittleEndian: Bool
    /// The type code without dimensions, from 1 for a point to 7 for a collection.
    let code: UInt32
    /// The number of bytes per vertex.
    let vertexSize: Int
  }

  private mutating func row(_ bytes: Span<UInt8>, _ builder: inout CoordinateBuilder) throws {
    let head = try head(bytes)
    guard head.code != 7 else { return try collection(bytes, head, &builder) }
    try builder.beginRow(Self.kind(head))
    try geometry(bytes, head, &builder)
    builder.endRow()
  }

  private static func kind(_ head: Head) throws -> GeometryKind {
    switch head.code {
    case 1: .point
    case 4: .multipoint
    case 2, 5: .polyline
    case 3, 6: .polygon
    default: throw WellKnownBinaryError.unsupported("a geometry of type \(head.code)")
    }
  }

  /// The deepest nesting of collections that is read.
  private static let deepestCollection = 32

  /// Reads a collection, after its head, as one row.
  private mutating func collection(
    _ bytes: Span<UInt8>, _ head: Head, _ builder: inout CoordinateBuilder
  ) throws {
    let start = self
    // The kind of the row must be known before its vertices: the members are read twice.
    var kinds: Set<GeometryKind> = []
    var trial = CoordinateBuilder(allowsSeveralKinds: true)
    func read(
      _ reader: inout WellKnownBinary, _ head: Head, depth: Int, _ builder: inout CoordinateBuilder,
      rows: Bool
    ) throws {
      guard depth <= Self.deepestCollection else {
        throw WellKnownBinaryError.unsupported("a collection nested deeper than \(Self.deepestCollection)")
      }
      for _ in 0..<(try reader.count(bytes, head, size: 5)) {
        let member = try reader.head(bytes)
        guard member.code != 7 else {
          try read(&reader, member, depth: depth + 1, &builder, rows: rows)
          continue
        }
        let kind = try Self.kind(member)
        kinds.insert(kind)
        if rows { try builder.beginRow(kind) }
        try reader.geometry(bytes, member, &builder)
        if rows {
          builder.endRow()
          builder = CoordinateBuilder(allowsSeveralKinds: true)
        }
      }
    }
    try read(&self, head, depth: 1, &trial, rows: true)
    let isPlaces = !kinds.isEmpty && kinds.isSubset(of: [.point, .multipoint])
    guard let first = kinds.first, kinds.count == 1 || isPlaces else {
      (remarks, remarks.isOfSeveralKinds) = (start.remarks, !kinds.isEmpty)
      return builder.appendEmptyRow()
    }
    self = start
    remarks.isJoined = true
    try builder.beginRow(isPlaces ? .multipoint : first)
    try read(&self, head, depth: 1, &builder, rows: false)
    builder.endRow()
  }

  /// Reads a geometry after its head, as parts of the builder's row.
  private mutating func geometry(
    _ bytes: Span<UInt8>, _ head: Head, _ builder: inout CoordinateBuilder
  ) throws {
    if head.code < 4 {
      try single(bytes, head, &builder)
    } else {
      for _ in 0..<(try count(bytes, head, size: 9)) {
        let member = try self.head(bytes)
        guard member.code == head.code - 3 else {
          throw WellKnownBinaryError.unsupported("a multipart geometry of mixed parts")
        }
        try single(bytes, member, &builder)
      }
    }
  }

  private mutating func single(
    _ bytes: Span<UInt8>, _ head: Head, _ builder: inout CoordinateBuilder
  ) throws {
    switch head.code {
    case 1:
      let (x, y) = (try double(bytes, head, at: 0), try double(bytes, head, at: 8))
      offset += head.vertexSize
      // NaN coordinates are the only way to write an empty point.
      if !x.isNaN || !y.isNaN { try builder.addVertex(x: x, y: y) }
    case 2: try vertices(bytes, head, &builder)
    default:
      for _ in 0..<(try count(bytes, head, size: 4)) { try vertices(bytes, head, &builder) }
      builder.endPolygon()
    }
  }

  private mutating func vertices(
    _ bytes: Span<UInt8>, _ head: Head, _ builder: inout CoordinateBuilder
  ) throws {
    for _ in 0..<(try count(bytes, head, size: head.vertexSize)) {
      try builder.addVertex(x: try double(bytes, head, at: 0), y: try double(bytes, head, at: 8))
      offset += head.vertexSize
    }
    if !builder.endPartIfSound() { remarks.droppedParts += 1 }
  }

  // MARK: Numbers

  private mutating func head(_ bytes: Span<UInt8>) throws(WellKnownBinaryError) -> Head {
    guard bytes.count - offset >= 5 else { throw .truncated }
    let isLittleEndian = bytes[offset] & 1 == 1
    offset += 1
    let word = word(bytes, isLittleEndian)
    if word & 0x2000_0000 != 0 {
      guard bytes.count - offset >= 4 else { throw .truncated }
      let srid = self.word(bytes, isLittleEndian)
      // 0 is an unknown spatial reference.
      if srid > 0 { remarks.srid = Int(srid) }
    }
    let code = word & 0x0FFF_FFFF
    let dimensions = code / 1000
    let extra = (word >> 31 & 1) + (word >> 30 & 1) + (dimensions < 2 ? dimensions : dimensions == 2 ? 1 : 2)
    if extra > 0 { remarks.isFlattened = true }
    return Head(isLittleEndian: isLittleEndian, code: code % 1000, vertexSize: 16 + 8 * Int(extra))
  }

  /// Reads a number of elements of at least `size` bytes each, and checks that the bytes are present.
  private mutating func count(
    _ bytes: Span<UInt8>, _ head: Head, size: Int
  ) throws(WellKnownBinaryError) -> Int {
    guard bytes.count - offset >= 4 else { throw .truncated }
    let count = Int(word(bytes, head.isLittleEndian))
    guard count <= (bytes.count - offset) / size else { throw .truncated }
    return count
  }

  private mutating func word(_ bytes: Span<UInt8>, _ isLittleEndian: Bool) -> UInt32 {
    var word: UInt32 = 0
    for index in offset..<offset + 4 { word = word << 8 | UInt32(bytes[index]) }
    offset += 4
    return isLittleEndian ? word.byteSwapped : word
  }

  private func double(
    _ bytes: Span<UInt8>, _ head: Head, at place: Int
  ) throws(WellKnownBinaryError) -> Double {
    let start = offset + place
    guard bytes.count - start >= 8 else { throw .truncated }
    let word = ByteWord(bytes, at: start).bits
    return Double(bitPattern: head.isLittleEndian ? word : word.byteSwapped)
  }
}

/// Bytes that are not a geometry or a geometry that is not supported.
package enum WellKnownBinaryError: Error, Hashable, CustomStringConvertible {
  /// The bytes end before the geometry does.
  case truncated
  /// A kind of geometry that is not supported.
  case unsupported(String)
  /// A geometry that breaks the rules of a ``CoordinateBuffer``.
  case geometry(GeometryFault)

  /// The fault, lower case, without a full stop.
  package var description: String {
    switch self {
    case .truncated: "well-known binary ends before the geometry does"
    case .unsupported(let what): "\(what) is not supported; only points, lines and polygons are"
    case .geometry(let fault): "\(fault)"
    }
  }
}
