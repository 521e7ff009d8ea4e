extension WellKnownBinary {
  /// Writes a row that has a geometry, in little-endian bytes: exterior rings counterclockwise, holes clockwise.
  ///
  /// - Parameter isMulti: true writes a line or polygon of one part as a multipart geometry, for tables that have both.
  /// - Source: OGC 06-103r4, section 8.
  public static func bytes(of geometry: CoordinateBuffer, row: Int, isMulti: Bool = false) -> [UInt8] {
    var writer = Writer(geometry: geometry)
    switch geometry.kind {
    case .point:
      writer.append(head: 1)
      writer.append(vertex: row)
    case .multipoint:
      let vertices = geometry.vertices(ofRow: row)
      writer.append(head: 4, count: vertices.count)
      for vertex in vertices {
        writer.append(head: 1)
        writer.append(vertex: vertex)
      }
    case .polyline:
      let parts = geometry.parts(ofRow: row)
      if isMulti || parts.count > 1 { writer.append(head: 5, count: parts.count) }
      for part in parts {
        writer.append(head: 2)
        writer.append(chain: geometry.vertices(ofPart: part))
      }
    case .polygon:
      let polygons = geometry.polygons(ofRow: row)
      if isMulti || polygons.count > 1 { writer.append(head: 6, count: polygons.count) }
      for rings in polygons {
        writer.append(head: 3, count: rings.count)
        for (index, ring) in rings.enumerated() {
          let vertices = geometry.vertices(ofPart: ring)
          if (index == 0) == (geometry.doubleArea(ofPart: ring) > 0) {
            writer.append(chain: vertices)
          } else {
            writer.append(chain: vertices.reversed())
          }
        }
      }
    }
    return writer.bytes
  }

  /// The bytes of one geometry so far.
  private struct Writer {
    let geometry: CoordinateBuffer
    var bytes: [UInt8] = []

    mutating func append(head code: UInt32) {
      bytes.append(1)
      append(code)
    }

    mutating func append(head code: UInt32, count: Int) {
      append(head: code)
      append(UInt32(truncatingIfNeeded: count))
    }

    mutating func append(chain vertices: some Collection<Int>) {
      append(UInt32(truncatingIfNeeded: vertices.count))
      for vertex in vertices { append(vertex: vertex) }
    }

    mutating func append(vertex: Int) {
      append(geometry.x[vertex].bitPattern)
      append(geometry.y[vertex].bitPattern)
    }

    private mutating func append(_ value: some FixedWidthInteger) {
      for shift in stride(from: 0, to: value.bitWidth, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
  }
}
