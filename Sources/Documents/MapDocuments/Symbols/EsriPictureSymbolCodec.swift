import FoundationEssentials
import MapJSON
import MapModel

/// A codec for picture marker symbols in web map JSON (`esriPMS`).
///
/// - Source: Esri web map specification 2.x, picture marker symbol: `imageData` in base64 takes precedence over
///   `url`.
enum EsriPictureSymbolCodec {
  static func symbol(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> PictureMarkerSymbol {
    let url = try node.string("url") ?? ""
    let (name, picture) = try picture(node, url: url, report)
    if case .failure(let error) = picture {
      report.note(
        node.path[name], "the image cannot be drawn: \(error); the default symbol is drawn instead",
        .approximated)
    }
    var symbol = PictureMarkerSymbol(picture: picture, url: url)
    symbol.width = try EsriMembers.length(node, "width") ?? 0
    symbol.height = try EsriMembers.length(node, "height") ?? 0
    if case .success(let picture) = picture, picture.density != 1, let size = symbol.drawnSize {
      // A document stores the pixels alone, so the size is written.
      (symbol.width, symbol.height) = size
    }
    symbol.angle = try EsriMembers.angle(node)
    symbol.angleAlignment = try EsriMembers.alignment(node)
    symbol.offsetX = try EsriMembers.offset(node, "xoffset")
    symbol.offsetY = try EsriMembers.offset(node, "yoffset")
    return symbol
  }

  /// Reads a picture fill symbol (`esriPFS`).
  ///
  /// - Source: Esri web map specification 2.x, picture fill symbol: `xscale` and `yscale` multiply the size.
  static func fill(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> PatternFillSymbol {
    var picture = try symbol(node, &report)
    let (scaleX, scaleY) = (try node.double("xscale") ?? 1, try node.double("yscale") ?? 1)
    if scaleX != 1 || scaleY != 1, scaleX > 0, scaleY > 0, let size = picture.drawnSize {
      (picture.width, picture.height) = (size.width * scaleX, size.height * scaleY)
    }
    return PatternFillSymbol(
      pattern: .picture(picture),
      outline: try node["outline"].map { outline throws(JSONDecodingError) in
        try EsriSymbolCodec.line(outline, &report)
      })
  }

  /// Returns a picture fill symbol.
  static func json(fill picture: PictureMarkerSymbol, outline: SimpleLineSymbol?) -> JSONValue {
    var object = json(picture).object ?? JSONObject()
    object["type"] = "esriPFS"
    if let outline { object["outline"] = EsriSymbolCodec.json(.line(outline)) }
    return .object(object)
  }

  /// Returns the address of an image: its pixels, or where they come from.
  static func address(_ symbol: PictureMarkerSymbol) -> String {
    guard case .success(let picture) = symbol.picture else { return symbol.url }
    return "data:image/png;base64," + Data(picture.pngData).base64EncodedString()
  }

  /// Reads the image, and the name of the member that should contain it.
  private static func picture(
    _ node: JSONNode, url: String, _ report: DocumentReport
  ) throws(JSONDecodingError) -> (name: String, picture: Result<SymbolPicture, SymbolPictureError>) {
    guard let text = try node.string("imageData"), !text.isEmpty else {
      return (
        "url",
        url.isEmpty ? .failure(SymbolPictureError("url and imageData are missing")) : report.picture(at: url)
      )
    }
    // Some writers store a whole `data:` address there.
    let base64 = text.hasPrefix("data:") ? text.drop { $0 != "," }.dropFirst() : text[...]
    // White space is ignored; anything else that is not base64 is an error.
    guard let data = Data(base64Encoded: String(base64.filter { !$0.isWhitespace })), !data.isEmpty else {
      return ("imageData", .failure(SymbolPictureError("the data are not base64")))
    }
    let picture = Result { () throws(SymbolPictureError) in try SymbolPicture(png: Array(data)) }
    if case .failure = picture, !data.starts(with: [0x89, 0x50, 0x4E, 0x47]), report.readsPictures {
      // Other formats need libraries, which only the opener of documents has.
      return ("imageData", report.picture(at: "data:;base64,\(base64)"))
    }
    return ("imageData", picture)
  }

  static func json(_ symbol: PictureMarkerSymbol) -> JSONValue {
    var members: [(String, JSONValue)] = [("type", "esriPMS")]
    if !symbol.url.isEmpty { members.append(("url", .string(symbol.url))) }
    if case .success(let picture) = symbol.picture {
      members.append(("imageData", .string(Data(picture.pngData).base64EncodedString())))
      members.append(("contentType", "image/png"))
    }
    for (name, length) in [("width", symbol.width), ("height", symbol.height)] where length != 0 {
      members.append((name, .number(length / EsriMembers.pixelsPerPoint)))
    }
    members += EsriMembers.placement(
      angle: symbol.angle, symbol.angleAlignment, offsetX: symbol.offsetX, offsetY: symbol.offsetY)
    return EsriMembers.object(members)
  }
}
