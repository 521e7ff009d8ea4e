/// The contents of a document: values of attributes, texts with their references, and elements that are read or skipped
/// whole.
extension XMLScanner {
  /// Returns the value of an attribute of the last start tag, or else of one with another name; nil without them.
  package func attribute(_ name: String, or other: String? = nil) throws(ReadFault) -> String? {
    guard
      let found = attributes.first(where: { $0.name == name })
        ?? attributes.first(where: { $0.name == other })
    else { return nil }
    return String(decoding: try content(found.value), as: UTF8.self)
  }

  /// Returns the values of the attributes of the last start tag by their names without prefixes.
  package func attributeValues() throws(ReadFault) -> [String: String] {
    var values: [String: String] = [:]
    for attribute in attributes {
      values[attribute.name] = String(decoding: try content(attribute.value), as: UTF8.self)
    }
    return values
  }

  /// Reads the text of the element that was opened last, with the texts in its elements, up to its end.
  package mutating func elementText() throws(ReadFault) -> [UInt8] {
    var text: [UInt8] = []
    let depth = depth
    while let part = try next(), part != .end || self.depth >= depth {
      if part == .text { try append(piece.range, isLiteral: piece.isLiteral, to: &text) }
    }
    return text
  }

  /// Returns the text of the last part.
  package func pieceText() throws(ReadFault) -> [UInt8] {
    var text: [UInt8] = []
    try append(piece.range, isLiteral: piece.isLiteral, to: &text)
    return text
  }

  /// Skips the element that was opened last, up to its end.
  mutating func skipElement() throws(ReadFault) { try skip(toDepth: depth - 1) }

  /// Passes each element in the element that was opened last to a closure, which may read it up to its end.
  package mutating func elements(
    _ read: (inout XMLScanner) throws(ReadFault) -> Void
  ) throws(ReadFault) {
    let outer = depth
    while let part = try next() {
      if part == .end, depth < outer { return }
      guard part == .start else { continue }
      let inner = depth
      try read(&self)
      try skip(toDepth: inner - 1)
    }
  }

  /// Skips parts until as many elements are open.
  mutating func skip(toDepth depth: Int) throws(ReadFault) {
    while self.depth > depth, try next() != nil {}
  }

  func content(_ range: Range<Int>) throws(ReadFault) -> [UInt8] {
    var text: [UInt8] = []
    try append(range, isLiteral: false, to: &text)
    return text
  }

  /// Appends text with its references replaced and its line ends as line feeds.
  private func append(_ range: Range<Int>, isLiteral: Bool, to text: inout [UInt8]) throws(ReadFault) {
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "&") where !isLiteral:
        guard let end = bytes[place..<min(place + 12, range.upperBound)].firstIndex(of: UInt8(ascii: ";")),
          let scalar = Self.reference(bytes[place + 1..<end])
        else { throw ReadFault("an unknown reference; write a plain \"&\" as &amp;", at: place) }
        text.append(contentsOf: String(scalar).utf8)
        place = end
      case 0x0D:
        text.append(0x0A)
        if place + 1 < range.upperBound, bytes[place + 1] == 0x0A { place += 1 }
      case 0..<0x20 where byte != 0x09 && byte != 0x0A:
        throw ReadFault("a control character, which XML does not allow", at: place)
      default: text.append(byte)
      }
      place += 1
    }
  }

  /// Returns the character of a reference without its signs: `amp`, `#228` or `#xE4`; nil for another one.
  private static func reference(_ name: ArraySlice<UInt8>) -> Character? {
    switch String(decoding: name, as: UTF8.self) {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case let text where text.hasPrefix("#"):
      let isHexadecimal = text.hasPrefix("#x")
      let digits = text.dropFirst(isHexadecimal ? 2 : 1)
      guard digits.first != "+", digits.first != "-",
        let code = UInt32(digits, radix: isHexadecimal ? 16 : 10),
        code >= 0x20 || code == 0x09 || code == 0x0A || code == 0x0D, let scalar = Unicode.Scalar(code)
      else { return nil }
      return Character(scalar)
    default: return nil
    }
  }
}
