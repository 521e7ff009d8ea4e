import MapJSON

/// Members of symbols. `angleAlignment`, `cap`, `join`, `miterLimit` and composite symbols are design decisions.
extension DocumentObject {
  /// The members of symbols with a rotation and an offset.
  private static let placementMembers: [DocumentMember] = .of(
    .read(.number, "angle", "xoffset", "yoffset"),
    .read(.word(["screen", "map"]), "angleAlignment"))

  static let markerSymbolMembers: [DocumentMember] = .of(
    .read(.text, "type", "style"),
    .read(.list(.number), "color"),
    .read(.number, "size"),
    .read(.members(.lineSymbol), "outline"),
    placementMembers)

  static let lineSymbolMembers: [DocumentMember] = .of(
    .read(.text, "type", "style"),
    .read(.list(.number), "color"),
    .read(.number, "width", "miterLimit"),
    .read(.word(["butt", "round", "square"]), "cap"),
    .read(.word(["miter", "round", "bevel"]), "join"),
    .read(.members(.lineMarker), "marker"))

  static let lineMarkerMembers: [DocumentMember] = .of(
    .read(.word(["arrow", "none"]), "style"),
    .read(.word(["begin", "end", "begin-end"]), "placement"))

  static let fillSymbolMembers: [DocumentMember] = .of(
    .read(.text, "type", "style"),
    .read(.list(.number), "color"),
    .read(.members(.lineSymbol), "outline"))

  static let pictureMarkerSymbolMembers: [DocumentMember] = .of(
    .read(.text, "type", "url", "imageData"),
    .read(.number, "width", "height"),
    placementMembers,
    .notDrawn(.list(.number), "color", "not drawn: the image keeps its own colours"),
    .notDrawn(.number, "xscale", "not drawn: width and height apply", drawn: 1),
    .notDrawn(.number, "yscale", "not drawn: width and height apply", drawn: 1),
    .noEffect(.text, "contentType"),
    .noEffect(.number, "size"))

  static let pictureFillSymbolMembers: [DocumentMember] = .of(
    .read(.text, "type", "url", "imageData"),
    .read(.number, "width", "height", "xscale", "yscale"),
    .read(.members(.lineSymbol), "outline"),
    placementMembers,
    .notDrawn(.list(.number), "color", "not drawn: the image keeps its own colours"),
    .noEffect(.text, "contentType"))

  static let textSymbolMembers: [DocumentMember] = .of(
    .read(.text, "type", "text"),
    .read(.list(.number), "color", "haloColor", "backgroundColor", "borderLineColor"),
    .read(.number, "haloSize", "borderLineSize"),
    .read(.members(.font), "font"),
    .read(.word(["left", "center", "right", "justify"]), "horizontalAlignment"),
    .read(.word(["baseline", "top", "middle", "bottom"]), "verticalAlignment"),
    placementMembers,
    .read(.boolean, "kerning"),
    .notDrawn(.boolean, "rotated", "not drawn: letters are upright", drawn: false),
    .notDrawn(.boolean, "rightToLeft", "not applied: the direction follows the script", drawn: false))

  static let fontMembers: [DocumentMember] = .of(
    .read(.text, "family"),
    .read(.number, "size"),
    .read(.word(["normal", "italic", "oblique"]), "style"),
    .read(.word(["normal", "bold", "bolder", "lighter"]), "weight"),
    .partly(.word(["none", "underline", "line-through"]), "decoration", "not drawn yet", drawn: "none"))

  /// Members of symbol references; the codec of CIM symbols reports the members of theirs.
  static let symbolReferenceMembers: [DocumentMember] = .of(
    .read(.text, "type"),
    .read(.members(.symbol), "symbol"),
    .read(.number, "minScale", "maxScale"),
    .read(.array, "primitiveOverrides"),
    .noEffect(.array, "scaleDependentSizeVariation"),
    .noEffect(.text, "symbolName", "stylePath"))

  static let compositeSymbolMembers: [DocumentMember] = .of(
    .read(.text, "type"),
    .read(.list(.members(.symbol)), "symbols"),
    .read(.array, "overrides"))

  /// The members of a symbol of unknown type.
  static let anySymbolMembers: [DocumentMember] = .merged([
    markerSymbolMembers, lineSymbolMembers, fillSymbolMembers, pictureMarkerSymbolMembers,
    pictureFillSymbolMembers, textSymbolMembers, symbolReferenceMembers, compositeSymbolMembers,
  ])
}
