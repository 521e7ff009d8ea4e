package import MapGeometry

extension SpatialOperations {
  /// The maximum distance of a projected query geometry's edge from its true course: 1 cm, or as many degrees at the
  /// equator.
  ///
  /// - Source: design decision; finer than survey accuracy, coarser than the precision of doubles and PROJ.
  static let tolerance = (metres: 0.01, degrees: 1e-7)

  /// Projects a query geometry, splitting its edges until each follows its true course within ``tolerance``.
  ///
  /// Longitudes continue across the antimeridian instead of jumping back. An edge is halved at most 14 times.
  ///
  /// - Throws: ``SpatialOperationError`` if a position cannot be projected, or a ring encloses a pole.
  package func projected(
    query: CoordinateBuffer, from source: SpatialReference, to target: SpatialReference
  ) throws(SpatialOperationError) -> CoordinateBuffer {
    var result = CoordinateBuffer(kind: query.kind)
    guard query.kind == .polyline || query.kind == .polygon else {
      let (buffer, lost) = try projected(query, from: source, to: target)
      guard lost == 0 else { throw Self.noImage(target) }
      return buffer
    }
    for part in query.parts(ofRow: 0) {
      let range = query.vertices(ofPart: part)
      var chain = try ProjectedChain(
        x: Array(query.x[range]), y: Array(query.y[range]), from: source, to: target, self)
      try chain.refine()
      if query.kind == .polygon, !chain.isClosed {
        throw SpatialOperationError(
          "the query geometry contains a pole, which cannot be projected to EPSG:\(target.wkid); cut it there"
        )
      }
      for index in chain.x.indices { result.appendVertex(x: chain.x[index], y: chain.y[index]) }
      result.endPart()
    }
    result.endRow()
    return result
  }

  fileprivate static func noImage(_ target: SpatialReference) -> SpatialOperationError {
    SpatialOperationError("a point of the query geometry cannot be projected to EPSG:\(target.wkid)")
  }
}

extension SpatialReference {
  /// The range of x that spans the world once; nil if it is unknown.
  var world: ClosedRange<Double>? {
    switch self {
    case .wgs84: -180...180
    case .webMercator: -WebMercator.halfWorld...WebMercator.halfWorld
    default: nil
    }
  }
}

/// A chain of vertices in two spatial references, refined until the projected straight edges follow the original ones.
private struct ProjectedChain {
  private var sourceX: [Double]
  private var sourceY: [Double]
  private(set) var x: [Double]
  private(set) var y: [Double]
  /// For each edge, by its first vertex, whether it may still be too coarse.
  private var isOpen: [Bool]
  private let source: SpatialReference
  private let target: SpatialReference
  private let operations: SpatialOperations
  private let span: Double?
  private let tolerance: Double

  init(
    x: [Double], y: [Double], from source: SpatialReference, to target: SpatialReference,
    _ operations: SpatialOperations
  ) throws(SpatialOperationError) {
    (sourceX, sourceY, self.source, self.target, self.operations) = (x, y, source, target, operations)
    (self.x, self.y) = (x, y)
    // The built-in projections are continuous in x, so edges may be longer than half the world.
    span = source.isBuiltIn ? nil : target.world.map { $0.upperBound - $0.lowerBound }
    let isAngular = if case .angular? = operations.unit(of: target) { true } else { false }
    tolerance = isAngular ? SpatialOperations.tolerance.degrees : SpatialOperations.tolerance.metres
    isOpen = Array(repeating: true, count: max(0, x.count - 1))
    try operations.project(x: &self.x, y: &self.y, from: source, to: target)
    for index in self.x.indices {
      guard self.x[index].isFinite, self.y[index].isFinite else { throw SpatialOperations.noImage(target) }
      if index > 0 { self.x[index] = near(self.x[index], self.x[index - 1]) }
    }
  }

  var isClosed: Bool { x.first == x.last && y.first == y.last }

  /// Returns the value equal to `x` modulo the world's width that is nearest to `other`.
  private func near(_ x: Double, _ other: Double) -> Double {
    guard let span, abs(x - other) > span / 2 else { return x }
    return x - ((x - other) / span).rounded() * span
  }

  mutating func refine() throws(SpatialOperationError) {
    // Halve every edge twice: the middle of an S-shaped edge lies on its chord. Chains with many vertices do not need
    // this.
    let forced = x.count > 1000 ? 0 : 2
    for level in 0..<14 {
      let open = isOpen.indices.filter { isOpen[$0] }
      guard !open.isEmpty else { return }
      let middleX = open.map { sourceX[$0] / 2 + sourceX[$0 + 1] / 2 }
      let middleY = open.map { sourceY[$0] / 2 + sourceY[$0 + 1] / 2 }
      var (imageX, imageY) = (middleX, middleY)
      try operations.project(x: &imageX, y: &imageY, from: source, to: target)
      var next = ProjectedChain(emptyLike: self)
      var place = 0
      for index in x.indices {
        next.append(self, index)
        guard index < isOpen.count else { break }
        guard isOpen[index] else {
          next.isOpen.append(false)
          continue
        }
        guard imageX[place].isFinite, imageY[place].isFinite else { throw SpatialOperations.noImage(target) }
        let imageX = near(imageX[place], x[index])
        let (chordX, chordY) = (x[index] / 2 + x[index + 1] / 2, y[index] / 2 + y[index + 1] / 2)
        let miss = max(abs(imageX - chordX), abs(imageY[place] - chordY))
        let isCoarse = level < forced || miss > tolerance
        next.isOpen.append(isCoarse)
        if isCoarse {
          next.sourceX.append(middleX[place])
          next.sourceY.append(middleY[place])
          next.x.append(imageX)
          next.y.append(imageY[place])
          next.isOpen.append(true)
        }
        place += 1
      }
      self = next
    }
  }

  private init(emptyLike other: ProjectedChain) {
    self = other
    (sourceX, sourceY, x, y, isOpen) = ([], [], [], [], [])
  }

  private mutating func append(_ other: ProjectedChain, _ index: Int) {
    sourceX.append(other.sourceX[index])
    sourceY.append(other.sourceY[index])
    x.append(other.x[index])
    y.append(other.y[index])
  }
}
