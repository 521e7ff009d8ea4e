import MapGeometry
import MapJSON
import MapModel
import MapSystem

/// A codec for symbols in web map JSON.
///
/// - Units: documents use points (1/72 inch), symbols use pixels (1/96 inch): factor 96/72.
/// - Source: Esri web map specification 2.x, symbols. Design decisions: a missing size is 12 pixels, a missing width
///   1 pixel.
enum EsriSymbolCodec {
  /// The type of several symbols at one position.
  ///
  /// - Source: design decision; web maps have no such symbol.
  private static let compositeType = "CompositeSymbol"

  // MARK: Reading

  /// Reads a symbol; an unsupported one is reported and replaced by the default of its geometry type.
  static func symbol(_ node: JSONNode, _ report: inout DocumentReport) throws(JSONDecodingError)
    -> SymbolForm
  {
    switch try node.required("type").string() {
    case "esriSMS": return .marker(try marker(node, &report))
    case "esriSLS": return .line(try line(node, &report))
    case "esriSFS": return .fill(try fill(node, &report))
    case "esriPFS": return .pattern(try EsriPictureSymbolCodec.fill(node, &report))
    case "esriPMS": return .picture(try EsriPictureSymbolCodec.symbol(node, &report))
    case "esriTS": return .text(try EsriTextSymbolCodec.symbol(node, &report))
    case "CIMSymbolReference":
      guard let inner = node["symbol"] else {
        report.note(node.path["symbol"], "missing: the default symbol is drawn instead", .approximated)
        return .standard(for: .point)
      }
      let isCIM = try inner.required("type").string().hasPrefix("CIM")
      return isCIM ? try CIMSymbolCodec.symbol(node, &report) : try symbol(inner, &report)
    case compositeType:
      var parts: [SymbolForm] = []
      for part in try node.required("symbols").elements() { parts.append(try symbol(part, &report)) }
      var composite = CompositeSymbol()
      composite.parts = parts
      if let overrides = node["overrides"] {
        composite.overrides = try CIMOverrideCodec.overrides(overrides, &report)
      }
      return .composite(composite)
    case let type:
      report.note(
        node.path["type"],
        "symbols of type \"\(type)\" are not drawn yet; the default symbol is drawn instead"
          + DocumentObject.symbols.suggestion(for: type), .approximated)
      return .standard(for: .point)
    }
  }

  private static func marker(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleMarkerSymbol {
    var marker = SimpleMarkerSymbol(
      style: try style(node, "esriSMS", SimpleMarkerSymbol.Style.self, &report) ?? .circle,
      color: try EsriMembers.color(node["color"]), size: try EsriMembers.length(node, "size") ?? 12,
      outline: try node["outline"].map { outline throws(JSONDecodingError) in try line(outline, &report) },
      angle: try EsriMembers.angle(node), offsetX: try EsriMembers.offset(node, "xoffset"),
      offsetY: try EsriMembers.offset(node, "yoffset"))
    marker.angleAlignment = try EsriMembers.alignment(node)
    if let outline = marker.outline, outline.style != .solid, outline.color != nil {
      report.note(
        node.path["outline"]["style"], "not drawn: the outline of a marker is a solid line", .approximated)
    }
    return marker
  }

  static func line(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleLineSymbol {
    var line = SimpleLineSymbol(
      color: try EsriMembers.color(node["color"]), width: try EsriMembers.length(node, "width") ?? 1)
    if try node.string("style") == "esriSLSNull" {
      line.color = nil
    } else {
      line.style = try style(node, "esriSLS", SimpleLineSymbol.Style.self, &report) ?? .solid
    }
    line.cap = try choice(node, "cap", SimpleLineSymbol.Cap.init) ?? .butt
    line.join = try choice(node, "join", SimpleLineSymbol.Join.init) ?? .miter
    if let limit = try node.double("miterLimit") {
      guard limit >= 1 else { throw node.invalid("a miterLimit of \(limit) is below 1") }
      line.miterLimit = limit
    }
    if let marker = node["marker"] {
      line.markerStyle = try choice(marker, "style", SimpleLineSymbol.MarkerStyle.init) ?? .arrow
      line.markerPlacement =
        try choice(marker, "placement", { name in placements.first { $0.name == name }?.placement })
        ?? .beginAndEnd
    }
    return line
  }

  /// The line ends by their names in documents.
  private static let placements: [(name: String, placement: SimpleLineSymbol.MarkerPlacement)] = [
    ("begin", .begin), ("end", .end), ("begin-end", .beginAndEnd),
  ]

  private static func fill(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleFillSymbol {
    var fill = SimpleFillSymbol(
      color: try EsriMembers.color(node["color"]),
      outline: try node["outline"].map { outline throws(JSONDecodingError) in try line(outline, &report) })
    if try node.string("style") == "esriSFSNull" {
      fill.color = nil
    } else {
      fill.style = try style(node, "esriSFS", SimpleFillSymbol.Style.self, &report) ?? .solid
    }
    return fill
  }

  /// Reads a style: the prefix of the enumeration, then the case name with a capital.
  ///
  /// Nil for none and, with a warning, for an unknown one.
  private static func style<Style: RawRepresentable<String> & CaseIterable>(
    _ node: JSONNode, _ prefix: String, _ styles: Style.Type, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> Style? {
    guard let name = try node.string("style") else { return nil }
    if let style = Style.allCases.first(where: { Self.name(prefix, $0.rawValue) == name }) { return style }
    let meant = NearestName.of(name, among: Style.allCases.map { Self.name(prefix, $0.rawValue) })
    report.note(
      node.path["style"],
      "approximated: there is no style \"\(name)\"; the plain style is used instead"
        + (meant.map { "; did you mean \"\($0)\"?" } ?? ""), .approximated)
    return nil
  }

  /// Reads a word of a closed list; nil for none and for an unknown word, which ``DocumentWalk`` reports.
  private static func choice<Choice>(
    _ node: JSONNode, _ name: String, _ named: (String) -> Choice?
  ) throws(JSONDecodingError) -> Choice? {
    try node.string(name).flatMap(named)
  }

  // MARK: Writing

  static func json(_ symbol: SymbolForm) -> JSONValue {
    switch symbol {
    case .marker(let marker):
      var members: [(String, JSONValue)] = [
        ("type", "esriSMS"), ("style", .string(name("esriSMS", marker.style.rawValue))),
        ("color", EsriMembers.json(marker.color)),
        ("size", .number(marker.size / EsriMembers.pixelsPerPoint)),
      ]
      members += EsriMembers.placement(
        angle: marker.angle, marker.angleAlignment, offsetX: marker.offsetX, offsetY: marker.offsetY)
      if let outline = marker.outline { members.append(("outline", json(.line(outline)))) }
      return EsriMembers.object(members)
    case .picture(let picture): return EsriPictureSymbolCodec.json(picture)
    case .text(let text): return EsriTextSymbolCodec.json(text)
    case .composite(let composite):
      var members: [(String, JSONValue)] = [
        ("type", .string(compositeType)), ("symbols", .array(composite.parts.map { json($0) })),
      ]
      if !composite.overrides.isEmpty {
        members.append(("overrides", CIMOverrideCodec.json(composite.overrides)))
      }
      return EsriMembers.object(members)
    case .vector(let vector): return CIMSymbolCodec.json(vector)
    case .pattern(let pattern): return CIMSymbolCodec.json(pattern)
    case .placed(let placed): return CIMSymbolCodec.json(placed)
    case .line(let line) where !line.dashTemplate.isEmpty || !line.effects.isEmpty:
      return CIMSymbolCodec.json(dashed: line)
    case .line(let line):
      var members: [(String, JSONValue)] = [
        ("type", "esriSLS"),
        ("style", .string(line.color == nil ? "esriSLSNull" : name("esriSLS", line.style.rawValue))),
        ("color", EsriMembers.json(line.color)), ("width", .number(line.width / EsriMembers.pixelsPerPoint)),
      ]
      if line.cap != .butt { members.append(("cap", .string(line.cap.rawValue))) }
      if line.join != .miter { members.append(("join", .string(line.join.rawValue))) }
      if line.miterLimit != 10 { members.append(("miterLimit", .number(line.miterLimit))) }
      if line.markerStyle == .arrow {
        let name = placements.first { $0.placement == line.markerPlacement }?.name ?? ""
        members.append(("marker", ["style": "arrow", "placement": .string(name)]))
      }
      return EsriMembers.object(members)
    case .fill(let fill):
      var members: [(String, JSONValue)] = [
        ("type", "esriSFS"),
        ("style", .string(fill.color == nil ? "esriSFSNull" : name("esriSFS", fill.style.rawValue))),
        ("color", EsriMembers.json(fill.color)),
      ]
      if let outline = fill.outline { members.append(("outline", json(.line(outline)))) }
      return EsriMembers.object(members)
    }
  }

  /// Returns the name of a style with the prefix of its enumeration.
  private static func name(_ prefix: String, _ style: String) -> String {
    prefix + style.prefix(1).uppercased() + style.dropFirst()
  }
}
