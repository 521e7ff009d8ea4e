import MapJSON

/// Reads geometries in well-known text: `POINT (1 2)`, `POLYGON ((0 0, 1 0, 1 1, 0 0))`, `LINESTRING EMPTY`.
///
/// Keywords may be upper or lower case. Third and fourth coordinates, with or without `Z`, `M` or `ZM` before them, are
/// ignored. A prefix such as `SRID=4326;` is read. A collection of one kind becomes a geometry of several parts, one of
/// several kinds a row without geometry. Curves become lines with a vertex every degree of an arc.
///
/// - Source: OGC 06-103r4, section 7; ISO 13249-3 for curves; the prefix is PostGIS's.
package struct WellKnownText: Sendable {
  /// Further results of a reading.
  package struct Remarks: Hashable, Sendable {
    /// The number after `SRID=`; nil without one.
    package var srid: Int?
    /// Whether coordinates after the second were dropped.
    package var isFlattened = false
    /// Whether it is a collection of several kinds, which becomes a row without geometry.
    package var isOfSeveralKinds = false
    /// Whether it is a collection of one kind, which becomes a geometry of several parts.
    package var isJoined = false
    /// Whether arcs became lines.
    package var isCurved = false
  }

  private let bytes: [UInt8]
  private let end: Int
  var offset: Int
  var remarks = Remarks()
  /// The number of coordinates per vertex, when Z, M or ZM declares it.
  private var dimension: Int?

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound)
  }

  /// Reads one geometry as a row of a builder; an empty one becomes a row without geometry.
  package static func appendRow(_ bytes: [UInt8], _ range: Range<Int>, to builder: inout CoordinateBuilder)
    throws(WellKnownTextError) -> Remarks
  {
    precondition(range.upperBound <= bytes.count, "a range outside the bytes")
    var reader = WellKnownText(bytes, range)
    try reader.row(&builder)
    return reader.remarks
  }

  /// Reads one geometry; nil when it is empty.
  package static func geometry(_ text: String, spatialReference: SpatialReference? = nil)
    throws(WellKnownTextError) -> (any Geometry)?
  {
    let bytes = Array(text.utf8)
    var builder = CoordinateBuilder()
    let remarks = try appendRow(bytes, 0..<bytes.count, to: &builder)
    let reference = remarks.srid.map { SpatialReference(wkid: $0) } ?? spatialReference
    return builder.result?.geometry(ofRow: 0, spatialReference: reference)
  }

  /// Returns whether a text begins with the keyword of a geometry or with `SRID=`.
  package static func looksLikeGeometry(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var reader = WellKnownText(bytes, range)
    let word = reader.word()
    return word == "SRID" || kinds[word] != nil || kinds[String(word.dropLast())] != nil
      || kinds[String(word.dropLast(2))] != nil || word == "GEOMETRYCOLLECTION"
  }

  /// The kind and the form of the coordinates, for each keyword.
  private static let kinds: [String: (kind: GeometryKind, form: Form)] = [
    "POINT": (.point, .straight(1)), "MULTIPOINT": (.multipoint, .straight(1)),
    "LINESTRING": (.polyline, .straight(1)), "MULTILINESTRING": (.polyline, .straight(2)),
    "POLYGON": (.polygon, .straight(2)), "MULTIPOLYGON": (.polygon, .straight(3)),
    "CIRCULARSTRING": (.polyline, .arcs), "COMPOUNDCURVE": (.polyline, .compound),
    "MULTICURVE": (.polyline, .curves), "CURVEPOLYGON": (.polygon, .curves),
    "MULTISURFACE": (.polygon, .surfaces),
  ]

  /// The form of a geometry's coordinates.
  enum Form: Equatable {
    /// Vertices in a number of parentheses.
    case straight(Int)
    /// Vertices on circular arcs: the ends of each, and a point between them.
    case arcs
    /// Lines and arcs; each begins at the end of the one before.
    case compound
    /// Lines, arcs and compound curves: the parts of a line or the rings of a polygon.
    case curves
    /// Polygons with or without curves.
    case surfaces
  }

  // MARK: Grammar

  private mutating func row(_ builder: inout CoordinateBuilder) throws(WellKnownTextError) {
    var start = skipBlanks()
    var word = word()
    if word == "SRID" {
      try take(0x3D)
      skipBlanks()
      guard let literal = DecimalLiteral(loose: bytes, at: offset), literal.end <= end,
        let srid = literal.integer.flatMap({ Int(exactly: $0) })
      else { throw unexpected("a number after SRID=") }
      offset = literal.end
      remarks.srid = srid
      try take(0x3B)
      start = skipBlanks()
      word = self.word()
    }
    guard !word.hasPrefix("GEOMETRYCOLLECTION") else {
      try collection(at: start, &builder)
      skipBlanks()
      guard offset == end else { throw unexpected("the end of the geometry") }
      return
    }
    let (kind, form) = try type(word, at: start)
    do { try builder.beginRow(kind) } catch { throw WellKnownTextError(.geometry(error), offset: start) }
    if !isEmpty() { try body(form, kind, &builder) }
    builder.endRow()
    skipBlanks()
    guard offset == end else { throw unexpected("the end of the geometry") }
  }

  /// The deepest nesting of collections that is read.
  private static let deepestCollection = 32

  /// Reads a collection, after its keyword, as one row.
  private mutating func collection(
    at start: Int, _ builder: inout CoordinateBuilder
  ) throws(WellKnownTextError) {
    let place = offset
    // The kind of the row must be known before its vertices: the members are read twice.
    var kinds: Set<GeometryKind> = []
    var trial = CoordinateBuilder(allowsSeveralKinds: true)
    try members(depth: 1) { (reader, kind, form, start) throws(WellKnownTextError) in
      kinds.insert(kind)
      do throws(GeometryFault) { try trial.beginRow(kind) } catch {
        throw WellKnownTextError(.geometry(error), offset: start)
      }
      if !reader.isEmpty() { try reader.body(form, kind, &trial) }
      trial.endRow()
      trial = CoordinateBuilder(allowsSeveralKinds: true)
    }
    let isPlaces = !kinds.isEmpty && kinds.isSubset(of: [.point, .multipoint])
    guard let first = kinds.first, kinds.count == 1 || isPlaces else {
      remarks.isOfSeveralKinds = !kinds.isEmpty
      return builder.appendEmptyRow()
    }
    remarks.isJoined = true
    offset = place
    do { try builder.beginRow(isPlaces ? .multipoint : first) } catch {
      throw WellKnownTextError(.geometry(error), offset: start)
    }
    try members(depth: 1) { (reader, kind, form, _) throws(WellKnownTextError) in
      if !reader.isEmpty() { try reader.body(form, kind, &builder) }
    }
    builder.endRow()
  }

  /// Calls `body` for each geometry of a collection and of the collections in it.
  private mutating func members(
    depth: Int,
    _ body: (inout WellKnownText, GeometryKind, Form, _ start: Int) throws(WellKnownTextError) -> Void
  ) throws(WellKnownTextError) {
    let place = skipBlanks()
    if !["Z", "M", "ZM"].contains(word()) { offset = place }
    if isEmpty() { return }
    try take(0x28)
    while true {
      let start = skipBlanks()
      let word = word()
      if word.hasPrefix("GEOMETRYCOLLECTION") {
        guard depth < Self.deepestCollection else {
          throw WellKnownTextError(.content("collections nested too deeply"), offset: start)
        }
        try members(depth: depth + 1, body)
      } else {
        dimension = nil
        let (kind, form) = try type(word, at: start)
        try body(&self, kind, form, start)
      }
      skipBlanks()
      guard offset < end, bytes[offset] == 0x2C else { break }
      offset += 1
    }
    try take(0x29)
  }

  /// Reads the kind that a keyword names, together with Z, M or ZM in the keyword or after it.
  mutating func type(_ written: String, at start: Int) throws(WellKnownTextError) -> (
    kind: GeometryKind, form: Form
  ) {
    var (name, letters) = (written, "")
    while Self.kinds[name] == nil, let last = name.last, last == "Z" || last == "M", letters.count < 2 {
      letters = "\(last)\(letters)"
      name.removeLast()
    }
    guard let found = Self.kinds[name] else {
      let reason =
        written.isEmpty
        ? "expected a geometry as well-known text" : "\(written) is not a supported geometry"
      throw WellKnownTextError(.content(reason), offset: start)
    }
    if letters.isEmpty {
      let place = skipBlanks()
      letters = word()
      if !["Z", "M", "ZM"].contains(letters) { (letters, offset) = ("", place) }
    }
    if !letters.isEmpty { dimension = 2 + letters.count }
    return found
  }

  mutating func isEmpty() -> Bool {
    let place = skipBlanks()
    if word() == "EMPTY" { return true }
    offset = place
    return false
  }

  private mutating func body(_ form: Form, _ kind: GeometryKind, _ builder: inout CoordinateBuilder)
    throws(WellKnownTextError)
  {
    switch form {
    case .straight(let nesting): try body(nesting, kind, &builder)
    case .arcs, .compound: try curve(form, &builder)
    case .curves:
      try list { (reader) throws(WellKnownTextError) in try reader.curve(nil, &builder) }
      builder.endPolygon()
    case .surfaces:
      try list { (reader) throws(WellKnownTextError) in
        guard let form = try reader.member(["POLYGON", "CURVEPOLYGON"], orElse: .straight(2)) else { return }
        try reader.body(form, .polygon, &builder)
      }
    }
  }

  private mutating func body(_ nesting: Int, _ kind: GeometryKind, _ builder: inout CoordinateBuilder)
    throws(WellKnownTextError)
  {
    let start = skipBlanks()
    try take(0x28)
    var count = 0
    repeat {
      count += 1
      if nesting > 1 {
        if !isEmpty() { try body(nesting - 1, kind, &builder) }
      } else if kind == .point, count > 1 {
        throw unexpected("\")\" after one vertex")
      } else if kind == .multipoint, isEmpty() {
        continue
      } else {
        try vertex(&builder, mayHaveParentheses: kind == .multipoint)
      }
    } while accept(0x2C)
    try take(0x29)
    if nesting == 2 { builder.endPolygon() }
    guard nesting == 1 else { return }
    do { try builder.endPart() } catch { throw WellKnownTextError(.geometry(error), offset: start) }
  }

  private mutating func vertex(_ builder: inout CoordinateBuilder, mayHaveParentheses: Bool)
    throws(WellKnownTextError)
  {
    let isWrapped = mayHaveParentheses && accept(0x28)
    let start = skipBlanks()
    let (x, y) = try position()
    do { try builder.addVertex(x: x, y: y) } catch {
      throw WellKnownTextError(.geometry(error), offset: start)
    }
    if isWrapped { try take(0x29) }
  }

  mutating func position() throws(WellKnownTextError) -> (x: Double, y: Double) {
    let x = try number()
    let y = try number()
    var count = 2
    while count < 4, isAtNumber() {
      _ = try number()
      count += 1
    }
    if count > 2 { remarks.isFlattened = true }
    if let dimension, dimension != count {
      throw unexpected("\(dimension) numbers per vertex, found \(count)")
    }
    return (x, y)
  }

  // MARK: Tokens

  @discardableResult
  mutating func skipBlanks() -> Int {
    while offset < end, bytes[offset] <= 0x20 { offset += 1 }
    return offset
  }

  /// Reads the letters that come next, as capitals.
  mutating func word() -> String {
    skipBlanks()
    let start = offset
    while offset < end, 0x61...0x7A ~= bytes[offset] | 0x20 { offset += 1 }
    return String(decoding: bytes[start..<offset].map { $0 & 0xDF }, as: UTF8.self)
  }

  mutating func accept(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard offset < end, bytes[offset] == byte else { return false }
    offset += 1
    return true
  }

  mutating func take(_ byte: UInt8) throws(WellKnownTextError) {
    guard accept(byte) else { throw unexpected("\"\(Character(UnicodeScalar(byte)))\"") }
  }

  private mutating func isAtNumber() -> Bool {
    skipBlanks()
    return offset < end && (0x30...0x39 ~= bytes[offset] || [0x2B, 0x2D, 0x2E].contains(bytes[offset]))
  }

  private mutating func number() throws(WellKnownTextError) -> Double {
    skipBlanks()
    guard offset < end, let literal = DecimalLiteral(loose: bytes, at: offset), literal.end <= end else {
      throw unexpected("a number")
    }
    offset = literal.end
    return literal.double(in: bytes)
  }

  func unexpected(_ expected: String) -> WellKnownTextError {
    WellKnownTextError(
      .content("expected \(expected)\(offset < end ? "" : ", found the end")"), offset: offset)
  }
}

/// Text that is not a geometry, with the offset at which reading stopped.
package struct WellKnownTextError: Error, Hashable, CustomStringConvertible {
  /// The reason why reading stopped.
  package enum Reason: Hashable, Sendable {
    /// A geometry that breaks the rules of a ``CoordinateBuffer``.
    case geometry(GeometryFault)
    /// Text that breaks the grammar, with the fault in lower case and without a full stop.
    case content(String)
  }

  /// The reason why reading stopped.
  package let reason: Reason
  /// UTF-8 offset from the start of the given bytes.
  package let offset: Int

  init(_ reason: Reason, offset: Int) { (self.reason, self.offset) = (reason, offset) }

  /// The offset and the reason in one line.
  package var description: String {
    switch reason {
    case .geometry(let fault): "at \(offset): \(fault)"
    case .content(let text): "at \(offset): \(text)"
    }
  }
}
