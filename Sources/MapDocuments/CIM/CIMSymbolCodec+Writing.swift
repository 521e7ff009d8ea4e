import MapJSON
import MapModel

/// Writing of symbols that only CIM has a form for.
extension CIMSymbolCodec {
  /// Returns a symbol of shapes as a symbol reference.
  static func json(_ vector: VectorMarkerSymbol) -> JSONValue {
    var members: [(String, JSONValue)] = [("type", "CIMPointSymbol")]
    if vector.angleAlignment == .map { members.append(("angleAlignment", "Map")) }
    members.append(("symbolLayers", [marker(vector, placement: nil)]))
    return reference(EsriSymbolCodec.object(members))
  }

  /// Returns a pattern as a symbol reference.
  static func json(_ pattern: PatternFillSymbol) -> JSONValue {
    let layer: JSONValue
    switch pattern.pattern {
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
    return reference(["type": "CIMPolygonSymbol", "symbolLayers": [layer]])
  }

  /// Returns a line with dashes of its own as a symbol reference.
  static func json(dashed line: SimpleLineSymbol) -> JSONValue {
    reference(["type": "CIMLineSymbol", "symbolLayers": [stroke(line)]])
  }

  private static func reference(_ symbol: JSONValue) -> JSONValue {
    ["type": "CIMSymbolReference", "symbol": symbol]
  }

  private static func points(_ pixels: Double) -> Double { pixels / EsriSymbolCodec.pixelsPerPoint }

  private static func stroke(_ line: SimpleLineSymbol) -> JSONValue {
    let caps: [SimpleLineSymbol.Cap: JSONValue] = [.butt: "Butt", .round: "Round", .square: "Square"]
    let joins: [SimpleLineSymbol.Join: JSONValue] = [.bevel: "Bevel", .round: "Round", .miter: "Miter"]
    var members: [(String, JSONValue)] = [
      ("type", "CIMSolidStroke"), ("enable", true), ("capStyle", caps[line.cap] ?? "Round"),
      ("joinStyle", joins[line.join] ?? "Round"), ("miterLimit", .number(line.miterLimit)),
      ("width", .number(points(line.width))), ("color", EsriSymbolCodec.json(line.color)),
    ]
    if !line.dashTemplate.isEmpty {
      let effect: JSONValue = [
        "type": "CIMGeometricEffectDashes",
        "dashTemplate": .array(line.dashTemplate.map { .number(points($0)) }),
        "lineDashEnding": "NoConstraint",
      ]
      members.append(("effects", [effect]))
    }
    return EsriSymbolCodec.object(members)
  }

  private static func marker(_ vector: VectorMarkerSymbol, placement: JSONValue?) -> JSONValue {
    // The unit of the frame is a point.
    let half = points(vector.size) / 2
    let side = half > 0 ? half : 0.5
    let graphics: [JSONValue] = vector.shapes.map { shape in
      let parts: [JSONValue] = shape.parts.map { part in
        .array(part.map { [.number(points($0.x)), .number(points($0.y))] })
      }
      var layers: [JSONValue] = []
      if let outline = shape.outline { layers.append(stroke(outline)) }
      if shape.isClosed, let color = shape.color {
        layers.append(["type": "CIMSolidFill", "enable": true, "color": EsriSymbolCodec.json(color)])
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
    return EsriSymbolCodec.object(members)
  }
}
