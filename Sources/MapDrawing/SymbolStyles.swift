import Glibc
package import MapGeometry
import MapModel

/// A renderer's symbols as looks in picture pixels: one a class, and the default symbol's last where there is one.
struct SymbolStyles {
  private(set) var markers: [MarkerStyle] = []
  private(set) var paths: [PathStyle] = []
  /// The index of the default symbol's look.
  let defaultIndex: Int

  /// Looks for geometries of a kind; a symbol that does not suit the kind gives way to the standard one.
  init(_ renderer: RendererForm, kind: GeometryKind, pixelRatio: Double) {
    let symbols = renderer.classSymbols
    defaultIndex = symbols.count
    let numbered = Array(zip(0..., symbols)) + (renderer.defaultSymbol.map { [(-1, $0)] } ?? [])
    for (classIndex, symbol) in numbered {
      let suited = symbol.suits(kind) ? symbol : .standard(for: kind)
      switch suited {
      case .marker(let marker):
        markers.append(
          MarkerStyle(
            shape: marker.style == .circle ? .circle : .square, size: marker.size * pixelRatio,
            fill: marker.color?.ifNotClear, outline: Stroke(marker.outline, pixelRatio: pixelRatio),
            classIndex: classIndex))
      case .line(let line):
        paths.append(
          PathStyle(fill: nil, stroke: Stroke(line, pixelRatio: pixelRatio), classIndex: classIndex))
      case .fill(let fill):
        paths.append(
          PathStyle(
            fill: fill.color?.ifNotClear, stroke: Stroke(fill.outline, pixelRatio: pixelRatio),
            classIndex: classIndex))
      }
    }
  }

  /// How far, in pixels, any look can reach beyond the geometry.
  var reach: Double {
    let marker = markers.map { $0.reach }.max() ?? 0
    // A sharp join's tip is the farthest point of a stroke.
    let path = paths.map { ($0.stroke?.width ?? 0) / 2 * Stroke.miterLimit }.max() ?? 0
    return max(marker, path)
  }
}

extension Stroke {
  /// The look of a line symbol; nil when it paints nothing.
  fileprivate init?(_ symbol: SimpleLineSymbol?, pixelRatio: Double) {
    guard let symbol, let color = symbol.color?.ifNotClear, symbol.width > 0 else { return nil }
    self.init(color: color, width: min(symbol.width * pixelRatio, Self.widthLimit))
  }
}

extension Color {
  /// Itself; nil for a clear one, which paints nothing.
  fileprivate var ifNotClear: Color? { alpha > 0 ? self : nil }
}

extension MarkerStyle {
  /// How far a marker reaches from its centre to the sides, in pixels.
  var reach: Double { (size + (outline?.width ?? 0)) / 2 }

  /// True when the marker at a place paints some of the canvas.
  package func paints(_ canvas: Envelope, x: Double, y: Double) -> Bool {
    guard size > 0, fill != nil || outline != nil else { return false }
    let nearX = max(canvas.xMin - x, 0, x - canvas.xMax)
    let nearY = max(canvas.yMin - y, 0, y - canvas.yMax)
    // An open marker paints nothing of a canvas that lies in its hole.
    let farX = max(x - canvas.xMin, canvas.xMax - x)
    let farY = max(y - canvas.yMin, canvas.yMax - y)
    let hole = fill == nil ? (size - (outline?.width ?? 0)) / 2 : -1
    return switch shape {
    case .circle: hypot(nearX, nearY) < reach && hypot(farX, farY) > hole
    case .square: max(nearX, nearY) < reach && max(farX, farY) > hole
    }
  }
}
