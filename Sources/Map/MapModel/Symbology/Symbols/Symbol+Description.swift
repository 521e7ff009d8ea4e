import MapGeometry
import MapJSON

extension Color: CustomStringConvertible {
  /// Red, green, blue and, unless opaque, alpha in hexadecimal digits, such as `#d73027`.
  public var description: String {
    let parts = [red, green, blue] + (alpha < 255 ? [alpha] : [])
    return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension SimpleMarkerSymbol: CustomStringConvertible {
  /// Style, colour, size in view pixels and outline, such as `SimpleMarkerSymbol(circle, #d73027, size 8)`.
  public var description: String {
    "SimpleMarkerSymbol(\(style), \(color.text), size \(JSONWriter.text(of: size))\(outline.text))"
  }
}

extension SimpleLineSymbol: CustomStringConvertible {
  /// Style, colour and width in view pixels, such as `SimpleLineSymbol(solid, #000000, width 1)`.
  public var description: String { "SimpleLineSymbol(\(words))" }

  fileprivate var words: String { "\(style), \(color.text), width \(JSONWriter.text(of: width))" }
}

extension SimpleFillSymbol: CustomStringConvertible {
  /// Style, colour and outline, such as `SimpleFillSymbol(solid, #d73027, outline solid, #000000, width 1)`.
  public var description: String { "SimpleFillSymbol(\(style), \(color.text)\(outline.text))" }
}

extension PictureMarkerSymbol: CustomStringConvertible {
  /// Width and height in view pixels and the address, if any, such as `PictureMarkerSymbol(16x16)`.
  public var description: String {
    let size = "\(JSONWriter.text(of: width))x\(JSONWriter.text(of: height))"
    return "PictureMarkerSymbol(\(size)\(url.isEmpty ? "" : ", \(url.prefix(80))"))"
  }
}

extension TextSymbol: CustomStringConvertible {
  /// Text, colour and size in view pixels, such as `TextSymbol("Berlin", #000000, size 12)`.
  public var description: String {
    "TextSymbol(\"\(text)\", \(color.text), size \(JSONWriter.text(of: size)))"
  }
}

extension CompositeSymbol: CustomStringConvertible {
  /// The symbols, in painting order.
  public var description: String {
    "CompositeSymbol(\(parts.map(\.description).joined(separator: ", ")))"
  }
}

extension SymbolForm: CustomStringConvertible {
  /// The description of the symbol.
  public var description: String {
    switch self {
    case .marker(let symbol): symbol.description
    case .picture(let symbol): symbol.description
    case .text(let symbol): symbol.description
    case .line(let symbol): symbol.description
    case .fill(let symbol): symbol.description
    case .vector, .pattern, .placed: words
    case .composite(let symbol): symbol.description
    }
  }
}

extension SymbolPicture: CustomStringConvertible {
  /// The size in pixels, such as `SymbolPicture(16x16)`.
  public var description: String { "SymbolPicture(\(width)x\(height))" }
}

extension SymbolReference: CustomStringConvertible {
  /// The symbol and its scale range.
  public var description: String { "\(symbol), \(properties)" }
}

extension SymbolReferenceProperties: CustomStringConvertible {
  /// The scale denominators between which the symbol is used, such as `scale 100000 to 5000`.
  public var description: String { ScaleText.range(minScale, maxScale) }
}

extension Color? {
  fileprivate var text: String { map(\.description) ?? "no color" }
}

extension SimpleLineSymbol? {
  fileprivate var text: String { map { ", outline \($0.words)" } ?? "" }
}

/// Scale ranges as text.
enum ScaleText {
  /// The scale denominators of a range, smallest scale first; 0 is open.
  static func range(_ minScale: Double, _ maxScale: Double) -> String {
    func end(_ scale: Double) -> String { scale == 0 ? "any" : JSONWriter.text(of: scale) }
    return "scale \(end(minScale)) to \(end(maxScale))"
  }
}
