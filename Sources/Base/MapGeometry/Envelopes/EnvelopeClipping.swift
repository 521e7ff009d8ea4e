extension CoordinateBuffer {
  /// Adds a row of another buffer of the same kind, clipped to an envelope that includes its sides.
  ///
  /// Vertices in the envelope are kept bit for bit and in order. A chain gets a vertex on the side wherever it leaves
  /// or enters, and may fall into several parts. One coordinate of such a vertex is exactly the side's. A ring stays
  /// one closed ring with edges along the sides, so the area that it fills in the envelope is unchanged. To draw an
  /// outline, clip to an envelope larger than the visible one. A ring that passes a corner outside may leave a ring of
  /// no area along the sides. A row without geometry is added for a row outside the envelope. The same is true for an
  /// envelope with a NaN side or with `xMin` greater than `xMax`.
  ///
  /// - Source: chains by Liang and Barsky, "A new concept and method for line clipping", ACM TOG 3 (1984), after Cohen
  ///   and Sutherland's outcodes; rings by Sutherland and Hodgman, "Reentrant polygon clipping", CACM 17 (1974).
  /// - Error: rounding of new vertices only. A chain that touches the envelope without entering it is dropped.
  /// - Cost: O(vertices); only a copy or an empty row when the row's envelope lies inside or outside.
  public mutating func appendRow(_ row: Int, of source: CoordinateBuffer, clippedTo envelope: Envelope) {
    precondition(kind == source.kind, "buffers of two kinds")
    let extent = source.envelope(ofRow: row)
    guard envelope.xMin <= envelope.xMax, envelope.yMin <= envelope.yMax, envelope.meets(extent) else {
      return appendEmptyRow()
    }
    if kind == .point { return appendPoint(x: source.x[row], y: source.y[row]) }
    let inside = envelope.contains(extent)
    var scratch = RingScratch()
    for part in source.parts(ofRow: row) {
      let range = source.vertices(ofPart: part)
      switch kind {
      case _ where inside: appendVertices(range, of: source)
      case .polyline: appendChain(range, of: source, clippedTo: envelope)
      case .polygon: appendRing(range, of: source, clippedTo: envelope, &scratch)
      case .multipoint, .point:
        for index in range where envelope.contains(x: source.x[index], y: source.y[index]) {
          appendVertex(x: source.x[index], y: source.y[index])
        }
      }
      endPart()
    }
    endRow()
  }
}

// MARK: Chains

extension CoordinateBuffer {
  private mutating func appendChain(
    _ range: Range<Int>, of source: CoordinateBuffer, clippedTo envelope: Envelope
  ) {
    guard let first = range.first else { return }
    var (ax, ay) = (source.x[first], source.y[first])
    var codeA = Outcode(ax, ay, envelope)
    if range.count == 1 && codeA.isEmpty { return appendVertex(x: ax, y: ay) }
    // The first vertex of a part is held back until a second one follows, since a single touch makes no part.
    var pending: (x: Double, y: Double)? = codeA.isEmpty ? (ax, ay) : nil
    for index in range.dropFirst() {
      let (bx, by) = (source.x[index], source.y[index])
      let codeB = Outcode(bx, by, envelope)
      if codeA.isEmpty && codeB.isEmpty {
        if let start = pending { appendVertex(x: start.x, y: start.y) }
        pending = nil
        appendVertex(x: bx, y: by)
      } else if codeA.isDisjoint(with: codeB),
        let (start, end) = envelope.piece(ofSegment: ax, ay, codeA, bx, by, codeB)
      {
        if !codeA.isEmpty { pending = start }
        if start != end {
          if let start = pending { appendVertex(x: start.x, y: start.y) }
          pending = nil
          appendVertex(x: end.x, y: end.y)
        }
      }
      if !codeB.isEmpty {
        endPart()
        pending = nil
      }
      (ax, ay, codeA) = (bx, by, codeB)
    }
  }
}

/// The sides of an envelope beyond which a point lies.
private struct Outcode: OptionSet {
  let rawValue: UInt8

  static let west = Outcode(rawValue: 1)
  static let east = Outcode(rawValue: 2)
  static let south = Outcode(rawValue: 4)
  static let north = Outcode(rawValue: 8)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ x: Double, _ y: Double, _ envelope: Envelope) {
    rawValue =
      (x < envelope.xMin ? 1 : 0) | (x > envelope.xMax ? 2 : 0) | (y < envelope.yMin ? 4 : 0)
      | (y > envelope.yMax ? 8 : 0)
  }
}

extension Envelope {
  /// Returns the part of a segment inside the envelope; nil when the segment passes a corner outside.
  fileprivate func piece(
    ofSegment ax: Double, _ ay: Double, _ codeA: Outcode, _ bx: Double, _ by: Double, _ codeB: Outcode
  ) -> (start: (x: Double, y: Double), end: (x: Double, y: Double))? {
    var (enter, leave) = (0.0, 1.0)
    var (enterSide, leaveSide): (Outcode, Outcode) = ([], [])
    func cross(_ side: Outcode, at bound: Double, from: Double, to: Double) {
      // Halving both avoids overflow in the difference of two finite doubles.
      let share = (bound / 2 - from / 2) / (to / 2 - from / 2)
      if codeA.contains(side) && share >= enter { (enter, enterSide) = (share, side) }
      if codeB.contains(side) && share <= leave { (leave, leaveSide) = (share, side) }
    }
    cross(.west, at: xMin, from: ax, to: bx)
    cross(.east, at: xMax, from: ax, to: bx)
    cross(.south, at: yMin, from: ay, to: by)
    cross(.north, at: yMax, from: ay, to: by)
    guard enter <= leave else { return nil }
    func place(at share: Double, on side: Outcode) -> (x: Double, y: Double) {
      let x = min(max(mix(ax, bx, share), xMin), xMax)
      let y = min(max(mix(ay, by, share), yMin), yMax)
      switch side {
      case .west: return (xMin, y)
      case .east: return (xMax, y)
      case .south: return (x, yMin)
      default: return (x, yMax)
      }
    }
    return (
      codeA.isEmpty ? (ax, ay) : place(at: enter, on: enterSide),
      codeB.isEmpty ? (bx, by) : place(at: leave, on: leaveSide)
    )
  }
}

/// Returns a number at a fraction of the way between two numbers, never outside them.
private func mix(_ from: Double, _ to: Double, _ share: Double) -> Double {
  let value = from * (1 - share) + to * share
  return min(max(value, min(from, to)), max(from, to))
}

// MARK: Rings

extension CoordinateBuffer {
  private mutating func appendRing(
    _ range: Range<Int>, of source: CoordinateBuffer, clippedTo envelope: Envelope,
    _ scratch: inout RingScratch
  ) {
    var (any, all): (Outcode, Outcode) = ([], [.west, .east, .south, .north])
    for index in range {
      let code = Outcode(source.x[index], source.y[index], envelope)
      any.formUnion(code)
      all.formIntersection(code)
    }
    if any.isEmpty { return appendVertices(range, of: source) }
    guard all.isEmpty else { return }
    scratch.start(source.x[range], source.y[range])
    if any.contains(.west) { scratch.cutX(at: envelope.xMin, keepsAbove: true) }
    if any.contains(.east) { scratch.cutX(at: envelope.xMax, keepsAbove: false) }
    if any.contains(.south) { scratch.cutY(at: envelope.yMin, keepsAbove: true) }
    if any.contains(.north) { scratch.cutY(at: envelope.yMax, keepsAbove: false) }
    // Two vertices enclose no area.
    guard scratch.x.count > 2 else { return }
    for index in scratch.x.indices { appendVertex(x: scratch.x[index], y: scratch.y[index]) }
    appendVertex(x: scratch.x[0], y: scratch.y[0])
  }
}

/// A ring between the cuts at two sides; its first vertex is not repeated.
private struct RingScratch {
  private(set) var x: [Double] = []
  private(set) var y: [Double] = []
  private var nextX: [Double] = []
  private var nextY: [Double] = []

  mutating func start(_ x: ArraySlice<Double>, _ y: ArraySlice<Double>) {
    self.x.removeAll(keepingCapacity: true)
    self.y.removeAll(keepingCapacity: true)
    let closed = x.count > 1 && x.first == x.last && y.first == y.last
    self.x.append(contentsOf: closed ? x.dropLast() : x)
    self.y.append(contentsOf: closed ? y.dropLast() : y)
  }

  mutating func cutX(at bound: Double, keepsAbove: Bool) {
    Self.cut(x, y, at: bound, keepsAbove: keepsAbove, &nextX, &nextY)
    swap(&x, &nextX)
    swap(&y, &nextY)
  }

  mutating func cutY(at bound: Double, keepsAbove: Bool) {
    Self.cut(y, x, at: bound, keepsAbove: keepsAbove, &nextY, &nextX)
    swap(&x, &nextX)
    swap(&y, &nextY)
  }

  /// Keeps the part of a ring with `u` on one side of a bound.
  private static func cut(
    _ u: [Double], _ v: [Double], at bound: Double, keepsAbove: Bool, _ resultU: inout [Double],
    _ resultV: inout [Double]
  ) {
    resultU.removeAll(keepingCapacity: true)
    resultV.removeAll(keepingCapacity: true)
    guard var fromU = u.last, var fromV = v.last else { return }
    var fromInside = keepsAbove ? fromU >= bound : fromU <= bound
    for index in u.indices {
      let (toU, toV) = (u[index], v[index])
      let toInside = keepsAbove ? toU >= bound : toU <= bound
      // An end on the bound is already the crossing point.
      if fromInside != toInside && fromU != bound && toU != bound {
        // Halving both avoids overflow in the difference of two finite doubles.
        let share = (bound / 2 - fromU / 2) / (toU / 2 - fromU / 2)
        resultU.append(bound)
        resultV.append(mix(fromV, toV, share))
      }
      if toInside {
        resultU.append(toU)
        resultV.append(toV)
      }
      (fromU, fromV, fromInside) = (toU, toV, toInside)
    }
  }
}
