/// The envelopes of many geometries with one array per side, so that one loop can test them all.
package struct EnvelopeColumns: Hashable, Sendable {
  /// The west sides; NaN where there is no geometry, as in the other three arrays.
  package private(set) var xMin: [Double] = []
  /// The south sides.
  package private(set) var yMin: [Double] = []
  /// The east sides.
  package private(set) var xMax: [Double] = []
  /// The north sides.
  package private(set) var yMax: [Double] = []

  /// Creates columns without envelopes.
  package init() {}

  /// Creates the zero-size envelopes of points; west and east sides share one array, and so do south and north.
  init(x: [Double], y: [Double]) {
    (xMin, yMin, xMax, yMax) = (x, y, x, y)
  }

  /// Creates the envelopes of all rows of a buffer.
  ///
  /// - Cost: O(vertices); none for points, whose columns share the buffer's memory until one of them changes.
  package init(of buffer: CoordinateBuffer) {
    self.init()
    if buffer.kind == .point {
      self = EnvelopeColumns(x: buffer.x, y: buffer.y)
      return
    }
    reserveCapacity(buffer.rowCount)
    for row in 0..<buffer.rowCount { append(buffer.envelope(ofRow: row)) }
  }

  /// The number of envelopes, including empty ones.
  package var count: Int { xMin.count }

  /// The envelope of a row, without a spatial reference.
  package subscript(row: Int) -> Envelope {
    Envelope(xMin: xMin[row], yMin: yMin[row], xMax: xMax[row], yMax: yMax[row])
  }

  /// Reserves memory for envelopes to be appended.
  package mutating func reserveCapacity(_ count: Int) {
    xMin.reserveCapacity(count)
    yMin.reserveCapacity(count)
    xMax.reserveCapacity(count)
    yMax.reserveCapacity(count)
  }

  /// Adds an envelope at the end.
  package mutating func append(_ envelope: Envelope) {
    xMin.append(envelope.xMin)
    yMin.append(envelope.yMin)
    xMax.append(envelope.xMax)
    yMax.append(envelope.yMax)
  }

  /// Returns the smallest envelope that contains those of a range of rows; empty ones are ignored.
  package func union(of range: Range<Int>) -> Envelope {
    var (x0, y0, x1, y1) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
    for row in range {
      // A NaN side compares false, so the bound stays unchanged.
      x0 = xMin[row] < x0 ? xMin[row] : x0
      y0 = yMin[row] < y0 ? yMin[row] : y0
      x1 = xMax[row] > x1 ? xMax[row] : x1
      y1 = yMax[row] > y1 ? yMax[row] : y1
    }
    return x0 <= x1 && y0 <= y1 ? Envelope(xMin: x0, yMin: y0, xMax: x1, yMax: y1) : .empty
  }

  /// Returns the rows whose envelope intersects `query`, as bits: row `r` is bit `r % 64` of word `r / 64`.
  ///
  /// Sides count as inside.
  ///
  /// - Cost: O(n).
  package func rows(meeting query: Envelope) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    for index in words.indices {
      words[index] = mask(index << 6..<min(count, index << 6 + 64), meeting: query)
    }
    return words
  }

  /// Returns which of at most 64 envelopes intersect `query`; the first is bit 0.
  func mask(_ range: Range<Int>, meeting query: Envelope) -> UInt64 {
    let (x0, y0, x1, y1) = (xMin.span, yMin.span, xMax.span, yMax.span)
    var mask: UInt64 = 0
    var bit: UInt64 = 0
    for row in range {
      let meets: UInt64 =
        (x0[row] <= query.xMax ? 1 : 0) & (x1[row] >= query.xMin ? 1 : 0) & (y0[row] <= query.yMax ? 1 : 0)
        & (y1[row] >= query.yMin ? 1 : 0)
      mask |= meets &<< bit
      bit &+= 1
    }
    return mask
  }

  /// Returns the number of envelopes in a range that intersect `query`.
  func count(_ range: Range<Int>, meeting query: Envelope) -> Int {
    let (x0, y0, x1, y1) = (xMin.span, yMin.span, xMax.span, yMax.span)
    // `&` and `&+=` avoid branches in the loop, so that the compiler can use SIMD.
    var count = 0
    for row in range {
      count &+=
        (x0[row] <= query.xMax ? 1 : 0) & (x1[row] >= query.xMin ? 1 : 0) & (y0[row] <= query.yMax ? 1 : 0)
        & (y1[row] >= query.yMin ? 1 : 0)
    }
    return count
  }

  /// Returns the rows listed in `order`, in that order.
  func reordered(_ order: [Int32]) -> EnvelopeColumns {
    var result = EnvelopeColumns()
    result.xMin = order.map { xMin[Int($0)] }
    result.yMin = order.map { yMin[Int($0)] }
    result.xMax = order.map { xMax[Int($0)] }
    result.yMax = order.map { yMax[Int($0)] }
    return result
  }
}
