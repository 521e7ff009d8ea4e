import MapFeatures
import MapGeometry
import MapJSON

/// The state while a GeoJSON document is read: the scanner, the rows so far, and losses.
struct GeoJSONParser: Sendable {
  var scanner: JSONScanner
  var geometry: CoordinateBuilder
  /// Collections of several kinds of geometry, with the offset of the first.
  var collections = FirstSight()
  /// Collections of one kind of geometry, with the offset of the first.
  var joinedCollections = FirstSight()
  var properties: PropertyTable
  var ids = ColumnBuilder()
  var hasIDs = false
  var reference: SpatialReference?
  /// Positions with more than two numbers, with the offset of the first.
  var longPositions = FirstSight()
  var openRings = FirstSight()
  /// The last geometry type found, which is nearly always the next one too.
  var lastType: (type: GeoJSONType, name: [UInt8])?
  var rowCount = 0
  /// Whether the ids of features in several pieces have several types.
  var hasMixedIDs = false
  /// Facts about rows that were forgotten.
  var forgotten = ForgottenRows()
  var partial = PartialAnswer()
  private let options: ReadingOptions
  /// Whether each row is tried alone, and left out if it cannot be read.
  var leavesOutBadRows = false
  private var skipped = SkippedRows()

  /// The field that holds the ids of features.
  private static let idField = "id"

  init(
    _ bytes: [UInt8], fields: FieldSelection, options: ReadingOptions = ReadingOptions(), texts: TextFields
  ) {
    (scanner, self.options) = (JSONScanner(bytes), options)
    geometry = CoordinateBuilder(allowsSeveralKinds: options.allowsSeveralKinds)
    properties = PropertyTable(fields: fields, texts: texts)
    if texts.kept.contains(Self.idField) || texts.hasMixedIDs { ids = .ofText }
  }

  /// Creates a parser for a piece of another's rows.
  init(_ bytes: [UInt8], ofRowsOf whole: GeoJSONParser) {
    self.init(
      bytes, fields: whole.properties.fields, options: whole.options, texts: whole.properties.texts)
    scanner.move(to: whole.scanner.mark(beforeElementAt: 0))
  }

  var bytes: [UInt8] { scanner.bytes }

  // MARK: Documents

  /// Reads the whole document.
  mutating func document() throws {
    if try beginDocument() { try collection() } else { try records() }
  }

  /// Moves to the first object; returns whether it is a collection, and not the first of several records.
  mutating func beginDocument() throws -> Bool {
    skipSeparator()
    guard !scanner.isAtEnd() else { throw ReadFault("no content", at: scanner.offset) }
    guard try scanner.peekKind() == .object else {
      throw ReadFault("GeoJSON starts with an object", at: scanner.offset)
    }
    return try typeOfRecord() == "FeatureCollection"
  }

  /// Reads single features or geometries up to the end of the bytes.
  mutating func records() throws {
    skipSeparator()
    repeat {
      let end = leavesOutBadRows ? endOfLine : scanner.offset
      if leavesOutBadRows, isBad(scanner.offset..<end, { try $0.record() }) {
        scanner.move(to: scanner.mark(beforeElementAt: end))
      } else {
        try record()
      }
    } while try isAtNextRecord()
  }

  /// Returns the type of the next object; nil for a damaged one that is left out.
  private mutating func typeOfRecord() throws -> String? {
    guard leavesOutBadRows else { return try scanner.typeOfObject() }
    return (try? scanner.typeOfObject()).flatMap { $0 }
  }

  private var endOfLine: Int {
    bytes[scanner.offset...].firstIndex { $0 == 0x0A || $0 == 0x1E } ?? bytes.count
  }

  /// Reads a row alone, and counts it if that fails.
  private mutating func isBad(
    _ range: Range<Int>, _ read: (inout GeoJSONParser) throws -> Void
  ) -> Bool {
    // With its bytes alone, since an error counts the lines before it.
    var trial = GeoJSONParser(
      Array(bytes[range]), fields: properties.fields, options: options, texts: TextFields())
    trial.reference = reference
    do {
      try read(&trial)
      guard trial.scanner.isAtEnd() else { throw trial.scanner.error(.trailingContent) }
      return false
    } catch {
      let (reason, offset): (FeatureReadError.Reason, Int) =
        switch error {
        case let fault as ReadFault: (fault.reason, fault.offset)
        case let fault as JSONSyntaxError: (.syntax(fault.reason), 0)
        default: (.content("\(error)"), 0)
        }
      let whole = bytes
      skipped.note(FeatureReadError(ReadFault(reason, at: range.lowerBound + offset), in: whole))
      return true
    }
  }

  /// Skips white space and record separators (RFC 8142); returns whether a line end or a separator was among them.
  @discardableResult
  private mutating func skipSeparator() -> Bool {
    let start = scanner.offset
    repeat { scanner.skipWhitespace() } while scanner.skip(byte: 0x1E)
    return bytes[start..<scanner.offset].contains { $0 == 0x0A || $0 == 0x1E }
  }

  private mutating func isAtNextRecord() throws -> Bool {
    let isSeparated = skipSeparator()
    if scanner.offset == bytes.count { return false }
    guard isSeparated else { throw scanner.error(.trailingContent) }
    return true
  }

  /// Reads a single feature or geometry.
  private mutating func record() throws {
    let start = scanner.offset
    switch try scanner.typeOfObject() {
    case "Feature": try feature()
    case "FeatureCollection":
      throw ReadFault("a FeatureCollection among single features", at: start)
    case let type? where type == "GeometryCollection" || GeoJSONType(rawValue: type) != nil:
      try geometryValue()
      try endRow(id: .absent, hasGeometry: true)
    case let type?: throw ReadFault("\"\(type)\" is not a type of GeoJSON", at: start)
    case nil: throw ReadFault("an object without the member \"type\" is not GeoJSON", at: start)
    }
  }

  private mutating func collection() throws {
    let start = scanner.offset
    guard try moveToFeatures() else {
      throw ReadFault("a FeatureCollection without \"features\"", at: start)
    }
    try features(upTo: bytes.count)
    try endCollection()
  }

  /// Reads the members of a collection before its features, and enters their array; returns false without one.
  mutating func moveToFeatures() throws -> Bool {
    try scanner.beginObject()
    while let name = try scanner.nextMember() {
      if name.equals(GeoJSONName.features, in: bytes) {
        try scanner.beginArray()
        return true
      }
      try memberOfCollection(name)
    }
    return false
  }

  /// Reads the members of a collection after its features, up to the end of the bytes.
  mutating func endCollection() throws {
    while let name = try scanner.nextMember() {
      guard !name.equals(GeoJSONName.features, in: bytes) else {
        throw scanner.error(.duplicateMember("features"), at: name.start - 1)
      }
      try memberOfCollection(name)
    }
    guard scanner.isAtEnd() else { throw scanner.error(.trailingContent) }
  }

  private mutating func memberOfCollection(_ name: JSONStringToken) throws {
    if name.equals(GeoJSONName.crs, in: bytes) {
      try referenceValue()
    } else if case let name = name.text(in: bytes), PartialAnswer.names.contains(name) {
      partial.note(name, try scanner.readValue())
    } else {
      try scanner.skipValue()
    }
  }

  // MARK: Features

  /// Reads elements of the open array until one starts at or after `end`; returns false at the end of the array.
  @discardableResult
  mutating func features(upTo end: Int) throws -> Bool {
    while try scanner.nextElement() {
      scanner.skipWhitespace()
      if scanner.offset >= end { return true }
      if leavesOutBadRows {
        let mark = scanner.mark
        try scanner.skipValue()
        if isBad(mark.offset..<scanner.offset, { try $0.feature() }) { continue }
        scanner.move(to: mark)
      }
      try feature()
    }
    return false
  }

  mutating func feature() throws {
    scanner.skipWhitespace()
    let start = scanner.offset
    var (hasType, hasGeometry, hasProperties) = (false, false, false)
    var id = PropertyToken.absent
    try scanner.beginObject()
    while let name = try scanner.nextMember() {
      if name.equals(GeoJSONName.geometry, in: bytes) {
        guard !hasGeometry else { throw scanner.error(.duplicateMember("geometry"), at: name.start - 1) }
        hasGeometry = try geometryValue()
      } else if name.equals(GeoJSONName.properties, in: bytes) {
        guard !hasProperties else { throw scanner.error(.duplicateMember("properties"), at: name.start - 1) }
        hasProperties = true
        try propertiesValue()
      } else if name.equals(GeoJSONName.type, in: bytes) {
        let token = try scanner.readString()
        guard token.equals(GeoJSONName.featureType, in: bytes) else {
          throw ReadFault("\"\(token.text(in: bytes))\" where a Feature should be", at: token.start - 1)
        }
        hasType = true
      } else if name.equals(GeoJSONName.id, in: bytes) {
        id = try idValue()
      } else if name.equals(GeoJSONName.crs, in: bytes) {
        try referenceValue()
      } else {
        try scanner.skipValue()
      }
    }
    guard hasType else { throw ReadFault("a feature without \"type\": \"Feature\"", at: start) }
    try endRow(id: id, hasGeometry: hasGeometry)
  }

  private mutating func idValue() throws -> PropertyToken {
    let token = try PropertyToken(reading: &scanner)
    switch token {
    case .null, .absent: return .null
    case .number, .text:
      hasIDs = true
      return token
    case .boolean, .json: throw ReadFault("the id of a feature is text or a number", at: scanner.offset)
    }
  }

  private mutating func propertiesValue() throws {
    if try scanner.peekKind() == .null { return try scanner.readNull() }
    try scanner.beginObject()
    var guess = 0
    while let name = try scanner.nextMember() {
      let column = try properties.column(named: name, in: bytes, guess: guess)
      // In nearly all files, every feature has the same properties in the same order.
      guess = column + 1
      if properties.isWanted[column] {
        properties.set(column, try PropertyToken(reading: &scanner))
      } else {
        try scanner.skipValue()
      }
    }
  }

  private mutating func endRow(id: PropertyToken, hasGeometry: Bool) throws {
    if !hasGeometry { geometry.appendEmptyRow() }
    id.append(to: &ids, in: bytes)
    properties.endRow(in: bytes)
    rowCount += 1
  }

  // MARK: Reference and result

  private mutating func referenceValue() throws {
    scanner.skipWhitespace()
    let start = scanner.offset
    let value = try scanner.readValue()
    guard !value.isNull else { return }
    guard let found = GeoJSONReference.reference(value) else {
      // The caller's reference takes its place.
      guard options.sourceReference == nil else { return }
      throw ReadFault(.unsupportedReference("\"\(GeoJSONReference.definition(value))\""), at: start)
    }
    if let reference, reference != found {
      throw ReadFault("another spatial reference than the features before", at: start)
    }
    reference = found
  }

  /// Whether features have a property with the name of the field for their ids.
  var hasIDProperty: Bool { properties.allNames.contains(Self.idField) }

  /// Whether the document has all selected fields.
  var hasFieldsWanted: Bool {
    let names = properties.allNames + (hasIDs ? [Self.idField] : [])
    let geometryName = geometry.kind == nil ? nil : FeatureSchema.defaultGeometryName
    return properties.fields.among(names, geometryName: geometryName) == properties.fields
  }

  /// The columns with values of several types, which must be read again as text; nil for none.
  var mixedTexts: TextFields? {
    let names = properties.namesOfMixed
    guard !names.isEmpty || ids.isGivenUp || hasMixedIDs else { return nil }
    var texts = properties.texts
    texts.mixed.formUnion(names)
    texts.hasMixedIDs = texts.hasMixedIDs || ids.isGivenUp || hasMixedIDs
    return texts
  }

  /// Returns the table of the features read.
  ///
  /// - Parameter text: the text of the features, for the numbers of lines in warnings.
  func table(_ text: TextBytes) throws -> FeatureColumns {
    let buffers = geometry.results
    let (given, contradictions) = options.reference(stated: self.reference)
    let reference = given ?? .wgs84
    var finished = properties.finished()
    var objectIDs: [Int64]?
    var lostIDs: [String] = []
    if hasIDs {
      let keepsText = properties.texts.kept.contains(Self.idField)
      let column = ids.finished(name: Self.idField, keepsText: keepsText)
      let canBeID = forgotten.canBeID ?? ObjectIDs.canBe(column.column)
      if !hasIDProperty {
        let type = canBeID ? .oid : column.field.fieldType
        finished.insert(
          FinishedColumn(
            field: Field(name: Self.idField, type: type), column: column.column, warnings: column.warnings),
          at: 0)
      } else if canBeID {
        objectIDs = column.column.integers
      } else if let own = finished.first(where: { $0.field.name == Self.idField }),
        own.column != column.column
      {
        lostIDs = ["field id: its values are those of the property; the ids of the features are left out"]
      }
    }
    var warnings = skipped.warnings + contradictions + finished.flatMap(\.warnings) + lostIDs
    if properties.nestedCount > 0 {
      warnings.append("fields \(properties.nestedNames): arrays and objects were read as their JSON text")
    }
    if let text = try longPositions.text(in: text) {
      warnings.append("\(text): coordinates beyond the second were dropped")
    }
    if let text = try openRings.text(in: text) {
      warnings.append("\(text): rings that do not end where they start were closed")
    }
    warnings += geometry.overlapWarnings
    if let text = try joinedCollections.text(in: text) {
      warnings.append("\(text): \(GeometryLosses.joined)")
    }
    if let text = try collections.text(in: text) { warnings.append("\(text): \(GeometryLosses.collections)") }
    if reference == .wgs84,
      forgotten.areBeyondDegrees || buffers.contains(where: \.hasPlacesBeyondDegrees)
    {
      warnings.append(
        "coordinates beyond 540° or 90°: if they are not degrees, a member \"crs\" or --source-reference has to say so"
      )
    }
    let missing = partial.reasons(featureCount: forgotten.rowCount + rowCount)
    return FeatureColumns(
      schema: FeatureSchema(
        fields: finished.map(\.field), geometryKind: buffers.first?.kind,
        spatialReference: buffers.isEmpty ? nil : reference),
      columns: finished.map(\.column), geometry: buffers.first,
      otherGeometries: Array(buffers.dropFirst()), rowCount: rowCount, warnings: warnings + missing,
      objectIDs: objectIDs, isComplete: missing.isEmpty)
  }
}

extension CoordinateBuffer {
  /// Whether a coordinate cannot be in degrees: beyond 540° (one and a half world widths), or beyond a pole.
  var hasPlacesBeyondDegrees: Bool { x.contains { abs($0) > 540 } || y.contains { abs($0) > 90 } }
}
