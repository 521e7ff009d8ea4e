package import MapGeometry
public import MapModel
import MapSystem

/// The drawn symbols of a view that labels avoid.
///
/// A label never covers a marker of a layer that has labels, unless the marker's priority is lower. Markers of other
/// layers, lines and outlines are avoided where another position is free.
///
/// - Source: Esri's `static` and `dynamic` deconfliction avoid point symbols; the rules for other layers are a design
///   decision, because a map of many points would lose the labels of all other layers.
public struct LabelObstacles: Sendable {
  /// A marker that labels do not cover.
  struct Marker {
    var box: LabelBox
    /// The priority of its layer's labels; lower numbers are more important.
    let priority: Int
  }

  private let canvas: Envelope
  private(set) var markers: [Marker] = []
  private(set) var ink: LabelInk

  /// Creates obstacles for a view, without symbols.
  public init(_ view: ViewState) {
    canvas = ViewTransform(view, from: nil).canvas
    ink = LabelInk(canvas: canvas, pixelRatio: view.pixelRatio)
  }

  /// Adds the symbols of a drawn layer.
  ///
  /// - Parameter priority: the best priority of the layer's label classes; nil if it has no labels.
  /// - Cost: O(markers + vertices). Markers less than a quarter of a pixel apart count once.
  public mutating func add(_ layer: DisplayLayer, priority: Int?) {
    guard layer.opacity > 0 else { return }
    for batch in layer.batches {
      switch batch {
      case .markers(let markers): add(markers, priority)
      case .paths(let paths): ink.markEdges(of: paths)
      case .labels, .image: break
      }
    }
  }

  /// Adds a rectangle of the image that no label covers, such as a legend on the map.
  ///
  /// - Parameter box: the rectangle in output pixels.
  package mutating func add(covered box: Envelope) {
    markers.append(Marker(box: LabelBox(box), priority: .min))
  }

  private mutating func add(_ batch: MarkerBatch, _ priority: Int?) {
    let boxes = batch.styles.map { style in
      style.hasInk ? LabelBox(style.box) : LabelBox(xMin: .nan, yMin: .nan, xMax: .nan, yMax: .nan)
    }
    let edge = LabelBox(canvas)
    /// The positions in quarters of a pixel that have a marker of the same style.
    var known: Set<UInt64> = []
    for item in batch.x.indices {
      let (x, y, style) = (batch.x[item], batch.y[item], batch.style[item])
      let box = boxes[Int(style)].moved(x: x, y: y)
      // False for a style without ink, whose box is NaN.
      guard box.overlaps(edge) else { continue }
      guard let priority else {
        ink.mark(box)
        continue
      }
      let key =
        UInt64(UInt16(truncatingIfNeeded: Int(clamping: x * 4))) << 48
        | UInt64(UInt16(truncatingIfNeeded: Int(clamping: y * 4))) << 32 | UInt64(style)
      if abs(x) < 8000, abs(y) < 8000, !known.insert(key).inserted { continue }
      markers.append(Marker(box: box, priority: priority))
    }
  }
}

/// A coarse image of the lines, outlines and unlabelled markers, which answers how much of a rectangle they cover.
struct LabelInk: Sendable {
  /// The side of a cell in pixels at a pixel ratio of 1.
  ///
  /// - Source: design decision: about a third of the height of a label.
  private static let cellSide = 4.0
  /// The maximum number of cells; larger images have larger cells.
  private static let cellLimit = 4e6
  /// The weight of a marker, relative to that of a line or outline.
  private static let markerWeight: UInt8 = 4

  private let side: Double
  private let columns: Int
  private let rows: Int
  private var cells: [UInt8] = []
  /// For each cell, the weight of the rectangle from the first cell to it; one more row and column than `cells`.
  private var sums: [Int32] = []

  init(canvas: Envelope, pixelRatio: Double) {
    let side = max(Self.cellSide * pixelRatio, (canvas.width * canvas.height / Self.cellLimit).squareRoot())
    self.side = side.isFinite ? max(side, 1) : Self.cellSide
    columns = max(Int(clamping: (canvas.width / self.side).rounded(.up)), 1)
    rows = max(Int(clamping: (canvas.height / self.side).rounded(.up)), 1)
  }

  /// Marks the cells that a marker covers.
  mutating func mark(_ box: LabelBox) {
    reserve()
    let (left, right) = (column(box.xMin), column(box.xMax))
    let (top, bottom) = (row(box.yMin), row(box.yMax))
    for row in top...max(top, bottom) {
      for column in left...max(left, right) { cells[row * columns + column] = Self.markerWeight }
    }
  }

  /// Marks the cells that the strokes of lines and areas cross.
  mutating func markEdges(of batch: PathBatch) {
    let geometry = batch.geometry
    for item in batch.style.indices where batch.styles[Int(batch.style[item])].stroke != nil {
      reserve()
      for part in geometry.parts(ofRow: item) {
        let vertices = geometry.vertices(ofPart: part)
        for vertex in vertices.dropFirst() {
          markSegment(
            geometry.x[vertex - 1], geometry.y[vertex - 1], geometry.x[vertex], geometry.y[vertex])
        }
      }
    }
  }

  private mutating func markSegment(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) {
    let (dx, dy) = (bx - ax, by - ay)
    let steps = min((max(abs(dx), abs(dy)) / side).rounded(.up), Double(columns + rows) * 4)
    guard steps.isFinite else { return }
    for step in 0...Int(clamping: steps) {
      let share = steps > 0 ? Double(step) / steps : 0
      let (column, row) = ((ax + share * dx) / side, (ay + share * dy) / side)
      guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else { continue }
      let index = Int(clamping: row) * columns + Int(clamping: column)
      if cells[index] == 0 { cells[index] = 1 }
    }
  }

  private mutating func reserve() {
    if cells.isEmpty { cells = Array(repeating: 0, count: columns * rows) }
  }

  /// Computes the sums that ``share(of:)`` uses; call it after the last mark.
  mutating func finish() {
    guard !cells.isEmpty else { return }
    sums = Array(repeating: 0, count: (columns + 1) * (rows + 1))
    for row in 0..<rows {
      var sum: Int32 = 0
      for column in 0..<columns {
        sum += Int32(cells[row * columns + column])
        sums[(row + 1) * (columns + 1) + column + 1] = sums[row * (columns + 1) + column + 1] + sum
      }
    }
  }

  /// Returns the mean weight of the cells of a rectangle: 0 without ink, 1 for a line in every cell.
  func share(of box: LabelBox) -> Double {
    guard !sums.isEmpty else { return 0 }
    let (left, right) = (column(box.xMin), column(box.xMax) + 1)
    let (top, bottom) = (row(box.yMin), row(box.yMax) + 1)
    guard left < right, top < bottom else { return 0 }
    let width = columns + 1
    let sum =
      sums[bottom * width + right] - sums[top * width + right] - sums[bottom * width + left]
      + sums[top * width + left]
    return Double(sum) / Double((right - left) * (bottom - top))
  }

  private func column(_ x: Double) -> Int { Int(clamping: min(max(x / side, 0), Double(columns - 1))) }
  private func row(_ y: Double) -> Int { Int(clamping: min(max(y / side, 0), Double(rows - 1))) }
}
