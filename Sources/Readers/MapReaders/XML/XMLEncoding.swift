/// The bytes of an XML document in UTF-8.
enum XMLEncoding {
  /// Returns a document in UTF-8, by its byte order mark, the given encoding, or its declaration.
  ///
  /// - Throws: ``FeatureReadError`` for an unknown encoding, and for bytes that are not in it.
  static func utf8(
    _ bytes: [UInt8], given: TextEncoding?
  ) throws(FeatureReadError) -> (bytes: [UInt8], warnings: [String]) {
    let declared = declaredName(bytes)
    var encoding = given
    if given == nil, let declared, TextEncoding.marked(bytes) == nil {
      guard let known = TextEncoding(declared) else {
        throw FeatureReadError(.content("the encoding \"\(declared)\" is not known"), line: 1, column: 1)
      }
      encoding = known
    }
    var (text, warnings) = try TextEncoding.utf8(bytes, given: encoding)
    if let given, let declared, TextEncoding.marked(bytes) == nil, TextEncoding(declared) != given {
      warnings.append("encoding: read as \(given.name), as requested; the file states \(declared)")
    }
    try check(text)
    return (text, warnings)
  }

  /// Returns the encoding in the declaration `<?xml … encoding="…"?>`; nil without one.
  private static func declaredName(_ bytes: [UInt8]) -> String? {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let head = String(decoding: bytes[start..<min(start + 256, bytes.count)], as: UTF8.self)
    guard head.hasPrefix("<?xml"), let end = head.firstRange(of: "?>") else { return nil }
    return head[..<end.lowerBound].firstMatch(of: #/\sencoding\s*=\s*["']([^"']*)["']/#).map { String($0.1) }
  }

  private static func check(_ text: [UInt8]) throws(FeatureReadError) {
    guard String(validating: text, as: UTF8.self) == nil else { return }
    var start = 0
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if String(validating: line, as: UTF8.self) == nil { break }
      start += line.count + 1
    }
    throw FeatureReadError(ReadFault("bytes that are not UTF-8", at: start), in: text)
  }
}

extension XMLScanner {
  /// Creates a scanner of a document in any encoding that it states.
  ///
  /// - Throws: ``FeatureReadError`` for an unknown encoding, and for bytes that are not in it.
  package init(decoding document: [UInt8]) throws(FeatureReadError) {
    self.init(try XMLEncoding.utf8(document, given: nil).bytes)
  }
}
