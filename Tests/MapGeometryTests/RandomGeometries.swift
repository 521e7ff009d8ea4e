import Glibc
import MapGeometry
import MapTestSupport

/// Difficult buffers and envelopes from a seed: shared coordinates, empty rows, duplicates, single-vertex
/// chains.
enum RandomGeometries {
  /// A buffer with coordinates around 0...1000; every third row on a grid of step 8, so that edges touch.
  static func buffer(_ kind: GeometryKind, rows: Int, size: Double, seed: UInt64) -> CoordinateBuffer {
    var random = SeededGenerator(seed: seed)
    var buffer = CoordinateBuffer(kind: kind)
    func coordinate(_ base: Double) -> Double {
      let value = base + Double.random(in: -size...size, using: &random)
      return Int.random(in: 0..<3, using: &random) == 0 ? (value / 8).rounded() * 8 : value
    }
    for row in 0..<rows {
      if row % 17 == 3 {
        buffer.appendEmptyRow()
        continue
      }
      // Every fifth row is at the same position.
      let x = row % 5 == 0 ? 496 : Double.random(in: 0...1000, using: &random)
      let y = row % 5 == 0 ? 504 : Double.random(in: 0...1000, using: &random)
      if kind == .point {
        buffer.appendPoint(x: coordinate(x), y: coordinate(y))
        continue
      }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let (firstX, firstY) = (coordinate(x), coordinate(y))
        buffer.appendVertex(x: firstX, y: firstY)
        for _ in 0..<Int.random(in: 0...6, using: &random) {
          buffer.appendVertex(x: coordinate(x), y: coordinate(y))
        }
        if kind == .polygon { buffer.appendVertex(x: firstX, y: firstY) }
        buffer.endPart()
      }
      buffer.endRow()
    }
    return buffer
  }

  /// Envelopes of all sizes; a quarter have a side on a coordinate of the buffer, some are flat, inverted,
  /// NaN or infinite.
  static func envelopes(_ count: Int, touching buffer: CoordinateBuffer, seed: UInt64) -> [Envelope] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let size = exp2(Double.random(in: -6...10, using: &random))
      let x = Double.random(in: -50...1050, using: &random)
      let y = Double.random(in: -50...1050, using: &random)
      var sides = [x - size, y - size, x + size, y + size]
      if index % 4 == 0, buffer.vertexCount > 0 {
        let vertex = Int.random(in: 0..<buffer.vertexCount, using: &random)
        let (vx, vy) = (buffer.x[vertex], buffer.y[vertex])
        switch index / 4 % 5 {
        case 0: sides = [vx, vy, vx + size, vy + size]
        case 1: sides = [vx - size, vy - size, vx, vy]
        case 2: sides = [vx, vy - size, vx + size, vy + size]
        case 3: sides = [vx, vy, vx, vy + size]
        default: sides = [vx, vy, vx, vy]
        }
      }
      if index % 97 == 5 { sides.swapAt(0, 2) }
      if index % 97 == 6 { sides[index % 4] = .nan }
      if index % 97 == 7 { sides = [-.infinity, -.infinity, .infinity, y] }
      return Envelope(xMin: sides[0], yMin: sides[1], xMax: sides[2], yMax: sides[3])
    }
  }
}
