import MapModel
import MapSystem

/// Symbols as elements of Symbology Encoding 1.1, with the reasons for losses.
struct SLDSymbolText {
  private(set) var text = SLDText()
  /// The parts that are written in another way, or not at all.
  private(set) var losses: [(reason: String, outcome: DocumentOutcome)] = []

  private mutating func lose(_ reason: String, _ outcome: DocumentOutcome = .dropped) {
    losses.append((reason, outcome))
  }

  /// Adds the symbolizers of a symbol.
  mutating func add(_ symbol: SymbolForm) {
    if !symbol.overrides.isEmpty { lose("properties that features decide have one value", .approximated) }
    for part in symbol.simpleParts { addPart(part) }
  }

  private mutating func addPart(_ part: SymbolForm) {
    switch part {
    case .line(let line): addLine(line)
    case .fill(let fill): addFill(fill)
    case .pattern(let pattern): addPattern(pattern)
    case .placed(let placed): addPlaced(placed)
    case .text: lose("texts as symbols are not written")
    case .marker, .picture, .vector:
      guard let graphic = graphic(part) else { return }
      text.element("se:PointSymbolizer") { $0.append(graphic) }
    case .composite: break
    }
  }

  // MARK: Graphics

  /// Returns the element `Graphic` of a marker; nil after a loss.
  private mutating func graphic(_ part: SymbolForm) -> SLDText? {
    switch part {
    case .marker(let marker): return mark(marker)
    case .vector(let vector): return mark(vector)
    case .picture(let picture): return image(picture)
    default:
      lose("a marker of texts is not written")
      return nil
    }
  }

  private static func frame(
    _ content: SLDText, opacity: Double = 1, size: Double, angle: Double,
    anchor: (x: Double, y: Double) = (0.5, 0.5),
    offset: (x: Double, y: Double)
  ) -> SLDText {
    var text = SLDText()
    text.element("se:Graphic") { text in
      text.append(content)
      if opacity < 1 { text.element("se:Opacity", number: opacity) }
      text.element("se:Size", number: size)
      if angle != 0 { text.element("se:Rotation", number: angle) }
      if anchor != (0.5, 0.5) {
        text.element("se:AnchorPoint") { text in
          text.element("se:AnchorPointX", number: anchor.x)
          text.element("se:AnchorPointY", number: anchor.y)
        }
      }
      if offset != (0, 0) {
        text.element("se:Displacement") { text in
          text.element("se:DisplacementX", number: offset.x)
          text.element("se:DisplacementY", number: offset.y)
        }
      }
    }
    return text
  }

  private mutating func mark(_ marker: SimpleMarkerSymbol) -> SLDText {
    var (name, size, angle) = (marker.style.rawValue, marker.size, marker.angle)
    var (color, outline) = (marker.color, marker.outline)
    switch marker.style {
    case .circle, .square: break
    case .diamond: (name, size, angle) = ("square", marker.size / 2.0.squareRoot(), marker.angle + 45)
    case .triangle: lose("a triangle is in the middle of its frame", .approximated)
    case .cross, .x:
      name = marker.style == .cross ? "shape://plus" : "shape://times"
      outline = outline ?? SimpleLineSymbol(color: color)
      color = nil
    }
    let content = mark(name, color, outline)
    return Self.frame(content, size: size, angle: angle, offset: (marker.offsetX, marker.offsetY))
  }

  private mutating func mark(_ name: String, _ color: Color?, _ outline: SimpleLineSymbol?) -> SLDText {
    var content = SLDText()
    var stroke = SLDText()
    if let outline { stroke = self.stroke(outline) }
    content.element("se:Mark") { text in
      text.element("se:WellKnownName", text: name)
      if let color { Self.fill(color, &text) }
      text.append(stroke)
    }
    return content
  }

  /// Returns the mark with the shape of some vertices, in any place of its frame.
  private mutating func mark(_ vector: VectorMarkerSymbol) -> SLDText? {
    guard vector.size > 0, let first = vector.shapes.first, vector.shapes.allSatisfy({ $0.text == nil }),
      vector.shapes.allSatisfy({ $0.parts == first.parts })
    else {
      lose("a marker of several shapes is not written")
      return nil
    }
    for name in SLDMark.names.sorted() {
      guard let known = SLDMark(name), known.isClosed == first.isClosed,
        let shift = Self.shift(known.parts, first.parts, size: vector.size)
      else { continue }
      let color = vector.shapes.lazy.compactMap(\.color).first
      let outline = vector.shapes.lazy.compactMap(\.outline).first
      let content = mark(known.isClosed ? name : "shape://\(name)", color, outline)
      return Self.frame(
        content, size: vector.size, angle: vector.angle, anchor: (0.5 - shift.x, 0.5 - shift.y),
        offset: (vector.offsetX, vector.offsetY))
    }
    lose("a marker of another shape than those of the standard is not written")
    return nil
  }

  /// Returns the shift, in sizes, between the vertices of a known shape and others; nil if they differ otherwise.
  private static func shift(
    _ known: [[VectorMarkerSymbol.Vertex]], _ own: [[VectorMarkerSymbol.Vertex]], size: Double
  ) -> (x: Double, y: Double)? {
    guard known.map(\.count) == own.map(\.count), let a = known.first?.first, let b = own.first?.first else {
      return nil
    }
    let shift = (x: b.x / size - a.x, y: b.y / size - a.y)
    for (a, b) in zip(known.joined(), own.joined()) {
      guard abs(b.x / size - a.x - shift.x) < 1e-6, abs(b.y / size - a.y - shift.y) < 1e-6 else { return nil }
    }
    func rounded(_ number: Double) -> Double { (number * 1_000_000).rounded() / 1_000_000 }
    return (rounded(shift.x), rounded(shift.y))
  }

  private mutating func image(_ picture: PictureMarkerSymbol) -> SLDText? {
    guard case .success(let image) = picture.picture, let size = picture.drawnSize else {
      lose("an image that is missing is not written")
      return nil
    }
    let ratio = Double(image.width) / Double(image.height)
    if abs(size.width / size.height - ratio) > 0.01 {
      lose("an image has its own proportions", .approximated)
    }
    var content = SLDText()
    content.element("se:ExternalGraphic") { text in
      if picture.url.isEmpty || picture.url.hasPrefix("data:") {
        text.element(
          "se:InlineContent", "encoding=\"base64\"", text: Base64.text(image.pngData))
      } else {
        text.element(
          "se:OnlineResource", "xlink:type=\"simple\" xlink:href=\"\(SLDText.escaped(picture.url))\""
        ) { _ in }
      }
      let isVector = picture.url.lowercased().hasSuffix(".svg")
      text.element("se:Format", text: isVector ? "image/svg+xml" : "image/png")
    }
    return Self.frame(
      content, opacity: picture.opacity, size: size.height, angle: picture.angle,
      offset: (picture.offsetX, picture.offsetY))
  }

  // MARK: Lines and areas

  /// Adds the element of a fill.
  static func fill(_ color: Color, _ text: inout SLDText) {
    text.element("se:Fill") { text in
      text.parameter("fill", color.sldText)
      if color.alpha < 255 { text.parameter("fill-opacity", SLDText.text(color.sldOpacity)) }
    }
  }

  private mutating func stroke(_ line: SimpleLineSymbol) -> SLDText {
    var text = SLDText()
    guard let color = line.color, line.width > 0 else { return text }
    if line.markerStyle != .none { lose("arrows at the ends of lines are not written") }
    if line.dashEnding != .unconstrained { lose("dashes are not stretched to the line", .approximated) }
    let dashes = line.dashTemplate.isEmpty ? line.style.pattern.map { $0 * line.width } : line.dashTemplate
    text.element("se:Stroke") { text in
      text.parameter("stroke", color.sldText)
      if color.alpha < 255 { text.parameter("stroke-opacity", SLDText.text(color.sldOpacity)) }
      text.parameter("stroke-width", SLDText.text(line.width))
      text.parameter("stroke-linejoin", line.join == .miter ? "mitre" : line.join.rawValue)
      text.parameter("stroke-linecap", line.cap.rawValue)
      if !dashes.isEmpty {
        text.parameter("stroke-dasharray", dashes.map(SLDText.text).joined(separator: " "))
        if line.dashOffset != 0 { text.parameter("stroke-dashoffset", SLDText.text(line.dashOffset)) }
      }
    }
    return text
  }

  private mutating func addLine(_ line: SimpleLineSymbol) {
    let stroke = stroke(line)
    guard !stroke.lines.isEmpty else { return }
    var offset: Double?
    for effect in line.effects {
      if case .offset(let distance, _) = effect, offset == nil {
        offset = distance
      } else {
        lose("other effects of lines than an offset are not written")
      }
    }
    text.element("se:LineSymbolizer") { text in
      text.append(stroke)
      if let offset { text.element("se:PerpendicularOffset", number: offset) }
    }
  }

  private mutating func addOutline(_ outline: SimpleLineSymbol?) { if let outline { addLine(outline) } }

  private mutating func addFill(_ fill: SimpleFillSymbol) {
    guard fill.style == .solid else { return addHatch(fill) }
    let stroke = fill.outline.map { self.stroke($0) } ?? SLDText()
    guard fill.color != nil || !stroke.lines.isEmpty else { return }
    guard fill.outline?.effects.isEmpty ?? true else {
      if let color = fill.color { text.element("se:PolygonSymbolizer") { Self.fill(color, &$0) } }
      return addOutline(fill.outline)
    }
    text.element("se:PolygonSymbolizer") { text in
      if let color = fill.color { Self.fill(color, &text) }
      text.append(stroke)
    }
  }

  private mutating func addHatch(_ fill: SimpleFillSymbol) {
    // Lines are 8 pixels apart, and those of diagonals 16 along the axes.
    let marks: [SimpleFillSymbol.Style: (String, Double)] = [
      .horizontal: ("shape://horline", 8), .vertical: ("shape://vertline", 8), .cross: ("shape://plus", 8),
      .forwardDiagonal: ("shape://backslash", 16), .backwardDiagonal: ("shape://slash", 16),
      .diagonalCross: ("shape://times", 16),
    ]
    if let (name, size) = marks[fill.style], let color = fill.color {
      lose("the lines of a hatch may be shifted", .approximated)
      addPattern(
        Self.frame(mark(name, nil, SimpleLineSymbol(color: color)), size: size, angle: 0, offset: (0, 0)))
    }
    addOutline(fill.outline)
  }

  private mutating func addPattern(_ graphic: SLDText, margin: String? = nil) {
    text.element("se:PolygonSymbolizer") { text in
      text.element("se:Fill") { $0.element("se:GraphicFill") { $0.append(graphic) } }
      if let margin { text.element("VendorOption", "name=\"graphic-margin\"", text: margin) }
    }
  }

  private mutating func addPattern(_ pattern: PatternFillSymbol) {
    switch pattern.pattern {
    case .lines(let line, let separation, let angle):
      // The size of the standard's diagonals is that along the axes.
      let turned = angle.truncatingRemainder(dividingBy: 180)
      let isDiagonal = abs(turned) == 45 || abs(turned) == 135
      let rises = turned == 45 || turned == -135
      let name = isDiagonal ? rises ? "slash" : "backslash" : turned == 0 ? "horline" : "vertline"
      let rest = isDiagonal || turned == 0 ? 0 : 90 - turned
      let size = isDiagonal ? separation * 2.0.squareRoot() : separation
      addPattern(Self.frame(mark("shape://\(name)", nil, line), size: size, angle: rest, offset: (0, 0)))
    case .markers(let marker, let stepX, let stepY, let shifts):
      if shifts { lose("the rows of a pattern are not shifted", .approximated) }
      if let graphic = mark(marker) {
        let (x, y) = (max(stepX - marker.size, 0) / 2, max(stepY - marker.size, 0) / 2)
        addPattern(graphic, margin: x + y > 0 ? "\(SLDText.text(y)) \(SLDText.text(x))" : nil)
      }
    case .picture(let picture): if let graphic = image(picture) { addPattern(graphic) }
    case .gradient: lose("gradients are not written")
    }
    addOutline(pattern.outline)
  }

  private mutating func addPlaced(_ placed: PlacedMarkerSymbol) {
    for part in placed.parts {
      guard let graphic = graphic(part) else { continue }
      let function: String
      switch placed.placement {
      case .alongLine(let distances, let ending, let start):
        guard let period = distances.first, distances.count == 1 else {
          lose("markers at several distances are not written")
          continue
        }
        if ending != .none { lose("markers are not stretched to the line", .approximated) }
        let size = part.ownSize ?? 0
        text.element("se:LineSymbolizer") { text in
          text.element("se:Stroke") { text in
            text.element("se:GraphicStroke") { text in
              text.append(graphic)
              text.element("se:InitialGap", number: max(start - size / 2, 0))
              text.element("se:Gap", number: max(period - size, 0))
            }
          }
          if placed.offset != 0 { text.element("se:PerpendicularOffset", number: placed.offset) }
        }
        continue
      case .ends(let ends, let distance):
        if ends == .both || distance != 0 { lose("a marker is at the end of the line", .approximated) }
        function = ends == .begin ? "startPoint" : "endPoint"
      case .vertices: function = "vertices"
      case .onLine(.middle, _), .center(.inside): function = ""
      case .center: function = "centroid"
      case .onLine, .ratios:
        lose("a marker is in the middle of the line", .approximated)
        function = ""
      }
      text.element("se:PointSymbolizer") { text in
        if !function.isEmpty {
          text.element("se:Geometry") { text in
            text.element("ogc:Function", "name=\"\(function)\"") {
              $0.element("ogc:PropertyName", text: "geometry")
            }
          }
        }
        text.append(graphic)
      }
    }
  }
}
