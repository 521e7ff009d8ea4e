import MapGeometry
import Testing

@Suite struct EnvelopeIntersectionTests {
  /// Source: Cases/make_cases.py, in rational arithmetic, by a segment's parameters and a ray from the
  /// envelope's centre.
  @Test("Geometry intersects envelopes exactly as in rational arithmetic")
  func exact() throws {
    let cases = try CaseFile.rows(of: "meets")
    #expect(cases.count == 4000)
    var meeting = 0
    for row in cases {
      let kind = try #require(GeometryKind(rawValue: String(row[0])))
      let sides = CaseFile.numbers(row[2])
      let envelope = Envelope(xMin: sides[0], yMin: sides[1], xMax: sides[2], yMax: sides[3])
      let parts = row[3].split(separator: ";").map(CaseFile.numbers)
      meeting += row[1] == "1" ? 1 : 0
      for turned in [false, true] {
        let buffer = Self.buffer(kind, turned ? parts.reversed().map(Self.reversed) : parts)
        #expect(buffer.row(0, meets: envelope) == (row[1] == "1"), "\(row)")
      }
    }
    #expect(meeting > 1000)
    #expect(meeting < 3000)
  }

  @Test("Rings that do not repeat their first vertex are treated as closed")
  func openRing() {
    let buffer = Self.buffer(.polygon, [[0, 0, 10, 0, 10, 10, 0, 10]])
    #expect(buffer.row(0, meets: Envelope(xMin: 4, yMin: 4, xMax: 5, yMax: 5)))
    #expect(buffer.row(0, meets: Envelope(xMin: -1, yMin: 4, xMax: 0, yMax: 5)))
    #expect(!buffer.row(0, meets: Envelope(xMin: -2, yMin: 4, xMax: -1, yMax: 5)))
  }

  @Test(
    "An envelope with infinite sides contains vertices of any distance",
    arguments: [GeometryKind.polyline, .polygon])
  func infiniteSides(_ kind: GeometryKind) {
    let buffer = Self.buffer(kind, [[0, 0, 1e308, 1e308, -1e308, 1e308, 0, 0]])
    #expect(buffer.row(0, meets: Envelope(xMin: -.infinity, yMin: -.infinity, xMax: .infinity, yMax: 0)))
    #expect(!buffer.row(0, meets: Envelope(xMin: -.infinity, yMin: -.infinity, xMax: .infinity, yMax: -1)))
    #expect(buffer.row(0, meets: Envelope(xMin: 3, yMin: -.infinity, xMax: 4, yMax: 3)))
    #expect(!buffer.row(0, meets: Envelope(xMin: 3, yMin: -.infinity, xMax: 4, yMax: 2.5)))
  }

  @Test(
    "An empty row and an empty envelope intersect nothing",
    arguments: [GeometryKind.point, .multipoint, .polyline, .polygon])
  func empty(_ kind: GeometryKind) {
    var buffer = CoordinateBuffer(kind: kind)
    buffer.appendEmptyRow()
    let everywhere = Envelope(xMin: -.infinity, yMin: -.infinity, xMax: .infinity, yMax: .infinity)
    #expect(!buffer.row(0, meets: everywhere))
    let place = Self.buffer(kind, [[0, 0]])
    #expect(place.row(0, meets: everywhere))
    #expect(!place.row(0, meets: .empty))
    #expect(!place.row(0, meets: Envelope(xMin: 1, yMin: -1, xMax: -1, yMax: 1)))
  }

  private static func buffer(_ kind: GeometryKind, _ parts: [[Double]]) -> CoordinateBuffer {
    var buffer = CoordinateBuffer(kind: kind)
    for part in parts {
      for index in stride(from: 0, to: part.count, by: 2) {
        buffer.appendVertex(x: part[index], y: part[index + 1])
      }
      if kind != .point { buffer.endPart() }
    }
    if kind != .point { buffer.endRow() }
    return buffer
  }

  private static func reversed(_ part: [Double]) -> [Double] {
    stride(from: part.count - 2, through: 0, by: -2).flatMap { [part[$0], part[$0 + 1]] }
  }
}
