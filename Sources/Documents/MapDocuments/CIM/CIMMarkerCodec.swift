import MapJSON
import MapModel

/// A codec for the markers of CIM symbols.
enum CIMMarkerCodec {
  /// The members of markers that are read or have no effect in two dimensions.
  private static let members: Set<String> = CIMMembers.ofLayers.union([
    "size", "rotation", "offsetX", "offsetY", "anchorPoint", "anchorPointUnits", "markerPlacement",
  ])

  /// Reads a marker of a symbol layer.
  static func parts(
    of layer: JSONNode, in kind: CIMSymbolCodec.Kind, _ names: inout CIMPrimitiveNames,
    _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolForm] {
    CIMMembers.reportEffects(of: layer, &report)
    let placement = try layer["markerPlacement"]?.string("type")
    if kind.isPoint {
      if let placement {
        report.note(layer.path["markerPlacement"], "not applied: \(placement) of a point")
      }
      return [try part(layer, kind, &names, &report)]
    }
    // - Source: the ArcGIS Maps SDK for JavaScript draws a marker without a placement at the centre of a polygon.
    guard let node = layer["markerPlacement"] else {
      guard kind.isPolygon else {
        report.note(layer.path, "not drawn: a marker without a placement")
        return []
      }
      let part = try part(layer, kind, &names, &report)
      return [.placed(PlacedMarkerSymbol(symbols: [part.symbol], placement: .center(.inside)))]
    }
    let part = try part(layer, kind, &names, &report)
    guard kind.isPolygon, placement == "CIMMarkerPlacementInsidePolygon" else {
      return try CIMPlacementCodec.placed([part], node, isPolygon: kind.isPolygon, &report).map { [$0] } ?? []
    }
    return try grid(of: part, node, &report)
  }

  /// Reads a marker without its placement.
  private static func part(
    _ layer: JSONNode, _ kind: CIMSymbolCodec.Kind, _ names: inout CIMPrimitiveNames,
    _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SymbolForm {
    switch try layer.string("type") {
    case "CIMPictureMarker": .picture(try picture(layer, kind, &report))
    case "CIMCharacterMarker": .vector(try character(layer, kind, &report))
    default: .vector(try marker(layer, kind, &names, &report))
    }
  }

  /// Reads a grid of markers inside polygons.
  private static func grid(
    of part: SymbolForm, _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolForm] {
    CIMMembers.reportUnread(
      node,
      known: [
        "type", "gridType", "stepX", "stepY", "shiftOddRows", "clipping", "randomness", "seed", "gridAngle",
        "offsetX", "offsetY", "name", "placePerPart",
      ], &report)
    for name in ["gridAngle", "offsetX", "offsetY"] where try node.double(name) ?? 0 != 0 {
      report.note(node.path[name], "not applied: the grid is that of the image")
    }
    if try node.string("gridType") == "Random" {
      report.note(node.path["gridType"], "approximated: the markers stand in a regular grid", .approximated)
    }
    if let clipping = try node.string("clipping"), clipping != "ClipAtBoundary" {
      report.note(node.path["clipping"], "approximated: the markers are cut at the boundary", .approximated)
    }
    let (stepX, stepY) = (try step(node, "stepX"), try step(node, "stepY"))
    let shifts = try node.boolean("shiftOddRows") ?? false
    switch part {
    case .vector(let marker):
      let vertices = marker.shapes.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.count } }
      let side = 2 * marker.radius
      // An image has at most one vertex for each pixel, and each pixel is in at most 64 markers.
      if Double(vertices) <= stepX * stepY, side * side <= 64 * stepX * stepY {
        return [
          .pattern(
            PatternFillSymbol(pattern: .markers(marker, stepX: stepX, stepY: stepY, shifts: shifts)))
        ]
      }
    case .picture(let picture):
      // A missing image was reported.
      guard case .success = picture.picture else { return [] }
      if let tile = try? picture.tile(stepX: stepX, stepY: stepY, shifts: shifts) {
        return [.pattern(PatternFillSymbol(pattern: .picture(tile)))]
      }
    default: break
    }
    report.note(node.path, "not drawn: the markers are too dense for their size and vertices")
    return []
  }

  private static func step(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double {
    // - Source: CIM specification: 16 points.
    let points = try node.double(name) ?? 16
    guard points >= 1, points <= EsriMembers.largestLength else {
      throw node.invalid("\(name) of \(points) is impossible; 1 to 720 points can be drawn")
    }
    return points * EsriMembers.pixelsPerPoint
  }

  /// Reads the rotation of a marker within its symbol, clockwise in degrees.
  private static func angle(_ layer: JSONNode, _ kind: CIMSymbolCodec.Kind) throws(JSONDecodingError)
    -> Double
  {
    let own = try layer.double("rotation") ?? 0
    let turn = (try layer.boolean("rotateClockwise") ?? false ? own : -own) - kind.angle
    return turn == 0 ? 0 : turn.truncatingRemainder(dividingBy: 360)
  }

  private static func picture(
    _ layer: JSONNode, _ kind: CIMSymbolCodec.Kind, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> PictureMarkerSymbol {
    CIMMembers.reportUnread(
      layer,
      known: members.union([
        "url", "URL", "invertBackfaceTexture", "scaleX", "textureFilter", "tintColor", "colorSubstitutions",
        "animatedSymbolProperties",
      ]), &report)
    var symbol = try image(layer, height: try layer.double("size") ?? 12, &report)
    if let scale = try layer.double("scaleX"), scale > 0, scale != 1, let size = symbol.drawnSize {
      (symbol.width, symbol.height) = (size.width * scale, size.height)
    }
    symbol.angle = try angle(layer, kind)
    if kind.alignment == "Map" { symbol.angleAlignment = .map }
    symbol.offsetX = try EsriMembers.offset(layer, "offsetX")
    symbol.offsetY = try EsriMembers.offset(layer, "offsetY")
    if let anchor = try anchor(
      layer, width: symbol.drawnSize?.width ?? 0, height: symbol.drawnSize?.height ?? 0)
    {
      symbol.offsetX -= anchor.x
      symbol.offsetY -= anchor.y
    }
    return symbol
  }

  /// Reads the image of a layer, with a height in points; nil keeps its own size.
  static func image(
    _ layer: JSONNode, height: Double?, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> PictureMarkerSymbol {
    let own = try layer.string("url")
    let other = try layer.string("URL")
    let url = own ?? other ?? ""
    var members: [(String, JSONValue)] = [("type", "esriPMS")]
    members.append((url.hasPrefix("data:") ? "imageData" : "url", .string(url)))
    if let height { members.append(("height", .number(height))) }
    let node = JSONNode(EsriMembers.object(members), at: layer.path)
    var symbol = try EsriPictureSymbolCodec.symbol(node, &report)
    try recolor(&symbol, layer, &report)
    return symbol
  }

  /// Changes the colours of an image; white as a tint changes none.
  private static func recolor(
    _ symbol: inout PictureMarkerSymbol, _ layer: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    var colors: [Color: Color] = [:]
    for change in try layer.elements("colorSubstitutions") {
      guard let old = try CIMColor.color(change["oldColor"], &report),
        let new = try CIMColor.color(change["newColor"], &report)
      else { continue }
      colors[Color(red: old.red, green: old.green, blue: old.blue)] = new
    }
    var tint = try CIMColor.color(layer["tintColor"], &report)
    if tint == .white { tint = nil }
    guard tint != nil || !colors.isEmpty, case .success(let picture) = symbol.picture else { return }
    do {
      symbol.picture = .success(try picture.recolored(replacing: colors, tint: tint))
    } catch {
      report.note(layer.path, "not applied: the image keeps its colours: \(error)")
    }
  }

  /// Reads the anchor relative to the middle of the marker, in pixels, y up; nil for the middle.
  private static func anchor(
    _ layer: JSONNode, width: Double, height: Double
  ) throws(JSONDecodingError) -> (x: Double, y: Double)? {
    guard let point = layer["anchorPoint"] else { return nil }
    let (x, y) = (try point.double("x") ?? 0, try point.double("y") ?? 0)
    guard abs(x) <= 1000, abs(y) <= 1000 else { throw point.invalid("an anchor is at most 1000 away") }
    if try layer.string("anchorPointUnits") == "Absolute" {
      return (x * EsriMembers.pixelsPerPoint, y * EsriMembers.pixelsPerPoint)
    }
    return (x * width, y * height)
  }

  /// Reads a character as a marker, centred on its point.
  ///
  /// Fonts of symbols have signs instead of letters, which other fonts do not have; a circle is drawn.
  private static func character(
    _ layer: JSONNode, _ kind: CIMSymbolCodec.Kind, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> VectorMarkerSymbol {
    CIMMembers.reportUnread(
      layer,
      known: members.union([
        "characterIndex", "fontFamilyName", "fontStyleName", "fontType", "fontVariationSettings", "symbol",
        "scaleX", "scaleSymbolsProportionally", "respectFrame",
      ]), &report)
    let size = try EsriMembers.length(layer, "size") ?? 10 * EsriMembers.pixelsPerPoint
    let anchor = try anchor(layer, width: size, height: size) ?? (0, 0)
    let color = try layer["symbol"].flatMap { node throws(JSONDecodingError) in
      try CIMTextCodec.fill(of: node, &report)
    }
    let family = try layer.string("fontFamilyName") ?? ""
    let index = try layer.integer("characterIndex") ?? 0
    var symbol = VectorMarkerSymbol(shapes: [], size: size)
    let isOfSymbols = ["esri", "wingdings", "webdings", "dingbats", "symbol", "marker", "cartograph"].contains
    {
      family.lowercased().contains($0)
    }
    if !isOfSymbols, index > 32, let scalar = UInt32(exactly: index).flatMap(Unicode.Scalar.init),
      scalar.properties.generalCategory != .privateUse
    {
      var text = TextSymbol(
        text: String(Character(scalar)), size: size, horizontalAlignment: .center, verticalAlignment: .middle)
      text.color = color
      text.fontFamily = family
      let style = try layer.string("fontStyleName")?.lowercased() ?? ""
      if style.contains("bold") { text.fontWeight = .bold }
      if style.contains("italic") { text.fontStyle = .italic }
      if !family.isEmpty, family.lowercased() != "noto sans" {
        report.note(layer.path["fontFamilyName"], DocumentWarning.missingFamily(family), .approximated)
      }
      symbol.shapes = [.init(text: text, at: .init(x: -anchor.x, y: -anchor.y))]
    } else {
      report.note(
        layer.path["characterIndex"],
        "approximated: a circle is drawn instead of character \(index) of the font \"\(family.prefix(200))\"",
        .approximated)
      let steps = 32
      let circle = (0...steps).map { step -> VectorMarkerSymbol.Vertex in
        let direction = ResolvedViewpoint.cosineAndSine(360 * Double(step % steps) / Double(steps))
        return .init(
          x: size / 2 * direction.0 - anchor.x, y: size / 2 * direction.1 - anchor.y)
      }
      symbol.shapes = [.init(parts: [circle], color: color)]
    }
    symbol.angle = try angle(layer, kind)
    if kind.alignment == "Map" { symbol.angleAlignment = .map }
    symbol.offsetX = try EsriMembers.offset(layer, "offsetX")
    symbol.offsetY = try EsriMembers.offset(layer, "offsetY")
    return symbol
  }

  /// Reads a vector marker.
  private static func marker(
    _ layer: JSONNode, _ kind: CIMSymbolCodec.Kind, _ names: inout CIMPrimitiveNames,
    _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> VectorMarkerSymbol {
    CIMMembers.reportUnread(
      layer,
      known: members.union([
        "frame", "markerGraphics", "scaleSymbolsProportionally", "respectFrame", "clippingPath",
      ]), &report)
    let frame = try self.frame(layer)
    let size = try EsriMembers.length(layer, "size") ?? 10 * EsriMembers.pixelsPerPoint
    let factor = size / frame.height
    let center = (x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
    let anchor = try anchor(layer, width: frame.width * factor, height: size) ?? (0, 0)
    // Sizes inside the frame are points, or units of the frame.
    let widths =
      try layer.boolean("scaleSymbolsProportionally") ?? true ? factor / EsriMembers.pixelsPerPoint : 1
    var symbol = VectorMarkerSymbol(shapes: [], size: size)
    var count = 0
    let graphics = try layer.elements("markerGraphics")
    guard graphics.count <= CIMSymbolCodec.largestCount else {
      throw layer.invalid(
        "\(graphics.count) graphics are too many; \(CIMSymbolCodec.largestCount) can be drawn")
    }
    for graphic in graphics {
      guard let geometry = graphic["geometry"], let style = graphic["symbol"] else {
        report.note(graphic.path, "not drawn: a graphic needs a geometry and a symbol")
        continue
      }
      if try style.string("type") == "CIMTextSymbol" {
        guard let x = try geometry.double("x"), let y = try geometry.double("y") else {
          report.note(geometry.path, "not drawn: text has a point here")
          continue
        }
        var text = try CIMTextCodec.symbol(style, text: try graphic.string("textString") ?? "", &report)
        text.size *= widths
        (text.haloWidth, text.offsetX, text.offsetY) = (
          text.haloWidth * widths, text.offsetX * widths, text.offsetY * widths
        )
        let place = VectorMarkerSymbol.Vertex(
          x: (x - center.x) * factor - anchor.x, y: (y - center.y) * factor - anchor.y)
        guard abs(place.x) <= 65_536, abs(place.y) <= 65_536 else {
          throw geometry.invalid("too far from the frame")
        }
        names.add(graphic, shape: symbol.shapes.count)
        if let letters = style["symbol"] { names.add(letters, layersOf: symbol.shapes.count) }
        symbol.shapes.append(VectorMarkerSymbol.Shape(text: text, at: place))
        continue
      }
      guard let name = ["rings", "curveRings", "paths", "curvePaths"].first(where: { geometry[$0] != nil })
      else {
        report.note(geometry.path, "not drawn: a graphic has rings or paths here")
        continue
      }
      let isClosed = name == "rings" || name == "curveRings"
      var parts: [[VectorMarkerSymbol.Vertex]] = []
      for part in try geometry.elements(name) {
        var vertices: [VectorMarkerSymbol.Vertex] = []
        for segment in try part.elements() {
          try CIMCurve.append(segment, scale: factor, to: &vertices)
          guard count + vertices.count <= CIMSymbolCodec.largestVertexCount else {
            throw layer.invalid("a marker has at most \(CIMSymbolCodec.largestVertexCount) vertices")
          }
        }
        for index in vertices.indices {
          let x = (vertices[index].x - center.x) * factor - anchor.x
          let y = (vertices[index].y - center.y) * factor - anchor.y
          guard abs(x) <= 65_536, abs(y) <= 65_536 else { throw part.invalid("too far from the frame") }
          vertices[index] = VectorMarkerSymbol.Vertex(x: x, y: y)
        }
        count += vertices.count
        if vertices.count > 1 { parts.append(vertices) }
      }
      names.add(graphic, shape: symbol.shapes.count)
      symbol.shapes += try shapes(parts, isClosed, style, widths, first: symbol.shapes.count, &names, &report)
    }
    symbol.angle = try angle(layer, kind)
    if kind.alignment == "Map" { symbol.angleAlignment = .map }
    symbol.offsetX = try EsriMembers.offset(layer, "offsetX")
    symbol.offsetY = try EsriMembers.offset(layer, "offsetY")
    return symbol
  }

  private static func frame(
    _ layer: JSONNode
  ) throws(JSONDecodingError) -> (x: Double, y: Double, width: Double, height: Double) {
    guard let frame = layer["frame"] else { return (-5, -5, 10, 10) }
    let x = try frame.required("xmin").double()
    let y = try frame.required("ymin").double()
    let width = try frame.required("xmax").double() - x
    let height = try frame.required("ymax").double() - y
    guard width >= 0, height > 0, width < 1e9, height < 1e9 else {
      throw frame.invalid("a frame has a height above 0")
    }
    return (x, y, width, height)
  }

  /// Reads the styles of a graphic: one shape for each layer of its symbol, from the bottom.
  private static func shapes(
    _ parts: [[VectorMarkerSymbol.Vertex]], _ isClosed: Bool, _ style: JSONNode, _ widths: Double, first: Int,
    _ names: inout CIMPrimitiveNames, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [VectorMarkerSymbol.Shape] {
    var shapes: [VectorMarkerSymbol.Shape] = []
    for layer in try style.elements("symbolLayers").reversed() where try layer.boolean("enable") ?? true {
      names.add(layer, shape: first + shapes.count)
      switch try layer.required("type").string() {
      case "CIMSolidFill" where isClosed:
        CIMMembers.reportEffects(of: layer, &report)
        shapes.append(.init(parts: parts, color: try CIMColor.color(layer["color"], &report)))
      case "CIMSolidStroke":
        var line = try CIMSymbolCodec.stroke(layer, &report)
        if !line.dashTemplate.isEmpty || !line.effects.isEmpty {
          report.note(layer.path["effects"], "not applied yet: the lines of a marker are solid")
          (line.dashTemplate, line.effects) = ([], [])
        }
        line.width *= widths
        shapes.append(.init(parts: parts, isClosed: isClosed, color: nil, outline: line))
      case let type:
        report.note(layer.path["type"], "not drawn yet: a symbol layer of type \"\(type)\" in a marker")
      }
    }
    guard shapes.count <= 100 else { throw style.invalid("more than 100 symbol layers") }
    return shapes
  }

  /// Reads an image along a line, as high as the line is wide: images that follow each other.
  ///
  /// - Source: Esri CIM specification, `CIMPictureStroke`. Design decision: whole images, each of them straight.
  static func stroke(
    _ layer: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolForm] {
    CIMMembers.reportRest(
      of: layer,
      known: [
        "width", "capStyle", "joinStyle", "miterLimit", "url", "URL", "textureFilter", "tintColor",
        "colorSubstitutions",
      ], &report)
    let band = try image(layer, height: try layer.double("width") ?? 1, &report)
    // A missing image was reported.
    guard case .success = band.picture, let length = band.drawnSize?.width, length > 0 else { return [] }
    report.note(
      layer.path["type"], "approximated: whole images follow each other, and are not bent with the line",
      .approximated)
    var symbol = PlacedMarkerSymbol(
      symbols: [], placement: .alongLine(distances: [length], ending: .halfGap, start: 0))
    symbol.parts = [.picture(band)]
    return [.placed(symbol)]
  }
}
