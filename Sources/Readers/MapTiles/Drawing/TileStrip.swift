import MapSystem
internal import Dispatch
import MapImages
import MapModel
import Synchronization

/// Rows of an image that are drawn from tiles, block by block.
struct TileStrip: Sendable {
  let top: Int
  let width: Int
  let height: Int
  let grid: TileGrid
  let cells: [TileMapping.Cell]
  let images: [TileIndex: TileImage]
  /// Whether each pixel has the colour of the nearest one of a tile.
  let isNearest: Bool

  /// Returns the pixels of the strip, row by row.
  func pixels(blockWidth: Int, mosaicLimit: Int, threads: Int) -> [UInt32] {
    let count = (width + blockWidth - 1) / blockWidth
    var blocks: [[TileMapping.Cell]] = Array(repeating: [], count: count)
    for cell in cells { blocks[cell.x / blockWidth].append(cell) }
    let all = blocks
    let drawn = Mutex<[[UInt32]]>(Array(repeating: [], count: count))
    let next = Atomic(0)
    @Sendable func work() {
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let left = index * blockWidth
        let pixels = block(
          all[index], left: left, width: min(blockWidth, width - left), mosaicLimit: mosaicLimit)
        drawn.withLock { $0[index] = pixels }
      }
    }
    let threads = max(1, min(threads, count))
    if threads == 1 { work() } else { DispatchQueue.concurrentPerform(iterations: threads) { _ in work() } }
    let parts = drawn.withLock { $0 }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      for part in parts {
        let size = part.count / height
        pixels += part[row * size..<(row + 1) * size]
      }
    }
    return pixels
  }

  /// Returns the pixels of a block.
  private func block(
    _ cells: [TileMapping.Cell], left: Int, width: Int, mosaicLimit: Int
  ) -> [UInt32] {
    var output = [UInt32](repeating: 0, count: width * height)
    guard !images.isEmpty else { return output }
    if !isNearest, let pixels = straight(cells, width: width, mosaicLimit: mosaicLimit) { return pixels }
    // Cells whose mosaic would be too large together have one each; around a pole, pixels have one each.
    var groups: [[TileMapping.Cell]] = [[]]
    var box: (low: SIMD2<Double>, high: SIMD2<Double>)?
    for cell in cells {
      guard let own = grid.box(of: cell) else { continue }
      let joined = box.map { (pointwiseMin($0.low, own.low), pointwiseMax($0.high, own.high)) } ?? own
      if Self.area(joined) > Double(mosaicLimit), box != nil {
        groups.append([cell])
        box = own
      } else {
        groups[groups.count - 1].append(cell)
        box = joined
      }
    }
    for group in groups {
      guard let mosaic = mosaic(of: group, limit: mosaicLimit) else {
        for cell in group { drawNearest(cell, left: left, width: width, into: &output) }
        continue
      }
      for cell in group { draw(cell, mosaic, left: left, width: width, into: &output) }
    }
    return output
  }

  private static func area(_ box: (low: SIMD2<Double>, high: SIMD2<Double>)) -> Double {
    (box.high.x - box.low.x + 2) * (box.high.y - box.low.y + 2)
  }

  /// Returns the tile pixels around cells; nil for none and for more than the limit.
  private func mosaic(of cells: [TileMapping.Cell], limit: Int) -> TileMosaic? {
    var box: (low: SIMD2<Double>, high: SIMD2<Double>)?
    for cell in cells {
      guard let own = grid.box(of: cell) else { continue }
      box = box.map { (pointwiseMin($0.low, own.low), pointwiseMax($0.high, own.high)) } ?? own
    }
    guard let box, Self.area(box) <= Double(limit) else { return nil }
    return mosaic(
      left: Int(clamping: box.low.x.rounded(.down)), top: Int(clamping: box.low.y.rounded(.down)),
      right: Int(clamping: box.high.x.rounded(.up)), bottom: Int(clamping: box.high.y.rounded(.up)))
  }

  private func mosaic(left: Int, top: Int, right: Int, bottom: Int) -> TileMosaic {
    var mosaic = TileMosaic(left: left, top: top, width: right - left + 1, height: bottom - top + 1)
    let side = grid.side
    func number(_ pixel: Int) -> Int { pixel.divided(by: side) }
    for row in number(top)...number(bottom) {
      for column in number(left)...number(right) {
        guard let tile = grid.tile(column: column, row: row), let image = images[tile] else { continue }
        mosaic.copy(image.bitmap.pixels.span, side: side, x: column * side, y: row * side)
      }
    }
    return mosaic
  }

  /// Returns the pixels of a block whose columns and rows are those of the tiles; nil for a rotated or curved block.
  private func straight(_ cells: [TileMapping.Cell], width: Int, mosaicLimit: Int) -> [UInt32]? {
    guard let first = cells.first else { return nil }
    var (columns, rows): ([Int: TileTaps], [Int: TileTaps]) = ([:], [:])
    for cell in cells {
      guard cell.exact.isEmpty else { return nil }
      let corners = cell.corners.map(grid.pixel)
      let near = 1e-3
      guard abs(corners[0].y - corners[1].y) < near, abs(corners[2].y - corners[3].y) < near,
        abs(corners[0].x - corners[2].x) < near, abs(corners[1].x - corners[3].x) < near
      else { return nil }
      let (right, down) = cell.steps
      if cell.y == first.y {
        for column in 0..<cell.width {
          columns[cell.x + column] = TileTaps(
            at: grid.pixel(cell.position(column, 0)).x, step: right.x / grid.level.resolution)
        }
      }
      if cell.x == first.x {
        for row in 0..<cell.height {
          rows[cell.y + row] = TileTaps(
            at: grid.pixel(cell.position(0, row)).y, step: -down.y / grid.level.resolution)
        }
      }
    }
    let across = columns.sorted { $0.key < $1.key }.map(\.value)
    let down = rows.sorted { $0.key < $1.key }.map(\.value)
    guard across.count == width, down.count == height,
      cells.reduce(0, { $0 + $1.width * $1.height }) == width * height
    else { return nil }
    let (left, right) = (across.map(\.first).min() ?? 0, across.map(\.last).max() ?? 0)
    let (top, bottom) = (down.map(\.first).min() ?? 0, down.map(\.last).max() ?? 0)
    // The first pass needs rows in order.
    guard (right - left + 2) * (bottom - top + 2) <= mosaicLimit, right >= left, down[0].first == top,
      down[down.count - 1].last == bottom
    else { return nil }
    return mosaic(left: left, top: top, right: right, bottom: bottom).resampled(columns: across, rows: down)
  }

  /// Draws a cell from a mosaic.
  private func draw(
    _ cell: TileMapping.Cell, _ mosaic: TileMosaic, left: Int, width: Int, into output: inout [UInt32]
  ) {
    let source = mosaic.pixels.span
    var (stepX, stepY) = (1.0, 1.0)
    if cell.exact.isEmpty {
      let (right, down) = cell.steps
      let resolution = grid.level.resolution
      stepX = (right.x * right.x + down.x * down.x).squareRoot() / resolution
      stepY = (right.y * right.y + down.y * down.y).squareRoot() / resolution
      let corners = cell.corners.map(grid.pixel)
      let side = Double(cell.side)
      for row in 0..<cell.height {
        let t = (Double(row) + 0.5) / side
        let start = corners[0] + (corners[2] - corners[0]) * t
        let step = ((corners[1] + (corners[3] - corners[1]) * t) - start) / side
        let at = (cell.y - top + row) * width + cell.x - left
        for column in 0..<cell.width {
          let position = start + step * (Double(column) + 0.5)
          output[at + column] =
            isNearest
            ? mosaic.nearest(source, x: position.x, y: position.y)
            : mosaic.sample(source, x: position.x, y: position.y, stepX: stepX, stepY: stepY)
        }
      }
      return
    }
    // The sizes of the pixel in the middle are those of all, as far as the weights reach.
    let middle = (cell.width / 2, cell.height / 2)
    let centre = grid.pixel(cell.position(middle.0, middle.1))
    let beside = grid.pixel(cell.position(max(middle.0 - 1, 0), middle.1)) - centre
    let above = grid.pixel(cell.position(middle.0, max(middle.1 - 1, 0))) - centre
    let sizes = (
      (beside * beside + above * above).x.squareRoot(), (beside * beside + above * above).y.squareRoot()
    )
    if sizes.0.isFinite, sizes.1.isFinite { (stepX, stepY) = (min(sizes.0, 4), min(sizes.1, 4)) }
    for row in 0..<cell.height {
      for column in 0..<cell.width {
        let position = grid.pixel(cell.position(column, row))
        guard position.x.isFinite, position.y.isFinite else { continue }
        output[(cell.y - top + row) * width + cell.x - left + column] =
          isNearest
          ? mosaic.nearest(source, x: position.x, y: position.y)
          : mosaic.sample(source, x: position.x, y: position.y, stepX: stepX, stepY: stepY)
      }
    }
  }

  /// Draws the nearest tile pixel for each pixel of a cell.
  private func drawNearest(
    _ cell: TileMapping.Cell, left: Int, width: Int, into output: inout [UInt32]
  ) {
    for row in 0..<cell.height {
      for column in 0..<cell.width {
        let position = grid.pixel(cell.position(column, row))
        guard abs(position.x) < 1e12, abs(position.y) < 1e12 else { continue }
        let (x, y) = (Int(clamping: position.x.rounded(.down)), Int(clamping: position.y.rounded(.down)))
        output[(cell.y - top + row) * width + cell.x - left + column] =
          mosaic(left: x - 2, top: y - 2, right: x + 2, bottom: y + 2).sample(x: x, y: y)
      }
    }
  }
}

extension Int {
  /// Returns the quotient rounded down.
  fileprivate func divided(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension TileTaps {
  /// The tile pixel of the last weight.
  fileprivate var last: Int { first + weights.count - 1 }
}

extension TileMosaic {
  /// Returns the pixel at a tile pixel.
  fileprivate func sample(x: Int, y: Int) -> UInt32 {
    sample(pixels.span, x: Double(x) + 0.5, y: Double(y) + 0.5, stepX: 1, stepY: 1)
  }
}
