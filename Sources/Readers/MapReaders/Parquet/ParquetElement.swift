/// An element of a Parquet schema, as stored: a group or a column.
///
/// - Source: parquet-format 2.11, `SchemaElement`, and `LogicalTypes.md`.
struct ParquetElement: Sendable {
  enum Repetition: Int { case required, optional, repeated }

  /// The meaning of the values, from the logical type or else the older converted type.
  enum Meaning: Equatable, Sendable {
    case none, text, map, list, date, null, binaryJSON, uuid, half, interval, variant
    case decimal(scale: Int)
    case time(ArrowUnit)
    case timestamp(ArrowUnit, hasZone: Bool)
    case integer(bits: Int, isSigned: Bool)
    /// Geometries in well-known binary, with the name of the spatial reference and the kind of edges.
    case geometry(crs: String?, edges: String?)
  }

  private(set) var name = ""
  /// The type of the values; nil for a group.
  private(set) var type: ParquetPhysicalType?
  private(set) var typeLength = 0
  private(set) var repetition = Repetition.required
  private(set) var childCount = 0
  private(set) var meaning = Meaning.none

  init(_ reader: inout ThriftReader, _ kind: ThriftReader.Kind) throws(ArrowError) {
    var (converted, scale): (Int?, Int) = (nil, 0)
    try reader.structure(kind) { reader, id, kind throws(ArrowError) in
      switch id {
      case 1: type = try reader.code(kind, "field of an unknown type")
      case 2: typeLength = try reader.integer(kind)
      case 3: repetition = try reader.code(kind, "field of an unknown repetition")
      case 4: name = try reader.text(kind)
      case 5: childCount = try reader.integer(kind)
      case 6: converted = try reader.integer(kind)
      case 7: scale = try reader.integer(kind)
      case 10: meaning = try Self.meaning(&reader, kind)
      default: try reader.skip(kind)
      }
    }
    if meaning == .none, let converted { meaning = Self.meaning(converted: converted, scale: scale) }
    guard childCount >= 0, childCount == 0 || type == nil else {
      throw ArrowError("field \(name): is both a group and a column")
    }
    if type == .fixedBytes, !(0...Self.longestFixed).contains(typeLength) {
      throw ArrowError("field \(name): has values of an impossible length (\(typeLength))")
    }
    if case .decimal(let scale) = meaning, !(0...Self.largestScale).contains(scale) {
      throw ArrowError("field \(name): has an impossible scale (\(scale))")
    }
  }

  /// The limit of the length of values of one length, in bytes.
  ///
  /// - Source: design decision.
  private static let longestFixed = 1 << 20
  /// The limit of the digits after the point of a decimal.
  ///
  /// - Source: decimals of 256 bits have 76 digits.
  private static let largestScale = 76

  private static func meaning(converted: Int, scale: Int) -> Meaning {
    switch converted {
    case 0, 4, 19: .text
    case 1, 2: .map
    case 3: .list
    case 5: .decimal(scale: scale)
    case 6: .date
    case 7: .time(.milliseconds)
    case 8: .time(.microseconds)
    case 9: .timestamp(.milliseconds, hasZone: true)
    case 10: .timestamp(.microseconds, hasZone: true)
    case 11...14: .integer(bits: 8 << (converted - 11), isSigned: false)
    case 15...18: .integer(bits: 8 << (converted - 15), isSigned: true)
    case 20: .binaryJSON
    case 21: .interval
    default: .none
    }
  }

  /// Reads a logical type, a union of structures.
  private static func meaning(
    _ reader: inout ThriftReader, _ kind: ThriftReader.Kind
  ) throws(ArrowError) -> Meaning {
    var meaning = Meaning.none
    try reader.structure(kind) { reader, id, kind throws(ArrowError) in
      switch id {
      case 5:
        let numbers = try Self.members(&reader, kind)
        meaning = .decimal(scale: numbers.integers[1] ?? 0)
      case 7, 8:
        let members = try Self.members(&reader, kind)
        guard let unit = members.unit else { throw ArrowError("has a time of an unknown unit") }
        meaning = id == 7 ? .time(unit) : .timestamp(unit, hasZone: members.integers[1] == 1)
      case 10:
        let members = try Self.members(&reader, kind)
        guard let bits = members.integers[1], [8, 16, 32, 64].contains(bits) else {
          throw ArrowError("has an integer of an unknown size")
        }
        meaning = .integer(bits: bits, isSigned: members.integers[2] == 1)
      case 17:
        meaning = .geometry(crs: try Self.members(&reader, kind).text, edges: nil)
      case 18:
        let members = try Self.members(&reader, kind)
        let edges = ["spherical", "vincenty", "thomas", "andoyer", "karney"]
        let algorithm = members.integers[2] ?? 0
        meaning = .geometry(
          crs: members.text, edges: edges.indices.contains(algorithm) ? edges[algorithm] : "not straight")
      default:
        let plain: [Int: Meaning] = [
          1: .text, 2: .map, 3: .list, 4: .text, 6: .date, 11: .null, 12: .text, 13: .binaryJSON, 14: .uuid,
          15: .half, 16: .variant,
        ]
        meaning = plain[id] ?? .none
        try reader.skip(kind)
      }
    }
    return meaning
  }

  /// The members of a logical type: integers and booleans by their numbers, its unit of time and its text.
  private static func members(
    _ reader: inout ThriftReader, _ kind: ThriftReader.Kind
  ) throws(ArrowError) -> (integers: [Int: Int], unit: ArrowUnit?, text: String?) {
    var (integers, unit, text): ([Int: Int], ArrowUnit?, String?) = ([:], nil, nil)
    try reader.structure(kind) { reader, id, kind throws(ArrowError) in
      switch kind {
      case .yes, .no: integers[id] = try reader.boolean(kind) ? 1 : 0
      case .byte, .int16, .int32, .int64: integers[id] = try reader.integer(kind)
      case .bytes: text = try reader.text(kind)
      case .structure:
        try reader.structure(kind) { reader, id, kind throws(ArrowError) in
          // Seconds have no unit in Parquet.
          unit = (1...3).contains(id) ? ArrowUnit(rawValue: id) : nil
          try reader.skip(kind)
        }
      default: try reader.skip(kind)
      }
    }
    return (integers, unit, text)
  }
}
