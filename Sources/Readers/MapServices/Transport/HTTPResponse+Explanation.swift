import MapJSON
import MapReaders

extension HTTPResponse {
  /// The service's explanation of an error, if it is JSON or an exception in XML: one line of at most 300 characters.
  ///
  /// - Source: Esri's `error` object, `application/problem+json` (RFC 9457), and the exceptions of OGC APIs and services.
  package var explanation: String? {
    if let text = OWSException.text(of: body) { return text }
    guard body.count < 1 << 20, body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
      let json = try? JSONValue(parsing: body)
    else { return nil }
    let holder = json["error"]?.object == nil ? json : json["error"]
    let names = ["message", "detail", "description", "title", "error"]
    let text = names.lazy.compactMap { holder?[$0]?.string }.first { !$0.isEmpty }
    return text.map { text in
      let line = String(text.map { $0.isNewline ? " " : $0 })
      return line.count > 300 ? line.prefix(300) + "…" : line
    }
  }
}
