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
  static let pixelsPerPoint = 96.0 / 72.0
  /// The largest accepted size or width, in points: ten inches.
  ///
  /// - Source: design decision; at a pixel ratio of 4 it is still within the range that Cairo paints correctly.
  static let largestLength = 720.0
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
      color: try color(node["color"]), size: try length(node, "size") ?? 12,
      outline: try node["outline"].map { outline throws(JSONDecodingError) in try line(outline, &report) },
      angle: try angle(node), offsetX: try offset(node, "xoffset"),
      offsetY: try offset(node, "yoffset"))
    marker.angleAlignment = try alignment(node)
    return marker
  }

  static func line(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleLineSymbol {
    var line = SimpleLineSymbol(color: try color(node["color"]), width: try length(node, "width") ?? 1)
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
      color: try color(node["color"]),
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

  /// Reads red, green, blue and alpha, 0 to 255 each.
  ///
  /// Three numbers are an opaque colour; null or absent paints nothing.
  static func color(_ node: JSONNode?) throws(JSONDecodingError) -> Color? {
    guard let node else { return nil }
    let elements = try node.elements()
    guard elements.count == 3 || elements.count == 4 else {
      throw node.invalid("expected [red, green, blue, alpha], found \(elements.count) numbers")
    }
    var channels: [UInt8] = []
    for element in elements {
      let value = try element.double()
      guard value >= 0, value <= 255 else { throw element.invalid("\(value) is not between 0 and 255") }
      channels.append(UInt8(clamping: value.rounded()))
    }
    return Color(
      red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count == 4 ? channels[3] : 255)
  }

  /// Reads a rotation, clockwise in degrees; documents count counter-clockwise.
  static func angle(_ node: JSONNode) throws(JSONDecodingError) -> Double {
    let angle = try node.double("angle") ?? 0
    return angle == 0 ? 0 : -angle
  }

  /// Reads the direction that a rotation is measured from.
  ///
  /// - Source: design decision; web maps measure all rotations from the top of the view.
  static func alignment(_ node: JSONNode) throws(JSONDecodingError) -> SymbolAngleAlignment {
    try choice(node, "angleAlignment", SymbolAngleAlignment.init) ?? .screen
  }

  /// Reads an offset in pixels; 0 when absent.
  static func offset(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double {
    guard let member = node[name] else { return 0 }
    let points = try member.double()
    guard abs(points) <= largestLength else {
      throw member.invalid("\(points) is impossible; -720 to 720 points can be drawn")
    }
    return points * pixelsPerPoint
  }

  /// Reads a length in pixels; nil when absent.
  static func length(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double? {
    guard let member = node[name] else { return nil }
    let points = try member.double()
    guard points >= 0, points <= largestLength else {
      throw member.invalid("\(points) is impossible; 0 to 720 points can be drawn")
    }
    return points * pixelsPerPoint
  }

  // MARK: Writing

  static func json(_ symbol: SymbolForm) -> JSONValue {
    switch symbol {
    case .marker(let marker):
      var members: [(String, JSONValue)] = [
        ("type", "esriSMS"), ("style", .string(name("esriSMS", marker.style.rawValue))),
        ("color", json(marker.color)), ("size", .number(marker.size / pixelsPerPoint)),
      ]
      members += placement(
        angle: marker.angle, marker.angleAlignment, offsetX: marker.offsetX, offsetY: marker.offsetY)
      if let outline = marker.outline { members.append(("outline", json(.line(outline)))) }
      return object(members)
    case .picture(let picture): return EsriPictureSymbolCodec.json(picture)
    case .text(let text): return EsriTextSymbolCodec.json(text)
    case .composite(let composite):
      var members: [(String, JSONValue)] = [
        ("type", .string(compositeType)), ("symbols", .array(composite.parts.map { json($0) })),
      ]
      if !composite.overrides.isEmpty {
        members.append(("overrides", CIMOverrideCodec.json(composite.overrides)))
      }
      return object(members)
    case .vector(let vector): return CIMSymbolCodec.json(vector)
    case .pattern(let pattern): return CIMSymbolCodec.json(pattern)
    case .placed(let placed): return CIMSymbolCodec.json(placed)
    case .line(let line) where !line.dashTemplate.isEmpty || !line.effects.isEmpty:
      return CIMSymbolCodec.json(dashed: line)
    case .line(let line):
      var members: [(String, JSONValue)] = [
        ("type", "esriSLS"),
        ("style", .string(line.color == nil ? "esriSLSNull" : name("esriSLS", line.style.rawValue))),
        ("color", json(line.color)), ("width", .number(line.width / pixelsPerPoint)),
      ]
      if line.cap != .butt { members.append(("cap", .string(line.cap.rawValue))) }
      if line.join != .miter { members.append(("join", .string(line.join.rawValue))) }
      if line.miterLimit != 10 { members.append(("miterLimit", .number(line.miterLimit))) }
      if line.markerStyle == .arrow {
        let name = placements.first { $0.placement == line.markerPlacement }?.name ?? ""
        members.append(("marker", ["style": "arrow", "placement": .string(name)]))
      }
      return object(members)
    case .fill(let fill):
      var members: [(String, JSONValue)] = [
        ("type", "esriSFS"),
        ("style", .string(fill.color == nil ? "esriSFSNull" : name("esriSFS", fill.style.rawValue))),
        ("color", json(fill.color)),
      ]
      if let outline = fill.outline { members.append(("outline", json(.line(outline)))) }
      return object(members)
    }
  }

  /// Returns the members for the rotation and offset of a symbol.
  static func placement(
    angle: Double, _ alignment: SymbolAngleAlignment, offsetX: Double, offsetY: Double
  ) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = angle == 0 ? [] : [("angle", .number(-angle))]
    if alignment != .screen { members.append(("angleAlignment", .string(alignment.rawValue))) }
    for (name, offset) in [("xoffset", offsetX), ("yoffset", offsetY)] where offset != 0 {
      members.append((name, .number(offset / pixelsPerPoint)))
    }
    return members
  }

  /// Returns the name of a style with the prefix of its enumeration.
  private static func name(_ prefix: String, _ style: String) -> String {
    prefix + style.prefix(1).uppercased() + style.dropFirst()
  }

  static func json(_ color: Color?) -> JSONValue {
    guard let color else { return .null }
    return .array([color.red, color.green, color.blue, color.alpha].map { .number(Int($0)) })
  }

  static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    var object = JSONObject()
    for (name, value) in members { object[name] = value }
    return .object(object)
  }
}
