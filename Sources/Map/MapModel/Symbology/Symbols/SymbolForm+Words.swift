import MapGeometry
import MapSystem

extension SymbolForm {
  /// A short description, with sizes in points of 1/72 inch: `circle 6 pt #d73027, outline 1 pt #ffffff`.
  package var words: String {
    switch self {
    case .marker(let symbol):
      "\(symbol.style.rawValue) \(Self.points(symbol.size)) \(Self.color(symbol.color))"
        + Self.outline(symbol.outline)
    case .picture(let symbol): "picture \(Self.points(symbol.width)) x \(Self.points(symbol.height))"
    case .text(let symbol):
      "text \"\(symbol.text)\" \(Self.points(symbol.size)) \(Self.color(symbol.color))"
    case .line(let symbol):
      "line \(symbol.style.rawValue) \(Self.points(symbol.width)) \(Self.color(symbol.color))"
    case .fill(let symbol):
      "fill \(symbol.style.rawValue) \(Self.color(symbol.color))" + Self.outline(symbol.outline)
    case .vector(let symbol):
      "shapes \(Self.points(symbol.size)) \(Self.color(symbol.shapes.first.flatMap { $0.color ?? $0.outline?.color }))"
    case .pattern(let symbol):
      switch symbol.pattern {
      case .lines(let line, let separation, _):
        "hatch \(Self.points(line.width)) every \(Self.points(separation)) \(Self.color(line.color))"
      case .picture(let picture): "pattern of \(SymbolForm.picture(picture).words)"
      case .gradient(let gradient):
        "\(gradient.form.rawValue) gradient \(gradient.stops.map { Self.color($0.color) }.joined(separator: " "))"
      case .markers(let marker, let stepX, let stepY, _):
        "pattern of \(SymbolForm.vector(marker).words) every \(Self.points(stepX)) x \(Self.points(stepY))"
      }
    case .placed(let symbol): symbol.parts.map(\.words).joined(separator: " + ") + " at places"
    case .composite(let symbol): symbol.parts.map(\.words).joined(separator: " + ")
    }
  }

  private static func outline(_ outline: SimpleLineSymbol?) -> String {
    outline.map { ", outline \(points($0.width)) \(color($0.color))" } ?? ""
  }

  private static func points(_ size: Double) -> String {
    // A view pixel is 1/96 inch.
    let rounded = (size * 72 / 96 * 100).rounded() / 100
    return (rounded == rounded.rounded() && abs(rounded) < 1e9 ? "\(Int(clamping: rounded))" : "\(rounded)")
      + " pt"
  }

  private static func color(_ color: Color?) -> String {
    guard let color, color.alpha > 0 else { return "clear" }
    let parts = [color.red, color.green, color.blue] + (color.alpha < 255 ? [color.alpha] : [])
    return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
