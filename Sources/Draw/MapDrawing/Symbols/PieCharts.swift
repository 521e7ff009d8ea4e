import MapGeometry
import MapModel

/// The pie charts of some rows, in arrays: a chart keeps its slices and its size, and no vertices.
///
/// - Cost: 16 bytes a chart and 8 bytes a slice.
package struct PieCharts: Hashable, Sendable {
  private let renderer: PieChartRenderer
  /// Output pixels per pixel of a symbol.
  private let pixelRatio: Double
  private var slices: [PieChartRenderer.Slice] = []
  /// For every chart, the index after its last slice.
  private var ends: [Int] = []
  /// The diameter of every chart, in pixels of 1/96 inch; empty if all have that of the renderer.
  private var sizes: [Double] = []
  /// Half the width of the outline of a chart with the size of the renderer, in output pixels; 0 without one.
  private let halfOutline: Double
  /// The largest distance of ink from a point, in output pixels.
  private(set) var reach = 0.0

  /// Creates charts without a member.
  init(_ renderer: PieChartRenderer, pixelRatio: Double) {
    (self.renderer, self.pixelRatio) = (renderer, pixelRatio)
    halfOutline = (Stroke(renderer.outline, pixelRatio: pixelRatio)?.width ?? 0) / 2
  }

  /// The number of charts.
  package var count: Int { ends.count }

  /// The fill of each colour of slices.
  package var fills: [PathStyle] {
    renderer.colors.enumerated().map { index, color in
      PathStyle(
        fill: color.ifNotClear, stroke: nil,
        classIndex: index == Int(renderer.defaultSlice.color) ? -1 : 0)
    }
  }

  /// Adds a chart.
  ///
  /// - Parameter size: the diameter in pixels of 1/96 inch, given for all charts or for none.
  mutating func append(_ own: [PieChartRenderer.Slice], size: Double?) {
    slices += own
    ends.append(slices.count)
    if let size { sizes.append(size) }
    reach = max(reach, box(of: count - 1).xMax)
  }

  private func size(of chart: Int) -> Double { sizes.isEmpty ? renderer.size : sizes[chart] }

  private func slices(of chart: Int) -> ArraySlice<PieChartRenderer.Slice> {
    slices[(chart == 0 ? 0 : ends[chart - 1])..<ends[chart]]
  }

  /// Returns the shapes of a chart: its slices, each with the index of its fill, then the outline without one.
  package func shapes(of chart: Int) -> [(fill: Int?, shape: PatternShape)] {
    let own = Array(slices(of: chart))
    var sized = renderer
    sized.size = size(of: chart)
    if renderer.size > 0 { sized.outline?.width *= SymbolNumber.ratio.bounded(sized.size / renderer.size) }
    let symbol = sized.chart(of: own)
    return symbol.shapes.enumerated().map { index, shape in
      (
        own.indices.contains(index) ? Int(own[index].color) : nil,
        PatternShape(shape, of: symbol, pixelRatio: pixelRatio)
      )
    }
  }

  /// Returns half the width of the outline of a chart in output pixels; 0 without one.
  private func halfStroke(of chart: Int) -> Double {
    sizes.isEmpty || renderer.size <= 0
      ? halfOutline : halfOutline * SymbolNumber.ratio.bounded(size(of: chart) / renderer.size)
  }

  private func radius(of chart: Int) -> Double {
    SymbolNumber.size.bounded(size(of: chart) * pixelRatio) / 2
  }

  /// Returns the box of a chart with its outline, relative to its point, in output pixels.
  func box(of chart: Int) -> Envelope {
    let reach = radius(of: chart) + halfStroke(of: chart)
    return Envelope(xMin: -reach, yMin: -reach, xMax: reach, yMax: reach)
  }

  /// Returns whether a chart surely changes a pixel where it lies inside the image.
  func isCertain(_ chart: Int, opacity: Double) -> Bool {
    let thickness = radius(of: chart) * (1 - min(max(renderer.holeShare, 0), 1))
    // A ring of two pixels contains a whole pixel.
    return thickness >= 2 && !slices(of: chart).isEmpty
      && renderer.colors.allSatisfy { Double($0.alpha) * opacity >= 8 }
  }

  /// Returns whether a chart at a point paints part of the canvas.
  func paints(_ canvas: Envelope, chart: Int, x: Double, y: Double) -> Bool {
    let (reach, halfStroke) = (radius(of: chart) + halfStroke(of: chart), halfStroke(of: chart))
    guard reach > 0, canvas.grown(by: reach).contains(x: x, y: y) else { return false }
    let hole = max(radius(of: chart) * min(max(renderer.holeShare, 0), 1) - halfStroke, 0)
    return canvas.meetsRing(x: x, y: y, hole: hole, reach: reach)
  }
}
