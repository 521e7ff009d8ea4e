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
    for name in ["primitiveOverrides", "scaleDependentSizeVariation"] {
      if let member = reference[name], !(member.value.array ?? []).isEmpty {
        report.note(member.path, "not applied yet: the symbol keeps its own properties")
      }
    }
    return try symbol(node, asReference: true, &report)
  }

  private static func symbol(
    _ node: JSONNode, asReference: Bool, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SymbolForm {
    let type = try node.required("type").string()
    guard ["CIMPointSymbol", "CIMLineSymbol", "CIMPolygonSymbol"].contains(type) else {
      report.note(
        node.path["type"], "symbols of type \"\(type)\" are not drawn; the default symbol is drawn instead",
        .approximated)
      return .standard(for: .point)
    }
    let kind = Kind(
      type: type, angle: try node.double("angle") ?? 0, alignment: try node.string("angleAlignment"))
    reportUnread(node, known: symbolMembers, &report)
    if let effects = node["effects"], !(effects.value.array ?? []).isEmpty {
      report.note(effects.path, "not applied: only effects of single strokes are drawn")
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
      parts += try self.parts(of: layer, in: kind, &report)
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

  // MARK: Symbol layers

  private static func parts(
    of layer: JSONNode, in kind: Kind, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolForm] {
    switch try layer.required("type").string() {
    case "CIMSolidStroke":
      reportUnread(
        layer, known: layerMembers.union(["color", "width", "capStyle", "joinStyle", "miterLimit"]), &report)
      return [.line(try stroke(layer, &report))]
    case "CIMSolidFill":
      reportUnread(layer, known: layerMembers.union(["color"]), &report)
      reportEffects(layer, &report)
      return [.fill(SimpleFillSymbol(color: try CIMColor.color(layer["color"], &report)))]
    case "CIMHatchFill": return try hatch(layer, &report)
    case "CIMVectorMarker", "CIMPictureMarker": return try CIMMarkerCodec.parts(of: layer, in: kind, &report)
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

  /// Reads a stroke with its dashes.
  static func stroke(
    _ layer: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleLineSymbol {
    var line = SimpleLineSymbol(
      color: try CIMColor.color(layer["color"], &report),
      width: try EsriSymbolCodec.length(layer, "width") ?? EsriSymbolCodec.pixelsPerPoint)
    line.cap =
      try word(layer, "capStyle", ["Butt": .butt, "Round": .round, "Square": .square], &report) ?? .round
    line.join =
      try word(layer, "joinStyle", ["Bevel": .bevel, "Round": .round, "Miter": .miter], &report) ?? .round
    line.miterLimit = max(try layer.double("miterLimit") ?? 10, 1)
    for effect in try layer.elements("effects") {
      let type = try effect.string("type") ?? ""
      guard type == "CIMGeometricEffectDashes" else {
        report.note(effect.path, "not applied yet: an effect of type \"\(type)\"")
        continue
      }
      var lengths: [Double] = []
      for length in try effect.elements("dashTemplate") {
        let points = try length.double()
        guard points >= 0, points <= EsriSymbolCodec.largestLength else {
          throw length.invalid("\(points) is impossible; 0 to 720 points can be drawn")
        }
        lengths.append(points * EsriSymbolCodec.pixelsPerPoint)
      }
      guard lengths.count <= 100 else { throw effect.invalid("more than 100 dashes and gaps") }
      line.dashTemplate = lengths.contains { $0 > 0 } ? lengths : []
      if let ending = try effect.string("lineDashEnding"), ending != "NoConstraint" {
        report.note(
          effect.path["lineDashEnding"], "approximated: the dashes start at each line's first vertex",
          .approximated)
      }
      if try effect.double("offsetAlongLine") ?? 0 != 0 {
        report.note(
          effect.path["offsetAlongLine"], "not applied: the dashes start at each line's first vertex")
      }
    }
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

  private static func hatch(
    _ layer: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [SymbolForm] {
    reportUnread(
      layer, known: layerMembers.union(["lineSymbol", "rotation", "separation", "offsetX", "offsetY"]),
      &report)
    reportEffects(layer, &report)
    // - Source: the ArcGIS Maps SDK for JavaScript for the default of 4 points.
    let points = try layer.double("separation") ?? 4
    guard points > 0, points <= EsriSymbolCodec.largestLength else {
      throw layer.invalid("a separation of \(points) is impossible; more than 0 to 720 points can be drawn")
    }
    for name in ["offsetX", "offsetY"] where try layer.double(name) ?? 0 != 0 {
      report.note(layer.path[name], "not applied: the lines start at the image's corner")
    }
    guard let symbol = layer["lineSymbol"] else {
      report.note(layer.path["lineSymbol"], "missing: the hatch is not drawn")
      return []
    }
    var parts: [SymbolForm] = []
    for stroke in try symbol.elements("symbolLayers").reversed() where try stroke.boolean("enable") ?? true {
      guard try stroke.string("type") == "CIMSolidStroke" else {
        report.note(stroke.path, "not drawn: the lines of a hatch are solid strokes")
        continue
      }
      var line = try self.stroke(stroke, &report)
      if !line.dashTemplate.isEmpty {
        report.note(stroke.path["effects"], "not applied: the lines of a hatch are solid")
        line.dashTemplate = []
      }
      parts.append(
        .pattern(
          PatternFillSymbol(
            pattern: .lines(
              line, separation: points * EsriSymbolCodec.pixelsPerPoint,
              angle: try layer.double("rotation") ?? 0))))
    }
    return parts
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
