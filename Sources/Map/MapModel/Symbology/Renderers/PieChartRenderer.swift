import Glibc
import MapSystem

/// A renderer that draws a pie chart for each feature: at points, and at the centre of areas.
///
/// The slices follow each other clockwise from the top, in the order of the attributes, with their shares of the sum.
/// Numbers that are null or not above 0 have no slice.
///
/// - Source: web map specification, `pieChart`. Design decision for the order of slices.
public struct PieChartRenderer: Renderer, Hashable {
  /// The numbers, one for each colour of slices.
  public var attributes: [RendererAttribute]
  /// The diameter, in pixels of 1/96 inch.
  public var size: Double
  /// The diameter of the hole as a share of the diameter, from 0 to 1.
  public var holeShare: Double
  /// The line around the chart and its hole; nil for none.
  public var outline: SimpleLineSymbol?
  /// The colour of charts without a slice; nil draws none.
  public var defaultColor: Color?
  /// The name of charts without a slice in a legend.
  public var defaultLabel: String
  /// The share of the sum below which slices are joined to one; 0 joins none.
  public var othersThreshold: Double
  /// The colour of the joined slices.
  public var othersColor: Color
  /// The name of the joined slices in a legend.
  public var othersLabel: String
  /// The fill of areas below their charts; nil for none.
  public var backgroundFill: SymbolForm?
  /// The visual variables; only the size applies.
  public var visualVariables = VisualVariables()
  /// The texts in a legend.
  public var legendOptions = LegendOptions()

  /// Creates a renderer.
  public init(
    attributes: [RendererAttribute], size: Double = 16, holeShare: Double = 0,
    outline: SimpleLineSymbol? = nil, defaultColor: Color? = nil, defaultLabel: String = "",
    othersThreshold: Double = 0, othersColor: Color = .gray, othersLabel: String = ""
  ) {
    (self.attributes, self.size, self.holeShare) = (attributes, size, holeShare)
    (self.outline, self.defaultColor, self.defaultLabel) = (outline, defaultColor, defaultLabel)
    (self.othersThreshold, self.othersColor) = (othersThreshold, othersColor)
    self.othersLabel = othersLabel
  }

  /// The renderer as a case of ``RendererForm``.
  public var form: RendererForm { .pieChart(self) }

  /// The symbol of a chart with equal slices.
  var symbol: SymbolForm { .vector(chart(of: attributes.map { _ in 1 })) }

  /// The symbol of charts without a slice; nil if they are not drawn.
  var defaultSymbol: SymbolForm? { defaultColor.map { _ in .vector(chart(of: [defaultSlice])) } }

  /// A slice, by the index of its colour and its share of the sum.
  package struct Slice: Hashable, Sendable {
    /// The index in ``PieChartRenderer/colors``.
    package let color: Int32
    /// The share, exact to one part in 16 million.
    package let share: Float
  }

  /// The colours of slices: one for each attribute, then that of joined slices, then that of charts without a slice.
  package var colors: [Color] { attributes.map(\.color) + [othersColor, defaultColor ?? othersColor] }

  /// The only slice of a chart without numbers.
  package var defaultSlice: Slice { Slice(color: Int32(clamping: attributes.count + 1), share: 1) }

  /// Returns whether a number has a slice.
  package static func hasSlice(_ number: Double?) -> Bool { number.map { $0.isFinite && $0 > 0 } ?? false }

  /// Returns the slices of a feature; none without a number above 0.
  package func slices(of numbers: [Double?]) -> [Slice] {
    let amounts = numbers.map { Self.hasSlice($0) ? $0 ?? 0 : 0 }
    // The largest number is divided first, because the sum of large numbers may be infinite.
    guard let largest = amounts.max(), largest > 0 else { return [] }
    let sum = amounts.reduce(0) { $0 + $1 / largest }
    var slices: [Slice] = []
    var others = 0.0
    for (index, amount) in amounts.enumerated() where amount > 0 {
      let share = amount / largest / sum
      if share < othersThreshold {
        others += share
      } else {
        slices.append(Slice(color: Int32(clamping: index), share: Float(share)))
      }
    }
    if others > 0 {
      slices.append(Slice(color: Int32(clamping: attributes.count), share: Float(others)))
    }
    return slices
  }

  /// Returns the chart of a feature; without a number above 0, it is a circle of the default colour or empty.
  package func chart(of numbers: [Double?]) -> VectorMarkerSymbol {
    let slices = slices(of: numbers)
    return chart(of: slices.isEmpty && defaultColor != nil ? [defaultSlice] : slices)
  }

  /// Returns the chart with some slices; without any, it is empty.
  package func chart(of slices: [Slice]) -> VectorMarkerSymbol {
    let colors = colors
    func color(_ slice: Slice) -> Color { colors[min(max(Int(slice.color), 0), colors.count - 1)] }
    var shapes: [VectorMarkerSymbol.Shape] = []
    // Opaque slices reach a little below their neighbours, so that nothing shines through between them.
    let isOpaque = slices.allSatisfy { color($0).alpha == 255 }
    let reach = isOpaque && size > 0 ? 1.5 / size / Double.pi : 0
    var start = 0.0
    for (index, slice) in slices.enumerated() {
      let isLast = index == slices.count - 1
      let before = index == 0 ? min(reach, Double(slices[slices.count - 1].share)) : 0
      let after = isLast ? 0 : min(reach, Double(slices[index + 1].share))
      let share = isLast ? max(1 - start, 0) : Double(slice.share)
      shapes.append(
        VectorMarkerSymbol.Shape(
          parts: slices.count == 1
            ? circles : [sector(from: start - before, to: start + share + after)],
          color: color(slice)))
      start += share
    }
    if let outline, !slices.isEmpty {
      shapes.append(VectorMarkerSymbol.Shape(parts: circles, color: nil, outline: outline))
    }
    return VectorMarkerSymbol(shapes: shapes, size: size)
  }

  private var hole: Double { min(max(holeShare, 0), 1) }

  private var circles: [[VectorMarkerSymbol.Vertex]] {
    let outer = arc(from: 0, to: 1, radius: size / 2)
    return hole > 0 ? [outer, arc(from: 0, to: 1, radius: size / 2 * hole)] : [outer]
  }

  private func sector(from start: Double, to end: Double) -> [VectorMarkerSymbol.Vertex] {
    var ring = arc(from: start, to: end, radius: size / 2)
    if hole > 0 {
      ring += arc(from: start, to: end, radius: size / 2 * hole).reversed()
    } else {
      ring.append(VectorMarkerSymbol.Vertex(x: 0, y: 0))
    }
    return ring + ring.prefix(1)
  }

  /// Returns the vertices of an arc between two shares of the circle, at most 3 degrees apart.
  private func arc(from start: Double, to end: Double, radius: Double) -> [VectorMarkerSymbol.Vertex] {
    let steps = max(1, Int(clamping: ((end - start) * 120).rounded(.up)))
    return (0...steps).map { step in
      let angle = (start + (end - start) * Double(step) / Double(steps)) * 2 * .pi
      return VectorMarkerSymbol.Vertex(x: radius * sin(angle), y: radius * cos(angle))
    }
  }
}
