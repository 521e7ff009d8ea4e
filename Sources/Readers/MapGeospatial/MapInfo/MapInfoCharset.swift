import MapReaders

/// The character set that a MapInfo file states.
///
/// GDAL converts the texts of the sets that it knows, and returns others as the bytes of the file.
///
/// - Source: "MapInfo Interchange Format", clause CHARSET; the names that GDAL 3.6 knows.
enum MapInfoCharset {
  /// Sets that state no encoding.
  private static let withoutEncoding: Set<String> = ["neutral", "lics", "lmbcs"]

  /// The numbers or names of encodings of the sets that GDAL 3.6 does not know.
  private static let encodings = [
    "windowsvietnamese": "1258", "windowsthai": "874", "windowsbaltic": "1257", "packedeucjapanese": "EUC-JP",
  ]

  /// Returns the encoding of texts that GDAL leaves as they are; nil where it converts them.
  ///
  /// - Parameters:
  ///   - given: the encoding that the caller gives.
  ///   - warnings: the warnings of GDAL, which name a set that it does not know.
  /// - Throws: ``LibraryError`` for a file that cannot be read.
  static func encoding(
    of path: String, given: TextEncoding?, _ warnings: [String]
  ) throws(LibraryError) -> AttributeEncoding? {
    let unknown = warnings.compactMap { $0.wholeMatch(of: warning) }.first.map { String($0.1) }
    let stated = if let unknown { unknown } else { try charset(of: path) }
    let key = stated?.lowercased() ?? ""
    guard unknown != nil || stated == nil || withoutEncoding.contains(key) else { return nil }
    let known = unknown.flatMap { TextEncoding(encodings[key] ?? $0) }
    return AttributeEncoding(
      of: DataFile.name(path), given: given, charset: stated.map { String($0.prefix(80)) }, known)
  }

  /// Whether a warning of GDAL is about a set that it does not know.
  static func isWarning(_ text: String) -> Bool { text.wholeMatch(of: warning) != nil }

  private static var warning: Regex<(Substring, Substring)> {
    #/Cannot find iconv encoding corresponding to MapInfo (.*) charset/#
  }

  /// Returns the set that a `.tab` or `.mif` file states near its start; nil for none.
  private static func charset(of path: String) throws(LibraryError) -> String? {
    var name = DataFile.name(path)
    // The attributes of an interchange file are beside its geometries.
    if name.lowercased().hasSuffix(".mid") { name = name.dropLast(1) + (name.hasSuffix("d") ? "f" : "F") }
    let file = try DataFile(DataFile.folder(path), name)
    let head = String(decoding: try file.bytes(at: 0, count: min(file.size, 4096)), as: UTF8.self)
    for line in head.split(whereSeparator: \.isNewline) {
      let found = line.wholeMatch(of: #/\s*!?charset\s+"?([^"\s]*)"?\s*/#.ignoresCase())
      if let found, !found.1.isEmpty { return String(found.1) }
    }
    return nil
  }
}
