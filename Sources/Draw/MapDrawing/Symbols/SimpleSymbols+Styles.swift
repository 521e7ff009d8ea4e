import MapModel
import MapSystem

extension MarkerStyle {
  /// Creates the style of a marker symbol.
  init(_ marker: SimpleMarkerSymbol, _ pixelRatio: Double, _ classIndex: Int) {
    let shape: MarkerShape =
      switch marker.style {
      case .circle: .circle
      case .cross: .cross
      case .diamond: .diamond
      case .square: .square
      case .triangle: .triangle
      case .x: .x
      }
    var outline = Stroke(marker.outline, pixelRatio: pixelRatio)
    if shape.isOpen, marker.outline == nil, let color = marker.color?.ifNotClear {
      // Without an outline a cross would be invisible; native SDKs draw it in its colour.
      outline = Stroke(color: color, width: pixelRatio)
    }
    self.init(
      shape: shape, size: SymbolNumber.size.bounded(marker.size * pixelRatio),
      angle: shape == .circle ? 0 : SymbolNumber.rotation.bounded(marker.angle),
      offsetX: SymbolNumber.offset.bounded(marker.offsetX * pixelRatio),
      offsetY: SymbolNumber.offset.bounded(-marker.offsetY * pixelRatio),
      fill: shape.isOpen ? nil : marker.color?.ifNotClear, outline: outline, classIndex: classIndex)
  }
}

extension SimpleLineSymbol {
  /// Returns the dash pattern in output pixels.
  func dashes(pixelRatio: Double) -> DashPattern {
    DashPattern(
      lengths: dashLengths(pixelRatio: pixelRatio),
      ending: dashTemplate.isEmpty ? .unconstrained : dashEnding,
      start: dashTemplate.isEmpty ? 0 : SymbolNumber.offset.bounded(dashOffset * pixelRatio))
  }

  /// Returns the lengths of dashes and gaps in output pixels; empty for a solid line.
  ///
  /// Lines under one pixel wide use the pattern of one pixel. Round and square caps are subtracted from the dash; the
  /// shortest dash becomes a dot.
  private func dashLengths(pixelRatio: Double) -> [Double] {
    guard dashTemplate.isEmpty else {
      // An odd number of lengths is repeated, so that dashes and gaps alternate.
      let lengths = dashTemplate.count.isMultiple(of: 2) ? dashTemplate : dashTemplate + dashTemplate
      return lengths.map { SymbolNumber.dash.bounded($0 * pixelRatio) }
    }
    let unit = max(SymbolNumber.width.bounded(max(width, 1) * pixelRatio), 1)
    return style.pattern.enumerated().map { index, length in
      guard cap != .butt else { return SymbolNumber.dash.bounded(length * unit) }
      return SymbolNumber.dash.bounded(max(index % 2 == 0 ? length - 1 : length + 1, 0.001) * unit)
    }
  }
}
