import MapGeometry
import MapModel

/// The symbolizers of points, lines and areas.
///
/// - Source: OGC 05-077r4, clause 11; OGC 02-070, clause 11.
extension SLDMapping {
  private static let common: Set<String> = [
    "Name", "Description", "BaseSymbolizer", "Geometry", "VendorOption",
  ]

  /// The vendor options of symbolizers that change only labels or have no effect here.
  private static let undrawnOptions = [
    "composite": "the symbols are drawn one over the other",
    "composite-base": "the symbols are drawn one over the other",
    "labelObstacle": "all markers keep labels away",
    "random": "the marks are in a regular grid", "random-seed": "the marks are in a regular grid",
    "random-tile-size": "the marks are in a regular grid",
    "random-rotation": "the marks are in a regular grid",
    "random-symbol-count": "the marks are in a regular grid",
    "random-space-around": "the marks are in a regular grid",
    "fallbackOnDefaultMark": "an image that cannot be read is not replaced",
    "markAlongLine": "the marks are along the line", "markAlongLineScaleLimit": "the marks are not scaled",
    "markAlongLineJoinStyle": "the marks are not joined",
  ]

  /// Reads a symbolizer other than that of text; empty after a note.
  mutating func parts(_ element: SLDElement) -> [SLDPart] {
    let unit = unit(of: element)
    if let base = element["BaseSymbolizer"] { note(base, "symbolizers of other documents are not read") }
    switch element.name {
    case "PointSymbolizer": return pointParts(element, unit)
    case "LineSymbolizer": return lineParts(element, unit)
    case "PolygonSymbolizer": return polygonParts(element, unit)
    case "RasterSymbolizer": note(element, "images are not drawn by styles")
    default: note(element, "unknown symbolizer" + nearestName(element.name, Self.symbolizers))
    }
    return []
  }

  // MARK: Points

  private mutating func pointParts(_ element: SLDElement, _ unit: Unit) -> [SLDPart] {
    check(element, Self.common.union(["Graphic"]))
    _ = vendorOptions(element, drawn: ["inclusion"], undrawn: Self.undrawnOptions)
    guard let graphic = element["Graphic"] else {
      note(element, "has no Graphic")
      return []
    }
    guard let part = self.graphic(graphic, unit) else { return [] }
    let function = element["Geometry"]?["Function"]?.attributes["name"]
    let rotation = graphic["Rotation"]?["Function"]?.attributes["name"]
    let follows = rotation == "startAngle" || rotation == "endAngle"
    let placement: PlacedMarkerSymbol.Placement
    switch (kind, function) {
    case (.point?, _), (.multipoint?, _), (nil, _):
      if let own = element["Geometry"], function != nil {
        note(own, "the point itself is used", .approximated)
      }
      return [part]
    case (_, "vertices"?): placement = .vertices(inner: true, ends: true)
    case (.polyline?, "startPoint"?): placement = .ends(.begin, distance: 0)
    case (.polyline?, "endPoint"?): placement = .ends(.end, distance: 0)
    case (.polyline?, _):
      if let function, function != "centroid", function != "interiorPoint", let own = element["Geometry"] {
        note(
          own, "the middle of the line is used: \"\(function.prefix(60))\" is not evaluated", .approximated)
      }
      placement = .onLine(.middle, distance: 0)
    case (.polygon?, "centroid"?): placement = .center(.mass)
    case (.polygon?, _):
      if let function, function != "interiorPoint", let own = element["Geometry"] {
        note(own, "a point in the area is used: \"\(function.prefix(60))\" is not evaluated", .approximated)
      }
      placement = .center(.inside)
    }
    if rotation == "startAngle", let own = graphic["Rotation"] {
      note(own, "the marker points out of the line", .approximated)
    }
    return [placed([part], placement, followsLine: follows)]
  }

  private func placed(
    _ parts: [SLDPart], _ placement: PlacedMarkerSymbol.Placement, followsLine: Bool, offset: Double = 0
  ) -> SLDPart {
    let symbol = PlacedMarkerSymbol(
      symbols: parts.map(\.form.symbol), placement: placement, followsLine: followsLine, offset: offset)
    return SLDPart(form: .placed(symbol), decided: parts.flatMap(\.decided))
  }

  // MARK: Lines

  private mutating func lineParts(_ element: SLDElement, _ unit: Unit) -> [SLDPart] {
    check(element, Self.common.union(["Stroke", "PerpendicularOffset"]))
    let options = vendorOptions(element, drawn: ["inclusion", "placement"], undrawn: Self.undrawnOptions)
    guard kind == nil || kind == .polyline || kind == .polygon else {
      note(element, "points have no lines")
      return []
    }
    if let geometry = element["Geometry"], geometry["Function"] != nil {
      note(geometry, "the geometry itself is used", .approximated)
    }
    let offset = fixed(element["PerpendicularOffset"], unit)
    guard let stroke = element["Stroke"] else {
      note(element, "has no Stroke")
      return []
    }
    if let graphics = stroke["GraphicStroke"] {
      return graphicStroke(graphics, stroke, unit, offset, options["placement"])
    }
    var part = self.stroke(stroke, unit)
    if offset != 0, case .line(var line) = part.form {
      line.effects = [.offset(offset, corners: .mitered)]
      part.form = .line(line)
    }
    return [part]
  }

  /// Returns the places of the option of QGIS; nil without it, and after a note.
  private mutating func placement(_ option: SLDElement?) -> PlacedMarkerSymbol.Placement? {
    guard let option else { return nil }
    switch option.text {
    case "firstPoint": return .ends(.begin, distance: 0)
    case "lastPoint": return .ends(.end, distance: 0)
    case "centralPoint": return .onLine(.middle, distance: 0)
    case "vertex": return .vertices(inner: true, ends: true)
    default:
      note(option, "the marks are along the line", .approximated)
      return nil
    }
  }

  /// Returns graphics along a line.
  private mutating func graphicStroke(
    _ element: SLDElement, _ stroke: SLDElement, _ unit: Unit, _ offset: Double, _ option: SLDElement?
  ) -> [SLDPart] {
    check(element, ["Graphic", "Gap", "InitialGap"])
    check(stroke, Self.strokeElements)
    let values = parameters(stroke, Self.strokeNames)
    guard let graphic = element["Graphic"], let part = self.graphic(graphic, unit, isFixed: unit != .pixel)
    else {
      if element["Graphic"] == nil { note(element, "has no Graphic") }
      return []
    }
    if let placement = placement(option) {
      return [placed([part], placement, followsLine: true, offset: offset)]
    }
    let size = max(
      {
        if case .picture(let picture) = part.form {
          picture.drawnSize?.width ?? 16
        } else {
          part.form.ownSize ?? 6
        }
      }(),
      1)
    // GeoServer draws a graphic in each dash.
    let dashes = self.dashes(values["stroke-dasharray"], unit)
    let gap = fixed(element["Gap"], unit)
    let step = dashes.isEmpty ? size + gap : dashes.reduce(0, +)
    let shift = fixed(values["stroke-dashoffset"], unit)
    let start = fixed(element["InitialGap"], unit) + (dashes.first ?? size) / 2 - shift
    return [
      placed(
        [part], .alongLine(distances: [max(step, 1)], ending: .none, start: start), followsLine: true,
        offset: offset)
    ]
  }

  // MARK: Areas

  private mutating func polygonParts(_ element: SLDElement, _ unit: Unit) -> [SLDPart] {
    check(element, Self.common.union(["Fill", "Stroke", "PerpendicularOffset", "Displacement"]))
    let options = vendorOptions(
      element, drawn: ["graphic-margin", "distance", "inclusion", "placement"], undrawn: Self.undrawnOptions)
    guard kind == nil || kind == .polygon else {
      note(element, "only areas are filled")
      return []
    }
    if let geometry = element["Geometry"], geometry["Function"] != nil {
      note(geometry, "the geometry itself is used", .approximated)
    }
    if let displacement = element["Displacement"] { note(displacement, "areas keep their place") }
    var parts: [SLDPart] = []
    if let own = element["Fill"] {
      let fill = self.fill(own)
      if let graphic = fill.graphic {
        parts += graphicFill(graphic, options, unit)
      } else {
        let symbol = SimpleFillSymbol(color: fill.color.value(or: .fillOfStyles))
        let decided = fill.color.expression.map { [SLDPart.Decided(property: .color, expression: $0)] } ?? []
        parts.append(SLDPart(form: .fill(symbol), decided: decided))
      }
    }
    let offset = fixed(element["PerpendicularOffset"], unit)
    if offset != 0, let own = element["PerpendicularOffset"], element["Fill"] != nil {
      note(own, "the outline is offset, and the fill is not", .approximated)
    }
    guard let own = element["Stroke"] else { return parts }
    if let graphics = own["GraphicStroke"] {
      return parts + graphicStroke(graphics, own, unit, offset, options["placement"])
    }
    var outline = stroke(own, unit)
    guard case .line(var line) = outline.form else { return parts }
    if offset != 0 { line.effects = [.offset(offset, corners: .mitered)] }
    if outline.decided.isEmpty, parts.count == 1, parts[0].decided.isEmpty,
      case .fill(var fill) = parts[0].form
    {
      fill.outline = line
      return [SLDPart(form: .fill(fill))]
    }
    outline.form = .line(line)
    return parts + [outline]
  }

  /// Returns the patterns of an area.
  private mutating func graphicFill(
    _ element: SLDElement, _ options: [String: SLDElement], _ unit: Unit
  ) -> [SLDPart] {
    check(element, ["Graphic"])
    guard let graphic = element["Graphic"] else {
      note(element, "has no Graphic")
      return []
    }
    let name = graphic["Mark"]?.text("WellKnownName") ?? ""
    if graphic["ExternalGraphic"] == nil, let hatch = SLDMark.hatch(name), let mark = graphic["Mark"] {
      for option in [options["graphic-margin"], options["distance"]].compactMap({ $0 }) {
        note(option, "the lines of a hatch have the distance of their size", .approximated)
      }
      return self.hatch(graphic, mark, hatch, unit)
    }
    guard let part = self.graphic(graphic, unit, isFixed: true) else { return [] }
    if !part.decided.isEmpty {
      note(graphic, "a pattern is the same for all features", .approximated)
    }
    switch part.form {
    case .picture(let picture):
      let size = picture.drawnSize ?? (16, 16)
      let step = step(options, size.width, size.height)
      let isGapless = step == (size.width, size.height)
      let tile = isGapless ? nil : try? picture.tile(stepX: step.x, stepY: step.y, shifts: false)
      return [SLDPart(form: .pattern(PatternFillSymbol(pattern: .picture(tile ?? picture))))]
    case .marker(let marker): return [pattern(marker.asVector, step(options, marker.size, marker.size))]
    case .vector(let vector): return [pattern(vector, step(options, vector.size, vector.size))]
    default: return []
    }
  }

  private func pattern(_ marker: VectorMarkerSymbol, _ step: (x: Double, y: Double)) -> SLDPart {
    let fill = PatternFillSymbol(
      pattern: .markers(marker, stepX: max(step.x, 1), stepY: max(step.y, 1), shifts: false))
    return SLDPart(form: .pattern(fill))
  }

  /// Returns the distances of the graphics of a pattern: those of QGIS's option, or the size with GeoServer's margins.
  private mutating func step(
    _ options: [String: SLDElement], _ width: Double, _ height: Double
  ) -> (x: Double, y: Double) {
    if let option = options["distance"] {
      let numbers = lengths(option)
      if numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) { return (numbers[0], numbers[1]) }
      note(option, "2 lengths are expected")
    }
    guard let option = options["graphic-margin"] else { return (width, height) }
    // Top, right, bottom and left, as in style sheets.
    let numbers = lengths(option)
    switch numbers.count {
    case 1: return (width + 2 * numbers[0], height + 2 * numbers[0])
    case 2: return (width + 2 * numbers[1], height + 2 * numbers[0])
    case 3: return (width + 2 * numbers[1], height + numbers[0] + numbers[2])
    case 4: return (width + numbers[1] + numbers[3], height + numbers[0] + numbers[2])
    default:
      note(option, "1 to 4 lengths are expected")
      return (width, height)
    }
  }

  private func lengths(_ element: SLDElement) -> [Double] {
    element.text.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
      .filter { (0...1000).contains($0) }
  }

  private mutating func hatch(
    _ graphic: SLDElement, _ mark: SLDElement, _ hatch: (angles: [Double], spacing: Double), _ unit: Unit
  ) -> [SLDPart] {
    check(graphic, Self.graphicNames)
    let size = fixed(graphic["Size"], unit, or: 6)
    let opacity = fixedNumber(graphic["Opacity"], or: 1)
    let turn = fixedNumber(graphic["Rotation"], or: 0)
    if let own = graphic["Displacement"] {
      let moves = [own["DisplacementX"], own["DisplacementY"]].map { fixed($0, unit) }
      if moves != [0, 0] { note(own, "the lines of a hatch are not moved", .approximated) }
    }
    check(mark, Self.markNames)
    var line = SimpleLineSymbol(color: .black)
    if let own = mark["Stroke"] {
      let part = stroke(own, unit, opacity: opacity, isFixed: true)
      if case .line(let found) = part.form { line = found }
      if !part.decided.isEmpty { note(own, "a pattern is the same for all features", .approximated) }
      if !line.dashTemplate.isEmpty { note(own, "the lines of patterns are solid", .approximated) }
      line.dashTemplate = []
    } else if let own = mark["Fill"] {
      let color = fill(own, opacity: opacity).color
      if color.expression != nil { note(own, "a pattern is the same for all features", .approximated) }
      line.color = color.value(or: .black)
    }
    return hatch.angles.map { angle in
      let fill = PatternFillSymbol(
        pattern: .lines(line, separation: max(size * hatch.spacing, 1), angle: angle - turn))
      return SLDPart(form: .pattern(fill))
    }
  }
}

extension SimpleMarkerSymbol {
  /// The circle or square as shapes.
  fileprivate var asVector: VectorMarkerSymbol {
    let parts = (SLDMark(style.rawValue)?.parts ?? []).map { part in
      part.map { VectorMarkerSymbol.Vertex(x: $0.x * size, y: $0.y * size) }
    }
    var vector = VectorMarkerSymbol(
      shapes: [.init(parts: parts, color: color, outline: outline)], size: size)
    (vector.angle, vector.offsetX, vector.offsetY) = (angle, offsetX, offsetY)
    return vector
  }
}
