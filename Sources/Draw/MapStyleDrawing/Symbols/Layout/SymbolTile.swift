import Glibc
import MapDrawing
import MapGeometry
import MapModel
import MapStyles
import MapSystem

/// A tile in which symbols are laid out: a tile of the source, or a part as large as a tile of features in no tiles.
///
/// - Source: MapLibre GL JS 5, which cuts GeoJSON into tiles up to zoom 18.
struct SymbolTile {
  /// The index in the scheme.
  let zoom: Int
  let x: Int
  let y: Int
  /// The index of the tile with the features.
  let source: Int
  /// The upper left corner in units of the source tile.
  let origin: (x: Double, y: Double)
  /// The CSS pixels at the whole zoom per unit.
  let scale: Double
  /// The side in CSS pixels at the whole zoom.
  let side: Double
  /// The side at the whole zoom relative to 512 CSS pixels.
  let overscaling: Double
  /// The tile's part of the rows; nil for all.
  let rows: [Int32]?
  /// The distance beyond the sides up to which areas and lines are kept, in CSS pixels; nil for all of them.
  let buffer: Double?
  /// Whether the tile is a whole world, with what lies beyond its west and its east side.
  let isRound: Bool

  /// Returns a point of the source tile in CSS pixels from the corner.
  func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    ((x - origin.x) * scale, (y - origin.y) * scale)
  }

  /// Returns whether a point in CSS pixels belongs to the tile.
  func contains(_ x: Double, _ y: Double) -> Bool {
    (isRound || x >= 0 && x < side) && y >= 0 && y < side
  }

  /// The largest zoom of parts.
  private static let largestCut = 18
  /// The largest sum of the vertices of features over all tiles that they meet.
  ///
  /// - Source: design decision; beyond it, features are laid out as one tile.
  private static let largestWork = 1 << 27

  /// Returns the tiles of a layer in the order of placement, which does not depend on the order of the source tiles.
  ///
  /// - Source: MapLibre GL JS 5: the lowest row first, and in a row from right to left.
  static func tiles(of tiles: [StyledTile], layer: String, cuts: Bool, _ painter: StylePainter)
    -> [SymbolTile]
  {
    let whole = max(Int(clamping: painter.context.zoom.rounded(.down)), 0)
    var found: [SymbolTile] = []
    for (index, tile) in tiles.enumerated() {
      guard let part = tile.layers[layer], part.extent > 0 else { continue }
      let level = min(whole, largestCut)
      if cuts, tile.index.zoom < level,
        let pieces = pieces(of: tile, part, index, level: level, whole: whole, painter)
      {
        found += pieces
      } else {
        let overscaling = exp2(Double(whole - tile.index.zoom))
        found.append(
          SymbolTile(
            zoom: tile.index.zoom, x: tile.index.x, y: tile.index.y, source: index, origin: (0, 0),
            scale: 512 * overscaling / part.extent, side: 512 * overscaling, overscaling: overscaling,
            rows: nil, buffer: nil, isRound: part.isRound))
      }
    }
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(tiles.first?.bearing ?? 0)
    func key(_ tile: SymbolTile) -> (Double, Double) {
      let (x, y) = (Double(tile.x), Double(tile.y))
      return (x * sine + y * cosine, x * cosine - y * sine)
    }
    return found.sorted { first, second in
      if first.zoom != second.zoom { return first.zoom < second.zoom }
      let (a, b) = (key(first), key(second))
      if a.0 != b.0 { return a.0 > b.0 }
      if a.1 != b.1 { return a.1 > b.1 }
      // World copies of a tile.
      return tiles[first.source].corner.x > tiles[second.source].corner.x
    }
  }

  /// Returns the parts of a tile in the view at a level; nil where pixels are no affine function of units, and for too
  /// much work.
  private static func pieces(
    of tile: StyledTile, _ part: StyledTileLayer, _ index: Int, level: Int, whole: Int,
    _ painter: StylePainter
  ) -> [SymbolTile]? {
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(tile.bearing)
    let perPixel = tile.unitsPerPixel * part.extent / 4096
    func unit(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      let (dx, dy) = (x - tile.corner.x, y - tile.corner.y)
      return ((dx * cosine + dy * sine) * perPixel, (dy * cosine - dx * sine) * perPixel)
    }
    for (units, pixels) in zip(part.geometries, part.pixels) {
      guard let x = units.x.first, let y = units.y.first, pixels.x[0].isFinite else { continue }
      let expected = unit(pixels.x[0], pixels.y[0])
      guard abs(expected.x - x) + abs(expected.y - y) < 2 * perPixel else { return nil }
    }
    let (right, bottom) = (Double(painter.width), Double(painter.height))
    let corners = [unit(0, 0), unit(right, 0), unit(right, bottom), unit(0, bottom)]
    let count = exp2(Double(level - tile.index.zoom))
    let side = part.extent / count
    func cells(_ start: Double, _ end: Double, isRound: Bool = false) -> ClosedRange<Int>? {
      guard start <= end else { return nil }
      var first = Int(clamping: (start / side).rounded(.down))
      var last = Int(clamping: (end / side).rounded(.down))
      if !isRound { (first, last) = (max(first, 0), min(last, Int(clamping: count) - 1)) }
      return first <= last ? first...last : nil
    }
    guard
      let columns = cells(
        corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0, isRound: part.isRound),
      let lines = cells(corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
    else { return [] }
    guard columns.count * lines.count <= 1 << 16 else { return nil }
    var rows = [[Int32]](repeating: [], count: columns.count * lines.count)
    var work = 0
    for row in 0..<part.features.count {
      var (box, count) = (Envelope.empty, 1)
      for buffer in part.geometries where !buffer.isEmpty(row: row) {
        box = box.union(buffer.envelope(ofRow: row))
        count += buffer.kind == .point ? 1 : buffer.vertices(ofRow: row).count
      }
      guard !box.isEmpty,
        let wide = cells(box.xMin - side / 4, box.xMax + side / 4, isRound: part.isRound),
        let tall = cells(box.yMin - side / 4, box.yMax + side / 4), wide.overlaps(columns),
        tall.overlaps(lines)
      else { continue }
      let (ownColumns, ownLines) = (wide.clamped(to: columns), tall.clamped(to: lines))
      work += ownColumns.count * ownLines.count * count
      guard work <= largestWork else { return nil }
      for line in ownLines {
        for column in ownColumns {
          rows[(line - lines.lowerBound) * columns.count + column - columns.lowerBound].append(
            Int32(clamping: row))
        }
      }
    }
    /// Returns whether the square at a corner meets the image, of squares that meet the box around the image.
    func isShown(_ x: Double, _ y: Double) -> Bool {
      let places = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)].map { u, v in
        (
          x: tile.corner.x + (u * cosine - v * sine) / perPixel,
          y: tile.corner.y + (u * sine + v * cosine) / perPixel
        )
      }
      return places.contains { $0.x < right } && places.contains { $0.x > 0 }
        && places.contains { $0.y < bottom } && places.contains { $0.y > 0 }
    }
    let overscaling = exp2(Double(whole - level))
    var pieces: [SymbolTile] = []
    for line in lines {
      for column in columns {
        let own = rows[(line - lines.lowerBound) * columns.count + column - columns.lowerBound]
        guard !own.isEmpty, isShown(Double(column) * side, Double(line) * side) else { continue }
        pieces.append(
          SymbolTile(
            zoom: level, x: column, y: line, source: index,
            origin: (Double(column) * side, Double(line) * side), scale: 512 * overscaling / side,
            side: 512 * overscaling, overscaling: overscaling, rows: own, buffer: 128 * overscaling,
            isRound: false))
      }
    }
    return pieces
  }
}
