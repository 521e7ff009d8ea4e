import MapJSON
import MapModel

/// A codec for text symbols in web map JSON (`esriTS`).
///
/// - Source: Esri web map specification 2.x. Design decisions: a missing size is 10 points, and a missing colour
///   paints nothing.
enum EsriTextSymbolCodec {
  /// The default text size in pixels: 10 points.
  static let standardSize = 10 * EsriMembers.pixelsPerPoint

  static func symbol(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> TextSymbol {
    let type = try node.required("type").string()
    if type == "CIMSymbolReference", let own = node["symbol"], try own.string("type") == "CIMTextSymbol" {
      return try CIMTextCodec.symbol(own, text: "", &report)
    }
    guard type == "esriTS" else {
      report.note(
        node.path["type"], "text of type \"\(type)\" is not drawn yet; black text is drawn instead",
        .approximated)
      return TextSymbol(size: standardSize)
    }
    var symbol = TextSymbol(
      text: try node.string("text") ?? "", color: try EsriMembers.color(node["color"]),
      size: standardSize,
      horizontalAlignment: try choice(node, "horizontalAlignment") ?? .center,
      verticalAlignment: try choice(node, "verticalAlignment") ?? .baseline)
    symbol.haloColor = try EsriMembers.color(node["haloColor"])
    symbol.haloWidth = try EsriMembers.length(node, "haloSize") ?? 0
    symbol.offsetX = try EsriMembers.offset(node, "xoffset")
    symbol.offsetY = try EsriMembers.offset(node, "yoffset")
    symbol.isKerned = try node.boolean("kerning") ?? true
    if let font = node["font"] { try read(font, into: &symbol, &report) }
    symbol.backgroundColor = try EsriMembers.color(node["backgroundColor"])
    symbol.outlineColor = try EsriMembers.color(node["borderLineColor"])
    symbol.outlineWidth = try EsriMembers.length(node, "borderLineSize") ?? 0
    symbol.angle = try EsriMembers.angle(node)
    symbol.angleAlignment = try EsriMembers.alignment(node)
    return symbol
  }

  private static func read(
    _ font: JSONNode, into symbol: inout TextSymbol, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    symbol.size = try EsriMembers.length(font, "size") ?? standardSize
    symbol.fontFamily = try font.string("family") ?? ""
    if !symbol.fontFamily.isEmpty,
      !["noto sans", "noto sans condensed"].contains(symbol.fontFamily.lowercased())
    {
      report.note(font.path["family"], DocumentWarning.missingFamily(symbol.fontFamily), .approximated)
    }
    symbol.fontStyle = try choice(font, "style") ?? .normal
    switch try font.string("weight") ?? "normal" {
    case "bold": symbol.fontWeight = .bold
    case let word where ["bolder", "lighter"].contains(word):
      symbol.fontWeight = word == "bolder" ? .bold : .normal
      report.note(
        font.path["weight"],
        "approximated: there is no weight \"\(word)\"; \(symbol.fontWeight.rawValue) is used instead",
        .approximated)
    default: break
    }
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ node: JSONNode, _ name: String
  ) throws(JSONDecodingError) -> Choice? {
    try node.string(name).flatMap { Choice(rawValue: $0) }
  }

  static func json(_ symbol: TextSymbol) -> JSONValue {
    let points = EsriMembers.pixelsPerPoint
    var font: [(String, JSONValue)] = [("size", .number(symbol.size / points))]
    if !symbol.fontFamily.isEmpty { font.append(("family", .string(symbol.fontFamily))) }
    if symbol.fontStyle != .normal { font.append(("style", .string(symbol.fontStyle.rawValue))) }
    if symbol.fontWeight != .normal { font.append(("weight", .string(symbol.fontWeight.rawValue))) }
    var members: [(String, JSONValue)] = [
      ("type", "esriTS"), ("color", EsriMembers.json(symbol.color)),
      ("font", EsriMembers.object(font)),
      ("horizontalAlignment", .string(symbol.horizontalAlignment.rawValue)),
      ("verticalAlignment", .string(symbol.verticalAlignment.rawValue)),
    ]
    if !symbol.isKerned { members.append(("kerning", false)) }
    if !symbol.text.isEmpty { members.append(("text", .string(symbol.text))) }
    if let color = symbol.haloColor {
      members.append(("haloColor", EsriMembers.json(color)))
      members.append(("haloSize", .number(symbol.haloWidth / points)))
    }
    if let color = symbol.backgroundColor {
      members.append(("backgroundColor", EsriMembers.json(color)))
    }
    if let color = symbol.outlineColor {
      members.append(("borderLineColor", EsriMembers.json(color)))
      members.append(("borderLineSize", .number(symbol.outlineWidth / points)))
    }
    members += EsriMembers.placement(
      angle: symbol.angle, symbol.angleAlignment, offsetX: symbol.offsetX, offsetY: symbol.offsetY)
    return EsriMembers.object(members)
  }
}
