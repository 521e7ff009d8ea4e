import MapCairo
import MapDrawing
import MapFeatures
import MapGeometry
import MapImages
import MapModel
import MapSystem

/// A painter of single items of a layer, which finds out whether they change a pixel of the image.
///
/// Each item is painted alone on a transparent image, with the same painter as the layer. Small items are moved by whole
/// pixels to the cells of a sheet, so that many are painted at once.
struct SeparateItems: Sendable {
  /// The longest side of a small item, in pixels.
  private static let longestSide = 24.0
  /// The distance of cells, whose margin keeps neighbours apart.
  private static let step = 28
  /// The number of cells in a row of a sheet.
  private static let columns = 32

  /// An item with the pixels that it may change.
  private struct Item: Sendable {
    let index: Int
    let row: Int
    let box: Envelope
    /// Whether the item is the same after a move by whole pixels, as all are but those with a hatch or a region.
    let isMovable: Bool

    var isSmall: Bool { isMovable && max(box.width, box.height) <= longestSide }
  }

  private let batches: [DisplayBatch]
  private let opacity: Double
  private let image: Envelope

  /// Creates a painter of the items of a layer that is shown with an opacity.
  init(_ layer: DisplayLayer, opacity: Double, width: Int, height: Int) {
    (batches, self.opacity) = (layer.batches, opacity)
    image = Envelope(xMin: 0, yMin: 0, xMax: Double(width), yMax: Double(height))
  }

  /// Returns those of some rows that change a pixel.
  ///
  /// - Throws: ``PaintError``.
  func rows(among rows: RowSet) throws(PaintError) -> RowSet {
    var painted = RowSet(rowCount: rows.rowCount)
    for batch in batches {
      let items = items(of: rows, in: batch)
      let (small, large) = (items.filter(\.isSmall), items.filter { !$0.isSmall })
      let sheets = small.indices.pieces(of: Self.columns * Self.columns)
      let found =
        try concurrentMap(sheets.count) { sheet throws(PaintError) in
          try self.rows(ofSheet: Array(small[sheets[sheet]]), of: batch)
        }
        + concurrentMap(large.count) { place throws(PaintError) in
          try self.paints(large[place], of: batch) ? [large[place].row] : []
        }
      for row in found.joined() { painted.insert(row) }
    }
    return painted
  }

  /// Returns the items of some rows that may change a pixel.
  private func items(of rows: RowSet, in batch: DisplayBatch) -> [Item] {
    func items(_ all: [Int32], _ isMovable: (Int) -> Bool, _ box: (Int) -> Envelope) -> [Item] {
      all.indices.compactMap { item in
        guard rows.contains(Int(all[item])) else { return nil }
        // Anti-aliasing reaches one pixel farther.
        let box = box(item).grown(by: 1)
        guard box.meets(image) else { return nil }
        return Item(index: item, row: Int(all[item]), box: box, isMovable: isMovable(item))
      }
    }
    switch batch {
    case .markers(let markers):
      return items(markers.row, { _ in true }) { item in
        let style = markers.styles[Int(markers.style[item])]
        let (x, y) = (markers.x[item] + style.offsetX, markers.y[item] + style.offsetY)
        return Envelope(xMin: x, yMin: y, xMax: x, yMax: y).grown(by: style.reach)
      }
    case .paths(let paths):
      let styles = paths.styles
      return items(
        paths.row, { paths.region == nil && styles[Int(paths.style[$0])].hatch == nil }
      ) { item in
        let reach = styles[Int(paths.style[item])].stroke?.reach ?? 0
        return paths.geometry.envelope(ofRow: item).grown(by: reach)
      }
    case .shapes(let shapes):
      return items(shapes.row, { _ in true }) { shapes.box(ofItem: $0).grown(by: shapes.tips(ofItem: $0)) }
    case .labels, .image: return []
    }
  }

  /// Returns the rows of small items that change a pixel.
  private func rows(ofSheet items: [Item], of batch: DisplayBatch) throws(PaintError) -> [Int] {
    let (columns, step) = (min(items.count, Self.columns), Self.step)
    let moves = items.indices.map { place in
      (
        x: Double(place % columns * step + 2) - items[place].box.xMin.rounded(.down),
        y: Double(place / columns * step + 2) - items[place].box.yMin.rounded(.down)
      )
    }
    let sheet = try bitmap(
      of: batch.keeping(items.map(\.index), moving: moves), width: columns * step,
      height: (items.count + columns - 1) / columns * step)
    return items.indices.filter { place in
      let (left, top) = (place % columns * step, place / columns * step)
      return (top..<top + step).contains { y in
        (left..<left + step).contains { x in
          sheet[x, y].alpha > 0
            && image.contains(x: Double(x) - moves[place].x + 0.5, y: Double(y) - moves[place].y + 0.5)
        }
      }
    }.map { items[$0].row }
  }

  /// Returns whether an item changes a pixel.
  private func paints(_ item: Item, of batch: DisplayBatch) throws(PaintError) -> Bool {
    let box = item.isMovable ? item.box : image
    let (left, top) = (max(box.xMin, 0).rounded(.down), max(box.yMin, 0).rounded(.down))
    let picture = try bitmap(
      of: batch.keeping([item.index], moving: [(-left, -top)]),
      width: Int(clamping: (min(box.xMax, image.xMax) - left).rounded(.up)),
      height: Int(clamping: (min(box.yMax, image.yMax) - top).rounded(.up)))
    return stride(from: 3, to: picture.pixels.count, by: 4).contains { picture.pixels[$0] > 0 }
  }

  private func bitmap(of batch: DisplayBatch, width: Int, height: Int) throws(PaintError) -> Bitmap {
    var painter = try CairoPainter(width: max(width, 1), height: max(height, 1), background: nil)
    try painter.paint(DisplayLayer(index: 0, name: "", opacity: opacity, batches: [batch]))
    return try painter.finish()
  }
}

extension DisplayBatch {
  /// Returns a batch of some items, each moved.
  fileprivate func keeping(_ items: [Int], moving moves: [(x: Double, y: Double)]) -> DisplayBatch {
    switch self {
    case .markers(let markers):
      var kept = MarkerBatch(styles: markers.styles)
      kept.x = zip(items, moves).map { markers.x[$0] + $1.x }
      kept.y = zip(items, moves).map { markers.y[$0] + $1.y }
      kept.style = items.map { markers.style[$0] }
      kept.row = items.map { markers.row[$0] }
      return .markers(kept)
    case .paths(let paths):
      var kept = PathBatch(styles: paths.styles, kind: paths.geometry.kind, region: paths.region)
      for (item, move) in zip(items, moves) {
        for part in paths.geometry.parts(ofRow: item) {
          for vertex in paths.geometry.vertices(ofPart: part) {
            kept.geometry.appendVertex(
              x: paths.geometry.x[vertex] + move.x, y: paths.geometry.y[vertex] + move.y)
          }
          kept.geometry.endPart()
        }
        kept.geometry.endRow()
        if let extent = paths.extent(ofItem: item) { kept.extents.append(extent) }
      }
      kept.style = items.map { paths.style[$0] }
      kept.row = items.map { paths.row[$0] }
      return .paths(kept)
    case .shapes(let shapes):
      var kept = ShapeBatch(symbols: shapes.symbols)
      kept.x = zip(items, moves).map { shapes.x[$0] + $1.x }
      kept.y = zip(items, moves).map { shapes.y[$0] + $1.y }
      kept.symbol = items.map { shapes.symbol[$0] }
      kept.row = items.map { shapes.row[$0] }
      return .shapes(kept)
    case .labels, .image: return self
    }
  }
}

extension ViewState {
  /// Returns a layer's drawing without doubtful rows: those that change no pixel of the image are invisible.
  ///
  /// - Cost: painting the items of the doubtful rows.
  /// - Throws: ``PaintError``.
  func settled(_ drawing: LayerDrawing, of layer: LayerState) throws(PaintError) -> LayerDrawing {
    guard !drawing.doubtful.isEmpty else { return drawing }
    let items = SeparateItems(
      drawing.layer, opacity: layer.visibleOpacity(atScale: viewpoint.scale), width: pictureWidth,
      height: pictureHeight)
    var settled = drawing
    settled.settle(painting: try items.rows(among: drawing.doubtful))
    return settled
  }
}
