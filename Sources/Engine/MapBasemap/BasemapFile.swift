package import MapFeatures
package import MapGeometry

/// One level of the bundled basemap as bytes.
///
/// Each layer is read on request.
///
/// - Source: design decision; `Scripts/make/basemap` writes the format and specifies it.
package struct BasemapFile {
  /// A layer of the basemap.
  package enum Content: UInt8, CaseIterable, Sendable {
    /// Areas; class 1 is ice.
    case land = 1
    /// Areas.
    case lakes = 2
    /// Lines between countries; class 1 is disputed.
    case borders = 3
    /// Lines between states; class 1 lies in smaller countries.
    case states = 4
    /// Lines outside lakes; class 0 is a large river, class 2 a small one.
    case rivers = 5

    /// The geometry kind of the layer.
    package var kind: GeometryKind {
      switch self {
      case .land, .lakes: .polygon
      case .borders, .states, .rivers: .polyline
      }
    }

    /// The fields, geometry kind and spatial reference of the table.
    package var schema: FeatureSchema {
      FeatureSchema(
        fields: [Field(name: "class", type: .int32)], geometryKind: kind, spatialReference: .webMercator)
    }
  }

  /// A fault in the bytes of a basemap file.
  package enum Fault: Error, Hashable {
    /// An unknown format or version, or a table that does not fit the file.
    case header
    /// Data that do not match the table.
    case data
  }

  private struct Entry {
    var rows = 0
    var vertices = 0
    var bytes = 0..<0
  }

  private let metersPerStep: Double
  /// The rectangle that areas are cut to, in metres.
  ///
  /// Edges along it are not shores.
  package let window: Envelope
  private var entries: [Content: Entry] = [:]

  /// Reads the table of contents of a file.
  ///
  /// - Throws: ``Fault/header``.
  package init(_ bytes: Span<UInt8>) throws(Fault) {
    func number(_ offset: Int, _ width: Int) throws(Fault) -> Int {
      guard offset + width <= bytes.count else { throw .header }
      return (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    // "NEBM", version 3
    guard try number(0, 4) == 0x4D42_454E, try number(4, 2) == 3 else { throw .header }
    let steps = try number(8, 4)
    guard steps > 0 else { throw .header }
    metersPerStep = 2 * WebMercator.halfWorld / Double(steps)
    let (east, south) = (Double(try number(12, 4)) * metersPerStep, Double(try number(16, 4)) * metersPerStep)
    window = Envelope(xMin: -east, yMin: -south, xMax: east, yMax: .infinity)
    let layers = try number(6, 2)
    var start = 20 + layers * 20
    for index in 0..<layers {
      let place = 20 + index * 20
      guard let content = Content(rawValue: UInt8(truncatingIfNeeded: try number(place, 1))),
        try number(place + 1, 1) == (content.kind == .polygon ? 2 : 1)
      else { throw .header }
      let (rows, vertices) = (try number(place + 4, 4), try number(place + 12, 4))
      let end = start + (try number(place + 16, 4))
      // A row and a vertex take at least two bytes each. The check limits memory to what the file size justifies.
      guard end <= bytes.count, rows <= end - start, vertices <= end - start else { throw .header }
      entries[content] = Entry(rows: rows, vertices: vertices, bytes: start..<end)
      start = end
    }
  }

  /// Reads a layer.
  ///
  /// A layer that the level does not have is empty.
  ///
  /// - Cost: O(vertices), 16 bytes of memory each.
  /// - Throws: ``Fault/data``.
  package func table(_ content: Content, of bytes: Span<UInt8>) throws(Fault) -> FeatureColumns {
    let entry = entries[content] ?? Entry()
    guard entry.bytes.upperBound <= bytes.count else { throw .data }
    var geometry = CoordinateBuffer(kind: content.kind)
    geometry.reserve(rows: entry.rows, vertices: entry.vertices + entry.rows)
    var classes: [Int64] = []
    classes.reserveCapacity(entry.rows)
    var reader = NumberReader(place: entry.bytes.lowerBound, end: entry.bytes.upperBound)
    var (x, y) = (0, 0)
    for _ in 0..<entry.rows {
      classes.append(Int64(try reader.next(bytes)))
      for _ in 0..<(try reader.next(bytes)) {
        var first: (x: Double, y: Double)?
        for _ in 0..<(try reader.next(bytes)) {
          // Each number has 32 bits, so a sum over all numbers of a file cannot overflow Int.
          x += try reader.nextStep(bytes)
          y += try reader.nextStep(bytes)
          let place = (x: Double(x) * metersPerStep, y: Double(y) * metersPerStep)
          geometry.appendVertex(x: place.x, y: place.y)
          first = first ?? place
        }
        if content.kind == .polygon, let first { geometry.appendVertex(x: first.x, y: first.y) }
        geometry.endPart()
      }
      geometry.endRow()
    }
    guard reader.place == entry.bytes.upperBound else { throw .data }
    return FeatureColumns(
      schema: content.schema, columns: [Column(.integers(classes))], geometry: geometry,
      rowCount: entry.rows)
  }
}

/// Reads numbers of variable length: 7 bits per byte, lowest bits first.
private struct NumberReader {
  var place: Int
  let end: Int

  /// Returns the next number, which has at most 32 bits.
  mutating func next(_ bytes: Span<UInt8>) throws(BasemapFile.Fault) -> Int {
    var (value, shift) = (0, 0)
    while place < end {
      let byte = bytes[place]
      place += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      if shift > 28 { break }
    }
    throw .data
  }

  /// Returns the next step, decoded from zigzag coding.
  mutating func nextStep(_ bytes: Span<UInt8>) throws(BasemapFile.Fault) -> Int {
    let code = try next(bytes)
    return code & 1 == 0 ? code / 2 : -(code / 2) - 1
  }
}
