/// The explanation of an error by a service of the OGC.
///
/// - Source: OGC 06-121r3 (OWS Common 1.1), clause 8: `ExceptionReport`; older services write `ServiceExceptionReport`.
package enum OWSException {
  /// The names of the root element.
  private static let roots: Set<String> = ["ExceptionReport", "ServiceExceptionReport"]

  /// Returns the explanation in an answer, in one short line; nil for another answer.
  package static func text(of document: [UInt8]) -> String? {
    // Answers with data are not read to their end.
    guard document.count < 1 << 20, document.first(where: { $0 > 0x20 }) == UInt8(ascii: "<"),
      var scanner = try? XMLScanner(decoding: document), (try? scanner.next()) == .start,
      roots.contains(scanner.name)
    else { return nil }
    return (try? text(&scanner)) ?? "an exception without a text"
  }

  /// Reads the explanations in the element that was opened last, up to its end.
  static func text(_ scanner: inout XMLScanner) throws(ReadFault) -> String {
    var texts: [String] = []
    func add(_ bytes: [UInt8], _ code: String?) {
      let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      let text = words.joined(separator: " ")
      if let code, !code.isEmpty {
        texts.append(text.isEmpty ? code : "\(code): \(text)")
      } else {
        texts.append(text)
      }
    }
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start, ["Exception", "ServiceException"].contains(scanner.name) else { continue }
      let code = try scanner.attribute("exceptionCode", or: "code")
      add(try scanner.elementText(), code)
    }
    let text = texts.filter { !$0.isEmpty }.joined(separator: "; ")
    return text.isEmpty ? "an exception without a text" : text.count > 300 ? text.prefix(300) + "…" : text
  }
}
