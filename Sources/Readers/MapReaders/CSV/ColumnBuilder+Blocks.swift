import MapFeatures

extension ColumnBuilder {
  /// Adds a field of each record of delimited text, as if each were added alone.
  mutating func append(field index: Int, of block: CSVBlock, in records: CSVRecords) {
    let bytes = records.bytes
    var row = 0
    while row < block.rowCount {
      switch kind {
      case .integer:
        let taken = Self.take(&integers, 0, index, of: block, from: row) {
          TypedTexts.integer(bytes, $0.range)
        }
        advance(by: taken, of: &row)
      case .real:
        var rounded = 0
        let taken = Self.take(&reals, 0, index, of: block, from: row) { field in
          let value = TypedTexts.real(bytes, field.range)
          if let value, TypedTexts.isRounded(bytes, field.range, to: value) { rounded += 1 }
          return value
        }
        roundedCount += rounded
        advance(by: taken, of: &row)
      case .moment:
        var (times, zones, cuts) = (0, 0, 0)
        let taken = Self.take(&moments, 0, index, of: block, from: row) { field in
          guard let moment = TypedTexts.moment(bytes, field.range) else { return nil }
          if moment.hasTime { times += 1 }
          if moment.lacksZone { zones += 1 }
          if moment.isCut { cuts += 1 }
          return moment.microseconds
        }
        (holdsTimes, withoutZone, cutTimes) = (holdsTimes || times > 0, withoutZone + zones, cutTimes + cuts)
        advance(by: taken, of: &row)
      case .text:
        // Where nearly all texts differ, none is searched here: joining the parts finds those that are equal.
        if isPart, texts.count > 1 << 12, texts.count * 4 > count * 3 { texts.isUnsearched = true }
        let taken = Self.take(&codes, &texts, records, index, of: block, from: row)
        advance(by: taken, of: &row)
      case .unknown, .boolean: break
      }
      // The next value is of another type, or the column takes its values one by one.
      guard row < block.rowCount else { break }
      append(block[row, index], of: records)
      row += 1
    }
  }

  private mutating func append(_ field: CSVRecords.FieldPlace, of records: CSVRecords) {
    if field.isNull {
      appendNull()
    } else if field.hasDoubledQuotes {
      append(text: records.text(of: field))
    } else {
      append(text: field.range, in: records.bytes)
    }
  }

  /// Rows that were added: their number, and a bit for each that has a value.
  private typealias TakenRows = (count: Int, valid: UInt64)

  /// Adds the values of a field from a row on, up to the first value that is not of their type.
  @inline(__always)
  private static func take<Value>(
    _ values: inout [Value], _ missing: Value, _ index: Int, of block: CSVBlock, from row: Int,
    _ value: (CSVRecords.FieldPlace) -> Value?
  ) -> TakenRows {
    let (start, rows) = (values.count, block.rowCount - row)
    values.append(contentsOf: repeatElement(missing, count: rows))
    var taken: TakenRows = (0, 0)
    var target = values.mutableSpan
    while taken.count < rows {
      let field = block[row + taken.count, index]
      if !field.isNull {
        guard let value = value(field) else { break }
        target[start + taken.count] = value
        taken.valid |= 1 << UInt64(taken.count)
      }
      taken.count += 1
    }
    values.removeLast(rows - taken.count)
    return taken
  }

  /// Adds the texts of a field from a row on.
  ///
  /// It takes both arrays, because a closure that uses ``texts`` must not run while ``codes`` is changed.
  private static func take(
    _ codes: inout [Int32], _ texts: inout TextTable, _ records: CSVRecords, _ index: Int, of block: CSVBlock,
    from row: Int
  ) -> TakenRows {
    let bytes = records.bytes
    var text: [UInt8] = []
    return take(&codes, -1, index, of: block, from: row) { field in
      guard field.hasDoubledQuotes else { return texts.code(of: bytes, field.range) }
      records.read(field, into: &text)
      return texts.code(of: text, text.indices)
    }
  }

  /// Counts rows that were added.
  private mutating func advance(by taken: TakenRows, of row: inout Int) {
    row += taken.count
    let nulls = taken.count - taken.valid.nonzeroBitCount
    if nulls > 0 { writeValidity() }
    if nullCount + nulls > 0, taken.count > 0 {
      validity.append(bits: [taken.valid], count: taken.count, after: count)
    }
    (count, nullCount) = (count + taken.count, nullCount + nulls)
  }
}
