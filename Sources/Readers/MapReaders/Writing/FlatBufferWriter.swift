/// A value of a FlatBuffer to be written.
///
/// - Source: FlatBuffers' internals; see ``FlatTable``.
package indirect enum FlatValue {
  case byte(Int), short(Int), int(Int), long(Int)
  case text(String)
  /// A table of fields by their indices; nil for those with their default.
  case table([FlatValue?])
  case tables([FlatValue])
  /// A vector of structures, each of `perElement` numbers of eight bytes.
  case longs([Int], perElement: Int = 1)

  /// The number of bytes in a table, of a reference for values outside it.
  fileprivate var size: Int {
    switch self {
    case .byte: 1
    case .short: 2
    case .int, .text, .table, .tables, .longs: 4
    case .long: 8
    }
  }
}

/// Writes FlatBuffers from the front: references lead to later bytes.
package struct FlatBufferWriter {
  private var bytes: [UInt8] = []

  /// Returns the bytes of a table with everything below it, the same for equal values.
  package static func bytes(of root: FlatValue) -> [UInt8] {
    var writer = FlatBufferWriter()
    writer.append(0, 4)
    writer.patch(0, with: writer.append(root))
    return writer.bytes
  }

  private mutating func append(_ value: Int, _ size: Int) {
    for shift in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
  }

  private mutating func align(to size: Int, before next: Int = 0) {
    while (bytes.count + next) % size != 0 { bytes.append(0) }
  }

  private mutating func write(_ value: Int, _ size: Int, at place: Int) {
    for shift in 0..<size { bytes[place + shift] = UInt8(truncatingIfNeeded: value >> (8 * shift)) }
  }

  /// Writes the reference at a place.
  private mutating func patch(_ place: Int, with target: Int) { write(target - place, 4, at: place) }

  /// Appends a value that has bytes of its own; returns its place.
  private mutating func append(_ value: FlatValue) -> Int {
    switch value {
    case .byte, .short, .int, .long: return bytes.count
    case .text(let text):
      align(to: 4)
      defer {
        append(text.utf8.count, 4)
        bytes += Array(text.utf8) + [0]
      }
      return bytes.count
    case .longs(let numbers, let perElement):
      align(to: 8, before: 4)
      defer {
        append(numbers.count / perElement, 4)
        for number in numbers { append(number, 8) }
      }
      return bytes.count
    case .tables(let tables):
      align(to: 4)
      let start = bytes.count
      append(tables.count, 4)
      for _ in tables { append(0, 4) }
      for (index, table) in tables.enumerated() { patch(start + 4 + 4 * index, with: append(table)) }
      return start
    case .table(let fields): return append(table: fields)
    }
  }

  private mutating func append(table fields: [FlatValue?]) -> Int {
    var (end, offsets) = (4, [Int]())
    for field in fields {
      guard let field else {
        offsets.append(0)
        continue
      }
      end = (end + field.size - 1) / field.size * field.size
      offsets.append(end)
      end += field.size
    }
    let listSize = 4 + 2 * fields.count
    align(to: 8, before: listSize)
    append(listSize, 2)
    append(end, 2)
    for offset in offsets { append(offset, 2) }
    let start = bytes.count
    append(listSize, 4)
    for _ in 4..<end { bytes.append(0) }
    for (field, offset) in zip(fields, offsets) {
      switch field {
      case .byte(let value)?: write(value, 1, at: start + offset)
      case .short(let value)?: write(value, 2, at: start + offset)
      case .int(let value)?: write(value, 4, at: start + offset)
      case .long(let value)?: write(value, 8, at: start + offset)
      case let other?: patch(start + offset, with: append(other))
      case nil: break
      }
    }
    return start
  }
}
