import MapSystem
import MapGeometry
import MapJSON
import MapModel

/// A codec for CIM symbols (`CIMSymbolReference`).
///
/// Every part becomes one of the symbols of the model. A part that has none is reported at its path, and the others
/// are drawn.
///
/// - Units: lengths are points; frames have their own units.
/// - Source: Esri CIM specification, https://github.com/Esri/cim-spec, symbols. The first symbol layer is on top.
enum CIMSymbolCodec {
  /// The largest number of symbol layers, and of shapes of a marker.
  ///
  /// - Source: design decision: published symbols have at most a few dozen.
  static let largestCount = 1000
  /// The largest number of vertices of a marker.
  ///
  /// - Source: design decision, as for ``largestCount``.
  static let largestVertexCount = 50_000

  /// Reads the symbol of a reference, in painting order; an empty composite when nothing can be drawn.
  static func symbol(
    _ reference: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SymbolForm {
    let node = try reference.required("symbol")
    if let member = reference["scaleDependentSizeVariation"], !(member.value.array ?? []).isEmpty {
      report.note(member.path, "not applied yet: the symbol keeps its own properties")
    }
    var names = CIMPrimitiveNames()
    let form = try symbol(node, asReference: true, &names, &report)
    guard let overrides = reference["primitiveOverrides"] else { return form }
    return try CIMOverrideCodec.symbol(form, overrides, names, &report)
  }

  private static func symbol(
    _ node: JSONNode, asReference: Bool, _ names: inout CIMPrimitiveNames, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SymbolForm {
    let type = try node.required("type").string()
    guard ["CIMPointSymbol", "CIMLineSymbol", "CIMPolygonSymbol"].contains(type) else {
      report.note(
        node.path["type"], "symbols of type \"\(type)\" are not drawn; the default symbol is drawn instead",
        .approximated)
      return .standard(for: .point)
    }
    let kind = Kind(
      type: type, angle: try node.double("angle") ?? 0, alignment: try node.string("angleAlignment"),
      effects: try node.elements("effects"))
    CIMMembers.reportUnread(node, known: symbolMembers, &report)
    if let effects = node["effects"], !kind.effects.isEmpty, try hasOtherLayers(node) {
      report.note(effects.path, "not applied to fills and markers: only effects of strokes are drawn")
    }
    if try node.double("haloSize") ?? 0 > 0, node["haloSymbol"] != nil {
      report.note(node.path["haloSymbol"], "not drawn: symbols have no halo")
    }
    guard node["symbolLayers"] != nil else {
      report.note(node.path["symbolLayers"], "missing: the default symbol is drawn instead", .approximated)
      return .standard(for: kind.isPoint ? .point : kind.isPolygon ? .polygon : .polyline)
    }
    let layers = try node.elements("symbolLayers")
    guard layers.count <= largestCount else {
      throw node.invalid("\(layers.count) symbol layers are too many; \(largestCount) can be drawn")
    }
    var parts: [SymbolForm] = []
    for layer in layers.reversed() where try layer.boolean("enable") ?? true {
      names.begin(layer, at: parts.count)
      parts += try self.parts(of: layer, in: kind, &names, &report)
    }
    if parts.count == 1 { return parts[0] }
    var composite = CompositeSymbol()
    composite.parts = parts
    return .composite(composite)
  }

  /// The properties of the symbol around a layer.
  struct Kind {
    let type: String
    /// The rotation of a point symbol, counter-clockwise in degrees.
    let angle: Double
    let alignment: String?
    /// The effects of all strokes.
    let effects: [JSONNode]

    var isPoint: Bool { type == "CIMPointSymbol" }
    var isPolygon: Bool { type == "CIMPolygonSymbol" }
  }

  /// The members of symbols that are read or have no effect in two dimensions.
  private static let symbolMembers: Set<String> = [
    "type", "symbolLayers", "angle", "angleAlignment", "haloSize", "haloSymbol", "effects", "scaleX",
    "useRealWorldSymbolSizes", "callout", "primitiveName", "symbol3DProperties", "thumbnailURI",
  ]

  /// Returns whether a symbol has visible layers other than strokes.
  private static func hasOtherLayers(_ node: JSONNode) throws(JSONDecodingError) -> Bool {
    for layer in try node.elements("symbolLayers") where try layer.boolean("enable") ?? true {
      if try layer.string("type") != "CIMSolidStroke" { return true }
    }
    return false
  }

  // MARK: Symbol layers

  private static func parts(
    of layer: JSONNode, in kind: Kind, _ names: inout CIMPrimitiveNames, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolForm] {
    switch try layer.required("type").string() {
    case "CIMSolidStroke":
      CIMMembers.reportUnread(
        layer, known: CIMMembers.ofLayers.union(["color", "width", "capStyle", "joinStyle", "miterLimit"]),
        &report)
      return [.line(try stroke(layer, effects: kind.effects, &report))]
    case "CIMSolidFill":
      CIMMembers.reportRest(of: layer, known: ["color"], &report)
      return [.fill(SimpleFillSymbol(color: try CIMColor.color(layer["color"], &report)))]
    case "CIMHatchFill": return try CIMFillCodec.hatch(layer, &report)
    case "CIMGradientFill": return try CIMFillCodec.gradient(layer, &report)
    case "CIMPictureFill": return try CIMFillCodec.picture(layer, &report)
    case "CIMGradientStroke":
      var stops: [ColorGradient.Stop] = []
      if let ramp = layer["colorRamp"] { stops = try CIMFillCodec.stops(ramp, depth: 0, &report) }
      return try CIMStrokeCodec.gradient(
        layer, stops, line: try stroke(layer, effects: kind.effects, &report), &report)
    case "CIMPictureStroke": return try CIMMarkerCodec.stroke(layer, &report)
    case "CIMVectorMarker", "CIMPictureMarker", "CIMCharacterMarker":
      return try CIMMarkerCodec.parts(of: layer, in: kind, &names, &report)
    case let type:
      report.note(layer.path["type"], "not drawn: a symbol layer of type \"\(type)\" has no form here yet")
      return []
    }
  }

  /// Reads a stroke with its effects; those of the symbol around it come first.
  static func stroke(
    _ layer: JSONNode, effects: [JSONNode] = [], _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleLineSymbol {
    var line = SimpleLineSymbol(
      color: try CIMColor.color(layer["color"], &report),
      width: try EsriMembers.length(layer, "width") ?? EsriMembers.pixelsPerPoint)
    line.cap =
      try CIMMembers.word(layer, "capStyle", ["Butt": .butt, "Round": .round, "Square": .square], &report)
      ?? .round
    line.join =
      try CIMMembers.word(layer, "joinStyle", ["Bevel": .bevel, "Round": .round, "Miter": .miter], &report)
      ?? .round
    line.miterLimit = max(try layer.double("miterLimit") ?? 10, 1)
    try CIMEffectCodec.read(effects + (try layer.elements("effects")), into: &line, &report)
    return line
  }
}
