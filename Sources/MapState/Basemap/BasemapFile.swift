package import MapFeatures
package import MapGeometry

/// A level of the basemap as bytes, read layer by layer when it is asked for.
///
/// - Source: the format is ours; `Scripts/make-basemap`, which writes it, states it.
package struct BasemapFile {
  /// What there is to draw.
  package enum Content: UInt8, CaseIterable, Sendable {
    /// Areas; class 1 is ice.
    case land = 1
    /// Areas.
    case lakes = 2
    /// Lines between countries; class 1 is not agreed on.
    case borders = 3
    /// Lines between states; class 1 is in smaller countries.
    case states = 4
    /// Water along the shore as areas; class 0 is far, class 1 near.
    case shelf = 5

    /// What the rows are.
    package var kind: GeometryKind {
      switch self {
      case .land, .lakes, .shelf: .polygon
      case .borders, .states: .polyline
      }
    }

    /// The table's fields, kind and reference.
    package var schema: FeatureSchema {
      FeatureSchema(
        fields: [Field(name: "class", type: .int32)], geometryKind: kind, spatialReference: .webMercator)
    }
  }

  /// A file that is not what it should be.
  package enum Fault: Error, Hashable {
    /// Not this format or version, or a table that does not fit the file.
    case header
    /// Data that does not fit the table.
    case data
  }

  private struct Entry {
    var rows = 0
    var vertices = 0
    var bytes = 0..<0
  }

  private let metersPerStep: Double
  /// Where areas are cut, in metres: an edge along it is no shore.
  package let window: Envelope
  private var entries: [Content: Entry] = [:]

  /// Reads the table of a file.
  ///
  /// - Throws: ``Fault/header``.
  package init(_ bytes: Span<UInt8>) throws(Fault) {
    func number(_ offset: Int, _ width: Int) throws(Fault) -> Int {
      guard offset + width <= bytes.count else { throw .header }
      return (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    // "NEBM", version 2
    guard try number(0, 4) == 0x4D42_454E, try number(4, 2) == 2 else { throw .header }
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
      // A row takes two bytes and a vertex two, so these cannot ask for memory that the file does not justify.
      guard end <= bytes.count, rows <= end - start, vertices <= end - start else { throw .header }
      entries[content] = Entry(rows: rows, vertices: vertices, bytes: start..<end)
      start = end
    }
  }

  /// Reads a layer; one that the level does not have is empty.
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
          // Numbers have 32 bits, so sums of as many as a file can hold stay far inside Int.
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

/// Reads numbers of variable length, 7 bits a byte, least first.
private struct NumberReader {
  var place: Int
  let end: Int

  /// The next number, of at most 32 bits.
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

  /// The next zigzag coded step.
  mutating func nextStep(_ bytes: Span<UInt8>) throws(BasemapFile.Fault) -> Int {
    let code = try next(bytes)
    return code & 1 == 0 ? code / 2 : -(code / 2) - 1
  }
}
