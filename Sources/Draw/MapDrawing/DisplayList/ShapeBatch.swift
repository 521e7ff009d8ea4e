package import MapGeometry

/// Markers made of shapes, in arrays: item `i` is symbol `symbol[i]` at (`x[i]`, `y[i]`) for row `row[i]`.
///
/// The paths of the items are made in pieces where they are painted. So a batch takes memory in proportion to its items,
/// and not to their vertices.
package struct ShapeBatch: Hashable, Sendable {
  /// The symbols of a batch.
  package enum Symbols: Hashable, Sendable {
    /// Vector markers; many items may share one.
    case markers([ShapeSymbol])
    /// Pie charts, one for each item.
    case charts(PieCharts)
  }

  /// The symbols in use.
  package let symbols: Symbols
  /// The x coordinates of the points, in pixels from the left.
  package var x: [Double] = []
  /// The y coordinates of the points, in pixels from the top.
  package var y: [Double] = []
  /// The indexes of the symbols.
  package var symbol: [UInt32] = []
  /// The table rows of the items.
  package var row: [Int32] = []

  /// Creates a batch without items.
  package init(symbols: Symbols) { self.symbols = symbols }

  /// Whether the symbols are pie charts.
  var hasCharts: Bool { if case .charts = symbols { true } else { false } }

  /// The number of symbols.
  package var symbolCount: Int {
    switch symbols {
    case .markers(let markers): markers.count
    case .charts(let charts): charts.count
    }
  }

  mutating func append(x: Double, y: Double, symbol: Int, row: Int) {
    self.x.append(x)
    self.y.append(y)
    self.symbol.append(UInt32(clamping: symbol))
    self.row.append(Int32(clamping: row))
  }

  /// Appends the items of a batch that has the same symbols.
  mutating func append(_ other: ShapeBatch) {
    x += other.x
    y += other.y
    symbol += other.symbol
    row += other.row
  }

  /// Returns the box of an item with its strokes, but not the tips of sharp corners.
  package func box(ofItem item: Int) -> Envelope {
    let box =
      switch symbols {
      case .markers(let markers): markers[Int(symbol[item])].box
      case .charts(let charts): charts.box(of: Int(symbol[item]))
      }
    return Envelope(
      xMin: box.xMin + x[item], yMin: box.yMin + y[item], xMax: box.xMax + x[item], yMax: box.yMax + y[item])
  }

  /// The number of vertices after which a piece ends: 4 MB.
  private static let pieceSize = 1 << 18

  /// Returns the paths of the next items that may paint an area, and the item of each path; nil after the last.
  ///
  /// - Parameters:
  ///   - left: the items that are left, from which those of the piece are removed.
  ///   - area: the area; nil for everywhere.
  package func nextPiece(
    _ left: inout Range<Int>, meeting area: Envelope? = nil
  ) -> (paths: PathBatch, items: [Int])? {
    var piece = Piece(symbols)
    var item = left.lowerBound
    while item < left.upperBound, piece.paths.geometry.vertexCount < Self.pieceSize {
      defer { item += 1 }
      // Anti-aliasing reaches one pixel farther.
      if let area, !box(ofItem: item).grown(by: tips(ofItem: item) + 1).meets(area) { continue }
      piece.add(Int(symbol[item]), x: x[item], y: y[item], row: row[item], item: item)
    }
    left = item..<left.upperBound
    return piece.items.isEmpty ? nil : (piece.paths, piece.items)
  }

  /// Returns the distance from the box of an item to the tips of its sharpest corners.
  package func tips(ofItem item: Int) -> Double {
    switch symbols {
    case .markers(let markers): markers[Int(symbol[item])].tips
    case .charts: 0
    }
  }

  /// The paths of all items, for a few of them.
  package var paths: PathBatch {
    var piece = Piece(symbols)
    for item in x.indices { piece.add(Int(symbol[item]), x: x[item], y: y[item], row: row[item], item: item) }
    return piece.paths
  }
}

/// A vector marker in output pixels, relative to its point.
package struct ShapeSymbol: Hashable, Sendable {
  /// The shapes, the first painted first.
  package let shapes: [PatternShape]
  /// The renderer's class; -1 for its default symbol.
  package let classIndex: Int
  /// The box of all shapes with their strokes, but without the tips of sharp corners; empty without ink.
  package let box: Envelope
  /// The distance from the box to the tips of the sharpest corners.
  let tips: Double

  init(_ shapes: [PatternShape], classIndex: Int) {
    self.shapes = shapes.filter { $0.fill != nil || $0.stroke != nil }
    self.classIndex = classIndex
    box = self.shapes.reduce(Envelope.empty) { $0.union($1.box) }
    tips = self.shapes.compactMap { $0.stroke.map { $0.reach - $0.width / 2 } }.max() ?? 0
  }

  /// Returns whether the symbol at a point paints part of the canvas.
  func paints(_ canvas: Envelope, x: Double, y: Double) -> Bool {
    let inner = Envelope(
      xMin: box.xMin + x, yMin: box.yMin + y, xMax: box.xMax + x, yMax: box.yMax + y)
    guard inner.grown(by: tips).meets(canvas) else { return false }
    return canvas.contains(inner) || shapes.contains { $0.paints(canvas, x: x, y: y) }
  }
}

extension PatternShape {
  /// The box of the shape with its stroke; empty without a vertex.
  fileprivate var box: Envelope {
    guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else {
      return .empty
    }
    return Envelope(xMin: left, yMin: top, xMax: right, yMax: bottom).grown(by: (stroke?.width ?? 0) / 2)
  }

  /// Returns whether the shape at a point paints part of the canvas.
  fileprivate func paints(_ canvas: Envelope, x dx: Double, y dy: Double) -> Bool {
    let (xs, ys) = (x.map { $0 + dx }, y.map { $0 + dy })
    if let stroke {
      let reach = StrokeReach(canvas: canvas, stroke: stroke)
      if parts.contains(where: { reach.paints(x: xs[$0], y: ys[$0], closed: isClosed) }) { return true }
    }
    guard fill != nil else { return false }
    var path = CoordinateBuffer(kind: .polygon)
    for part in parts where part.count > 1 {
      for index in part { path.appendVertex(x: xs[index], y: ys[index]) }
      // Only the stroke of a line is open.
      if !isClosed { path.appendVertex(x: xs[part.lowerBound], y: ys[part.lowerBound]) }
      path.endPart()
    }
    path.endRow()
    // A shape that only touches the canvas paints none of it.
    return path.row(0, meets: canvas.grown(by: -1e-9))
  }
}

/// The paths of some items of a batch.
private struct Piece {
  let symbols: ShapeBatch.Symbols
  var paths: PathBatch
  /// The item of each path.
  var items: [Int] = []
  /// The first path style of each marker in use.
  private var styles: [Int: Int] = [:]
  /// The path style of each outline of charts in use.
  private var outlines: [PathStyle: Int] = [:]

  init(_ symbols: ShapeBatch.Symbols) {
    self.symbols = symbols
    paths = PathBatch(styles: [], kind: .polygon)
    if case .charts(let charts) = symbols { paths.styles = charts.fills }
  }

  mutating func add(_ symbol: Int, x: Double, y: Double, row: Int32, item: Int) {
    switch symbols {
    case .markers(let markers):
      let marker = markers[symbol]
      let first = styles[symbol] ?? paths.styles.count
      if styles.updateValue(first, forKey: symbol) == nil {
        paths.styles += marker.shapes.map {
          PathStyle(fill: $0.fill, stroke: $0.stroke, isOpen: !$0.isClosed, classIndex: marker.classIndex)
        }
      }
      for (index, shape) in marker.shapes.enumerated() {
        add(shape, style: first + index, x: x, y: y, row: row, item: item)
      }
    case .charts(let charts):
      for (fill, shape) in charts.shapes(of: symbol) where shape.fill != nil || shape.stroke != nil {
        add(shape, style: fill ?? outline(shape), x: x, y: y, row: row, item: item)
      }
    }
  }

  private mutating func outline(_ shape: PatternShape) -> Int {
    let style = PathStyle(fill: nil, stroke: shape.stroke, classIndex: 0)
    if let known = outlines[style] { return known }
    outlines[style] = paths.styles.count
    paths.styles.append(style)
    return paths.styles.count - 1
  }

  private mutating func add(
    _ shape: PatternShape, style: Int, x: Double, y: Double, row: Int32, item: Int
  ) {
    for part in shape.parts where part.count > 1 {
      for index in part { paths.geometry.appendVertex(x: x + shape.x[index], y: y + shape.y[index]) }
      paths.geometry.endPart()
    }
    paths.geometry.endRow()
    paths.style.append(UInt32(clamping: style))
    paths.row.append(row)
    items.append(item)
  }
}
