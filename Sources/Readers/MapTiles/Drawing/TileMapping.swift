import Glibc
import MapFeatures
import MapGeometry
import MapModel

/// The positions of image pixels in the spatial reference of tiles.
///
/// Exact positions are computed on a lattice, and those between by bilinear interpolation. Where the interpolation
/// deviates by more than ``tolerance``, the lattice is finer, and at last every pixel is computed.
struct TileMapping {
  /// A square of the image, cut at the image's sides.
  struct Cell {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    /// The positions at the corners of the whole square: top left, top right, bottom left, bottom right.
    let corners: [SIMD2<Double>]
    /// The side of the whole square in pixels.
    let side: Int
    /// The position of each pixel, row by row, if they were computed; NaN for a pixel without a position.
    let exact: [SIMD2<Double>]

    /// Returns the change of the position per pixel to the right and per pixel down.
    var steps: (right: SIMD2<Double>, down: SIMD2<Double>) {
      let size = Double(2 * side)
      return (
        ((corners[1] - corners[0]) + (corners[3] - corners[2])) / size,
        ((corners[2] - corners[0]) + (corners[3] - corners[1])) / size
      )
    }

    /// Returns the position of the centre of a pixel, counted from the cell's corner.
    func position(_ column: Int, _ row: Int) -> SIMD2<Double> {
      guard exact.isEmpty else { return exact[row * width + column] }
      let (s, t) = ((Double(column) + 0.5) / Double(side), (Double(row) + 0.5) / Double(side))
      let top = corners[0] + (corners[1] - corners[0]) * s
      let bottom = corners[2] + (corners[3] - corners[2]) * s
      return top + (bottom - top) * t
    }
  }

  /// The greatest deviation of an interpolated position in image pixels.
  ///
  /// - Source: design decision; the goal is a quarter of a pixel, and the lattice does not show every deviation.
  static let tolerance = 0.1
  /// The number of points along each side of the lattice for ``resolution(_:width:height:to:operations:lattice:)``.
  static let lattice = 16
  /// The sides of the squares, in pixels.
  private static let (coarse, fine) = (32, 8)

  /// The cells, row by row.
  private(set) var cells: [Cell] = []

  private let view: ViewState
  private let reference: SpatialReference
  private let operations: SpatialOperations

  /// Maps some rows of pixels of a view.
  ///
  /// - Throws: ``SpatialOperationError`` for a spatial reference that cannot be projected.
  init(
    _ view: ViewState, width: Int, rows: Range<Int>, to reference: SpatialReference,
    operations: SpatialOperations
  ) throws(SpatialOperationError) {
    (self.view, self.reference, self.operations) = (view, reference, operations)
    let height = rows.upperBound
    var open: [(x: Int, y: Int)] = []
    for y in stride(from: rows.lowerBound, to: height, by: Self.coarse) {
      for x in stride(from: 0, to: width, by: Self.coarse) { open.append((x, y)) }
    }
    var cells: [Cell] = []
    for (side, isLast) in [(Self.coarse, false), (Self.fine, true)] {
      let positions = try positions(
        open.flatMap { square in
          (0..<9).map { (Double(square.x + $0 % 3 * side / 2), Double(square.y + $0 / 3 * side / 2)) }
        })
      var failed: [(x: Int, y: Int)] = []
      for (index, square) in open.enumerated() {
        let lattice = unwrapped(positions[index * 9..<index * 9 + 9])
        guard Self.isNearlyFlat(lattice, side: side) else {
          failed.append(square)
          continue
        }
        cells.append(
          Cell(
            x: square.x, y: square.y, width: min(side, width - square.x),
            height: min(side, height - square.y),
            corners: [lattice[0], lattice[2], lattice[6], lattice[8]], side: side, exact: []))
      }
      guard isLast else {
        open = failed.flatMap { square in
          (0..<16).map { (square.x + $0 % 4 * Self.fine, square.y + $0 / 4 * Self.fine) }
        }.filter { $0.0 < width && $0.1 < height }
        continue
      }
      let sizes = failed.map { (min(side, width - $0.x), min(side, height - $0.y)) }
      let pixels = try self.positions(
        zip(failed, sizes).flatMap { square, size in
          (0..<size.0 * size.1).map {
            (Double(square.x + $0 % size.0) + 0.5, Double(square.y + $0 / size.0) + 0.5)
          }
        })
      var place = 0
      for (square, size) in zip(failed, sizes) {
        let count = size.0 * size.1
        let exact = unwrapped(pixels[place..<place + count])
        place += count
        guard exact.contains(where: { $0.x.isFinite && $0.y.isFinite }) else { continue }
        cells.append(
          Cell(
            x: square.x, y: square.y, width: size.0, height: size.1, corners: [], side: side, exact: exact))
      }
    }
    self.cells = cells.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
  }

  /// Returns the usual size of an image pixel in units of the tiles; nil if no pixel has a position.
  ///
  /// It is the median over a lattice of pixels; a lattice of one is the centre.
  static func resolution(
    _ view: ViewState, width: Int, height: Int, to reference: SpatialReference, operations: SpatialOperations,
    lattice count: Int = Self.lattice
  ) throws(SpatialOperationError) -> Double? {
    let mapping = try TileMapping(view, width: 0, rows: 0..<0, to: reference, operations: operations)
    let points = (0..<count * count).flatMap { index in
      let x = Double(width) * (Double(index % count) + 0.5) / Double(count)
      let y = Double(height) * (Double(index / count) + 0.5) / Double(count)
      return [(x, y), (x + 0.5, y), (x, y + 0.5)]
    }
    let positions = try mapping.positions(points)
    let sizes = stride(from: 0, to: positions.count, by: 3).compactMap { index -> Double? in
      let three = mapping.unwrapped(positions[index..<index + 3])
      let size = 2 * (length(three[1] - three[0]) * length(three[2] - three[0])).squareRoot()
      return size.isFinite && size > 0 ? size : nil
    }.sorted()
    return sizes.isEmpty ? nil : sizes[sizes.count / 2]
  }

  static func length(_ step: SIMD2<Double>) -> Double { (step.x * step.x + step.y * step.y).squareRoot() }

  /// Returns whether interpolation between the corners gives the other positions of a lattice of 3 by 3.
  private static func isNearlyFlat(_ lattice: [SIMD2<Double>], side: Int) -> Bool {
    let (a, b, c, d) = (lattice[0], lattice[2], lattice[6], lattice[8])
    let (right, down) = ((b - a) / Double(side), (c - a) / Double(side))
    let scale = SIMD2(
      (right.x * right.x + down.x * down.x).squareRoot(), (right.y * right.y + down.y * down.y).squareRoot())
    let (top, bottom): (SIMD2<Double>, SIMD2<Double>) = ((a + b) * 0.5, (c + d) * 0.5)
    let (left, end): (SIMD2<Double>, SIMD2<Double>) = ((a + c) * 0.5, (b + d) * 0.5)
    let expected: [SIMD2<Double>] = [top, left, (top + bottom) * 0.5, end, bottom]
    for (index, place) in [1, 3, 4, 5, 7].enumerated() {
      let difference = lattice[place] - expected[index]
      // Comparisons with NaN are false.
      guard abs(difference.x) <= tolerance * scale.x + 1e-9 * abs(a.x),
        abs(difference.y) <= tolerance * scale.y + 1e-9 * abs(a.y)
      else { return false }
    }
    return d.x.isFinite && d.y.isFinite
  }

  /// Returns positions moved by whole worlds, each to at most half a world from the first.
  private func unwrapped(_ positions: ArraySlice<SIMD2<Double>>) -> [SIMD2<Double>] {
    guard let world = Envelope.worldWidth(of: reference),
      let first = positions.first(where: { $0.x.isFinite && $0.y.isFinite })
    else { return Array(positions) }
    return positions.map { position in
      let worlds = ((position.x - first.x) / world).rounded()
      return worlds.isFinite ? SIMD2(position.x - worlds * world, position.y) : position
    }
  }

  /// Returns the positions of points of the image, in pixels from the top left; NaN without a position.
  private func positions(_ points: [(Double, Double)]) throws(SpatialOperationError) -> [SIMD2<Double>] {
    let (center, unit) = (view.viewpoint.center, view.viewpoint.resolution / view.pixelRatio)
    let (middleX, middleY) = (view.width * view.pixelRatio / 2, view.height * view.pixelRatio / 2)
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(view.viewpoint.rotation)
    var (x, y): ([Double], [Double]) = ([], [])
    x.reserveCapacity(points.count)
    y.reserveCapacity(points.count)
    for point in points {
      let (right, up) = ((point.0 - middleX) * unit, (middleY - point.1) * unit)
      x.append(center.x + right * cosine + up * sine)
      y.append(center.y + up * cosine - right * sine)
    }
    let map = view.spatialReference
    guard map != reference else { return zip(x, y).map { SIMD2($0, $1) } }
    let (mapX, mapY) = (x, y)
    try operations.project(x: &x, y: &y, from: map, to: reference)
    if !(map.isBuiltIn && reference.isBuiltIn) {
      // Outside its domain, a projection may return the position of another point.
      var (backX, backY) = (x, y)
      try operations.project(x: &backX, y: &backY, from: reference, to: map)
      for index in x.indices {
        let isSame = abs(backX[index] - mapX[index]) < unit / 4 && abs(backY[index] - mapY[index]) < unit / 4
        if !isSame { (x[index], y[index]) = (.nan, .nan) }
      }
    }
    return zip(x, y).map { SIMD2($0, $1) }
  }
}
