import MapJSON
import MapSystem

/// The encoding of the texts in a file that does not state it.
public struct TextEncoding: Hashable, Sendable {
  /// The name, as the system's iconv knows it.
  public let name: String

  private init(known name: String) { self.name = name }

  /// UTF-8.
  public static let utf8 = TextEncoding(known: "UTF-8")

  /// Creates an encoding from a name, in any case, with or without signs between its parts; nil for an unknown name.
  ///
  /// Any name that the system's iconv knows is accepted, too.
  ///
  /// - Source: the names of the IANA registry, those of GDAL, QGIS and ArcGIS, such as `latin1`, `ANSI 1252` and
  ///   `OEM 850`, and the numbers of code pages in Windows.
  public init?(_ name: String) {
    guard let known = Self.names[Self.key(name)] ?? Self.systemName(name) else { return nil }
    self.init(known: known)
  }

  /// Returns a name as iconv knows it; nil for an unknown one.
  private static func systemName(_ text: String) -> String? {
    let name = text.drop { $0 == " " }.prefix(40).uppercased()
    // iconv takes other signs as options. These names stand for the numbers of characters in memory.
    guard !name.isEmpty, name.utf8.count <= 40, !["INTERNAL", "WCHAR_T", "CHAR"].contains(name),
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:+".contains($0)) })
    else { return nil }
    if TextConversion.knows(name) { return name }
    // "OEM 1125", "cp720" or "IBM 037": the number of a code page after a word.
    let digits = String(key(text).drop { $0.isLetter })
    guard !digits.isEmpty, digits.count <= 5, digits.allSatisfy(\.isNumber) else { return nil }
    return ["CP\(digits)", "IBM\(digits)"].first { TextConversion.knows($0) }
  }

  /// Whether the codes 32 to 126 are those of ASCII, so that texts of these bytes need no conversion.
  package var containsASCII: Bool {
    let ascii = Array(UInt8(32)...126)
    return name == "UTF-8" || TextConversion.utf8(ascii[...], from: name)?.bytes == ascii
  }

  /// The names that messages list.
  package static let list = names.values.reduce(into: Set<String>()) { $0.insert($1) }.sorted()

  /// Returns the nearest known name; nil if none is similar.
  package static func nearest(to name: String) -> String? {
    NearestName.of(key(name), among: names.keys.sorted()).flatMap { names[$0] }
  }

  private static func key(_ name: String) -> String {
    name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  private static let names: [String: String] = {
    var names: [String: String] = [:]
    func add(_ name: String, _ aliases: String...) {
      for alias in [name] + aliases { names[key(alias)] = name }
    }
    add("UTF-8", "65001", "cp65001", "utf8unicode", "unicodeutf8", "utf8bom", "utf8sig")
    add("UTF-16", "ucs2")
    add("UTF-16LE", "1200", "cp1200")
    add("UTF-16BE", "1201", "cp1201")
    for part in (1...16) where part != 12 {
      let page = "\(28590 + part)"
      add("ISO-8859-\(part)", "8859\(part)", "iso8859\(part)", "iso88590\(part)", page, "cp\(page)")
    }
    for (latin, part) in zip(1...10, [1, 2, 3, 4, 9, 10, 13, 14, 15, 16]) {
      names["latin\(latin)"] = "ISO-8859-\(part)"
      names["l\(latin)"] = "ISO-8859-\(part)"
    }
    for page in 1250...1258 {
      add(
        "CP\(page)", "\(page)", "windows\(page)", "win\(page)", "ansi\(page)", "ansicp\(page)", "mswin\(page)"
      )
    }
    for page in [
      437, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866, 869, 874, 932, 936, 949, 950,
    ] {
      add(
        "CP\(page)", "\(page)", "ibm\(page)", "dos\(page)", "oem\(page)", "oemcp\(page)", "ansi\(page)",
        "ms\(page)",
        "windows\(page)")
    }
    add("JOHAB", "1361", "cp1361", "ansi1361")
    add("ASCII", "usascii", "20127", "cp20127")
    add("MACINTOSH", "macroman", "10000", "cp10000", "xmacroman")
    add("CP10007", "10007", "maccyrillic", "xmaccyrillic")
    add("MAC-CENTRALEUROPE", "10029", "cp10029", "maccentraleurope", "xmacce")
    add("KOI8-R", "20866", "cp20866")
    add("KOI8-U", "21866", "cp21866")
    add("SHIFT_JIS", "sjis")
    add("EUC-JP", "51932", "cp51932")
    add("EUC-KR", "51949", "cp51949")
    add("EUC-CN", "gb2312")
    add("GBK")
    add("GB18030", "54936", "cp54936")
    add("BIG5")
    add("BIG5-HKSCS")
    add("TIS-620")
    return names
  }()

  /// Returns the encoding that a byte order mark states, and the length of the mark; nil without a mark.
  package static func marked(_ bytes: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (TextEncoding(known: "UTF-16LE"), 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (TextEncoding(known: "UTF-16BE"), 2) }
    return nil
  }

  /// Returns the first bytes of a file in UTF-8 if they start with a byte order mark of UTF-16; else as they are.
  package static func decodedStart(_ bytes: [UInt8]) -> [UInt8] {
    guard let mark = marked(bytes), mark.encoding != .utf8 else { return bytes }
    let isLittle = mark.encoding.name == "UTF-16LE"
    let units = stride(from: mark.length, to: bytes.count - 1, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// Whether a file is UTF-8 by its byte order mark or else by the given encoding, so that its text needs no conversion.
  package static func isUTF8(_ head: [UInt8], given: TextEncoding?) -> Bool {
    (marked(head)?.encoding ?? given ?? .utf8) == .utf8
  }

  /// Returns the text of a file in UTF-8, by its byte order mark or else in the given encoding.
  ///
  /// - Throws: ``FeatureReadError`` for bytes that are not in the encoding.
  package static func utf8(
    _ bytes: [UInt8], given: TextEncoding?
  ) throws(FeatureReadError) -> (bytes: [UInt8], warnings: [String]) {
    let mark = marked(bytes)
    guard let encoding = mark?.encoding ?? given, encoding != .utf8 else {
      let isContradicted = mark != nil && given != nil && given != .utf8
      return (
        bytes, isContradicted ? ["encoding: read as UTF-8, as the byte order mark of the file states"] : []
      )
    }
    guard let text = TextConversion.utf8(bytes[(mark?.length ?? 0)...], from: encoding.name) else {
      throw FeatureReadError(
        .content("this system has no conversion from \(encoding.name)"), line: 1, column: 1)
    }
    if text.fault != nil {
      throw FeatureReadError(
        ReadFault("bytes that are not \(encoding.name) text", at: text.bytes.count), in: text.bytes)
    }
    return (text.bytes, [])
  }
}
