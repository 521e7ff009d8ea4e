package import MapReaders
import MapSystem

/// The encoding of the texts in a `.dbf` file or a MapInfo file, and what states it.
///
/// A `.cpg` file overrides the language in the header of the `.dbf` file, and an encoding given by the caller both.
package struct AttributeEncoding: Sendable {
  private enum Statement {
    case caller
    /// The name of a `.cpg` file and its text.
    case file(String, String)
    /// The number of a language driver.
    case language(UInt8)
    /// Nothing, with the words for it.
    case none(String)
  }

  /// The encoding; nil if none is stated, or an unknown one.
  package let encoding: TextEncoding?
  private let statement: Statement
  /// The name of the file.
  private let name: String

  /// Chooses the encoding of the file `name`.
  ///
  /// - Parameters:
  ///   - given: the encoding that the caller gives.
  ///   - page: the name and the text of the `.cpg` file.
  package init(_ name: String, given: TextEncoding?, page: (name: String, bytes: [UInt8])?, language: UInt8) {
    self.name = name
    let text = page.map { Self.line($0.bytes) } ?? ""
    if let given {
      (encoding, statement) = (given, .caller)
    } else if let page, !text.isEmpty {
      (encoding, statement) = (TextEncoding(text), .file(page.name, text))
    } else if language != 0 {
      (encoding, statement) = (AttributeHeader.encoding(ofLanguage: language), .language(language))
    } else {
      (encoding, statement) = (nil, .none("no .cpg file states another encoding"))
    }
  }

  /// Chooses the encoding of a MapInfo file, which an encoding given by the caller overrides.
  ///
  /// - Parameters:
  ///   - charset: the character set that the file states; nil for none.
  ///   - known: its encoding; nil for a set without one.
  init(of name: String, given: TextEncoding?, charset: String?, _ known: TextEncoding?) {
    self.name = name
    if let given {
      (encoding, statement) = (given, .caller)
    } else if let charset, charset.lowercased() != "neutral" {
      (encoding, statement) = (known, .file(name, charset))
    } else {
      (encoding, statement) = (nil, .none("\(name) states no encoding"))
    }
  }

  /// Returns the first line of a `.cpg` file, without blanks, quotes and a byte order mark.
  private static func line(_ bytes: [UInt8]) -> String {
    let text = TextEncoding.marked(bytes).map { $0.encoding == .utf8 ? Array(bytes[$0.length...]) : bytes }
    let line = (text ?? bytes).drop { $0 <= 0x20 }.prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 }.prefix(80)
    let trimmed = String(decoding: line, as: UTF8.self).filter { $0 != "\"" && $0 != "'" }
    return String(trimmed.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// The reason why texts without this encoding are an error.
  private var reason: String {
    switch statement {
    case .caller: return "as --encoding states"
    case .file(let file, let text):
      return encoding == nil
        ? "and \(file) states \"\(text)\", which is not a known encoding"
        : "which \(file) states as \"\(text)\""
    case .language(let number):
      return encoding == nil
        ? "and \(name) states language \(number), which is not a known one"
        : "which \(name) states by language \(number)"
    case .none(let words): return "and \(words)"
    }
  }

  /// The end of a message, with what to do.
  private var advice: String {
    if case .caller = statement { return "name another one" }
    return encoding == nil || encoding == .utf8
      ? "name it, as in --encoding latin1" : "name the right one, as in --encoding utf-8"
  }

  /// The message for texts that are not in the encoding.
  package func message(_ what: String) -> String {
    let needed: String
    switch statement {
    case .file where encoding == nil: needed = "ASCII"
    case .language where encoding == nil: needed = "ASCII"
    default: needed = encoding?.name ?? "UTF-8"
    }
    return "\(what) not \(needed), \(reason); \(advice)"
  }

  /// Whether anything states an encoding, known or not.
  package var isStated: Bool {
    if case .none = statement { return false }
    return true
  }

  /// Whether the header states an encoding of one byte per letter, while many programs write such a header to any file.
  package var isDoubtful: Bool {
    if case .language = statement { return encoding != nil }
    return false
  }

  /// The warning for texts that look like UTF-8, while the header states another encoding.
  package var doubt: String {
    "encoding: texts were read as \(encoding?.name ?? ""), \(reason), but they look like UTF-8; for that, use --encoding utf-8"
  }
}

/// Converts the texts of a `.dbf` file or a MapInfo file to UTF-8.
package struct AttributeTexts: ~Copyable {
  /// A text that is not in the encoding.
  package struct Fault: Error {}

  private var converter: TextConverter
  /// Whether texts of ASCII need no conversion.
  private let keepsASCII: Bool
  private let isStated: Bool
  /// Whether other texts than ASCII are a fault, because an unknown encoding is stated.
  private let isUnknown: Bool
  /// Whether UTF-8 stays as it is.
  private let keepsUTF8: Bool
  /// The number of texts whose last letter was cut by the width of its field.
  package private(set) var cutTexts = 0
  /// The numbers of texts with letters beyond ASCII, and of those that are valid UTF-8.
  package private(set) var foreignTexts = 0, unicodeTexts = 0

  /// Creates a converter; nil if the system has none for the encoding.
  package init?(_ encoding: AttributeEncoding) {
    let stated = encoding.encoding
    guard let converter = TextConverter(from: (stated ?? .utf8).name) else { return nil }
    self.converter = converter
    isStated = stated != nil
    isUnknown = stated == nil && encoding.isStated
    keepsUTF8 = (stated ?? .utf8) == .utf8 && !isUnknown
    keepsASCII = stated?.containsASCII ?? true
  }

  /// Returns a text in UTF-8; nil for one that stays as it is.
  ///
  /// - Parameter width: the number of bytes of its field. A text of this length may end within a letter, which is left
  ///   out.
  /// - Throws: ``Fault`` for a text that is not in the encoding.
  package mutating func utf8(_ bytes: ArraySlice<UInt8>, width: Int) throws(Fault) -> [UInt8]? {
    let isASCII = bytes.allSatisfy { $0 < 0x80 }
    if isASCII, keepsASCII { return nil }
    foreignTexts += 1
    let isUnicode = !isASCII && String(validating: bytes, as: UTF8.self) != nil
    if isUnicode { unicodeTexts += 1 }
    if isUnicode, keepsUTF8 { return nil }
    guard !isUnknown else { throw Fault() }
    let text = converter.utf8(bytes)
    guard let fault = text.fault else { return text.bytes }
    guard isStated, fault.isCut, bytes.count >= width else { throw Fault() }
    cutTexts += 1
    return text.bytes
  }
}
