/// A cursor over bytes in Thrift's compact protocol; every access is checked against the bytes.
///
/// - Source: Apache Thrift, `doc/specs/thrift-compact-protocol.md`.
struct ThriftReader {
  /// The type of a value on the wire.
  enum Kind: UInt8 {
    case yes = 1
    case no, byte, int16, int32, int64, double, bytes, list, set, map, structure, uuid
  }

  let bytes: [UInt8]
  /// The offset of the next byte.
  private(set) var place: Int
  private let end: Int
  /// The number of structures and lists around the next value.
  private var depth = 0

  /// The limit of the nesting of values.
  ///
  /// - Source: design decision; Parquet's own structures nest less than 8 deep.
  private static let deepest = 32

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    (self.bytes, place, end) = (bytes, range.lowerBound, min(range.upperBound, bytes.count))
  }

  /// The number of bytes that are left.
  var left: Int { end - place }

  private mutating func byte() throws(ArrowError) -> UInt8 {
    guard place < end else { throw .outside }
    defer { place += 1 }
    return bytes[place]
  }

  /// Reads an unsigned number of 7 bits a byte.
  private mutating func unsigned() throws(ArrowError) -> UInt64 {
    var (value, shift) = (UInt64(0), UInt64(0))
    while true {
      let next = try byte()
      guard shift < 63 || next < 2 else { throw ArrowError("has metadata with a number beyond 64 bits") }
      value |= UInt64(next & 127) << shift
      if next < 128 { return value }
      shift += 7
    }
  }

  private mutating func zigzag() throws(ArrowError) -> Int {
    let value = try unsigned()
    return Int(truncatingIfNeeded: value >> 1) ^ -Int(truncatingIfNeeded: value & 1)
  }

  private mutating func kind(_ code: UInt8) throws(ArrowError) -> Kind {
    guard let kind = Kind(rawValue: code) else {
      throw ArrowError("has metadata that are not in Thrift's compact protocol")
    }
    return kind
  }

  // MARK: Structures

  /// Begins a structure; its fields follow.
  mutating func begin() throws(ArrowError) {
    depth += 1
    guard depth <= Self.deepest else {
      throw ArrowError("has metadata that are nested deeper than \(Self.deepest)")
    }
  }

  /// Reads the start of the next field of a structure, and puts its number into `id`; nil at the structure's end.
  mutating func field(_ id: inout Int) throws(ArrowError) -> Kind? {
    let head = try byte()
    guard head != 0 else {
      depth -= 1
      return nil
    }
    if head >> 4 == 0 { id = try zigzag() } else { id += Int(head >> 4) }
    guard (0...Int(Int16.max)).contains(id) else {
      throw ArrowError("has metadata that are not in Thrift's compact protocol")
    }
    return try kind(head & 15)
  }

  /// Passes over a value.
  mutating func skip(_ kind: Kind) throws(ArrowError) {
    switch kind {
    case .yes, .no: break
    case .byte: _ = try byte()
    case .int16, .int32, .int64: _ = try unsigned()
    case .double: try advance(8)
    case .uuid: try advance(16)
    case .bytes: _ = try range()
    case .list, .set:
      let (count, element) = try list()
      for _ in 0..<count { try skipElement(element) }
      endList()
    case .map:
      let count = try size()
      guard count > 0 else { return }
      try begin()
      let kinds = try byte()
      let (key, value) = (try self.kind(kinds >> 4), try self.kind(kinds & 15))
      for _ in 0..<count {
        try skipElement(key)
        try skipElement(value)
      }
      depth -= 1
    case .structure:
      try begin()
      var id = 0
      while let field = try field(&id) { try skip(field) }
    }
  }

  /// Passes over an element of a list; a boolean takes a byte there.
  private mutating func skipElement(_ kind: Kind) throws(ArrowError) {
    if kind == .yes || kind == .no { _ = try byte() } else { try skip(kind) }
  }

  /// Passes over bytes.
  mutating func advance(_ count: Int) throws(ArrowError) {
    guard count <= left else { throw .outside }
    place += count
  }

  /// Reads a number of elements or bytes; each takes at least one byte.
  private mutating func size() throws(ArrowError) -> Int {
    let count = try unsigned()
    guard count <= UInt64(left) else { throw .outside }
    return Int(count)
  }

  // MARK: Values

  private static let other = ArrowError("has metadata of another type than its format has")

  /// Reads the value of a field that is an integer.
  mutating func integer(_ kind: Kind) throws(ArrowError) -> Int {
    switch kind {
    case .byte: return Int(Int8(bitPattern: try byte()))
    case .int16, .int32, .int64: return try zigzag()
    default: throw Self.other
    }
  }

  /// Reads the value of a field that is one of some codes; `unknown` names the others in the error.
  mutating func code<Code: RawRepresentable<Int>>(_ kind: Kind, _ unknown: String) throws(ArrowError) -> Code
  {
    let number = try integer(kind)
    guard let code = Code(rawValue: number) else { throw ArrowError("has a \(unknown) (\(number))") }
    return code
  }

  /// Reads the value of a field that is a boolean.
  func boolean(_ kind: Kind) throws(ArrowError) -> Bool {
    guard kind == .yes || kind == .no else { throw Self.other }
    return kind == .yes
  }

  private mutating func range() throws(ArrowError) -> Range<Int> {
    let start = try size()
    let range = place..<place + start
    place = range.upperBound
    return range
  }

  /// Reads the value of a field of bytes, and returns their range.
  mutating func range(_ kind: Kind) throws(ArrowError) -> Range<Int> {
    guard kind == .bytes else { throw Self.other }
    return try range()
  }

  /// Reads the value of a field that is a text; repairs bytes that are not UTF-8.
  mutating func text(_ kind: Kind) throws(ArrowError) -> String {
    String(decoding: bytes[try range(kind)], as: UTF8.self)
  }

  private mutating func list() throws(ArrowError) -> (count: Int, element: Kind) {
    let head = try byte()
    let count = head >> 4 == 15 ? try size() : Int(head >> 4)
    guard count <= left else { throw .outside }
    try begin()
    return (count, try kind(head & 15))
  }

  private mutating func endList() { depth -= 1 }

  /// Reads the value of a field that is a list, and calls `read` for each element.
  mutating func list(
    _ kind: Kind, _ read: (inout ThriftReader, Kind) throws(ArrowError) -> Void
  ) throws(ArrowError) {
    guard kind == .list || kind == .set else { throw Self.other }
    let (count, element) = try list()
    for _ in 0..<count {
      if element == .yes || element == .no {
        // In a list, a boolean is a byte: 1 for true.
        try read(&self, try byte() == 1 ? .yes : .no)
      } else {
        try read(&self, element)
      }
    }
    endList()
  }

  /// Reads the value of a field that is a structure, and calls `read` for each of its fields.
  mutating func structure(
    _ kind: Kind, _ read: (inout ThriftReader, Int, Kind) throws(ArrowError) -> Void
  ) throws(ArrowError) {
    guard kind == .structure else { throw Self.other }
    try begin()
    var id = 0
    while let field = try field(&id) { try read(&self, id, field) }
  }
}
