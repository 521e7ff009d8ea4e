package import MapFeatures
package import MapGeometry
import MapReaders
import MapSystem

/// Rows in the binary format of `COPY`, read piece by piece into columns.
///
/// The pieces may end anywhere. The rows must be in the order of their key, which must be unique.
///
/// - Source: PostgreSQL 15, "COPY", "Binary Format".
package struct CopyRows: Sendable {
  private let columns: [CopyColumn]
  /// The index of the key among the columns.
  private let key: Int
  private let skipsBadRows: Bool
  private let mostRows: Int
  /// For each column, the index of its values; nil for a geometry.
  private let places: [Int?]
  private var values: [DeclaredColumn]
  private var geometry = CoordinateBuilder(allowsSeveralKinds: true)
  private var losses = GeometryLosses()
  private var skipped = (count: 0, first: "")
  /// The number of decimals of each column that were rounded.
  private var rounded: [Int]
  /// The identifier of the spatial reference of the geometries, 0 if they name none; nil before the first.
  package private(set) var spatialReferenceID: Int?
  private var lastKey: Int64?
  /// The number of rows.
  package private(set) var count = 0

  private var pending: [UInt8] = []
  private var hasStarted = false
  private var hasEnded = false
  private var received = 0
  /// The number of bytes at which memory is checked next.
  private var nextCheck = 64 << 20
  private var ranges: [Range<Int>?]

  /// The start of the format: its signature.
  private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
  /// The largest row in bytes.
  ///
  /// - Source: design decision, as for the answer of a service.
  private static let largestRow = 256 << 20

  /// Creates a reader without rows.
  ///
  /// - Parameters:
  ///   - columns: The columns in the order of the statement; one geometry at most.
  ///   - key: The index of the column of whole numbers that orders the rows.
  ///   - mostRows: The number of rows that are accepted.
  package init(columns: [CopyColumn], key: Int, skipsBadRows: Bool = false, mostRows: Int = .max) {
    (self.columns, self.key, self.skipsBadRows, self.mostRows) = (columns, key, skipsBadRows, mostRows)
    var (places, values): ([Int?], [DeclaredColumn]) = ([], [])
    for column in columns {
      places.append(column.form == .geometry ? nil : values.count)
      if column.form != .geometry { values.append(DeclaredColumn(column.field, column.form.kind)) }
    }
    (self.places, self.values) = (places, values)
    rounded = Array(repeating: 0, count: values.count)
    ranges = Array(repeating: nil, count: columns.count)
  }

  // MARK: Bytes

  /// Reads further bytes.
  ///
  /// - Throws: ``CopyFault``; the reader is then no longer usable.
  package mutating func read(_ piece: [UInt8]) throws(CopyFault) {
    guard !piece.isEmpty else { return }
    guard !hasEnded else { throw CopyFault("sent more bytes after its last row") }
    received += piece.count
    if received >= nextCheck {
      // The columns of these bytes take about as much memory again.
      guard canAllocate(bytes: received) else {
        throw CopyFault("after \(count) rows: there is not enough memory for the table")
      }
      nextCheck = 2 * received
    }
    var bytes = pending
    pending = []
    bytes += piece
    var place = 0
    if !hasStarted {
      guard let end = try Self.headerEnd(bytes) else {
        pending = bytes
        return
      }
      (hasStarted, place) = (true, end)
    }
    while !hasEnded, let end = try readRow(bytes, at: place) { place = end }
    guard !hasEnded || place == bytes.count else { throw CopyFault("sent more bytes after its last row") }
    pending = place == 0 ? bytes : Array(bytes[place...])
    guard pending.count <= Self.largestRow else {
      throw CopyFault("after \(count) rows: a row is larger than \(Self.largestRow >> 20) MiB")
    }
  }

  /// Checks that the last row has been read.
  ///
  /// - Throws: ``CopyFault``.
  package func finish() throws(CopyFault) {
    guard hasEnded else { throw CopyFault("the rows end after \(count), before the mark of their end") }
  }

  /// Returns the end of the header; nil if it is not complete yet.
  private static func headerEnd(_ bytes: [UInt8]) throws(CopyFault) -> Int? {
    let known = min(bytes.count, signature.count)
    guard bytes[..<known].elementsEqual(signature[..<known]) else {
      throw CopyFault("its rows are not in the binary format of COPY")
    }
    guard bytes.count >= signature.count + 8 else { return nil }
    let flags = bytes.span.int32(at: signature.count)
    // Bits 16 to 31 change the format of the rows.
    guard flags >> 16 == 0 else { throw CopyFault("its rows are in an unknown binary format") }
    let extra = Int(bytes.span.int32(at: signature.count + 4))
    guard 0...65_536 ~= extra else { throw CopyFault("the header of its rows is too large") }
    let end = signature.count + 8 + extra
    return end <= bytes.count ? end : nil
  }

  /// Reads the row at an offset, and returns its end; nil if it is not complete yet.
  private mutating func readRow(_ bytes: [UInt8], at start: Int) throws(CopyFault) -> Int? {
    let span = bytes.span
    guard span.count - start >= 2 else { return nil }
    let fields = Int(span.int16(at: start))
    if fields == -1 {
      hasEnded = true
      return start + 2
    }
    guard fields == columns.count else {
      throw CopyFault("row \(count + 1) has \(fields) values instead of \(columns.count)")
    }
    var place = start + 2
    for index in columns.indices {
      guard span.count - place >= 4 else { return nil }
      let size = Int(span.int32(at: place))
      place += 4
      if size == -1 {
        ranges[index] = nil
        continue
      }
      guard size >= 0 else { throw CopyFault("row \(count + 1) has a value of \(size) bytes") }
      guard span.count - place >= size else { return nil }
      ranges[index] = place..<place + size
      place += size
    }
    try addRow(bytes)
    return place
  }

  // MARK: Rows

  private mutating func addRow(_ bytes: [UInt8]) throws(CopyFault) {
    guard count < mostRows else { throw CopyFault("has more than \(mostRows) rows") }
    let span = bytes.span
    let id = try nextKey(span)
    var hasGeometry = false
    for (index, column) in columns.enumerated() where column.form == .geometry {
      hasGeometry = true
      do throws(CopyFault) { try addGeometry(span, ranges[index]) } catch {
        guard skipsBadRows else { throw CopyFault("the row with \(keyName) \(id): \(error.reason)") }
        if skipped.count == 0 { skipped.first = "\(keyName) \(id): \(error.reason)" }
        skipped.count += 1
        return
      }
    }
    for (index, column) in columns.enumerated() {
      guard let place = places[index] else { continue }
      guard let range = ranges[index] else {
        values[place].appendNull()
        continue
      }
      let isRead = values[place].append(column.form, bytes, range, &rounded[place])
      guard isRead else {
        throw CopyFault(
          "the row with \(keyName) \(id): the value of \(MessageText.name(column.field.name)) has another type than its "
            + "column")
      }
    }
    if !hasGeometry { geometry.appendEmptyRow() }
    count += 1
  }

  private var keyName: String { MessageText.name(columns[key].field.name) }

  /// Returns the key of the row, which must be greater than the last one.
  private mutating func nextKey(_ span: Span<UInt8>) throws(CopyFault) -> Int64 {
    guard let range = ranges[key] else { throw CopyFault("its key \(keyName) has a null") }
    guard let id = columns[key].form.integer(span, range) else {
      throw CopyFault("its key \(keyName) is not a whole number")
    }
    if let lastKey, id <= lastKey {
      throw CopyFault(
        id == lastKey
          ? "its key \(keyName) has the value \(id) more than once"
          : "its rows are not in the order of their key \(keyName)")
    }
    lastKey = id
    return id
  }

  private mutating func addGeometry(_ span: Span<UInt8>, _ range: Range<Int>?) throws(CopyFault) {
    guard let range else { return geometry.appendEmptyRow() }
    let shape = span.extracting(range)
    let found = shape.spatialReferenceID
    if let known = spatialReferenceID, known != found {
      throw CopyFault("its geometry has the spatial reference \(found), others have \(known)")
    }
    do throws(WellKnownBinaryError) {
      if skipsBadRows {
        // A geometry that fails leaves its vertices in the builder.
        var trial = CoordinateBuilder(allowsSeveralKinds: true)
        _ = try WellKnownBinary.appendRow(shape, to: &trial)
      }
      losses.note(try WellKnownBinary.appendRow(shape, to: &geometry))
    } catch {
      throw CopyFault("\(error)")
    }
    spatialReferenceID = found
  }

  // MARK: Result

  /// The geometries of each kind; none if no row has one.
  package var geometries: [CoordinateBuffer] {
    columns.contains { $0.form == .geometry } ? geometry.results : []
  }

  /// Returns the values, in the order of the columns without the geometry, and the warnings of all rows.
  package func finished() -> (columns: [Column], warnings: [String]) {
    var (finished, warnings): ([Column], [String]) = ([], [])
    for (column, rounded) in zip(values, rounded) {
      let (result, losses) = column.finished()
      finished.append(result)
      warnings += losses
      if rounded > 0 {
        let what = rounded == 1 ? "decimal was" : "decimals were"
        warnings.append("field \(column.field.name): \(rounded) \(what) rounded to double precision")
      }
    }
    if skipped.count > 0 {
      let rows =
        skipped.count == 1
        ? "1 row that cannot be read was" : "\(skipped.count) rows that cannot be read were"
      warnings.append("\(rows) left out; the first: \(skipped.first)")
    }
    return (finished, warnings + losses.warnings(of: geometry))
  }
}

extension Span<UInt8> {
  /// The identifier in a geometry's extended well-known binary; 0 without one.
  ///
  /// - Source: PostGIS, "EWKB": the bit 0x20000000 of the type.
  fileprivate var spatialReferenceID: Int {
    guard count >= 9 else { return 0 }
    let (type, id) = (int32(at: 1), int32(at: 5))
    let isLittleEndian = self[0] & 1 == 1
    guard (isLittleEndian ? type.byteSwapped : type) & 0x2000_0000 != 0 else { return 0 }
    return Int(isLittleEndian ? id.byteSwapped : id)
  }
}
