import MapGeometry
import MapJSON

extension GeoJSONParser {
  /// Reads a geometry object or null as the geometry of the row; returns false for null.
  @discardableResult
  mutating func geometryValue() throws -> Bool {
    if try scanner.peekKind() == .null {
      try scanner.readNull()
      return false
    }
    let start = scanner.offset
    try scanner.beginObject()
    var type: GeoJSONType?
    var coordinates: JSONScanner.Mark?
    var (isCollection, geometries) = (false, JSONScanner.Mark?.none)
    var isDone = false
    while let name = try scanner.nextMember() {
      if name.equals(GeoJSONName.type, in: bytes) {
        type = try geometryType()
        isCollection = type == nil
      } else if name.equals(GeoJSONName.geometries, in: bytes) {
        guard geometries == nil else {
          throw scanner.error(.duplicateMember("geometries"), at: name.start - 1)
        }
        geometries = scanner.mark
        try scanner.skipValue()
      } else if name.equals(GeoJSONName.coordinates, in: bytes) {
        guard coordinates == nil else {
          throw scanner.error(.duplicateMember("coordinates"), at: name.start - 1)
        }
        coordinates = scanner.mark
        if let type {
          try coordinatesValue(type)
          isDone = true
        } else {
          try scanner.skipValue()
        }
      } else if name.equals(GeoJSONName.crs, in: bytes) {
        throw ReadFault(
          "\"crs\" inside a geometry is not supported: it belongs to the collection", at: name.start - 1)
      } else {
        try scanner.skipValue()
      }
    }
    if isCollection {
      guard let geometries else { throw ReadFault("a GeometryCollection without \"geometries\"", at: start) }
      let end = scanner.mark
      try collectionValue(geometries, at: start)
      scanner.move(to: end)
      return true
    }
    guard let type else { throw ReadFault("a geometry without \"type\"", at: start) }
    guard let coordinates else { throw ReadFault("a geometry without \"coordinates\"", at: start) }
    guard !isDone else { return true }
    // The type followed the coordinates: return to them now that it is known.
    let end = scanner.mark
    scanner.move(to: coordinates)
    try coordinatesValue(type)
    scanner.move(to: end)
    return true
  }

  /// Reads the type of a geometry; nil for a collection.
  private mutating func geometryType() throws -> GeoJSONType? {
    let token = try scanner.readString()
    if let lastType, token.equals(lastType.name, in: bytes) { return lastType.type }
    let text = token.text(in: bytes)
    if let type = GeoJSONType(rawValue: text) {
      lastType = (type, Array(text.utf8))
      return type
    }
    guard text == GeoJSONName.collection else {
      throw ReadFault("\"\(text)\" is not a geometry type of GeoJSON", at: token.start - 1)
    }
    return nil
  }

  /// Reads a collection as one row: of one kind as a geometry of several parts, of several kinds as none.
  private mutating func collectionValue(_ place: JSONScanner.Mark, at start: Int) throws {
    // The kind of the row must be known before its vertices: the members are read twice.
    var kinds: Set<GeometryKind> = []
    scanner.move(to: place)
    try members(depth: 1) { parser, type in
      kinds.insert(type.kind)
      try parser.scanner.skipValue()
    }
    let isPlaces = !kinds.isEmpty && kinds.isSubset(of: [.point, .multipoint])
    guard let first = kinds.first, kinds.count == 1 || isPlaces else {
      if !kinds.isEmpty { collections.note(start) }
      return geometry.appendEmptyRow()
    }
    do throws(GeometryFault) { try geometry.beginRow(isPlaces ? .multipoint : first) } catch {
      throw ReadFault(.geometry(error), at: start)
    }
    joinedCollections.note(start)
    scanner.move(to: place)
    try members(depth: 1) { try $0.parts($1) }
    geometry.endRow()
  }

  /// The deepest nesting of collections that is read.
  private static let deepestCollection = 32

  /// Calls `body` before the coordinates of each geometry of a collection and of the collections in it.
  private mutating func members(
    depth: Int, _ body: (inout GeoJSONParser, GeoJSONType) throws -> Void
  ) throws {
    try scanner.beginArray()
    while try scanner.nextElement() {
      scanner.skipWhitespace()
      let start = scanner.offset
      let text = try scanner.typeOfObject()
      let type = text.flatMap { GeoJSONType(rawValue: $0) }
      guard type != nil || text == GeoJSONName.collection else {
        throw ReadFault("a member of a GeometryCollection that is not a geometry", at: start)
      }
      guard depth < Self.deepestCollection else {
        throw ReadFault("collections nested too deeply", at: start)
      }
      var isFound = false
      try scanner.beginObject()
      while let name = try scanner.nextMember() {
        if let type, !isFound, name.equals(GeoJSONName.coordinates, in: bytes) {
          try body(&self, type)
          isFound = true
        } else if type == nil, !isFound, name.equals(GeoJSONName.geometries, in: bytes) {
          try members(depth: depth + 1, body)
          isFound = true
        } else {
          try scanner.skipValue()
        }
      }
      guard isFound else { throw ReadFault("a geometry without \"coordinates\"", at: start) }
    }
  }

  private mutating func coordinatesValue(_ type: GeoJSONType) throws {
    scanner.skipWhitespace()
    let start = scanner.offset
    do throws(GeometryFault) { try geometry.beginRow(type.kind) } catch {
      throw ReadFault(.geometry(error), at: start)
    }
    try parts(type)
    geometry.endRow()
  }

  /// Reads coordinates as parts of the row.
  private mutating func parts(_ type: GeoJSONType) throws {
    if try scanner.peekKind() == .null {
      try scanner.readNull()
    } else if type == .point {
      try position(mayBeEmpty: true)
    } else {
      try positions(nesting: type.nesting)
    }
  }

  /// Reads nested arrays of positions; each innermost array is a part.
  private mutating func positions(nesting: Int) throws {
    scanner.skipWhitespace()
    let start = scanner.offset
    try scanner.beginArray()
    var isPlain = nesting == 1
    while true {
      if isPlain { isPlain = plainPositions() }
      guard try scanner.nextElement() else { break }
      if nesting > 1 { try positions(nesting: nesting - 1) } else { try position(mayBeEmpty: false) }
    }
    if nesting == 2 { geometry.endPolygon() }
    guard nesting == 1 else { return }
    let closedBefore = geometry.closedRings
    do throws(GeometryFault) { try geometry.endPart() } catch { throw ReadFault(.geometry(error), at: start) }
    if geometry.closedRings > closedBefore { openRings.note(start) }
  }

  /// Reads positions of the open array up to one that is not two plain numbers; returns whether there are any.
  private mutating func plainPositions() -> Bool {
    func read(_ scanner: inout JSONScanner, _ geometry: inout CoordinateBuilder) -> Bool {
      let start = scanner.offset
      while geometry.addVertices(Self.plainCount, { scanner.readPairs(&$0, &$1) }) == Self.plainCount {}
      return scanner.offset > start
    }
    return read(&scanner, &geometry)
  }

  /// The number of positions to reserve memory for at once.
  private static let plainCount = 64

  private mutating func position(mayBeEmpty: Bool) throws {
    scanner.skipWhitespace()
    let start = scanner.offset
    try scanner.beginArray()
    guard try scanner.nextElement() else {
      if mayBeEmpty { return }
      throw ReadFault("a position needs two numbers, found none", at: start)
    }
    let x = try scanner.readNumber().double(in: bytes)
    guard try scanner.nextElement() else {
      throw ReadFault("a position needs two numbers, found one", at: start)
    }
    let y = try scanner.readNumber().double(in: bytes)
    do throws(GeometryFault) { try geometry.addVertex(x: x, y: y) } catch {
      throw ReadFault(.geometry(error), at: start)
    }
    guard try scanner.nextElement() else { return }
    longPositions.note(start)
    repeat { try scanner.skipValue() } while try scanner.nextElement()
  }
}

extension SpatialReference {
  /// Creates a spatial reference from a name with a code, such as `EPSG:25832`, `ESRI:103079` or
  /// `urn:ogc:def:crs:OGC:1.3:CRS84`; nil for others.
  package init?(named name: String) {
    guard let reference = GeoJSONReference.reference(named: name) else { return nil }
    self = reference
  }
}

/// The `crs` member of the GeoJSON specification of 2008.
enum GeoJSONReference {
  /// Returns the spatial reference that the member names by a code; nil if it names none.
  ///
  /// EPSG:4326 is read with longitude first, as every program writes it.
  static func reference(_ value: JSONValue) -> SpatialReference? {
    if let name = value["properties"]?["name"]?.string { return reference(named: name) }
    if let code = value["properties"]?["code"]?.integer { return known(code) }
    return nil
  }

  /// Returns the spatial reference of a name such as `EPSG:3857` or `urn:ogc:def:crs:OGC:1.3:CRS84`; nil for others.
  static func reference(named name: String) -> SpatialReference? {
    let parts = name.uppercased().split(omittingEmptySubsequences: true) {
      $0 == ":" || $0 == "/" || $0 == "#"
    }
    guard let code = parts.last, !name.contains("[") else { return nil }
    if code == "CRS84" || code == "CRS84H" { return .wgs84 }
    guard parts.contains(where: { ["EPSG", "ESRI", "EPSG.XML"].contains($0) }) else { return nil }
    return Int(code).flatMap { known($0) }
  }

  /// Returns the definition in a member without a code: well-known text, or the whole member, which may be PROJJSON.
  static func definition(_ value: JSONValue) -> String {
    let properties = value["properties"]
    return properties?["name"]?.string ?? properties?["wkt"]?.string ?? value["wkt"]?.string ?? value.text()
  }

  private static func known(_ code: Int) -> SpatialReference? {
    code > 0 ? SpatialReference(wkid: code) : nil
  }
}
