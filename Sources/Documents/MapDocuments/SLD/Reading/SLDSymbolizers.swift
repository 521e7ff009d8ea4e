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
    var unit = Unit.pixel
    if let text = element.attributes["uom"] {
      if let found = Unit(text) {
        unit = found
      } else {
        note(element, "the unit \"\(text)\" is pixels", .approximated)
      }
    }
    if let base = element["BaseSymbolizer"] { note(base, "symbolizers of other documents are not read") }
    switch element.name {
    case "PointSymbolizer": return pointParts(element, unit)
    case "LineSymbolizer": return lineParts(element, unit)
    case "PolygonSymbolizer": return polygonParts(element, unit)
    case "RasterSymbolizer": note(element, "images are not drawn by styles")
    default: note(element, "unknown symbolizer" + nearestName(element.name, SLDStyle.symbolizers))
    }
    return []
  }

  // MARK: Points

  private mutating func pointParts(_ element: SLDElement, _ unit: Unit) -> [SLDPart] {
    check(element, Self.common.union(["Graphic"]))
    _ = vendorOptions(element, drawn: [], undrawn: Self.undrawnOptions)
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
    _ = vendorOptions(element, drawn: [], undrawn: Self.undrawnOptions)
    guard kind == nil || kind == .polyline || kind == .polygon else {
      note(element, "points have no lines")
      return []
    }
    if let geometry = element["Geometry"], geometry["Function"] != nil {
      note(geometry, "the geometry itself is used", .approximated)
    }
    let offset = self.offset(element["PerpendicularOffset"], unit)
    guard let stroke = element["Stroke"] else {
      note(element, "has no Stroke")
      return []
    }
    var part = self.stroke(stroke, unit)
    if let graphics = stroke["GraphicStroke"] { return graphicStroke(graphics, stroke, unit, offset) }
    if offset != 0, case .line(var line) = part.form {
      line.effects = [.offset(offset, corners: .mitered)]
      part.form = .line(line)
    }
    return [part]
  }

  private mutating func offset(_ element: SLDElement?, _ unit: Unit) -> Double {
    guard let element, let number = length(element, unit) else { return 0 }
    guard case .constant(let offset) = number else {
      note(element, "an offset that features or the scale decide is 0")
      return 0
    }
    return offset
  }

  /// Returns graphics along a line.
  private mutating func graphicStroke(
    _ element: SLDElement, _ stroke: SLDElement, _ unit: Unit, _ offset: Double
  ) -> [SLDPart] {
    check(element, ["Graphic", "Gap", "InitialGap"])
    guard let graphic = element["Graphic"], let part = self.graphic(graphic, unit) else { return [] }
    func constant(_ element: SLDElement?) -> Double? {
      guard case .constant(let value)? = length(element, unit) else { return nil }
      return value
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
    let values = parameters(
      stroke,
      [
        "stroke-dasharray", "stroke-dashoffset", "stroke", "stroke-width", "stroke-opacity",
        "stroke-linejoin", "stroke-linecap",
      ])
    let dashes = self.dashes(values["stroke-dasharray"], unit)
    let step = dashes.isEmpty ? size + (constant(element["Gap"]) ?? 0) : dashes.reduce(0, +)
    let shift = constant(values["stroke-dashoffset"]) ?? 0
    let start = (constant(element["InitialGap"]) ?? 0) + (dashes.first ?? size) / 2 - shift
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
      element, drawn: ["graphic-margin"], undrawn: Self.undrawnOptions)
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
        parts += graphicFill(graphic, options["graphic-margin"], unit)
      } else {
        let symbol = SimpleFillSymbol(color: fill.color.value(or: .black))
        let decided = fill.color.expression.map { [SLDPart.Decided(property: .color, expression: $0)] } ?? []
        parts.append(SLDPart(form: .fill(symbol), decided: decided))
      }
    }
    let offset = self.offset(element["PerpendicularOffset"], unit)
    if offset != 0, let own = element["PerpendicularOffset"], element["Fill"] != nil {
      note(own, "the outline is offset, and the fill is not", .approximated)
    }
    guard let own = element["Stroke"] else { return parts }
    var outline = stroke(own, unit)
    if let graphics = own["GraphicStroke"] { return parts + graphicStroke(graphics, own, unit, offset) }
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
    _ element: SLDElement, _ margin: SLDElement?, _ unit: Unit
  ) -> [SLDPart] {
    check(element, ["Graphic"])
    guard let graphic = element["Graphic"] else {
      note(element, "has no Graphic")
      return []
    }
    let name = graphic["Mark"]?.text("WellKnownName") ?? ""
    if graphic["ExternalGraphic"] == nil, let hatch = SLDMark.hatch(name), let mark = graphic["Mark"] {
      return self.hatch(graphic, mark, hatch, unit)
    }
    guard let part = self.graphic(graphic, unit) else { return [] }
    if !part.decided.isEmpty {
      note(graphic, "a pattern is the same for all features", .approximated)
    }
    let gaps = margins(margin)
    switch part.form {
    case .picture(let picture):
      guard gaps != [0, 0, 0, 0], let size = picture.drawnSize else {
        return [SLDPart(form: .pattern(PatternFillSymbol(pattern: .picture(picture))))]
      }
      let tile = try? picture.tile(
        stepX: size.width + gaps[1] + gaps[3], stepY: size.height + gaps[0] + gaps[2], shifts: false)
      return [SLDPart(form: .pattern(PatternFillSymbol(pattern: .picture(tile ?? picture))))]
    case .marker(let marker): return [pattern(marker.asVector, marker.size, gaps)]
    case .vector(let vector): return [pattern(vector, vector.size, gaps)]
    default: return []
    }
  }

  private func pattern(_ marker: VectorMarkerSymbol, _ size: Double, _ gaps: [Double]) -> SLDPart {
    let fill = PatternFillSymbol(
      pattern: .markers(
        marker, stepX: max(size + gaps[1] + gaps[3], 1), stepY: max(size + gaps[0] + gaps[2], 1),
        shifts: false))
    return SLDPart(form: .pattern(fill))
  }

  /// Reads margins around a graphic: top, right, bottom and left, as in style sheets.
  private mutating func margins(_ element: SLDElement?) -> [Double] {
    guard let element else { return [0, 0, 0, 0] }
    let numbers = element.text.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
      .filter { (0...1000).contains($0) }
    switch numbers.count {
    case 1: return [numbers[0], numbers[0], numbers[0], numbers[0]]
    case 2: return [numbers[0], numbers[1], numbers[0], numbers[1]]
    case 3: return [numbers[0], numbers[1], numbers[2], numbers[1]]
    case 4: return numbers
    default:
      note(element, "1 to 4 lengths are expected")
      return [0, 0, 0, 0]
    }
  }

  private mutating func hatch(
    _ graphic: SLDElement, _ mark: SLDElement, _ hatch: (angles: [Double], spacing: Double), _ unit: Unit
  ) -> [SLDPart] {
    check(graphic, Self.graphicNames)
    let size = length(graphic["Size"], unit) ?? .constant(6)
    if case .arcade = size, let own = graphic["Size"] {
      note(own, "a pattern is the same for all features and scales", .approximated)
    }
    let opacity = number(graphic["Opacity"])?.value(or: 1) ?? 1
    let turn = number(graphic["Rotation"])?.value(or: 0) ?? 0
    var line = SimpleLineSymbol(color: .black)
    if let own = mark["Stroke"] {
      let part = stroke(own, unit, opacity: opacity)
      if case .line(let found) = part.form { line = found }
      if !line.dashTemplate.isEmpty { note(own, "the lines of patterns are solid", .approximated) }
      line.dashTemplate = []
    } else if let own = mark["Fill"] {
      line.color = fill(own, opacity: opacity).color.value(or: .black)
    }
    return hatch.angles.map { angle in
      let fill = PatternFillSymbol(
        pattern: .lines(line, separation: max(size.value(or: 8) * hatch.spacing, 1), angle: angle - turn))
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
