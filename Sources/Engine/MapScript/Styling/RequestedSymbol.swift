import MapDocuments
import MapJSON
public import MapModel
package import MapState

/// The symbol of plain data: a colour of the standard symbol, or a symbol or renderer in Esri's JSON.
public struct RequestedSymbol: Hashable, Sendable {
  /// The colour; nil for a symbol in JSON.
  let color: Color?
  /// The symbol or renderer; null for a colour.
  let json: JSONValue

  /// Whether the JSON is a renderer, which may read fields.
  var isRenderer: Bool {
    json["type"]?.string.map { !$0.hasPrefix("esri") && !$0.hasPrefix("CIM") } ?? false
  }

  private init(color: Color?, json: JSONValue) { (self.color, self.json) = (color, json) }

  /// Returns the renderer for a kind of geometries, with warnings of what is not drawn as the JSON asks.
  ///
  /// - Throws: `MapStateError` of kind input for JSON that is no symbol, or one that does not draw the geometries.
  func renderer(
    for kind: GeometryKind
  ) throws(MapStateError) -> (form: RendererForm, warnings: [String]) {
    if let color {
      let symbol = SymbolForm.standard(for: kind).colored(color).outlined(in: color.outline)
      return (.simple(SimpleRenderer(symbol: symbol.symbol)), [])
    }
    let renderer: JSONValue =
      json["type"]?.string?.hasPrefix("esri") ?? json["type"]?.string?.hasPrefix("CIM") ?? false
      ? ["type": "simple", "symbol": json] : json
    guard let document = DrawingDocument.webMap(renderer, data: "data") else {
      throw MapStateError(
        .input, "--symbol: is neither a symbol such as {\"type\":\"esriSMS\"} nor a renderer nor a colour")
    }
    let map: WebMap
    do { map = try WebMap(document) } catch {
      throw MapStateError(
        .input, "--symbol: \(error)", path: error.path.description, suggestion: error.suggestion)
    }
    guard let found = map.layers.first?.definition.renderer else {
      let reason = map.warnings.first.map { ": \($0.message)" } ?? ""
      throw MapStateError(.input, "--symbol: the symbol cannot be read\(reason)")
    }
    if case .simple(let simple) = found, !Self.draws(simple.symbol, kind) {
      throw MapStateError(
        .input, "--symbol: a \(Self.name(simple.symbol)) does not draw a \(kind.rawValue)")
    }
    return (found, map.warnings.map { "--symbol: \($0.message)" })
  }

  /// The symbol that classes of colours are made of; nil for a renderer with classes, and for a colour, which is that of
  /// the standard symbol.
  func base(for kind: GeometryKind) throws(MapStateError) -> SymbolForm? {
    guard color == nil, case .simple(let simple) = try renderer(for: kind).form else { return nil }
    return simple.symbol
  }

  /// The opacity of the colour that those of classes replace, 0 to 1; nil for a symbol without one.
  func alpha(for kind: GeometryKind) throws(MapStateError) -> Double? {
    if let color { return Double(color.alpha) / 255 }
    let replaced: Color? =
      switch try base(for: kind) {
      case .marker(let marker): marker.color
      case .line(let line): line.color
      case .fill(let fill): fill.color
      default: nil
      }
    return replaced.map { Double($0.alpha) / 255 }
  }

  /// A warning if classes of colours leave nothing of the symbol; else nil.
  var warningBesideClasses: String? {
    guard let color, color.alpha == 255 else { return nil }
    return "--symbol has no effect: --color-by replaces its colour"
  }

  private static func draws(_ symbol: SymbolForm, _ kind: GeometryKind) -> Bool {
    switch symbol {
    case .marker, .picture, .text, .vector: kind.isPoints
    case .line: kind == .polyline || kind == .polygon
    case .fill, .pattern: kind == .polygon
    case .placed, .composite: true
    }
  }

  private static func name(_ symbol: SymbolForm) -> String {
    switch symbol {
    case .marker, .picture, .text, .vector, .placed: "marker"
    case .line: "line"
    case .fill, .pattern: "fill"
    case .composite: "symbol of several layers"
    }
  }
}

extension RequestedSymbol: RequestText {
  /// Reads a colour, or a symbol or renderer as JSON.
  package init(text: String) throws(MapStateError) {
    if text.drop(while: \.isWhitespace).first == "{" {
      do { self.init(color: nil, json: try JSONValue(parsing: Array(text.utf8))) } catch {
        throw MapStateError(.usage, "the symbol is not JSON: \(error)")
      }
      return
    }
    guard let color = Color(text: text) else {
      throw MapStateError(
        .usage,
        "\"\(text)\" is neither a colour, such as #d94701 or orange, nor a symbol as JSON, such as "
          + "{\"type\":\"esriSMS\",\"style\":\"esriSMSCircle\",\"color\":[217,71,1,255],\"size\":6}")
    }
    self.init(color: color, json: .null)
  }

  /// Reads the text form, or a symbol or renderer.
  init(_ node: JSONNode) throws {
    guard node.value.string == nil else {
      try self.init(text: node.string())
      return
    }
    _ = try node.object()
    self.init(color: nil, json: node.value)
  }
}

extension SymbolForm {
  /// The symbol with an outline in a colour if it is a marker or a fill.
  fileprivate func outlined(in color: Color) -> SymbolForm {
    switch self {
    case .marker(var marker):
      marker.outline?.color = color
      return .marker(marker)
    case .fill(var fill):
      fill.outline?.color = color
      return .fill(fill)
    default: return self
    }
  }
}

/// A colour, or none.
public struct RequestedColor: Hashable, Sendable {
  /// The colour; nil for none.
  public var color: Color?

  /// Creates a colour; nil is none.
  public init(_ color: Color?) { self.color = color }
}

extension RequestedColor: RequestText {
  /// Reads a colour, or `none`.
  package init(text: String) throws(MapStateError) { self.init(try DrawingRequest.background(text: text)) }
}
