/// Other formats that archives and servers deliver in place of a Mapbox Vector Tile, recognised to name them.
enum VectorTileFormat {
  /// Returns the name of another format by the first bytes; nil for bytes that may be a vector tile.
  static func otherName(_ bytes: [UInt8]) -> String? {
    for (head, name) in heads where bytes.starts(with: head) { return name }
    let text = bytes.prefix(100).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    // A tile begins with 0x1A, or the key of an extension above 0x80.
    if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") { return "JSON" }
    return text.first == UInt8(ascii: "<") ? "HTML or XML" : nil
  }

  private static let heads: [(head: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "a PNG image"), ([0xFF, 0xD8, 0xFF], "a JPEG image"),
    (Array("RIFF".utf8), "a WebP image"), (Array("GIF8".utf8), "a GIF image"),
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed with Zstandard"), ([0x78, 0x01], "compressed with zlib"),
    ([0x78, 0x9C], "compressed with zlib"), ([0x78, 0xDA], "compressed with zlib"),
    (Array("PK\u{3}\u{4}".utf8), "a zip archive"),
  ]

  /// Returns whether bytes are laid out as a MapLibre Tile.
  ///
  /// - Source: MapLibre Tile specification 1: layers, each with its size, its tag (1) and its content.
  static func isMapLibreTile(_ bytes: [UInt8]) -> Bool {
    let span = bytes.span
    var place = 0
    while place < bytes.count {
      var cursor = ProtobufCursor(place..<bytes.count)
      guard let size = try? cursor.varint(span), size > 1, size <= UInt64(bytes.count - cursor.offset),
        bytes[cursor.offset] == 1
      else { return false }
      place = cursor.offset + Int(truncatingIfNeeded: size)
    }
    return !bytes.isEmpty
  }
}
