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
    reportUnread(node, known: symbolMembers, &report)
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

  /// The members that all symbol layers have, without effect in two dimensions.
  static let layerMembers: Set<String> = [
    "type", "enable", "name", "colorLocked", "primitiveName", "overprint", "effects", "billboardMode3D",
    "dominantSizeAxis3D", "lineStyle3D", "scaleZ", "depth3D", "verticalOrientation3D", "offsetZ",
    "verticalScaleFactor", "rotateClockwise",
  ]

  /// Reports the members of an object that are neither read nor known to have no effect.
  static func reportUnread(_ node: JSONNode, known: Set<String>, _ report: inout DocumentReport) {
    for member in node.value.object?.members ?? [] where !member.value.isNull && !known.contains(member.name)
    {
      report.note(node.path[member.name], "not drawn: unknown here")
    }
  }

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
      reportUnread(
        layer, known: layerMembers.union(["color", "width", "capStyle", "joinStyle", "miterLimit"]), &report)
      return [.line(try stroke(layer, effects: kind.effects, &report))]
    case "CIMSolidFill":
      reportUnread(layer, known: layerMembers.union(["color"]), &report)
      reportEffects(layer, &report)
      return [.fill(SimpleFillSymbol(color: try CIMColor.color(layer["color"], &report)))]
    case "CIMHatchFill": return try CIMFillCodec.hatch(layer, &report)
    case "CIMGradientFill": return try CIMFillCodec.gradient(layer, &report)
    case "CIMPictureFill": return try CIMFillCodec.picture(layer, &report)
    case "CIMVectorMarker", "CIMPictureMarker":
      return try CIMMarkerCodec.parts(of: layer, in: kind, &names, &report)
    case let type:
      report.note(layer.path["type"], "not drawn: a symbol layer of type \"\(type)\" has no form here yet")
      return []
    }
  }

  static func reportEffects(_ layer: JSONNode, _ report: inout DocumentReport) {
    if let effects = layer["effects"], !(effects.value.array ?? []).isEmpty {
      report.note(effects.path, "not applied: only effects of strokes are drawn")
    }
  }

  /// Reads a stroke with its effects; those of the symbol around it come first.
  static func stroke(
    _ layer: JSONNode, effects: [JSONNode] = [], _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleLineSymbol {
    var line = SimpleLineSymbol(
      color: try CIMColor.color(layer["color"], &report),
      width: try EsriSymbolCodec.length(layer, "width") ?? EsriSymbolCodec.pixelsPerPoint)
    line.cap =
      try word(layer, "capStyle", ["Butt": .butt, "Round": .round, "Square": .square], &report) ?? .round
    line.join =
      try word(layer, "joinStyle", ["Bevel": .bevel, "Round": .round, "Miter": .miter], &report) ?? .round
    line.miterLimit = max(try layer.double("miterLimit") ?? 10, 1)
    try CIMEffectCodec.read(effects + (try layer.elements("effects")), into: &line, &report)
    return line
  }

  static func word<Value>(
    _ node: JSONNode, _ name: String, _ words: [String: Value], _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> Value? {
    guard let word = try node.string(name) else { return nil }
    guard let value = words[word] else {
      let meant = NearestName.of(word, among: words.keys.sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
      report.note(
        node.path[name], "unknown value \"\(word.prefix(200))\"; the default applies\(meant)", .approximated)
      return nil
    }
    return value
  }
}

/// A reader of CIM colours.
///
/// - Source: Esri CIM specification, colours: `values` with alpha from 0 to 100 at the end. An array has alpha from 0
///   to 255.
enum CIMColor {
  static func color(_ node: JSONNode?, _ report: inout DocumentReport) throws(JSONDecodingError) -> Color? {
    guard let node else { return nil }
    if node.value.array != nil { return try EsriSymbolCodec.color(node) }
    let type = try node.string("type") ?? ""
    var values: [Double] = []
    for value in try node.required("values").elements() { values.append(try value.double()) }
    let count = ["CIMRGBColor": 3, "CIMGrayColor": 1, "CIMHSVColor": 3, "CIMCMYKColor": 4][type]
    guard let count, values.count == count || values.count == count + 1 else {
      report.note(node.path, "not drawn: a color of type \"\(type)\" with \(values.count) values")
      return nil
    }
    let alpha = values.count > count ? values[count] * 255 / 100 : 255
    let (red, green, blue): (Double, Double, Double)
    switch type {
    case "CIMGrayColor": (red, green, blue) = (values[0], values[0], values[0])
    case "CIMHSVColor": (red, green, blue) = rgb(hue: values[0], saturation: values[1], value: values[2])
    case "CIMCMYKColor":
      let ink = 1 - values[3] / 100
      (red, green, blue) = (
        255 * (1 - values[0] / 100) * ink, 255 * (1 - values[1] / 100) * ink,
        255 * (1 - values[2] / 100) * ink
      )
    default: (red, green, blue) = (values[0], values[1], values[2])
    }
    func channel(_ value: Double) -> UInt8 {
      value > 0 ? UInt8(clamping: Int(clamping: min(value, 255).rounded())) : 0
    }
    return Color(red: channel(red), green: channel(green), blue: channel(blue), alpha: channel(alpha))
  }

  /// Converts a hue of 0 to 360, and a saturation and value of 0 to 100.
  private static func rgb(
    hue: Double, saturation: Double, value: Double
  ) -> (Double, Double, Double) {
    let chroma = value / 100 * saturation / 100
    func channel(_ shift: Double) -> Double {
      let place = (shift + hue / 60).truncatingRemainder(dividingBy: 6)
      return 255 * (value / 100 - chroma * max(0, min(place, 4 - place, 1)))
    }
    return (channel(5), channel(3), channel(1))
  }
}
