import MapGeometry
import MapJSON

/// The geometry of a placemark: parts of one kind or several.
struct KMLShape: Sendable {
  /// A line or ring, or the points of a placemark.
  struct Part: Sendable {
    /// The index after its last vertex.
    let end: Int
    /// Whether it is a hole of the ring before it.
    let isHole: Bool
    /// `point`, `polyline` or `polygon`.
    let kind: GeometryKind
  }

  private(set) var x: [Double] = [], y: [Double] = []
  private(set) var parts: [Part] = []
  /// The kinds of the parts, in order of appearance; several points are a multipoint.
  private(set) var kinds: [GeometryKind] = []
  /// The number of its tracks, and of the positions in them.
  var tracks = 0, trackPositions = 0
  /// Whether a coordinate beyond the second is not zero.
  var hasHeights = false
  /// The number of inner boundaries without an outer one, which are left out.
  private(set) var looseHoles = 0

  mutating func removeAll() {
    x.removeAll(keepingCapacity: true)
    y.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
    (tracks, trackPositions) = (0, 0)
    (hasHeights, looseHoles) = (false, 0)
  }

  mutating func append(x: Double, y: Double) {
    self.x.append(x)
    self.y.append(y)
  }

  /// Removes the vertices after the last part, which are of a hole in no ring.
  mutating func dropHole() {
    let end = parts.last?.end ?? 0
    guard x.count > end else { return }
    x.removeSubrange(end...)
    y.removeSubrange(end...)
    looseHoles += 1
  }

  /// Ends a part of a kind; one without vertices is left out.
  mutating func endPart(_ partKind: GeometryKind, isHole: Bool = false) {
    guard x.count > parts.last?.end ?? 0 else { return }
    if partKind == .point, let known = kinds.firstIndex(where: { $0 == .point || $0 == .multipoint }) {
      kinds[known] = .multipoint
    } else if !kinds.contains(partKind) {
      kinds.append(partKind)
    }
    parts.append(Part(end: x.count, isHole: isHole, kind: partKind))
  }
}

extension KMLParser {
  /// Reads the geometry whose start was read, up to its end.
  mutating func geometry() throws(ReadFault) {
    guard scanner.isOwn else { return try scanner.skipElement() }
    switch scanner.name {
    case "Point": try part(.point)
    case "LineString", "LinearRing": try part(.polyline)
    case "Polygon": try polygon()
    case "MultiGeometry", "MultiTrack": try geometries()
    case "Track": try track()
    case let name:
      note(unread: name)
      try scanner.skipElement()
    }
  }

  /// Reads geometries of a collection; a collection may be in another.
  private mutating func geometries() throws(ReadFault) {
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch scanner.name {
      case "interpolate", "altitudeMode", "altitudeOffset", "extrude", "tessellate", "seaFloorAltitudeMode":
        try scanner.skipElement()
      default: try geometry()
      }
    }
  }

  private mutating func polygon() throws(ReadFault) {
    let (depth, before) = (scanner.depth, placemark.shape.parts.count)
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch scanner.name {
      case "outerBoundaryIs": try rings(isHole: false, before)
      case "innerBoundaryIs": try rings(isHole: true, before)
      default: try scanner.skipElement()
      }
    }
  }

  /// Reads the rings of a boundary; `before` is the number of parts before the polygon.
  private mutating func rings(isHole: Bool, _ before: Int) throws(ReadFault) {
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      if scanner.name == "LinearRing" {
        try positions(.polygon)
        // A hole in no ring would be an area, or a hole of another polygon.
        if isHole, placemark.shape.parts.count == before {
          placemark.shape.dropHole()
        } else {
          placemark.shape.endPart(.polygon, isHole: isHole)
        }
      } else {
        try scanner.skipElement()
      }
    }
  }

  /// Reads the coordinates of the element that was opened last, as a part.
  private mutating func part(_ kind: GeometryKind) throws(ReadFault) {
    try positions(kind)
    placemark.shape.endPart(kind)
  }

  /// Reads the coordinates of the element that was opened last.
  private mutating func positions(_ kind: GeometryKind) throws(ReadFault) {
    let (depth, start) = (scanner.depth, placemark.shape.x.count)
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      guard scanner.name == "coordinates" else {
        try scanner.skipElement()
        continue
      }
      try coordinates(try scanner.elementText(), separator: UInt8(ascii: ","), at: scanner.place)
      guard kind != .point || placemark.shape.x.count <= start + 1 else {
        throw ReadFault("<Point> has more than one position", at: scanner.place)
      }
    }
  }

  private mutating func track() throws(ReadFault) {
    placemark.shape.tracks += 1
    let (depth, start) = (scanner.depth, placemark.shape.x.count)
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      guard scanner.name == "coord" else {
        // The times and the angles of positions, and data of positions.
        try scanner.skipElement()
        continue
      }
      let before = placemark.shape.x.count
      try coordinates(try scanner.elementText(), separator: 0x20, at: scanner.place)
      guard placemark.shape.x.count <= before + 1 else {
        throw ReadFault("<coord> has more than one position", at: scanner.place)
      }
    }
    placemark.shape.trackPositions += placemark.shape.x.count - start
    placemark.shape.endPart(.polyline)
  }

  /// Reads positions of two or three numbers, with commas between them or, in tracks, blanks.
  private mutating func coordinates(_ text: [UInt8], separator: UInt8, at place: Int) throws(ReadFault) {
    var offset = 0
    func skipSpace() { while offset < text.count, XMLScanner.isSpace(text[offset]) { offset += 1 } }
    func number() throws(ReadFault) -> Double {
      guard let literal = DecimalLiteral(loose: text, at: offset),
        literal.end == text.count || text[literal.end] == UInt8(ascii: ",")
          || XMLScanner.isSpace(text[literal.end]),
        case let value = literal.double(in: text), value.isFinite
      else {
        let found = text[offset...].prefix { !XMLScanner.isSpace($0) && $0 != UInt8(ascii: ",") }.prefix(40)
        throw ReadFault("coordinates: a number, not \"\(String(decoding: found, as: UTF8.self))\"", at: place)
      }
      offset = literal.end
      return value
    }
    /// Moves to the next number of a position; returns false at its end.
    func isContinued() -> Bool {
      let end = offset
      skipSpace()
      if separator == 0x20 { return offset < text.count }
      if offset < text.count, text[offset] == separator {
        offset += 1
        skipSpace()
        return true
      }
      offset = end
      return false
    }
    skipSpace()
    while offset < text.count {
      let x = try number()
      guard isContinued() else { throw ReadFault("coordinates: a position needs two numbers", at: place) }
      let y = try number()
      if isContinued(), try number() != 0 { placemark.shape.hasHeights = true }
      guard !isContinued() else {
        throw ReadFault("coordinates: a position has at most three numbers", at: place)
      }
      placemark.shape.append(x: x, y: y)
      skipSpace()
    }
  }
}
