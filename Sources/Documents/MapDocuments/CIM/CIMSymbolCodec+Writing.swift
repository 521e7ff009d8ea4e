import MapJSON
import MapModel

/// Writing of symbols that only CIM has a form for.
extension CIMSymbolCodec {
  /// Returns a symbol of shapes as a symbol reference.
  static func json(_ vector: VectorMarkerSymbol) -> JSONValue {
    var members: [(String, JSONValue)] = [("type", "CIMPointSymbol")]
    if vector.angleAlignment == .map { members.append(("angleAlignment", "Map")) }
    members.append(("symbolLayers", [marker(vector, placement: nil)]))
    return reference(EsriMembers.object(members))
  }

  /// Returns a pattern as a symbol reference.
  static func json(_ pattern: PatternFillSymbol) -> JSONValue {
    let layer: JSONValue
    switch pattern.pattern {
    case .picture(let picture): return EsriPictureSymbolCodec.json(fill: picture, outline: pattern.outline)
    case .gradient(let gradient): layer = json(gradient)
    case .lines(let line, let separation, let angle):
      layer = [
        "type": "CIMHatchFill", "enable": true, "separation": .number(points(separation)),
        "rotation": .number(angle),
        "lineSymbol": ["type": "CIMLineSymbol", "symbolLayers": [stroke(line)]],
      ]
    case .markers(let vector, let stepX, let stepY, let shifts):
      layer = marker(
        vector,
        placement: [
          "type": "CIMMarkerPlacementInsidePolygon", "gridType": "Fixed", "stepX": .number(points(stepX)),
          "stepY": .number(points(stepY)), "shiftOddRows": .boolean(shifts), "clipping": "ClipAtBoundary",
        ])
    }
    let outline = pattern.outline.map { [stroke($0)] } ?? []
    return reference(["type": "CIMPolygonSymbol", "symbolLayers": .array(outline + [layer])])
  }

  private static func json(_ gradient: ColorGradient) -> JSONValue {
    let methods: [ColorGradient.Form: JSONValue] = [
      .linear: "Linear", .rectangular: "Rectangular", .circular: "Circular", .buffered: "Buffered",
    ]
    // One ramp from each colour to the next.
    let parts = zip(gradient.stops, gradient.stops.dropFirst())
    let ramps: [JSONValue] = parts.map { from, to in
      [
        "type": "CIMLinearContinuousColorRamp", "fromColor": EsriMembers.json(from.color),
        "toColor": EsriMembers.json(to.color),
      ]
    }
    var members: [(String, JSONValue)] = [
      ("type", "CIMGradientFill"), ("enable", true), ("angle", .number(gradient.angle)),
      ("gradientMethod", methods[gradient.form] ?? "Linear"),
      (
        "colorRamp",
        [
          "type": "CIMMultipartColorRamp", "colorRamps": .array(ramps),
          "weights": .array(parts.map { .number($1.offset - $0.offset) }),
        ]
      ),
    ]
    switch gradient.size {
    case .relative(let part):
      members += [("gradientSize", .number(part * 100)), ("gradientSizeUnits", "Relative")]
    case .absolute(let pixels):
      members += [("gradientSize", .number(points(pixels))), ("gradientSizeUnits", "Absolute")]
    }
    members.append(("gradientType", gradient.bandCount == nil ? "Continuous" : "Discrete"))
    if let count = gradient.bandCount { members.append(("interval", .number(count))) }
    return EsriMembers.object(members)
  }

  /// Returns a marker at places of lines or polygons as a symbol reference.
  static func json(_ placed: PlacedMarkerSymbol) -> JSONValue {
    let layers: [JSONValue] = placed.parts.reversed().map { part in
      switch part {
      case .vector(let vector): marker(vector, placement: placement(of: placed))
      case .picture(let picture): marker(picture, placement: placement(of: placed))
      // Other markers have no form in CIM; they are those of a polygon's renderer.
      default: EsriSymbolCodec.json(part)
      }
    }
    if placed.parts.count == 1, layers.first?["symbolLayers"] == nil, case .center = placed.placement,
      !(layers.first?["type"]?.string?.hasPrefix("CIM") ?? false), let only = layers.first
    {
      return only
    }
    return reference([
      "type": .string(placed.needsPolygon ? "CIMPolygonSymbol" : "CIMLineSymbol"),
      "symbolLayers": .array(layers),
    ])
  }

  private static func placement(of placed: PlacedMarkerSymbol) -> JSONValue {
    var members: [(String, JSONValue)]
    switch placed.placement {
    case .alongLine(let distances, let ending, let start):
      let endings: [PlacedMarkerSymbol.Ending: JSONValue] = [
        .none: "NoConstraint", .halfGap: "WithHalfGap", .fullGap: "WithFullGap", .markers: "WithMarkers",
      ]
      members = [
        ("type", "CIMMarkerPlacementAlongLineSameSize"),
        ("placementTemplate", .array(distances.map { .number(points($0)) })),
        ("endings", endings[ending] ?? "NoConstraint"),
      ]
      if start != 0 { members.append(("offsetAlongLine", .number(points(start)))) }
    case .ends(let ends, let distance):
      let names: [PlacedMarkerSymbol.Ends: JSONValue] = [
        .begin: "JustBegin", .end: "JustEnd", .both: "Both",
      ]
      members = [
        ("type", "CIMMarkerPlacementAtExtremities"), ("extremityPlacement", names[ends] ?? "Both"),
      ]
      if distance != 0 { members.append(("offsetAlongLine", .number(points(distance)))) }
    case .vertices(let inner, let ends):
      members = [
        ("type", "CIMMarkerPlacementOnVertices"), ("placeOnRegularVertices", .boolean(inner)),
        ("placeOnEndPoints", .boolean(ends)), ("placeOnControlPoints", true),
      ]
    case .onLine(let origin, let distance):
      let names: [PlacedMarkerSymbol.Origin: JSONValue] = [
        .begin: "LineBeginning", .middle: "LineMiddle", .end: "LineEnd", .segmentMiddle: "SegmentMidpoint",
      ]
      members = [
        ("type", "CIMMarkerPlacementOnLine"), ("relativeTo", names[origin] ?? "LineMiddle"),
        ("startPointOffset", .number(points(distance))),
      ]
    case .ratios(let ratios, let begin, let end, let flips):
      members = [
        ("type", "CIMMarkerPlacementAtRatioPositions"), ("positionArray", .array(ratios.map { .number($0) })),
        ("beginPosition", .number(points(begin))), ("endPosition", .number(points(end))),
        ("flipFirst", .boolean(flips)),
      ]
    case .center(let center):
      let names: [PlacedMarkerSymbol.Center: JSONValue] = [
        .inside: "OnPolygon", .mass: "CenterOfMass", .extent: "BoundingBoxCenter",
      ]
      return ["type": "CIMMarkerPlacementPolygonCenter", "method": names[center] ?? "OnPolygon"]
    }
    members.append(("angleToLine", .boolean(placed.followsLine)))
    if placed.offset != 0 { members.append(("offset", .number(points(placed.offset)))) }
    return EsriMembers.object(members)
  }

  private static func marker(_ picture: PictureMarkerSymbol, placement: JSONValue) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("type", "CIMPictureMarker"), ("enable", true),
      ("url", .string(EsriPictureSymbolCodec.address(picture))),
      ("size", .number(points(picture.drawnSize?.height ?? picture.height))),
    ]
    if picture.angle != 0 { members.append(("rotation", .number(-picture.angle))) }
    for (name, offset) in [("offsetX", picture.offsetX), ("offsetY", picture.offsetY)] where offset != 0 {
      members.append((name, .number(points(offset))))
    }
    members.append(("markerPlacement", placement))
    return EsriMembers.object(members)
  }

  /// Returns a line with dashes or effects of its own as a symbol reference.
  static func json(dashed line: SimpleLineSymbol) -> JSONValue {
    reference(["type": "CIMLineSymbol", "symbolLayers": [stroke(line)]])
  }

  private static func reference(_ symbol: JSONValue) -> JSONValue {
    ["type": "CIMSymbolReference", "symbol": symbol]
  }

  private static func points(_ pixels: Double) -> Double { pixels / EsriMembers.pixelsPerPoint }

  private static func stroke(_ line: SimpleLineSymbol) -> JSONValue {
    let caps: [SimpleLineSymbol.Cap: JSONValue] = [.butt: "Butt", .round: "Round", .square: "Square"]
    let joins: [SimpleLineSymbol.Join: JSONValue] = [.bevel: "Bevel", .round: "Round", .miter: "Miter"]
    var members: [(String, JSONValue)] = [
      ("type", "CIMSolidStroke"), ("enable", true), ("capStyle", caps[line.cap] ?? "Round"),
      ("joinStyle", joins[line.join] ?? "Round"), ("miterLimit", .number(line.miterLimit)),
      ("width", .number(points(line.width))), ("color", EsriMembers.json(line.color)),
    ]
    var effects = line.effects.map(effect)
    // Of a line with a style and effects, the style becomes dashes.
    let dashes =
      line.dashTemplate.isEmpty ? line.style.pattern.map { $0 * max(line.width, 1) } : line.dashTemplate
    if !dashes.isEmpty {
      let isOwn = !line.dashTemplate.isEmpty
      var dashing: JSONObject = [
        "type": "CIMGeometricEffectDashes",
        "dashTemplate": .array(dashes.map { .number(points($0)) }),
        "lineDashEnding": .string(
          CIMEffectCodec.endings.first { $0.value == line.dashEnding }?.key ?? "NoConstraint"),
      ]
      if isOwn, line.dashOffset != 0 { dashing["offsetAlongLine"] = .number(points(line.dashOffset)) }
      effects.append(.object(dashing))
    }
    if !effects.isEmpty { members.append(("effects", .array(effects))) }
    return EsriMembers.object(members)
  }

  private static func effect(_ effect: LineEffect) -> JSONValue {
    switch effect {
    case .offset(let distance, let corners):
      let methods: [LineEffect.Corner: JSONValue] = [
        .mitered: "Mitered", .bevelled: "Bevelled", .rounded: "Rounded", .square: "Square",
      ]
      return [
        "type": "CIMGeometricEffectOffset", "offset": .number(points(distance)),
        "method": methods[corners] ?? "Mitered",
      ]
    case .arrow(let arrow, let width):
      let types: [LineEffect.Arrow: JSONValue] = [
        .open: "OpenEnded", .block: "Block", .crossed: "Crossed",
      ]
      return [
        "type": "CIMGeometricEffectArrow", "geometricEffectArrowType": types[arrow] ?? "OpenEnded",
        "width": .number(points(width)),
      ]
    }
  }

  private static func graphic(_ text: TextSymbol, at place: VectorMarkerSymbol.Vertex?) -> JSONValue {
    func polygon(_ color: Color?) -> JSONValue {
      [
        "type": "CIMPolygonSymbol",
        "symbolLayers": [["type": "CIMSolidFill", "enable": true, "color": EsriMembers.json(color)]],
      ]
    }
    let across: [TextSymbol.HorizontalAlignment: JSONValue] = [
      .left: "Left", .center: "Center", .right: "Right", .justify: "Justify",
    ]
    let down: [TextSymbol.VerticalAlignment: JSONValue] = [
      .top: "Top", .middle: "Center", .baseline: "Baseline", .bottom: "Bottom",
    ]
    let style = [text.fontWeight == .bold ? "Bold" : nil, text.fontStyle == .normal ? nil : "Italic"]
    var members: [(String, JSONValue)] = [
      ("type", "CIMTextSymbol"), ("height", .number(points(text.size))), ("symbol", polygon(text.color)),
      ("horizontalAlignment", across[text.horizontalAlignment] ?? "Center"),
      ("verticalAlignment", down[text.verticalAlignment] ?? "Center"),
      (
        "fontStyleName",
        .string(style.compactMap { $0 }.isEmpty ? "Regular" : style.compactMap { $0 }.joined(separator: " "))
      ),
    ]
    if !text.fontFamily.isEmpty { members.append(("fontFamilyName", .string(text.fontFamily))) }
    if !text.isKerned { members.append(("kerning", false)) }
    if let color = text.haloColor, text.haloWidth > 0 {
      members += [("haloSize", .number(points(text.haloWidth))), ("haloSymbol", polygon(color))]
    }
    if text.angle != 0 { members.append(("angle", .number(-text.angle))) }
    for (name, offset) in [("offsetX", text.offsetX), ("offsetY", text.offsetY)] where offset != 0 {
      members.append((name, .number(points(offset))))
    }
    return [
      "type": "CIMMarkerGraphic",
      "geometry": ["x": .number(points(place?.x ?? 0)), "y": .number(points(place?.y ?? 0))],
      "symbol": EsriMembers.object(members), "textString": .string(text.text),
    ]
  }

  private static func marker(_ vector: VectorMarkerSymbol, placement: JSONValue?) -> JSONValue {
    // The unit of the frame is a point.
    let half = points(vector.size) / 2
    let side = half > 0 ? half : 0.5
    let graphics: [JSONValue] = vector.shapes.map { shape in
      if let text = shape.text { return graphic(text, at: shape.parts.first?.first) }
      let parts: [JSONValue] = shape.parts.map { part in
        .array(part.map { [.number(points($0.x)), .number(points($0.y))] })
      }
      var layers: [JSONValue] = []
      if let outline = shape.outline { layers.append(stroke(outline)) }
      if shape.isClosed, let color = shape.color {
        layers.append(["type": "CIMSolidFill", "enable": true, "color": EsriMembers.json(color)])
      }
      return [
        "type": "CIMMarkerGraphic",
        "geometry": shape.isClosed ? ["rings": .array(parts)] : ["paths": .array(parts)],
        "symbol": [
          "type": shape.isClosed ? "CIMPolygonSymbol" : "CIMLineSymbol", "symbolLayers": .array(layers),
        ],
      ]
    }
    var members: [(String, JSONValue)] = [
      ("type", "CIMVectorMarker"), ("enable", true), ("size", .number(points(vector.size))),
      (
        "frame",
        [
          "xmin": .number(-side), "ymin": .number(-side), "xmax": .number(side), "ymax": .number(side),
        ]
      ),
      ("scaleSymbolsProportionally", false), ("markerGraphics", .array(graphics)),
    ]
    if vector.angle != 0 { members.append(("rotation", .number(-vector.angle))) }
    for (name, offset) in [("offsetX", vector.offsetX), ("offsetY", vector.offsetY)] where offset != 0 {
      members.append((name, .number(points(offset))))
    }
    if let placement { members.append(("markerPlacement", placement)) }
    return EsriMembers.object(members)
  }
}
