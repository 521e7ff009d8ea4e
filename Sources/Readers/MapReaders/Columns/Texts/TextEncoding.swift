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
  /// - Source: the names of the IANA registry, and those of GDAL and QGIS, such as `latin1` and `1252`.
  public init?(_ name: String) {
    guard let known = Self.names[Self.key(name)] else { return nil }
    self.init(known: known)
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
    add("UTF-8")
    add("UTF-16", "ucs2")
    add("UTF-16LE")
    add("UTF-16BE")
    for part in (1...16) where part != 12 { add("ISO-8859-\(part)", "8859\(part)", "iso8859\(part)") }
    for (latin, part) in zip(1...10, [1, 2, 3, 4, 9, 10, 13, 14, 15, 16]) {
      names["latin\(latin)"] = "ISO-8859-\(part)"
      names["l\(latin)"] = "ISO-8859-\(part)"
    }
    for page in 1250...1258 { add("CP\(page)", "\(page)", "windows\(page)", "ansi\(page)") }
    for page in [
      437, 737, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866, 869, 874, 932, 936, 949, 950,
    ] {
      add("CP\(page)", "\(page)", "ibm\(page)", "dos\(page)")
    }
    add("ASCII", "usascii")
    add("MACINTOSH", "macroman")
    add("KOI8-R")
    add("KOI8-U")
    add("SHIFT_JIS", "sjis")
    add("EUC-JP")
    add("EUC-KR")
    add("EUC-CN", "gb2312")
    add("GBK")
    add("GB18030")
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
