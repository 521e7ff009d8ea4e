extension RendererForm {
  /// Returns the renderer for selected features: the same shapes and sizes in one colour.
  ///
  /// Points of a heat map become circles of 8 pixels, areas with dots get an outline, and pie charts become circles.
  package func selected(in color: Color) -> RendererForm {
    var changed = mapSymbols { $0.selected(in: color) }
    switch changed {
    case .simple, .rules: break
    case .uniqueValue(var renderer):
      renderer.backgroundFill = nil
      changed = .uniqueValue(renderer)
    case .classBreaks(var renderer):
      renderer.backgroundFill = nil
      changed = .classBreaks(renderer)
    case .heatmap:
      changed = .simple(SimpleRenderer(form: .marker(SimpleMarkerSymbol(color: color))))
    case .pieChart(let renderer):
      let circle = SimpleMarkerSymbol(style: .circle, color: color, size: renderer.size)
      changed = RendererForm.simple(SimpleRenderer(form: .marker(circle))).with(renderer.visualVariables)
    case .dotDensity(let renderer):
      changed = .simple(SimpleRenderer(form: renderer.symbol.selected(in: color)))
    }
    var variables = changed.visualVariables
    (variables.color, variables.transparency, variables.outlineWidth) = (nil, nil, nil)
    return changed.with(variables)
  }
}

extension PatternFillSymbol {
  /// Returns lines and markers in one colour; images and gradients get an outline of it.
  fileprivate func selected(in color: Color) -> PatternFillSymbol {
    switch pattern {
    case .lines, .markers: return recolored { _ in color }
    case .picture, .gradient:
      var selected = self
      selected.outline = SimpleLineSymbol(color: color, width: max(outline?.width ?? 0, 2))
      return selected
    }
  }
}

extension SymbolForm {
  /// Returns the symbol in one colour.
  ///
  /// Markers, text and lines take the colour. Polygons get an outline of at least 2 pixels, which leaves their inside
  /// visible. Images get a frame of 2 pixels.
  ///
  /// - Source: design decision; the ArcGIS Maps SDK draws a halo in its selection colour.
  func selected(in color: Color) -> SymbolForm {
    switch self {
    case .marker(var marker):
      if marker.color != nil { marker.color = color }
      marker.outline?.color = color
      if marker.color == nil, marker.outline == nil { marker.outline = SimpleLineSymbol(color: color) }
      return .marker(marker)
    case .picture(var picture):
      picture.frame = SimpleLineSymbol(color: color, width: 2)
      return .picture(picture)
    case .text(var text):
      text.color = color
      return .text(text)
    case .line(var line):
      line.color = color
      return .line(line)
    case .fill(var fill):
      var outline = fill.outline ?? SimpleLineSymbol()
      (outline.color, outline.width) = (color, max(outline.width, 2))
      (fill.style, fill.color, fill.outline) = (.solid, nil, outline)
      return .fill(fill)
    case .vector(let vector): return .vector(vector.recolored { _ in color })
    case .pattern(let pattern): return .pattern(pattern.selected(in: color))
    case .placed(let placed): return .placed(placed.mapParts { $0.selected(in: color) })
    case .composite(var composite):
      composite.parts = composite.parts.map { $0.selected(in: color) }
      return .composite(composite)
    }
  }
}
