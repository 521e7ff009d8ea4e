import MapGeometry
import MapJSON

/// The geometry columns of delimited text, and the geometries read from them.
struct CSVPlaces: Sendable {
  private enum Columns {
    case none
    /// Well-known text.
    case text(Int)
    /// Well-known binary, as hexadecimal digits.
    case binary(Int)
    case degrees(x: Int, y: Int)
    /// The columns `x` and `y`, or those that the caller names, whose values determine the unit.
    case unknownUnit(x: Int, y: Int)
  }

  private let columns: Columns
  private let names: [String]
  let options: ReadingOptions
  /// The names of columns without a known unit, which may be coordinates; nil if there are none or others are read.
  private var possible: (x: String, y: String)?
  /// Whether the names of the columns may mean lengths and widths, too.
  private var mayBeLengths = false
  /// The forms of the numbers; nil as long as they are read as programs write them.
  private(set) var forms: CSVCoordinateForms?
  /// Whether the names of the columns are German; known as soon as the forms are.
  private var isGerman = false
  /// Whether a coordinate is written with degrees, minutes or a hemisphere.
  private var hasAngles = false
  private var builder = CoordinateBuilder(allowsSeveralKinds: true)
  /// The points of all rows, if their coordinates are those of two fields; the builder then has none.
  private var shared: CoordinateBuffer?
  private(set) var srid: Int?
  /// Whether a geometry before the first SRID has none.
  private var hasPlaceWithoutSRID = false
  private var collections = FirstSight()
  private var joined = FirstSight()
  private var curves = FirstSight()
  private var flattened = FirstSight()
  private var openRings = FirstSight()
  private var droppedParts = FirstSight()
  private var notNumbers = FirstSight()
  private var halves = FirstSight()

  /// Chooses the columns; `records` must be positioned after the header.
  init(names: [String], records: CSVRecords, options: ReadingOptions) throws {
    (self.names, self.options) = (names, options)
    if let x = try options.xField.map({ try Self.index(of: $0, in: names) }),
      let y = try options.yField.map({ try Self.index(of: $0, in: names) })
    {
      guard x != y else {
        throw ReadFault("column \"\(names[x])\" is named for x and for y; name two columns", at: 0)
      }
      columns = .unknownUnit(x: x, y: y)
      return
    }
    let lowered = names.map { $0.lowercased() }
    for name in CSVCoordinateNames.texts + CSVCoordinateNames.binaries {
      if let index = lowered.firstIndex(of: name), let found = try Self.geometries(index, records) {
        columns = found
        return
      }
    }
    switch CSVCoordinateNames.choice(
      names, hasReference: options.sourceReference != nil,
      areNumbers: { CSVCoordinateForms.startsWithNumbers(x: $0, y: $1, records) },
      areDegrees: { CSVCoordinateForms.areDegrees(x: $0, y: $1, records) })
    {
    case .degrees(let x, let y, let mayBeLengths):
      columns = .degrees(x: x, y: y)
      self.mayBeLengths = mayBeLengths
    case .unknownUnit(let x, let y): columns = .unknownUnit(x: x, y: y)
    case .possible(let x, let y):
      columns = .none
      possible = (names[x], names[y])
    case nil: columns = .none
    }
  }

  private static func index(of name: String, in names: [String]) throws(ReadFault) -> Int {
    if let index = names.firstIndex(of: name)
      ?? names.firstIndex(where: { $0.lowercased() == name.lowercased() })
    {
      return index
    }
    let nearest = NearestName.of(name, among: names).map { "did you mean \"\($0)\"? " } ?? ""
    let list = names.prefix(30).joined(separator: ", ")
    let more = names.count > 30 ? " and \(names.count - 30) more" : ""
    throw ReadFault("no column named \"\(name)\"; \(nearest)available: \(list)\(more)", at: 0)
  }

  /// Reserves memory for rows to be added to places without rows.
  mutating func reserve(rows: Int) { builder = CoordinateBuilder(allowsSeveralKinds: true, reserving: rows) }

  /// Returns places without rows, to try a record; later records must have the SRID of earlier ones.
  func emptied(srid: Int?) -> CSVPlaces {
    var places = self
    places.builder = CoordinateBuilder(allowsSeveralKinds: true)
    places.srid = srid
    return places
  }

  /// Finds the forms of coordinates that are not written as programs write numbers; returns false for all others.
  ///
  /// - Parameter records: the records, positioned after the header.
  /// - Throws: The first coordinate that may be two numbers.
  mutating func findForms(_ records: CSVRecords) throws(ReadFault) -> Bool {
    guard forms == nil, let (x, y) = coordinateColumns else { return false }
    isGerman = CSVCoordinateNames.isGerman(names[x]) || CSVCoordinateNames.isGerman(names[y])
    // With a stated sign, large numbers in a stated spatial reference may have groups of digits.
    let mayBeLarge = options.decimalSign != nil && !options.mayHaveDegrees
    let areDegrees = if case .degrees = columns { !mayBeLarge } else { false }
    forms = try CSVCoordinateForms(
      columns: (x, y), areDegrees: areDegrees, stated: options.decimalSign, records)
    return forms != nil
  }

  /// Returns the form of the geometries in a column by its first value; nil for a column of anything else.
  private static func geometries(_ index: Int, _ records: CSVRecords) throws -> Columns? {
    var records = records
    while try records.next() {
      guard index < records.fields.count else { return nil }
      let field = records.fields[index]
      guard !field.range.isEmpty else { continue }
      if WellKnownText.looksLikeGeometry(records.bytes, field.range) { return .text(index) }
      return HexadecimalBytes.looksLikeGeometry(records.bytes[field.range]) ? .binary(index) : nil
    }
    return nil
  }

  /// Whether there are geometry columns.
  var hasGeometry: Bool { if case .none = columns { false } else { true } }

  /// The column of well-known text or binary, which becomes geometry instead of a field.
  var textColumn: Int? {
    switch columns {
    case .text(let index), .binary(let index): index
    case .none, .degrees, .unknownUnit: nil
    }
  }

  // MARK: Rows

  /// The columns of longitude and latitude, or of `x` and `y`.
  var coordinateColumns: (x: Int, y: Int)? {
    switch columns {
    case .degrees(let x, let y), .unknownUnit(let x, let y): (x, y)
    case .none, .text, .binary: nil
    }
  }

  /// Adds a row whose coordinates were already read as fields.
  mutating func addPoint(x: Double, y: Double) throws {
    try builder.beginRow(.point)
    try builder.addVertex(x: x, y: y)
    builder.endRow()
  }

  /// Sets the points of all rows to the values of two fields, whose memory they share.
  mutating func share(x: [Double], y: [Double]) { shared = CoordinateBuffer(pointsAtX: x, y: y) }

  /// Adds the geometry of a record in a block.
  mutating func addRow(_ row: Int, of block: CSVBlock, in records: CSVRecords) throws {
    switch columns {
    case .none: break
    case .text(let index): try addGeometry(block[row, index], records.bytes, read: Self.text)
    case .binary(let index): try addGeometry(block[row, index], records.bytes, read: Self.binary)
    case .degrees(let x, let y), .unknownUnit(let x, let y):
      let place = block[row, 0].start
      try builder.beginRow(.point)
      let east = try coordinate(block[row, x], records, .longitude)
      let north = try coordinate(block[row, y], records, .latitude)
      if let east, let north {
        if east.isNaN || north.isNaN {
          notNumbers.note(place)
        } else {
          try builder.addVertex(x: east, y: north)
        }
      } else if east != nil || north != nil {
        halves.note(place)
      }
      builder.endRow()
    }
  }

  /// Reads well-known text as a row; `isCurved` reports arcs that became lines.
  private static func text(
    _ bytes: [UInt8], _ range: Range<Int>, _ builder: inout CoordinateBuilder, _ isCurved: inout Bool
  ) throws(ReadFault) -> WellKnownBinary.Remarks {
    do throws(WellKnownTextError) {
      let found = try WellKnownText.appendRow(bytes, range, to: &builder)
      var remarks = WellKnownBinary.Remarks()
      (remarks.srid, remarks.isFlattened, isCurved) = (found.srid, found.isFlattened, found.isCurved)
      (remarks.isJoined, remarks.isOfSeveralKinds) = (found.isJoined, found.isOfSeveralKinds)
      return remarks
    } catch {
      switch error.reason {
      case .geometry(let fault): throw ReadFault(.geometry(fault), at: error.offset)
      case .content(let text): throw ReadFault(text, at: error.offset)
      }
    }
  }

  /// Reads well-known binary in hexadecimal digits as a row.
  private static func binary(
    _ bytes: [UInt8], _ range: Range<Int>, _ builder: inout CoordinateBuilder, _ isCurved: inout Bool
  ) throws(ReadFault) -> WellKnownBinary.Remarks {
    guard let geometry = HexadecimalBytes.bytes(bytes[range]) else {
      throw ReadFault("well-known binary that is not in hexadecimal digits", at: range.lowerBound)
    }
    do throws(WellKnownBinaryError) {
      return try WellKnownBinary.appendRow(geometry.span, to: &builder)
    } catch {
      if case .geometry(let fault) = error { throw ReadFault(.geometry(fault), at: range.lowerBound) }
      throw ReadFault("\(error)", at: range.lowerBound)
    }
  }

  private mutating func addGeometry(
    _ field: CSVRecords.FieldPlace, _ bytes: [UInt8],
    read: (
      [UInt8], Range<Int>, inout CoordinateBuilder, inout Bool
    ) throws(ReadFault) -> WellKnownBinary.Remarks
  ) throws {
    let start = field.range.lowerBound
    guard !field.range.isEmpty else { return builder.appendEmptyRow() }
    let closedBefore = builder.closedRings
    var isCurved = false
    let remarks = try read(bytes, field.range, &builder, &isCurved)
    if remarks.isFlattened { flattened.note(start) }
    if remarks.isJoined { joined.note(start) }
    if isCurved { curves.note(start) }
    if remarks.isOfSeveralKinds { collections.note(start) }
    if remarks.droppedParts > 0 { droppedParts.note(start) }
    if builder.closedRings > closedBefore { openRings.note(start) }
    guard let found = remarks.srid else {
      // Later records have the SRID of earlier ones.
      if srid == nil { hasPlaceWithoutSRID = true }
      return
    }
    guard found > 0 else {
      throw ReadFault(.unsupportedReference("\(found)"), at: start)
    }
    guard !hasPlaceWithoutSRID || options.sourceReference != nil else {
      throw ReadFault("an SRID, unlike the records before", at: start)
    }
    if let srid, SpatialReference(wkid: srid) != SpatialReference(wkid: found) {
      throw ReadFault("another SRID than in the records before", at: start)
    }
    srid = found
  }

  /// Returns the number in a field; nil if the field is empty, NaN if it contains `NaN`.
  private mutating func coordinate(
    _ field: CSVRecords.FieldPlace, _ records: CSVRecords, _ axis: DegreesText.Axis
  ) throws(ReadFault) -> Double? {
    let bytes = records.bytes
    var range = field.range
    while let first = range.first, bytes[first] <= 0x20 { range = range.dropFirst() }
    while let last = range.last, bytes[last] <= 0x20 { range = range.dropLast() }
    guard !range.isEmpty else { return nil }
    if let forms {
      if let value = try forms.number(bytes, range, axis) { return value }
      do throws(DegreesText.Fault) {
        if let angle = try DegreesText(records.text(of: field).span, axis, isGerman: isGerman) {
          hasAngles = true
          return angle.degrees
        }
      } catch {
        throw ReadFault("\"\(Self.shown(field, records))\": \(error.text)", at: range.lowerBound)
      }
    } else if let literal = DecimalLiteral(loose: bytes, at: range.lowerBound),
      literal.end == range.upperBound
    {
      let value = literal.double(in: bytes)
      guard value.isFinite else { throw ReadFault(.geometry(.notFinite), at: range.lowerBound) }
      return value
    }
    let text = Self.shown(field, records)
    if text.lowercased() == "nan" { return .nan }
    let word = text.lowercased().drop { $0 == "-" || $0 == "+" }
    if word == "inf" || word == "infinity" { throw ReadFault(.geometry(.notFinite), at: range.lowerBound) }
    let kind = forms?.form(axis).words ?? "a number"
    throw ReadFault("\"\(text)\" is not \(kind), but a coordinate must be one", at: range.lowerBound)
  }

  private static func shown(_ field: CSVRecords.FieldPlace, _ records: CSVRecords) -> String {
    let text = String(decoding: records.text(of: field).prefix(40), as: UTF8.self)
    return String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Adds the rows of a later part of the file, which starts at `start`; returns false if the parts do not match.
  mutating func append(_ part: CSVPlaces, from start: Int) -> Bool {
    guard builder.append(part.builder), srid == nil || part.srid == nil || srid == part.srid,
      part.srid == nil || !hasPlaceWithoutSRID || options.sourceReference != nil
    else { return false }
    if srid == nil { hasPlaceWithoutSRID = hasPlaceWithoutSRID || part.hasPlaceWithoutSRID }
    srid = srid ?? part.srid
    flattened.append(part.flattened, from: start)
    openRings.append(part.openRings, from: start)
    droppedParts.append(part.droppedParts, from: start)
    collections.append(part.collections, from: start)
    joined.append(part.joined, from: start)
    curves.append(part.curves, from: start)
    notNumbers.append(part.notNumbers, from: start)
    hasAngles = hasAngles || part.hasAngles
    halves.append(part.halves, from: start)
    return true
  }

  // MARK: Result

  /// Returns the geometries and their spatial reference; nil without geometry columns.
  func result() -> (buffers: [CoordinateBuffer], reference: SpatialReference)? {
    if case .none = columns { return nil }
    let buffers = shared.map { [$0] } ?? builder.results
    guard !buffers.isEmpty else { return nil }
    if let reference = options.sourceReference { return (buffers, reference) }
    if let srid { return (buffers, SpatialReference(wkid: srid)) }
    return (buffers, isBeyondDegrees(buffers) ? .webMercator : .wgs84)
  }

  /// Whether values in columns of an unknown unit cannot be degrees.
  private func isBeyondDegrees(_ buffers: [CoordinateBuffer]) -> Bool {
    guard case .unknownUnit = columns, !hasAngles, let buffer = buffers.first else { return false }
    return buffer.x.contains(where: { abs($0) > 180 }) || buffer.y.contains(where: { abs($0) > 90 })
  }

  func warnings(in bytes: [UInt8], line: (Int) -> String) -> [String] {
    var warnings: [String] = []
    if let (x, y) = possible { warnings.append(CSVCoordinateNames.hint(x, y)) }
    if let text = flattened.text(in: bytes, line) {
      warnings.append("\(text): coordinates beyond the second were dropped")
    }
    if let text = openRings.text(in: bytes, line) {
      warnings.append("\(text): rings that do not end where they start were closed")
    }
    if let text = droppedParts.text(in: bytes, line) {
      warnings.append("\(text): lines of a single point or rings without area were left out")
    }
    warnings += builder.overlapWarnings
    if let text = notNumbers.text(in: bytes, line) {
      warnings.append("\(text): coordinates that are not numbers (NaN) were read as no geometry")
    }
    if let text = halves.text(in: bytes, line) {
      warnings.append("\(text): a single coordinate without the other was read as no geometry")
    }
    if let text = curves.text(in: bytes, line) { warnings.append("\(text): \(GeometryLosses.curved)") }
    if let text = joined.text(in: bytes, line) { warnings.append("\(text): \(GeometryLosses.joined)") }
    if let text = collections.text(in: bytes, line) {
      warnings.append("\(text): \(GeometryLosses.collections)")
    }
    if let srid { warnings += options.reference(stated: SpatialReference(wkid: srid)).warnings }
    guard let (buffers, reference) = result() else { return warnings }
    if options.sourceReference == nil, isBeyondDegrees(buffers) {
      warnings.append(ReferenceGuess.warning(.webMercator))
    }
    if mayBeLengths, let (x, y) = coordinateColumns {
      warnings.append(
        "fields \(names[x]), \(names[y]) were read as longitude and latitude; if they are not, choose others with --x "
          + "and --y")
    }
    if let (x, y) = coordinateColumns, srid == nil, options.mayHaveDegrees, let buffer = buffers.first,
      let warning = SwappedColumns(x: names[x], y: names[y], buffer)?.warning
    {
      return warnings + [warning]
    }
    guard reference == .wgs84, buffers.contains(where: \.hasPlacesBeyondDegrees) else { return warnings }
    return warnings + ["coordinates outside ±540°, ±90° were read as degrees; are they in metres?"]
  }
}
