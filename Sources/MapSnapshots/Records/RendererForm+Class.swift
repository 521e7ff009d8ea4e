import MapModel

extension RendererForm {
  /// Returns the renderer with only one of its classes, -1 for its default symbol; nil if there is no such class.
  ///
  /// The features of other classes are not drawn. For the default symbol, they are drawn with transparent symbols.
  func showing(onlyClass index: Int) -> (any Renderer)? {
    guard index == -1 ? defaultSymbol != nil : classSymbols.indices.contains(index) else { return nil }
    switch self {
    case .simple(let renderer): return renderer
    case .uniqueValue(var renderer):
      if index == -1 {
        for own in renderer.uniqueValues.indices {
          renderer.uniqueValues[own].symbol.clear()
          renderer.uniqueValues[own].alternateSymbols = []
        }
      } else {
        var only = renderer.uniqueValues[index]
        // A value belongs to the first class that contains it.
        let taken = Set(renderer.uniqueValues[..<index].flatMap(\.values))
        only.values.removeAll { taken.contains($0) }
        renderer.uniqueValues = [only]
        renderer.defaultSymbol = nil
      }
      return renderer
    case .classBreaks(var renderer):
      if index == -1 {
        for own in renderer.classBreaks.indices { renderer.classBreaks[own].symbol.clear() }
      } else {
        let only = renderer.classBreaks[index]
        renderer.includesLowestMinimum =
          renderer.includesLowestMinimum && renderer.classBreaks.allSatisfy { $0.minimum >= only.minimum }
        renderer.classBreaks = [only]
        renderer.defaultSymbol = nil
      }
      return renderer
    }
  }
}

extension SymbolForm {
  /// Makes the symbol completely transparent.
  fileprivate mutating func clear() {
    switch self {
    case .marker(var symbol):
      (symbol.color, symbol.outline) = (nil, nil)
      self = .marker(symbol)
    case .picture(var symbol):
      symbol.opacity = 0
      self = .picture(symbol)
    case .text(var symbol):
      (symbol.color, symbol.haloColor) = (nil, nil)
      (symbol.backgroundColor, symbol.outlineColor) = (nil, nil)
      self = .text(symbol)
    case .line(var symbol):
      symbol.color = nil
      self = .line(symbol)
    case .fill(var symbol):
      (symbol.color, symbol.outline) = (nil, nil)
      self = .fill(symbol)
    case .vector(let symbol): self = .vector(symbol.recolored { $0.clear })
    case .pattern(let symbol): self = .pattern(symbol.recolored { $0.clear })
    case .composite(var symbol):
      for index in symbol.parts.indices { symbol.parts[index].clear() }
      self = .composite(symbol)
    }
  }
}

extension Color {
  /// The colour, completely transparent.
  fileprivate var clear: Color { Color(red: red, green: green, blue: blue, alpha: 0) }
}
