/// The cells of bins, which are fixed to the map.
///
/// - Source: web map specification, `featureReduction` of type `binning`, for geohashes; Esri's specification of the
///   aggregation renderer of map services for the other shapes and for sizes in pixels. Both leave the places and sizes of
///   squares and hexagons open. Design decision: a cell of level n is 1/2^n of the world wide, and one has its centre, or
///   of squares a corner, at the origin of the map.
package struct BinCells: Hashable, Sendable {
  /// A shape of cells.
  package enum Shape: String, CaseIterable, Sendable {
    /// The cells of geohashes, in degrees.
    case geohash
    /// Squares.
    case square
    /// Hexagons with a side at the top.
    case flatHexagon
    /// Hexagons with a corner at the top.
    case pointyHexagon

    /// The possible levels.
    package var levels: ClosedRange<Int> { self == .geohash ? 1...9 : 0...30 }
  }

  /// The size of cells.
  package enum Size: Hashable, Sendable {
    /// The same cells at all scales: the number of characters of geohashes, or of halvings of the width of the world.
    case level(Int)
    /// The smallest cells of a level that are at least some pixels of 1/96 inch wide, and then some levels finer.
    case pixels(Double, finer: Int)
  }

  /// The shape of the cells.
  package let shape: Shape
  /// The size of the cells.
  package let size: Size

  /// Creates cells.
  package init(_ shape: Shape, _ size: Size) { (self.shape, self.size) = (shape, size) }

  /// The width of a cell of a level, if that of the world is 1.
  package func width(ofLevel level: Int) -> Double {
    let halvings = shape == .geohash ? (5 * level + 1) / 2 : level
    return 1 / Double(1 << min(max(halvings, 0), 62))
  }

  /// Returns the level of the cells in a view.
  ///
  /// - Parameter worldPixels: the width of the world in pixels of 1/96 inch.
  package func level(worldPixels: Double) -> Int {
    let levels = shape.levels
    switch size {
    case .level(let level): return min(max(level, levels.lowerBound), levels.upperBound)
    case .pixels(let least, let finer):
      let coarse = levels.last { width(ofLevel: $0) * worldPixels >= least } ?? levels.lowerBound
      return min(max(coarse + min(max(finer, -30), 30), levels.lowerBound), levels.upperBound)
    }
  }
}

/// The colours of bins between those of the least and the greatest number.
///
/// - Source: Esri's specification of the aggregation renderer of map services: colours and widths are interpolated by the
///   number, and a missing end of the range is that of the bins in the view.
package struct BinRamp: Hashable, Sendable {
  /// The colours and the outline of a bin.
  package struct End: Hashable, Sendable {
    /// The number of the bin; nil for that of the bins in the view.
    package var value: Double?
    package var color: Color
    package var outlineColor: Color
    /// The width of the outline in pixels of 1/96 inch.
    package var outlineWidth: Double

    package init(value: Double?, color: Color, outlineColor: Color, outlineWidth: Double) {
      (self.value, self.color) = (value, color)
      (self.outlineColor, self.outlineWidth) = (outlineColor, outlineWidth)
    }
  }

  /// The field with the number of a bin.
  package let fieldName: String
  /// The bin of the least number.
  package var low: End
  /// The bin of the greatest number.
  package var high: End

  package init(fieldName: String, low: End, high: End) {
    (self.fieldName, self.low, self.high) = (fieldName, low, high)
  }

  /// Returns the colours with the range of some numbers where the document states none.
  package func ranging(over values: [Double]) -> BinRamp {
    var ramp = self
    ramp.low.value = low.value ?? values.min()
    ramp.high.value = high.value ?? values.max()
    return ramp
  }

  /// The renderer of the bins.
  package var renderer: RendererForm {
    let input = VariableInput.field(fieldName)
    let (least, greatest) = (low.value ?? 1, max(low.value ?? 1, high.value ?? 1))
    let outline = SimpleLineSymbol(color: low.outlineColor, width: low.outlineWidth)
    var variables = VisualVariables()
    variables.color = ColorVariable(
      input: input, stops: [VariableStop(least, low.color), VariableStop(greatest, high.color)])
    if low.outlineWidth != high.outlineWidth {
      variables.outlineWidth = SizeVariable(
        input: input,
        rule: .stops([VariableStop(least, low.outlineWidth), VariableStop(greatest, high.outlineWidth)]))
    }
    return RendererForm.simple(SimpleRenderer(symbol: SimpleFillSymbol(color: low.color, outline: outline)))
      .with(variables)
  }
}
