/// The fields of up to 64 consecutive records.
///
/// A column takes its fields of a block in one loop, and checks its type and its memory once for all of them.
struct CSVBlock: Sendable {
  /// The most records of a block: as many as a word has bits.
  static let limit = 64

  /// The number of fields of each record.
  let width: Int
  /// The fields of all records, one record after the other; those after the last record have no meaning.
  fileprivate var fields: [CSVRecords.FieldPlace]
  /// The number of records.
  fileprivate(set) var rowCount = 0

  /// Creates a block without records.
  init(width: Int) {
    self.width = width
    fields = Array(repeating: CSVRecords.FieldPlace(range: 0..<0), count: Self.limit * width)
  }

  /// Returns a field of a record.
  subscript(row: Int, column: Int) -> CSVRecords.FieldPlace { fields[row * width + column] }

  /// Takes the current record, which has as many fields, as the only one.
  mutating func take(_ records: CSVRecords) {
    for column in 0..<width { fields[column] = records.fields[column] }
    rowCount = 1
  }
}

extension CSVRecords {
  /// Reads the next records that have as many fields as the block has columns; stops before any other.
  ///
  /// The block has no records at the end, and before a record that has another number of fields or a wrong quotation mark.
  /// ``fields`` and ``start`` stay those of an earlier record.
  mutating func read(into block: inout CSVBlock) {
    move(to: Self.read(bytes.span, from: offset, delimiter, into: &block))
  }

  private static func read(
    _ bytes: Span<UInt8>, from start: Int, _ delimiter: UInt8, into block: inout CSVBlock
  ) -> Int {
    let width = block.width
    var (offset, row) = (start, 0)
    var fields = block.fields.mutableSpan
    var marks = FieldMarks(from: start, delimiter)
    records: while row < CSVBlock.limit {
      while offset < bytes.count, bytes[offset] == 0x0A || bytes[offset] == 0x0D { offset += 1 }
      guard offset < bytes.count else { break }
      var place = offset
      for index in row * width..<row * width + width {
        guard let field = try? marks.field(bytes, from: place) else { break records }
        fields[index] = field
        place = field.end
        let isLast = index == row * width + width - 1
        guard (place < bytes.count && bytes[place] == delimiter) != isLast else { break records }
        if !isLast { place += 1 }
      }
      (offset, row) = (place, row + 1)
    }
    block.rowCount = row
    return offset
  }
}
