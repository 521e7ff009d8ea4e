import MapJSON
import MapModel

/// A reader of the text of CIM symbols.
///
/// - Source: Esri CIM specification, `CIMTextSymbol`. Design decisions: a missing height is 10 points, and missing
///   letters are black.
enum CIMTextCodec {
  private static let members: Set<String> = [
    "type", "height", "fontFamilyName", "fontStyleName", "symbol", "haloSize", "haloSymbol", "angle",
    "offsetX",
    "offsetY", "horizontalAlignment", "verticalAlignment", "kerning", "fontType", "fontEncoding",
    "blockProgression",
    "billboardMode3D", "compatibilityMode", "depth3D", "drawSoftHyphen", "extrapolateBaselines", "flipAngle",
    "glyphRendering", "hinting", "ligatures", "lineGapType", "countryISO", "languageISO", "textCase",
    "textDirection", "verticalGlyphOrientation", "wordSpacing", "symbol3DProperties", "indent", "fontEffects",
    "primitiveName", "useRealWorldSymbolSizes", "lineGap", "letterSpacing", "letterWidth",
  ]

  /// Reads the style of a text.
  static func symbol(
    _ node: JSONNode, text: String, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> TextSymbol {
    CIMMembers.reportUnread(node, known: members, &report)
    for (name, usual) in [("letterSpacing", 0.0), ("letterWidth", 100)] {
      if let value = try node.double(name), value != usual {
        report.note(node.path[name], "not applied: letters have the width of the font", .approximated)
      }
    }
    var symbol = TextSymbol(
      text: text, size: try EsriMembers.length(node, "height") ?? EsriTextSymbolCodec.standardSize,
      horizontalAlignment: try CIMMembers.word(
        node, "horizontalAlignment",
        ["Left": .left, "Center": .center, "Right": .right, "Justify": .justify], &report) ?? .left,
      verticalAlignment: try CIMMembers.word(
        node, "verticalAlignment",
        ["Top": .top, "Center": .middle, "Baseline": .baseline, "Bottom": .bottom], &report) ?? .bottom)
    symbol.isKerned = try node.boolean("kerning") ?? true
    symbol.fontFamily = try node.string("fontFamilyName") ?? ""
    if !symbol.fontFamily.isEmpty,
      !["noto sans", "noto sans condensed"].contains(symbol.fontFamily.lowercased())
    {
      report.note(
        node.path["fontFamilyName"], DocumentWarning.missingFamily(symbol.fontFamily), .approximated)
    }
    let style = try node.string("fontStyleName")?.lowercased() ?? ""
    if style.contains("bold") { symbol.fontWeight = .bold }
    if style.contains("italic") { symbol.fontStyle = .italic }
    if style.contains("oblique") { symbol.fontStyle = .oblique }
    if let letters = node["symbol"] { symbol.color = try fill(of: letters, &report) }
    symbol.haloWidth = try EsriMembers.length(node, "haloSize") ?? 0
    if symbol.haloWidth > 0, let halo = node["haloSymbol"] { symbol.haloColor = try fill(of: halo, &report) }
    symbol.angle = try EsriMembers.angle(node)
    symbol.offsetX = try EsriMembers.offset(node, "offsetX")
    symbol.offsetY = try EsriMembers.offset(node, "offsetY")
    return symbol
  }

  /// Reads the colour of the solid fill of a polygon symbol; nil without one.
  static func fill(
    of symbol: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> Color? {
    var color: Color?
    for layer in try symbol.elements("symbolLayers").reversed() where try layer.boolean("enable") ?? true {
      guard try layer.string("type") == "CIMSolidFill" else {
        report.note(layer.path, "not drawn: letters have one solid fill")
        continue
      }
      color = try CIMColor.color(layer["color"], &report) ?? color
    }
    return color
  }
}
