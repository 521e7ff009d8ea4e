public import MapGeometry

extension SymbolForm {
  /// Returns the symbol of a layer without a renderer on light ground.
  ///
  /// - Source: design decision: one blue for all; points with an outline in a darker blue, which many points
  ///   in one place do not cover as a white one does; polygons translucent.
  public static func standard(for kind: GeometryKind) -> SymbolForm { standard(for: kind, on: .light) }

  /// Returns the symbol of a layer without a renderer: blue, and a lighter blue on dark ground.
  package static func standard(for kind: GeometryKind, on ground: GroundTone) -> SymbolForm {
    let (color, edge) =
      ground == .light
      ? (Color(red: 51, green: 105, blue: 173), Color(red: 27, green: 58, blue: 99))
      : (Color(red: 110, green: 178, blue: 240), Color(red: 29, green: 62, blue: 104))
    return switch kind {
    case .point, .multipoint:
      .marker(SimpleMarkerSymbol(color: color, outline: SimpleLineSymbol(color: edge, width: 0.75)))
    case .polyline: .line(SimpleLineSymbol(color: color, width: 2))
    case .polygon:
      .fill(
        SimpleFillSymbol(
          color: Color(red: color.red, green: color.green, blue: color.blue, alpha: 77),
          outline: SimpleLineSymbol(color: color, width: 1)))
    }
  }

  /// Returns the symbol with which geometries of a kind are drawn.
  ///
  /// Polygons show a symbol of points at their centre. Other symbols that do not suit the kind are replaced by the
  /// standard one.
  ///
  /// - Source: web map specification: polygons that are drawn with markers.
  package func shown(on kind: GeometryKind) -> SymbolForm {
    if suits(kind) { return self }
    guard kind == .polygon, suits(.point) else { return .standard(for: kind) }
    return .placed(PlacedMarkerSymbol(symbols: [symbol], placement: .center(.inside)))
  }

  /// Returns whether the symbol can draw geometries of a kind.
  public func suits(_ kind: GeometryKind) -> Bool {
    switch (self, kind) {
    case (.marker, .point), (.marker, .multipoint), (.line, .polyline), (.fill, .polygon): true
    case (.picture, .point), (.picture, .multipoint), (.text, .point), (.text, .multipoint): true
    case (.vector, .point), (.vector, .multipoint), (.pattern, .polygon): true
    case (.placed(let placed), .polyline): !placed.needsPolygon
    case (.placed, .polygon): true
    case (.composite(let composite), _):
      composite.parts.isEmpty || composite.parts.contains { $0.suits(kind) }
    // A line symbol draws the rings of a polygon.
    case (.line, .polygon): true
    default: false
    }
  }
}
