import MapFeatures
import MapGeometry
import MapSystem

/// The rows of a piece of a FlatGeobuf file, in columns.
struct FlatGeobufRows: Sendable {
  private let header: FlatGeobufHeader
  private var columns: [DeclaredColumn]
  private var geometry: CoordinateBuilder
  private var losses = GeometryLosses()
  private(set) var rowCount = 0

  /// Creates columns without rows, with memory for `rows`.
  init(_ header: FlatGeobufHeader, reserving rows: Int) {
    (self.header, columns, geometry) = (header, header.columns, CoordinateBuilder(reserving: rows))
    for index in columns.indices { columns[index].reserve(rows: rows) }
  }

  // MARK: Features

  /// Adds a feature from `source`; its size word precedes the range.
  mutating func add(_ range: Range<Int>, of source: [UInt8]) throws(FlatGeobufFault) {
    let bytes = source.span.extracting(range)
    let feature = try FlatTable(rootOf: bytes)
    // A feature with its own columns.
    guard try feature.field(2, bytes) == nil else { throw .notCovered }
    if let shape = try feature.table(0, bytes) {
      losses.note(try FlatGeobufGeometry.appendRow(shape, header, bytes, to: &geometry))
    } else {
      geometry.appendEmptyRow()
    }
    if let values = try feature.vector(1, elementSize: 1, bytes) {
      let start = range.lowerBound + values.start
      try addValues(start..<start + values.count, of: source)
    }
    rowCount += 1
  }

  private mutating func addValues(_ range: Range<Int>, of source: [UInt8]) throws(FlatGeobufFault) {
    let bytes = source.span.extracting(range)
    var place = 0
    // A single remaining byte is ignored, as in GDAL.
    while place + 1 < bytes.count {
      let index = Int(try bytes.word16(at: place))
      place += 2
      guard index < header.places.count else {
        throw .content("has a value in column \(index + 1) of \(header.places.count)")
      }
      let value = header.places[index]
      if let column = value.column {
        if columns[column].count != rowCount {
          columns[column].appendNulls(upTo: rowCount)
          guard columns[column].count == rowCount else {
            throw .content("has two values in column \(index + 1)")
          }
        }
        try columns[column].append(value.type, bytes, at: place, within: range, of: source)
      }
      place += try value.type.size(bytes, at: place)
      guard place <= bytes.count else { throw .outside }
    }
  }

  // MARK: Parts of a file

  /// Adds the rows of a later piece.
  ///
  /// - Throws: ``FlatGeobufFault/notCovered`` for geometries of another kind, including points among multipoints.
  mutating func append(_ part: FlatGeobufRows) throws(FlatGeobufFault) {
    guard geometry.append(part.geometry) else { throw .notCovered }
    for index in columns.indices {
      columns[index].appendNulls(upTo: rowCount)
      columns[index].append(part.columns[index])
    }
    losses.flattened += part.losses.flattened
    losses.droppedParts += part.losses.droppedParts
    rowCount += part.rowCount
  }

  // MARK: Result

  /// Returns the table of all rows.
  func table() -> FeatureColumns {
    let rowCount = rowCount
    let finished = concurrentMap(columns.count, usesAllCores: { columns[$0].holdsManyTexts }) {
      [columns] index in
      var column = columns[index]
      column.appendNulls(upTo: rowCount)
      return column.finished()
    }
    var warnings = header.warnings + finished.flatMap(\.warnings)
    let buffer = geometry.result ?? header.kind.map { CoordinateBuffer(kind: $0, emptyRows: rowCount) }
    var reference = buffer == nil ? nil : header.reference
    if let buffer, reference == nil {
      let guess = ReferenceGuess(EnvelopeColumns(of: buffer))
      reference = guess.reference
      warnings.append(guess.warning)
    }
    return FeatureColumns(
      schema: FeatureSchema(
        fields: columns.map(\.field), geometryKind: buffer?.kind, spatialReference: reference),
      columns: finished.map(\.column), geometry: buffer, rowCount: rowCount,
      warnings: warnings + losses.warnings(of: geometry))
  }
}

extension DeclaredColumn {
  /// Adds the value at an offset in `bytes`, which is `range` of `source`.
  fileprivate mutating func append(
    _ type: FlatGeobufHeader.ValueType, _ bytes: Span<UInt8>, at place: Int, within range: Range<Int>,
    of source: [UInt8]
  ) throws(FlatGeobufFault) {
    switch type {
    case .bool: append(boolean: try bytes.byte(at: place) != 0)
    case .byte: append(integer: Int64(Int8(bitPattern: try bytes.byte(at: place))))
    case .ubyte: append(integer: Int64(try bytes.byte(at: place)))
    case .short: append(integer: Int64(Int16(bitPattern: try bytes.word16(at: place))))
    case .ushort: append(integer: Int64(try bytes.word16(at: place)))
    case .int: append(integer: Int64(Int32(bitPattern: try bytes.word32(at: place))))
    case .uint: append(integer: Int64(try bytes.word32(at: place)))
    case .long: append(integer: Int64(bitPattern: try bytes.word64(at: place)))
    case .ulong: append(real: Double(try bytes.word64(at: place)))
    case .float: append(real: Double(Float(bitPattern: try bytes.word32(at: place))))
    case .double: append(real: try bytes.double(at: place))
    case .string, .json:
      let text = try bytes.text(at: place)
      append(text: range.lowerBound + text.lowerBound..<range.lowerBound + text.upperBound, in: source)
    case .dateTime:
      switch WrittenMoment(bytes.extracting(try bytes.text(at: place))) {
      case .moment(let moment)?: append(moment: moment)
      case .none?: appendNull()
      case nil: throw .notCovered
      }
    case .binary: break
    }
  }
}

extension FlatGeobufHeader.ValueType {
  /// Returns the size in bytes of the value at an offset.
  fileprivate func size(_ bytes: Span<UInt8>, at place: Int) throws(FlatGeobufFault) -> Int {
    switch self {
    case .bool, .byte, .ubyte: 1
    case .short, .ushort: 2
    case .int, .uint, .float: 4
    case .long, .ulong, .double: 8
    case .string, .json, .dateTime, .binary: 4 + (try bytes.text(at: place)).count
    }
  }
}

extension Span<UInt8> {
  /// Returns the range of the bytes after a length word.
  fileprivate func text(at place: Int) throws(FlatGeobufFault) -> Range<Int> {
    let length = Int(try word32(at: place))
    guard length <= count - place - 4 else { throw .outside }
    return place + 4..<place + 4 + length
  }
}
