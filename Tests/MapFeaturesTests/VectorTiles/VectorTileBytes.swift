/// Writes messages of protocol buffers for tests.
enum VectorTileBytes {
  static func varint(_ number: UInt64) -> [UInt8] {
    var (bytes, rest): ([UInt8], UInt64) = ([], number)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { varint(field << 3) + varint(value) }

  static func bytes(_ field: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }

  static func text(_ field: UInt64, _ text: String) -> [UInt8] { bytes(field, Array(text.utf8)) }

  static func packed(_ field: UInt64, _ numbers: [UInt64]) -> [UInt8] {
    bytes(field, numbers.flatMap(varint))
  }

  /// A geometry of positions: each part is a MoveTo, a LineTo and, for type 3, a ClosePath.
  static func commands(_ type: UInt64, _ parts: [[(Int, Int)]]) -> [UInt64] {
    var (numbers, x, y): ([UInt64], Int, Int) = ([], 0, 0)
    func add(_ command: UInt64, _ vertices: ArraySlice<(Int, Int)>) {
      guard !vertices.isEmpty else { return }
      numbers.append(UInt64(vertices.count) << 3 | command)
      for (newX, newY) in vertices {
        for step in [newX - x, newY - y] {
          numbers.append(UInt64(UInt32(truncatingIfNeeded: step << 1 ^ step >> 63)))
        }
        (x, y) = (newX, newY)
      }
    }
    for part in parts {
      add(1, type == 1 ? part[...] : part.prefix(1))
      add(2, type == 1 ? [] : part.dropFirst())
      if type == 3 { numbers.append(15) }
    }
    return numbers
  }

  /// A feature's message.
  static func feature(
    id: UInt64? = nil, tags: [UInt64] = [], _ type: UInt64, _ parts: [[(Int, Int)]]
  ) -> [UInt8] {
    feature(id: id, tags: tags, type, commands: commands(type, parts))
  }

  /// A feature's message.
  static func feature(
    id: UInt64? = nil, tags: [UInt64] = [], _ type: UInt64, commands: [UInt64]
  ) -> [UInt8] {
    (id.map { number(1, $0) } ?? []) + (tags.isEmpty ? [] : packed(2, tags)) + number(3, type)
      + packed(4, commands)
  }

  /// A tile of one layer.
  static func tile(
    name: String = "water", version: UInt64? = 2, extent: UInt64? = 4096, keys: [String] = [],
    values: [[UInt8]] = [], features: [[UInt8]], more: [UInt8] = []
  ) -> [UInt8] {
    bytes(
      3,
      text(1, name) + features.flatMap { bytes(2, $0) } + keys.flatMap { text(3, $0) }
        + values.flatMap { bytes(4, $0) } + (extent.map { number(5, $0) } ?? []) + more
        + (version.map { number(15, $0) } ?? []))
  }
}
