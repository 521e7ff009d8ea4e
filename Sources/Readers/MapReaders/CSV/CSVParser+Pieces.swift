import MapFeatures
import MapSystem

/// Delimited text in pieces, one on each core.
extension CSVParser {
  /// Reads the records in pieces on all cores.
  ///
  /// Nil for a short file, if a piece has an error, or if a piece starts inside a record. The records must then be read
  /// sequentially.
  func readPieces() -> CSVParser? {
    let ranges = FilePieces.ranges(records.offset..<records.bytes.count, size: pieceSize) {
      records.recordStart(after: $0)
    }
    guard ranges.count > 1, CSVReader.fault(in: records.bytes, 0..<records.offset) == nil else { return nil }
    let rowsPerPiece = pieceSize / max(1, firstRecordSize) / 16 * 17
    let pieces = concurrentMap(ranges.count) { index -> CSVParser? in
      var piece = self
      // Each piece copies its bytes: cores that count references to the same array slow each other down.
      piece.records = CSVRecords(ranges[index], of: records)
      piece.start = 0
      guard CSVReader.fault(in: piece.records.bytes, piece.records.bytes.indices) == nil else { return nil }
      piece.reserve(rows: rowsPerPiece)
      guard (try? piece.readRows()) != nil else { return nil }
      // Release the copy now, so that the next piece reuses its memory: new memory costs more than the copying.
      piece.records = records
      return piece
    }.compactMap { $0 }
    guard pieces.count == ranges.count else { return nil }
    var whole = self
    whole.sharesCoordinates = pieces.allSatisfy(\.sharesCoordinates)
    for (var piece, range) in zip(pieces, ranges) {
      whole.rowCount += piece.rowCount
      if whole.sharesCoordinates { continue }
      guard (try? piece.addSharedPoints()) != nil,
        whole.places.append(piece.places, from: range.lowerBound)
      else { return nil }
    }
    var mixed: [Int] = []
    for (index, column) in zip(wanted, Self.joined(pieces, wanted)) {
      if let column { whole.columns[index] = column } else { mixed.append(index) }
    }
    // A column with numbers in one piece and words in another is text in both.
    if !mixed.isEmpty {
      let texts = concurrentMap(pieces.count) { [mixed] index -> CSVParser? in
        var piece = pieces[index]
        piece.records = CSVRecords(ranges[index], of: records)
        return (try? piece.readTexts(mixed)).map { piece }
      }.compactMap { $0 }
      guard texts.count == pieces.count else { return nil }
      for (index, column) in zip(mixed, Self.joined(texts, mixed)) {
        guard let column else { return nil }
        whole.columns[index] = column
      }
    }
    if whole.sharesCoordinates, let (x, y) = whole.places.coordinateColumns,
      whole.columns[x].decimals == nil || whole.columns[y].decimals == nil
    {
      return nil
    }
    return whole
  }

  /// The size of the first record in bytes, with its line end.
  private var firstRecordSize: Int {
    var records = records
    guard (try? records.next()) == true else { return 0 }
    return records.offset + 1 - records.start
  }

  private mutating func reserve(rows: Int) {
    for index in wanted {
      columns[index].reserve(rows: rows)
      columns[index].isPart = true
    }
    places.reserve(rows: rows)
  }

  /// Joins some columns of the pieces; nil for a column of several types.
  private static func joined(_ pieces: [CSVParser], _ columns: [Int]) -> [ColumnBuilder?] {
    concurrentMap(
      columns.count,
      usesAllCores: { index in
        TextTable.joinsOnAllCores(pieces.reduce(0) { $0 + $1.columns[columns[index]].texts.count })
      }
    ) { index in
      ColumnBuilder.joined(
        pieces.map { ($0.columns[columns[index]], $0.rowCount) }, untyped: true)
    }
  }
}
