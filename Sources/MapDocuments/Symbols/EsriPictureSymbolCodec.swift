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
    symbol.width = try EsriSymbolCodec.length(node, "width") ?? 0
    symbol.height = try EsriSymbolCodec.length(node, "height") ?? 0
    if case .success(let picture) = picture, picture.density != 1, let size = symbol.drawnSize {
      // A document stores the pixels alone, so the size is written.
      (symbol.width, symbol.height) = size
    }
    symbol.angle = try EsriSymbolCodec.angle(node)
    symbol.angleAlignment = try EsriSymbolCodec.alignment(node)
    symbol.offsetX = try EsriSymbolCodec.offset(node, "xoffset")
    symbol.offsetY = try EsriSymbolCodec.offset(node, "yoffset")
    return symbol
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
    let picture = Result { () throws(SymbolPictureError) in try SymbolPicture(pngData: Array(data)) }
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
      members.append((name, .number(length / EsriSymbolCodec.pixelsPerPoint)))
    }
    members += EsriSymbolCodec.placement(
      angle: symbol.angle, symbol.angleAlignment, offsetX: symbol.offsetX, offsetY: symbol.offsetY)
    return EsriSymbolCodec.object(members)
  }
}
