/// The number of elements of an XML file, counted without GDAL, whose drivers skip elements that they cannot read.
///
/// Elements in comments and CDATA sections do not count. In an encoding without ASCII, no element is found.
enum ElementCount {
  /// The longest name of an element, with its prefix, that is compared.
  private static let longestName = 80

  /// Returns the number of start tags with a name, whatever its prefix.
  ///
  /// - Throws: ``LibraryError`` for a file that cannot be read.
  static func count(of name: String, in path: String) throws(LibraryError) -> Int {
    let file = try DataFile(DataFile.folder(path), DataFile.name(path))
    let name = Array(name.utf8)
    let sections = [("<!--", "-->"), ("<![CDATA[", "]]>")].map {
      (start: Array($0.utf8), end: Array($1.utf8))
    }
    var (count, offset, buffer) = (0, 0, [UInt8]())
    // The bytes that end the comment or section at the current position.
    var end: [UInt8]?
    repeat {
      let more = try file.bytes(at: offset, count: min(1 << 20, file.size - offset))
      offset += more.count
      buffer += more
      let limit = offset < file.size ? buffer.count - longestName : buffer.count
      var place = 0
      while place < limit {
        if let closing = end {
          if buffer[place] == closing[0], buffer[place...].starts(with: closing) { end = nil }
          place += 1
          continue
        }
        guard buffer[place] == UInt8(ascii: "<") else {
          place += 1
          continue
        }
        if let section = sections.first(where: { buffer[place...].starts(with: $0.start) }) {
          end = section.end
          place += section.start.count
          continue
        }
        place += 1
        let tag = buffer[place...].prefix(longestName).prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        let ownName = tag.prefix { $0 != UInt8(ascii: "/") }.drop { _ in tag.first == UInt8(ascii: "/") }
        let local = ownName.lastIndex(of: UInt8(ascii: ":")).map { ownName[($0 + 1)...] } ?? ownName
        if local.elementsEqual(name) { count += 1 }
      }
      buffer.removeFirst(max(0, min(place, buffer.count)))
    } while offset < file.size
    return count
  }
}
