/// A strict scanner of XML in UTF-8: one element, text or end at a time, without a tree.
///
/// It checks that tags are nested and that the document has one root. It reads no declarations of entities and opens no
/// other file, so that a document cannot grow while it is read.
///
/// - Source: Extensible Markup Language 1.0 (fifth edition); Namespaces in XML 1.0.
package struct XMLScanner: Sendable {
  /// A part of a document.
  package enum Part: Hashable, Sendable {
    /// A start tag; ``XMLScanner/name`` and ``XMLScanner/attributes`` describe it. An empty element has an end, too.
    case start
    /// The end of the element that was opened last.
    case end
    /// A piece of text; ``XMLScanner/piece`` is its range.
    case text
  }

  /// An attribute of a start tag.
  struct Attribute: Sendable {
    /// The name without its prefix.
    let name: String
    /// The range of the name with its prefix.
    let fullName: Range<Int>
    /// The range of the value between the quotation marks.
    let value: Range<Int>
  }

  /// An open element.
  private struct Element {
    /// The range of its name with the prefix.
    let name: Range<Int>
    /// The number of namespaces before it.
    let namespaces: Int
  }

  /// A prefix, and whether elements with it belong to the document's vocabulary.
  private struct Namespace {
    let prefix: String
    let isOwn: Bool
  }

  /// The limit of the nesting of elements.
  static let deepest = 256
  /// The limit of the attributes of an element, which are compared with each other.
  private static let mostAttributes = 256

  package let bytes: [UInt8]
  package private(set) var offset: Int
  /// The name of the last start tag without its prefix.
  package private(set) var name = ""
  /// Whether the last start tag is of the document's vocabulary.
  private(set) var isOwn = true
  /// The attributes of the last start tag, without declarations of namespaces.
  private(set) var attributes: [Attribute] = []
  /// The offset of the last part.
  package private(set) var place = 0
  /// The range of the last text, and whether it is literal, without references.
  private(set) var piece = (range: 0..<0, isLiteral: false)

  private var open: [Element] = []
  private var namespaces: [Namespace] = []
  /// Whether the last start tag was of an empty element, whose end follows.
  private var endsElement = false
  private var hasRoot = false
  private let isOwnNamespace: @Sendable (String) -> Bool
  private let ownPrefixes: Set<String>

  /// Creates a scanner of a document.
  ///
  /// - Parameters:
  ///   - ownPrefixes: the prefixes of the vocabulary, for documents that do not declare them.
  ///   - isOwn: whether a namespace is the vocabulary of the document; so are elements without a namespace.
  package init(
    _ bytes: [UInt8], ownPrefixes: Set<String> = [],
    isOwn: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    (self.bytes, self.ownPrefixes, isOwnNamespace) = (bytes, ownPrefixes, isOwn)
    offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The number of open elements.
  package var depth: Int { open.count }

  // MARK: Parts

  /// Reads the next part; nil at the end of the document.
  package mutating func next() throws(ReadFault) -> Part? {
    if endsElement {
      endsElement = false
      close()
      return .end
    }
    while offset < bytes.count {
      place = offset
      guard bytes[offset] == UInt8(ascii: "<") else {
        if let part = try text() { return part }
        continue
      }
      guard offset + 1 < bytes.count else { throw ReadFault("the file ends within a tag", at: offset) }
      switch bytes[offset + 1] {
      case UInt8(ascii: "?"): try skip(to: "?>", "an instruction")
      case UInt8(ascii: "!"): if let part = try declaration() { return part }
      case UInt8(ascii: "/"):
        try endTag()
        return .end
      default:
        try startTag()
        return .start
      }
    }
    place = bytes.count
    guard open.isEmpty else {
      let name = String(decoding: bytes[open[open.count - 1].name], as: UTF8.self)
      throw ReadFault("the file ends within the element <\(name)>", at: bytes.count)
    }
    guard hasRoot else { throw ReadFault("no element", at: bytes.count) }
    return nil
  }

  /// Reads text up to the next tag; nil for white space outside the root.
  private mutating func text() throws(ReadFault) -> Part? {
    let end = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    guard !open.isEmpty else {
      if let fault = bytes[offset..<end].firstIndex(where: { !Self.isSpace($0) }) {
        throw ReadFault("text outside the root element", at: fault)
      }
      offset = end
      return nil
    }
    piece = (offset..<end, false)
    offset = end
    return .text
  }

  /// Reads what starts with `<!`: a comment, a section of text, or a document type.
  private mutating func declaration() throws(ReadFault) -> Part? {
    if isNext("<!--") {
      try skip(to: "-->", "a comment")
    } else if isNext("<![CDATA[") {
      guard !open.isEmpty else { throw ReadFault("text outside the root element", at: offset) }
      let start = offset + 9
      try skip(to: "]]>", "a CDATA section")
      piece = (start..<offset - 3, true)
      return .text
    } else if isNext("<!DOCTYPE"), !hasRoot {
      let end = bytes[offset...].firstIndex { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ">") }
      guard let end else { throw ReadFault("the file ends within a document type", at: offset) }
      guard bytes[end] == UInt8(ascii: ">") else {
        throw ReadFault("declares entities, which are not read", at: end)
      }
      offset = end + 1
    } else {
      throw ReadFault("a declaration that XML does not allow here", at: offset)
    }
    return nil
  }

  private func isNext(_ word: StaticString) -> Bool { bytes[offset...].starts(with: word.description.utf8) }

  private mutating func skip(to word: StaticString, _ what: String) throws(ReadFault) {
    let (start, end) = (offset, Array(word.description.utf8))
    // The start has at least two bytes, which are not part of the end: `<!-->` is not a comment.
    offset += end.count == 2 ? 2 : 4
    while offset + end.count <= bytes.count {
      if bytes[offset] == end[0], bytes[offset...].starts(with: end) {
        offset += end.count
        return
      }
      offset += 1
    }
    throw ReadFault("the file ends within \(what)", at: start)
  }

  // MARK: Tags

  private mutating func startTag() throws(ReadFault) {
    guard !open.isEmpty || !hasRoot else { throw ReadFault("a second root element", at: offset) }
    guard open.count < Self.deepest else {
      throw ReadFault("elements are nested deeper than \(Self.deepest) levels", at: offset)
    }
    hasRoot = true
    offset += 1
    let range = try nameRange()
    open.append(Element(name: range, namespaces: namespaces.count))
    attributes.removeAll(keepingCapacity: true)
    while true {
      let hadSpace = skipSpace()
      guard offset < bytes.count else { throw ReadFault("the file ends within a tag", at: place) }
      if bytes[offset] == UInt8(ascii: ">") {
        offset += 1
        break
      }
      if bytes[offset] == UInt8(ascii: "/") {
        guard offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: ">") else {
          throw ReadFault("\">\" must follow \"/\" in a tag", at: offset)
        }
        offset += 2
        endsElement = true
        break
      }
      guard hadSpace else { throw ReadFault("a blank must be before an attribute", at: offset) }
      try attribute()
    }
    let (prefix, local) = parts(of: range)
    name = local
    isOwn = isOwn(prefix)
  }

  private mutating func attribute() throws(ReadFault) {
    let start = offset
    let range = try nameRange()
    _ = skipSpace()
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "=") else {
      throw ReadFault("an attribute without a value", at: start)
    }
    offset += 1
    _ = skipSpace()
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'")
    else { throw ReadFault("the value of an attribute must be in quotation marks", at: start) }
    let quote = bytes[offset]
    guard let end = bytes[(offset + 1)...].firstIndex(where: { $0 == quote || $0 == UInt8(ascii: "<") }),
      bytes[end] == quote
    else { throw ReadFault("the value of an attribute has no end", at: start) }
    let value = offset + 1..<end
    offset = end + 1
    let (prefix, local) = parts(of: range)
    if prefix == "xmlns" || prefix.isEmpty && local == "xmlns" {
      let uri = String(decoding: try content(value), as: UTF8.self)
      namespaces.append(
        Namespace(prefix: prefix.isEmpty ? "" : local, isOwn: uri.isEmpty || isOwnNamespace(uri)))
      guard namespaces.count <= 1024 else { throw ReadFault("more than 1024 namespaces", at: start) }
      return
    }
    guard !attributes.contains(where: { $0.name == local && bytes[$0.fullName] == bytes[range] }) else {
      throw ReadFault("two attributes named \(local)", at: start)
    }
    guard attributes.count < Self.mostAttributes else {
      throw ReadFault("more than \(Self.mostAttributes) attributes", at: start)
    }
    attributes.append(Attribute(name: local, fullName: range, value: value))
  }

  private mutating func endTag() throws(ReadFault) {
    let start = offset
    offset += 2
    let range = try nameRange()
    _ = skipSpace()
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else {
      throw ReadFault("an end tag without \">\"", at: start)
    }
    offset += 1
    guard let last = open.last, bytes[last.name] == bytes[range] else {
      let name = String(decoding: bytes[range], as: UTF8.self)
      let expected = open.last.map { ", not </\(String(decoding: bytes[$0.name], as: UTF8.self))>" } ?? ""
      throw ReadFault("the end tag </\(name)>\(expected)", at: start)
    }
    close()
  }

  private mutating func close() {
    guard let last = open.popLast() else { return }
    namespaces.removeLast(namespaces.count - last.namespaces)
  }

  private mutating func nameRange() throws(ReadFault) -> Range<Int> {
    let start = offset
    while offset < bytes.count, Self.isNameByte(bytes[offset]) { offset += 1 }
    guard start < offset, !(0x30...0x39).contains(bytes[start]), bytes[start] != UInt8(ascii: "-"),
      bytes[start] != UInt8(ascii: ".")
    else { throw ReadFault("a name must follow here; write a plain \"<\" as &lt;", at: start) }
    return start..<offset
  }

  private func parts(of range: Range<Int>) -> (prefix: String, local: String) {
    guard let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")) else {
      return ("", String(decoding: bytes[range], as: UTF8.self))
    }
    return (
      String(decoding: bytes[range.lowerBound..<colon], as: UTF8.self),
      String(decoding: bytes[colon + 1..<range.upperBound], as: UTF8.self)
    )
  }

  private func isOwn(_ prefix: String) -> Bool {
    namespaces.last { $0.prefix == prefix }?.isOwn ?? (prefix.isEmpty || ownPrefixes.contains(prefix))
  }

  private mutating func skipSpace() -> Bool {
    let start = offset
    while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
    return offset > start
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// Whether a byte can be part of a name; all characters beyond ASCII can.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x2D, 0x2E, 0x80...: true
    default: false
    }
  }
}
