import MapTestSupport

/// A flatbuffer written front to back, for files that no other writer can make.
struct FlatBufferWriter {
  indirect enum Value {
    case byte(UInt8), word16(UInt16), word32(UInt32), word64(UInt64)
    case bytes([UInt8]), words([UInt32]), doubles([Double])
    case table([Int: Value]), tables([[Int: Value]])

    var size: Int {
      switch self {
      case .byte: 1
      case .word16: 2
      case .word64: 8
      default: 4
      }
    }
  }

  private(set) var bytes: [UInt8] = []

  /// A buffer with a table as its root, after its size.
  static func sized(_ root: [Int: Value]) -> [UInt8] {
    var writer = FlatBufferWriter()
    writer.append(UInt32(0))
    writer.point(0, to: writer.add(root))
    writer.pad(to: 8)
    return little(UInt32(writer.bytes.count)) + writer.bytes
  }

  static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private mutating func append(_ value: some FixedWidthInteger) { bytes += Self.little(value) }
  private mutating func pad(to size: Int, before more: Int = 0) {
    while (bytes.count + more) % size != 0 { bytes.append(0) }
  }
  private mutating func set(_ place: Int, _ value: [UInt8]) {
    bytes.replaceSubrange(place..<place + value.count, with: value)
  }
  private mutating func point(_ place: Int, to target: Int) {
    set(place, Self.little(UInt32(target - place)))
  }

  /// Adds a table and everything it refers to; returns its position.
  private mutating func add(_ fields: [Int: Value]) -> Int {
    let slots = (fields.keys.max() ?? -1) + 1
    var places: [Int: Int] = [:]
    var end = 4
    for (index, value) in fields.sorted(by: { $0.key < $1.key }) {
      end = (end + value.size - 1) / value.size * value.size
      places[index] = end
      end += value.size
    }
    pad(to: 2)
    let list = bytes.count
    append(UInt16(4 + 2 * slots))
    append(UInt16(end))
    for index in 0..<slots { append(UInt16(places[index] ?? 0)) }
    pad(to: 8)
    let table = bytes.count
    append(Int32(table - list))
    bytes += [UInt8](repeating: 0, count: end - 4)
    for (index, value) in fields.sorted(by: { $0.key < $1.key }) {
      put(value, at: table + (places[index] ?? 0))
    }
    return table
  }

  private mutating func put(_ value: Value, at place: Int) {
    switch value {
    case .byte(let value): set(place, Self.little(value))
    case .word16(let value): set(place, Self.little(value))
    case .word32(let value): set(place, Self.little(value))
    case .word64(let value): set(place, Self.little(value))
    case .bytes(let list): put(list.map { [$0] }, alignment: 4, at: place)
    case .words(let list): put(list.map { Self.little($0) }, alignment: 4, at: place)
    case .doubles(let list): put(list.map { Self.little($0.bitPattern) }, alignment: 8, at: place)
    case .table(let fields): point(place, to: add(fields))
    case .tables(let list):
      pad(to: 4)
      point(place, to: bytes.count)
      append(UInt32(list.count))
      let first = bytes.count
      bytes += [UInt8](repeating: 0, count: 4 * list.count)
      for (index, fields) in list.enumerated() { point(first + 4 * index, to: add(fields)) }
    }
  }

  private mutating func put(_ elements: [[UInt8]], alignment: Int, at place: Int) {
    pad(to: alignment, before: 4)
    point(place, to: bytes.count)
    append(UInt32(elements.count))
    for element in elements { bytes += element }
    // Texts of a flatbuffer end with a zero byte.
    bytes.append(0)
  }
}

/// FlatGeobuf files of random content in every type of column and geometry.
struct FlatGeobufGenerator {
  private var random: SeededGenerator
  private static let moments = [
    "2024-02-29T23:59:59", "1970-01-01T00:00:00Z", "2000-12-31T12:00:00.125Z", "0001-01-01T00:00:00",
    "9999-12-31T23:59:59.999", "2024-06-01T08:30:00+02:00", "2024-06-01T08:30:00.500-05:30",
    "2023-02-30T00:00:00",
    "2024-13-01T00:00:00", "2024-06-01T08:30:00+14:00", "1969-12-31T23:59:59.001Z",
    "2024-06-01T00:00:00+12:45",
  ]
  private static let odd = [
    "2024-06-01 08:30:00", "2024/06/01", "noon", "", "2024-06-01T08:30", "2024-06-01T08:30:60Z",
    "2024-06-01T25:00:00", "2024-06-01T08:30:00.5Z", "2024-06-01T08:30:00.1234567Z",
    "2024-06-01T08:30:00+0200", "24-06-01T08:30:00",
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func file() -> [UInt8] {
    let geometryType = UInt8(Int.random(in: 0...6, using: &random))
    let (hasZ, hasM) = (
      Int.random(in: 0..<5, using: &random) == 0, Int.random(in: 0..<5, using: &random) == 0
    )
    let types = (0..<Int.random(in: 0...18, using: &random)).map { _ in
      UInt8.random(in: 0...14, using: &random)
    }
    let features = Int.random(in: 0...30, using: &random)
    let isOdd = Int.random(in: 0..<6, using: &random) == 0
    let shape = geometryType == 0 ? UInt8.random(in: 1...6, using: &random) : geometryType
    let columns: [[Int: FlatBufferWriter.Value]] = types.enumerated().map { index, type in
      var column: [Int: FlatBufferWriter.Value] = [0: .bytes(Array("c\(index)".utf8)), 1: .byte(type)]
      if index % 4 == 1 { column[2] = .bytes(Array("column \(index)".utf8)) }
      return column
    }
    var header: [Int: FlatBufferWriter.Value] = [
      0: .bytes(Array("layer".utf8)), 2: .byte(geometryType), 3: .byte(hasZ ? 1 : 0), 4: .byte(hasM ? 1 : 0),
      7: .tables(columns), 9: .word16(0),
    ]
    if Bool.random(using: &random) { header[8] = .word64(UInt64(features)) }
    if Bool.random(using: &random) {
      header[10] = .table([1: .word32(Bool.random(using: &random) ? 3857 : 4326)])
    }
    var bytes: [UInt8] =
      Array("fgb".utf8) + [3] + Array("fgb".utf8) + [UInt8.random(in: 0...2, using: &random)]
    bytes += FlatBufferWriter.sized(header)
    for _ in 0..<features {
      var feature: [Int: FlatBufferWriter.Value] = [:]
      if Int.random(in: 0..<8, using: &random) > 0 {
        var geometry = geometry(shape, hasZ, hasM)
        if geometryType == 0 { geometry[6] = .byte(shape) }
        feature[0] = .table(geometry)
      }
      if !types.isEmpty { feature[1] = .bytes(values(types, isOdd: isOdd)) }
      bytes += FlatBufferWriter.sized(feature)
    }
    return bytes
  }

  private mutating func geometry(_ type: UInt8, _ hasZ: Bool, _ hasM: Bool) -> [Int: FlatBufferWriter.Value] {
    if type == 6 {
      return [7: .tables((0..<Int.random(in: 1...3, using: &random)).map { _ in geometry(3, hasZ, hasM) })]
    }
    var xy: [Double] = []
    var ends: [UInt32] = []
    let parts = type == 3 || type == 5 ? Int.random(in: 1...3, using: &random) : 1
    for _ in 0..<parts {
      let start = xy.count
      // GDAL does not always state the dimensions of an empty geometry's coordinates.
      let isFilled = type == 3 || hasZ || hasM
      for _ in 0..<(type == 1 ? 1 : Int.random(in: isFilled ? 1...6 : 0...5, using: &random)) {
        xy += [Double(Int.random(in: -60...60, using: &random)), .random(in: -60...60, using: &random)]
      }
      // Most rings are closed.
      if type == 3, Int.random(in: 0..<4, using: &random) > 0 { xy += xy[start..<start + 2] }
      ends.append(UInt32(xy.count / 2))
    }
    if type == 1, Int.random(in: 0..<6, using: &random) == 0 { xy = [.nan, .nan] }
    var fields: [Int: FlatBufferWriter.Value] = [1: .doubles(xy)]
    if parts > 1 || type == 5 { fields[0] = .words(ends) }
    if hasZ { fields[2] = .doubles(Array(repeating: 5, count: xy.count / 2)) }
    if hasM { fields[3] = .doubles(Array(repeating: 6, count: xy.count / 2)) }
    return fields
  }

  private mutating func values(_ types: [UInt8], isOdd: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, type) in types.enumerated().shuffled(using: &random)
    where Int.random(in: 0..<5, using: &random) > 0 {
      bytes += FlatBufferWriter.little(UInt16(index))
      let word = UInt64.random(in: 0...(.max), using: &random)
      switch type {
      case 0, 1, 2: bytes += FlatBufferWriter.little(UInt8(truncatingIfNeeded: word))
      case 3, 4: bytes += FlatBufferWriter.little(UInt16(truncatingIfNeeded: word))
      case 5, 6: bytes += FlatBufferWriter.little(UInt32(truncatingIfNeeded: word))
      case 7, 8: bytes += FlatBufferWriter.little(word)
      case 9:
        bytes += FlatBufferWriter.little(Float(word % 100_000).bitPattern ^ (word % 7 == 0 ? 0x7F80_0000 : 0))
      case 10: bytes += FlatBufferWriter.little(word % 5 == 0 ? word : Double(word % 1_000_000).bitPattern)
      case 13:
        let texts = isOdd ? Self.moments + Self.odd : Self.moments
        append(Array(texts[Int(word % UInt64(texts.count))].utf8), to: &bytes)
      case 14: append([0, 1, 255], to: &bytes)
      default:
        let texts: [[UInt8]] = [
          [], Array("same".utf8), Array("Zürich".utf8), [0x41, 0xFF, 0xC3], Array("\(word % 50)".utf8),
        ]
        append(texts[Int(word % UInt64(texts.count))], to: &bytes)
      }
    }
    return bytes
  }

  private func append(_ text: [UInt8], to bytes: inout [UInt8]) {
    bytes += FlatBufferWriter.little(UInt32(text.count)) + text
  }
}
