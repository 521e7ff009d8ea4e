public import MapGeometry

extension SymbolForm {
  /// Returns the symbol of a layer without a renderer on light ground.
  ///
  /// - Source: design decision: one blue for all; points with an outline in a darker blue, which many points
  ///   in one place do not cover as a white one does; polygons translucent.
  public static func standard(for kind: GeometryKind) -> SymbolForm { standard(for: kind, on: .light) }

  /// Returns the symbol of a layer without a renderer: blue, and a lighter blue on dark ground.
  package static func standard(for kind: GeometryKind, on ground: GroundTone) -> SymbolForm {
    let (color, edge) = standardColors(on: ground)[0]
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

  /// Returns the colours of standard symbols with those of the outlines of their markers: the usual one, and then those over
  /// areas of nearly that colour.
  private static func standardColors(on ground: GroundTone) -> [(color: Color, edge: Color)] {
    ground == .light
      ? [
        (Color(red: 51, green: 105, blue: 173), Color(red: 27, green: 58, blue: 99)),
        (Color(red: 217, green: 95, blue: 2), Color(red: 124, green: 52, blue: 0)),
        (Color(red: 122, green: 61, blue: 150), Color(red: 68, green: 33, blue: 84)),
      ]
      : [
        (Color(red: 110, green: 178, blue: 240), Color(red: 29, green: 62, blue: 104)),
        (Color(red: 255, green: 150, blue: 70), Color(red: 112, green: 56, blue: 10)),
        (Color(red: 214, green: 140, blue: 255), Color(red: 84, green: 40, blue: 110)),
      ]
  }

  /// The least difference CIEDE2000 between a standard symbol and the areas below it.
  ///
  /// - Source: design decision; colours of neighbouring classes differ by about 15.
  private static let leastDifference = 15.0

  /// Returns a standard symbol in a colour that differs from those of areas below it.
  func differing(from areas: [Color], on ground: GroundTone) -> SymbolForm {
    let all = Self.standardColors(on: ground)
    func difference(_ color: Color) -> Double {
      areas.map { color.difference(to: $0) }.min() ?? .infinity
    }
    guard difference(all[0].color) < Self.leastDifference,
      let found = all.first(where: { difference($0.color) >= Self.leastDifference })
        ?? all.max(by: { difference($0.color) < difference($1.color) })
    else { return self }
    switch self {
    case .marker(var marker):
      marker.color = found.color
      if marker.outline?.color == all[0].edge { marker.outline?.color = found.edge }
      return .marker(marker)
    case .line(var line):
      line.color = found.color
      return .line(line)
    case .fill(var fill):
      fill.color = found.color.withAlphaComponent(Double(fill.color?.alpha ?? 255) / 255)
      fill.outline?.color = found.color
      return .fill(fill)
    default: return self
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

  /// Returns the symbol with which a rule draws geometries of a kind; nil if no part of it suits them.
  ///
  /// Markers are at the centres of polygons and at the middles of lines, also beside other parts of a composite symbol.
  ///
  /// - Source: Symbology Encoding 1.1, 11.3: a representative point of lines and areas.
  package func ofRule(on kind: GeometryKind) -> SymbolForm? {
    if case .composite(var composite) = self {
      // A part that suits nothing stays where it is, because overrides refer to parts by their index.
      composite.parts = composite.parts.map { $0.ofRule(on: kind) ?? $0 }
      let form = SymbolForm.composite(composite)
      return form.suits(kind) ? form : nil
    }
    if suits(kind) { return self }
    guard suits(.point) else { return nil }
    switch kind {
    case .polygon: return shown(on: kind)
    case .polyline:
      return .placed(
        PlacedMarkerSymbol(symbols: [symbol], placement: .onLine(.middle, distance: 0), followsLine: false))
    case .point, .multipoint: return nil
    }
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
