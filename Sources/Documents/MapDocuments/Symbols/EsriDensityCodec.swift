import MapExpressions
import MapJSON
import MapModel

/// A codec for renderers of densities in web map JSON: heat maps and dot density.
enum EsriDensityCodec {
  // MARK: Heat maps

  /// Reads a heat map.
  ///
  /// - Source: web map specification; the default radius and density are those of the ArcGIS Maps SDK for JavaScript.
  ///   Design decision for older documents: the kernel has the variance and the height of the Gaussian curve with
  ///   `blurRadius`.
  static func heatmap(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> HeatmapRenderer {
    var radius = try EsriMembers.length(node, "radius")
    if radius == nil, let blur = try node.double("blurRadius") {
      guard blur >= 0, blur <= 1000 else { throw node.invalid("a blurRadius of \(blur) is not 0 to 1000") }
      radius = blur * 8.0.squareRoot()
      report.note(
        node.path["blurRadius"], "approximated: drawn with a radius and a kernel that ends", .approximated)
    }
    let pixels = radius ?? 24
    func density(_ name: String, _ intensity: String) throws(JSONDecodingError) -> Double? {
      if let density = try node.double(name) { return density }
      return try node.double(intensity).map { $0 * 3 / (Double.pi * pixels * pixels) }
    }
    var stops: [HeatmapRenderer.ColorStop] = []
    for stop in try node.required("colorStops").elements() {
      stops.append(
        HeatmapRenderer.ColorStop(
          ratio: try stop.required("ratio").double(),
          color: try EsriMembers.color(stop["color"]) ?? .clear))
    }
    let field = try node.string("field")
    var renderer = HeatmapRenderer(
      fieldName: field?.isEmpty == true ? nil : field, radius: pixels,
      minDensity: try density("minDensity", "minPixelIntensity") ?? 0,
      maxDensity: try density("maxDensity", "maxPixelIntensity") ?? 0.04, colorStops: stops,
      referenceScale: try node.double("referenceScale") ?? 0)
    renderer.legendOptions = EsriLegendOptionsCodec.options(node)
    return renderer
  }

  /// Returns the members of a heat map.
  static func members(_ renderer: HeatmapRenderer) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("type", "heatmap")]
    if let field = renderer.fieldName { members.append(("field", .string(field))) }
    members += [
      ("radius", .number(renderer.radius / EsriMembers.pixelsPerPoint)),
      ("minDensity", .number(renderer.minDensity)), ("maxDensity", .number(renderer.maxDensity)),
      (
        "colorStops",
        .array(
          renderer.colorStops.map {
            ["ratio": .number($0.ratio), "color": EsriMembers.json($0.color)]
          })
      ),
    ]
    return members + scale(renderer.referenceScale)
  }

  // MARK: Dot density

  /// Reads dots.
  static func dotDensity(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> DotDensityRenderer {
    var renderer = DotDensityRenderer(
      attributes: try attributes(node, &report), dotValue: try node.required("dotValue").double(),
      dotSize: try EsriMembers.length(node, "dotSize") ?? EsriMembers.pixelsPerPoint,
      outline: try outline(node, &report),
      backgroundColor: try EsriMembers.color(node["backgroundColor"]),
      referenceScale: try node.double("referenceScale") ?? 0, seed: try node.integer("seed") ?? 1)
    renderer.legendOptions = EsriLegendOptionsCodec.options(node)
    return renderer
  }

  /// Reads the numbers that have a colour each.
  static func attributes(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [RendererAttribute] {
    var attributes: [RendererAttribute] = []
    for item in try node.required("attributes").elements() {
      attributes.append(try attribute(item, &report))
    }
    return attributes
  }

  /// Reads the line symbol of an outline; nil, with a warning, for another symbol.
  static func outline(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleLineSymbol? {
    guard let outline = node["outline"] else { return nil }
    guard case .line(let line) = try EsriSymbolCodec.symbol(outline, &report) else {
      report.note(outline.path["type"], "not drawn: an outline is a line symbol")
      return nil
    }
    return line
  }

  private static func attribute(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> RendererAttribute {
    let expression = try node.string("valueExpression").flatMap { $0.isEmpty ? nil : $0 }
    let field = try expression == nil ? node.required("field").string() : node.string("field") ?? ""
    var attribute = RendererAttribute(
      fieldName: field, label: try node.string("label") ?? field,
      color: try EsriMembers.color(node["color"]) ?? .clear)
    if let expression {
      do throws(ArcadeError) {
        attribute.valueExpression = try ArcadeExpression(parsing: expression)
      } catch {
        report.note(node.path["valueExpression"], "\(error); the attribute is not drawn")
        attribute.valueExpression = .nothing
      }
    }
    return attribute
  }

  /// Returns the members of dots.
  static func members(_ renderer: DotDensityRenderer) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("type", "dotDensity"), ("attributes", json(renderer.attributes)),
      ("dotValue", .number(renderer.dotValue)),
      ("dotSize", .number(renderer.dotSize / EsriMembers.pixelsPerPoint)),
      ("seed", .number(renderer.seed)),
    ]
    if let outline = renderer.outline {
      members.append(("outline", EsriSymbolCodec.json(.line(outline))))
    }
    if let color = renderer.backgroundColor {
      members.append(("backgroundColor", EsriMembers.json(color)))
    }
    return members + scale(renderer.referenceScale)
  }

  /// Returns the numbers that have a colour each.
  static func json(_ attributes: [RendererAttribute]) -> JSONValue {
    .array(
      attributes.map { attribute in
        let source: (String, JSONValue) =
          attribute.valueExpression.map { ("valueExpression", .string($0.text)) }
          ?? ("field", .string(attribute.fieldName))
        return EsriMembers.object([
          source, ("label", .string(attribute.label)), ("color", EsriMembers.json(attribute.color)),
        ])
      })
  }

  private static func scale(_ reference: Double) -> [(String, JSONValue)] {
    reference > 0 ? [("referenceScale", .number(reference))] : []
  }
}
