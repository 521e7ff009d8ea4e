package import MapGeometry
import MapSystem

/// The dots of a basemap, without those that a marker of another layer covers or nearly covers.
package struct YieldingDots: Sendable {
  /// The side of a cell of the grid in pixels.
  private static let side = 16.0

  private struct Dot {
    let x: Double
    let y: Double
    /// The distance within which no marker may be.
    let reach: Double
    let row: Int32
  }

  private let dots: [Dot]
  private let columns: Int
  private let rows: Int
  /// The dots that reach into each cell.
  private var cells: [[Int32]]
  /// The rows whose dots are not drawn.
  private var covered: Set<Int32> = []

  /// Collects the dots of a layer.
  ///
  /// - Parameter gap: the smallest distance between a dot and a marker, in pixels.
  package init(_ layer: DisplayLayer, canvas: Envelope, gap: Double) {
    columns = max(Int(clamping: (canvas.width / Self.side).rounded(.up)), 1)
    rows = max(Int(clamping: (canvas.height / Self.side).rounded(.up)), 1)
    dots = layer.batches.flatMap { batch -> [Dot] in
      guard case .markers(let markers) = batch else { return [] }
      return markers.x.indices.compactMap { item in
        let style = markers.styles[Int(markers.style[item])]
        guard style.hasInk else { return nil }
        return Dot(
          x: markers.x[item], y: markers.y[item], reach: style.box.width / 2 + gap, row: markers.row[item])
      }
    }
    cells = dots.isEmpty ? [] : Array(repeating: [], count: columns * rows)
    for (index, dot) in dots.enumerated() {
      let box = LabelBox(xMin: dot.x, yMin: dot.y, xMax: dot.x, yMax: dot.y).grown(by: dot.reach)
      forEachCell(of: box) { cells[$0].append(Int32(clamping: index)) }
    }
  }

  /// Removes the dots that are too near to a marker of a drawn layer.
  ///
  /// - Cost: O(markers); for each of them, a look at the cells that it covers.
  package mutating func yield(to layer: DisplayLayer) {
    guard !cells.isEmpty, layer.opacity > 0 else { return }
    for batch in layer.batches {
      switch batch {
      case .markers(let markers):
        let boxes = markers.styles.map { $0.hasInk ? LabelBox($0.box) : nil }
        for item in markers.x.indices {
          guard let box = boxes[Int(markers.style[item])] else { continue }
          yield(to: box.moved(x: markers.x[item], y: markers.y[item]))
        }
      case .shapes(let shapes):
        for item in shapes.x.indices { yield(to: LabelBox(shapes.box(ofItem: item))) }
      case .paths, .labels, .image: break
      }
    }
  }

  private mutating func yield(to marker: LabelBox) {
    guard marker.xMin <= marker.xMax, marker.yMin <= marker.yMax else { return }
    var found: [Int32] = []
    forEachCell(of: marker) { cell in
      for index in cells[cell] {
        let dot = dots[Int(index)]
        let place = LabelBox(xMin: dot.x, yMin: dot.y, xMax: dot.x, yMax: dot.y)
        if place.distance(to: marker) < dot.reach { found.append(dot.row) }
      }
    }
    covered.formUnion(found)
  }

  /// Returns a layer without the items of the rows whose dots are covered.
  package func kept(_ layer: DisplayLayer) -> DisplayLayer {
    guard !covered.isEmpty else { return layer }
    var layer = layer
    layer.batches = layer.batches.map { batch in
      guard case .markers(let markers) = batch else { return batch }
      var kept = MarkerBatch(styles: markers.styles)
      for item in markers.x.indices where !covered.contains(markers.row[item]) {
        kept.x.append(markers.x[item])
        kept.y.append(markers.y[item])
        kept.style.append(markers.style[item])
        kept.row.append(markers.row[item])
      }
      return .markers(kept)
    }
    return layer
  }

  private func forEachCell(of box: LabelBox, _ body: (Int) -> Void) {
    guard box.xMax >= 0, box.yMax >= 0, box.xMin < Double(columns) * Self.side,
      box.yMin < Double(rows) * Self.side
    else { return }
    let (left, right) = (Self.index(box.xMin, columns), Self.index(box.xMax, columns))
    for row in Self.index(box.yMin, rows)...Self.index(box.yMax, rows) {
      for column in left...right { body(row * columns + column) }
    }
  }

  private static func index(_ place: Double, _ count: Int) -> Int {
    Int(clamping: min(max(place / side, 0), Double(count - 1)))
  }
}
