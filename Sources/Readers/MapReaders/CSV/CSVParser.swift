import MapFeatures
import MapGeometry
import MapSystem

/// The state while one document of delimited text is read.
struct CSVParser: Sendable {
  var records: CSVRecords
  /// The start of the first record after the header, or of the piece.
  var start: Int
  private(set) var names: [String] = []
  var columns: [ColumnBuilder] = []
  /// The indices of the fields to read: the selected ones, without well-known text.
  var wanted: [Int] = []
  var places: CSVPlaces
  var rowCount = 0
  /// Whether the points of all rows are the numbers of two fields, and not in ``places``.
  var sharesCoordinates = false
  private var nameWarnings: [String] = []
  /// The reason for a header of one field, and the way out; nil for other headers.
  private let delimiterHint: String?
  /// The number of bytes that one core reads at a time.
  let pieceSize: Int
  private let options: ReadingOptions
  /// The decimal sign of the fields, as far as it is known.
  private(set) var numbers = NumberReading()
  /// The records that cannot be read, as the offset of the end of each by the offset of its start.
  private var badRecords: [Int: Int] = [:]
  private var skipped = SkippedRows()

  init(_ bytes: [UInt8], fields: FieldSelection, options: ReadingOptions, pieceSize: Int) throws {
    (self.pieceSize, self.options) = (pieceSize, options)
    records = CSVRecords(bytes, delimiter: options.delimiter)
    guard try records.next() else { throw ReadFault("no content", at: 0) }
    guard records.fields.count <= FeatureSchema.fieldLimit else {
      throw ReadFault(
        "a header of \(records.fields.count) names: a table has at most \(FeatureSchema.fieldLimit) fields",
        at: 0)
    }
    start = records.offset
    delimiterHint = LikelyDelimiter.hint(records, given: options.delimiter)
    let written = records.fields.map { [records] field in
      let text = String(decoding: records.text(of: field), as: UTF8.self)
      let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
      return String(text.drop(while: blank).reversed().drop(while: blank).reversed())
    }
    names = FieldNames.distinct(written)
    nameWarnings = FieldNames.warnings(names, written: written, in: "header")
    numbers = NumberReading(stated: options.decimalSign, isDelimitedByCommas: records.delimiter == 0x2C)
    columns = Self.emptyColumns(names, options, numbers)
    places = try CSVPlaces(names: names, records: records, options: options)
    let all = names.indices.filter { $0 != places.textColumn }
    let selection = fields.among(
      all.lazy.map { [names] in names[$0] },
      geometryName: places.hasGeometry ? FeatureSchema.defaultGeometryName : nil)
    wanted = all.filter { selection.contains(names[$0]) }
  }

  mutating func table(_ warnings: [String], of sheet: SheetText?) throws -> FeatureColumns {
    // A stated decimal sign may change numbers that programs would read.
    if options.decimalSign != nil { _ = try findForms() }
    var untouched = self
    do { try readAll() } catch {
      self = untouched
      let isFound = try findForms()
      untouched = self
      do {
        guard isFound else { throw error }
        try readAll()
      } catch {
        guard options.skipsBadRows else { throw error }
        self = untouched
        findBadRecords()
        try readRows()
      }
    }
    return try result(warnings, of: sheet)
  }

  /// Finds the forms of coordinates that people wrote; they show the decimal sign of the other fields, too.
  ///
  /// Returns false for coordinates that programs wrote.
  private mutating func findForms() throws -> Bool {
    guard try places.findForms(records), let forms = places.forms else { return false }
    numbers.shown = forms.decimal
    columns = Self.emptyColumns(names, options, numbers)
    return true
  }

  /// Returns columns without rows; those of fields that are said to hold text take no other values.
  private static func emptyColumns(
    _ names: [String], _ options: ReadingOptions, _ numbers: NumberReading
  ) -> [ColumnBuilder] {
    names.map { name in
      options.textFields.contains(name.lowercased())
        ? .ofText(untyped: true, readsPoints: numbers.readsPoints)
        : ColumnBuilder(untyped: true, readsPoints: numbers.readsPoints)
    }
  }

  private mutating func readAll() throws {
    if let whole = readPieces() {
      self = whole
    } else if let place = CSVReader.fault(in: records.bytes, records.bytes.indices) {
      throw CSVReader.notUTF8(at: place)
    } else {
      try readRows()
    }
  }

  /// Tries every record alone, and notes those that cannot be read.
  private mutating func findBadRecords() {
    var (trial, srid, block) = (records, places.srid, CSVBlock(width: names.count))
    while true {
      let start = trial.skipLineEnds()
      do {
        guard try trial.next() else { return }
        var place = places.emptied(srid: srid)
        try check(trial)
        block.take(trial)
        try place.addRow(0, of: block, in: trial)
        srid = place.srid
      } catch {
        skipped.note(FeatureReadError(error, in: trial.bytes))
        // In a record with a wrong quotation mark, nothing says where it ends; the next line is then tried.
        if (error as? ReadFault)?.reason.isOfQuotation == true { trial.skipLine(from: start) }
        badRecords[start] = trial.offset
      }
    }
  }

  /// Checks the number of fields of a record, and that their texts are UTF-8.
  private func check(_ records: CSVRecords) throws(ReadFault) {
    let count = records.fields.count
    guard count == names.count else {
      let hint = delimiterHint.map { "; \($0)" } ?? ""
      throw ReadFault(
        "\(count.counted("field")) where the header has \(names.count)\(hint)", at: records.start)
    }
    guard options.skipsBadRows, let last = records.fields.last else { return }
    if let place = CSVReader.fault(in: records.bytes, records.start..<last.range.upperBound) {
      throw CSVReader.notUTF8(at: place)
    }
  }

  /// Moves to the next record that can be read; false at the end.
  private mutating func nextRecord() throws(ReadFault) -> Bool {
    while !badRecords.isEmpty, let end = badRecords[records.skipLineEnds()] { records.move(to: end) }
    return try records.next()
  }

  /// Moves to the next records that can be read; false at the end.
  private mutating func nextBlock(_ block: inout CSVBlock) throws(ReadFault) -> Bool {
    if badRecords.isEmpty {
      records.read(into: &block)
      if block.rowCount > 0 { return true }
    }
    guard try nextRecord() else { return false }
    if records.fields.count != names.count { try check(records) }
    block.take(records)
    return true
  }

  /// Reads all records.
  mutating func readRows() throws {
    // Coordinates that are read as fields anyway need not be read again, unless people wrote them in another form.
    let coordinates = places.coordinateColumns.flatMap {
      places.forms == nil && wanted.contains($0.x) && wanted.contains($0.y) ? $0 : nil
    }
    // As long as both are numbers, the points need not be stored.
    sharesCoordinates = coordinates != nil
    var block = CSVBlock(width: names.count)
    while try nextBlock(&block) {
      for index in wanted { columns[index].append(field: index, of: block, in: records) }
      try addPlaces(block, coordinates)
      rowCount += block.rowCount
    }
    if let coordinates, columns[coordinates.x].decimals == nil || columns[coordinates.y].decimals == nil {
      try addSharedPoints()
    }
    try readTexts(wanted.filter { columns[$0].isGivenUp })
  }

  /// Adds the places of a block, whose fields are already in the columns.
  private mutating func addPlaces(_ block: CSVBlock, _ coordinates: (x: Int, y: Int)?) throws {
    if sharesCoordinates, let (x, y) = coordinates, columns[x].endsWithNumbers(block.rowCount),
      columns[y].endsWithNumbers(block.rowCount)
    {
      return
    }
    try addSharedPoints()
    for row in 0..<block.rowCount {
      if let (x, y) = coordinates, let east = columns[x].number(inRow: rowCount + row),
        let north = columns[y].number(inRow: rowCount + row)
      {
        try places.addPoint(x: east, y: north)
      } else {
        try places.addRow(row, of: block, in: records)
      }
    }
  }

  /// Adds the points of the rows so far to ``places``, if they are only in two fields.
  mutating func addSharedPoints() throws {
    guard sharesCoordinates, let (x, y) = places.coordinateColumns else { return }
    sharesCoordinates = false
    for row in 0..<rowCount {
      guard let east = columns[x].number(inRow: row), let north = columns[y].number(inRow: row) else {
        return try readPlaces()
      }
      try places.addPoint(x: east, y: north)
    }
  }

  /// Reads the places of the rows so far again, after a field turned out to have other values than numbers.
  private mutating func readPlaces() throws {
    let current = records
    var block = CSVBlock(width: names.count)
    records.move(to: start)
    for _ in 0..<rowCount {
      guard try nextRecord() else { break }
      block.take(records)
      try places.addRow(0, of: block, in: records)
    }
    records = current
  }

  /// Reads some columns of the records again, as text.
  mutating func readTexts(_ indices: [Int]) throws {
    guard !indices.isEmpty else { return }
    for index in indices {
      let isPart = columns[index].isPart
      columns[index] = .ofText(untyped: true, readsPoints: numbers.readsPoints)
      columns[index].isPart = isPart
    }
    records.move(to: start)
    var block = CSVBlock(width: names.count)
    while try nextBlock(&block) {
      for index in indices { columns[index].append(field: index, of: block, in: records) }
    }
  }

  private func result(_ readingWarnings: [String], of sheet: SheetText?) throws -> FeatureColumns {
    let typed = concurrentMap(wanted.count) {
      let name = names[wanted[$0]]
      let keepsText = options.textFields.contains(name.lowercased())
      return columns[wanted[$0]].typed(
        name: name, keepsText: keepsText, reading: keepsText ? nil : numbers)
    }
    let finished = typed.map { $0.completed() }
    var warnings = readingWarnings + skipped.warnings { sheet?.message($0) ?? $0.description } + nameWarnings
    if let delimiterHint {
      warnings.append("header: \"\(names[0].prefix(40))\" is one field; \(delimiterHint)")
    }
    if let other = records.otherDelimiter.flatMap({ CSVDelimiter(byte: $0) }),
      let own = CSVDelimiter(byte: records.delimiter)
    {
      warnings.append(
        "header: \(own.written) and \(other.written) are equally frequent; read with \(own.written), not with --delimiter \(other.written)"
      )
    }
    let bare = names.filter { $0.contains(".") && Double($0) != nil }
    if let name = bare.first {
      warnings.append(
        "header: \"\(name.prefix(40))\" is a number; the first line has the names, so a file without them loses a row"
      )
    }
    warnings += finished.flatMap(\.warnings)
    for (index, column) in zip(wanted, finished) {
      // Coordinates are numbers in any case.
      if let (x, y) = places.coordinateColumns, index == x || index == y { continue }
      if let cause = column.textCause {
        warnings.append("field \(names[index]): read as text, because \(cause)")
      }
    }
    warnings += try numberWarnings(finished)
    var places = places
    if sharesCoordinates, let (x, y) = places.coordinateColumns, let east = columns[x].decimals,
      let north = columns[y].decimals
    {
      places.share(x: east, y: north)
    }
    let geometry = places.result()
    warnings += places.warnings(in: records.bytes) { sheet?.row(ofLine: $0) ?? "line \($0)" }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: finished.map(\.field), geometryKind: geometry?.buffers.first?.kind,
        spatialReference: geometry?.reference),
      columns: finished.map(\.column), geometry: geometry?.buffers.first,
      otherGeometries: Array(geometry?.buffers.dropFirst() ?? []), rowCount: rowCount, warnings: warnings)
  }
}
