/// The elements of an XML file, counted without GDAL, whose drivers skip elements that they cannot read.
///
/// Elements in comments and CDATA sections do not count. In an encoding without ASCII, no element is found.
enum ElementCount {
  /// The longest name of an element, with its prefix, and the longest attribute that are read.
  private static let longestName = 256

  /// Returns the number of start tags with a name, whatever its prefix.
  ///
  /// - Throws: ``LibraryError`` for a file that cannot be read.
  static func count(of name: String, in path: String) throws(LibraryError) -> Int {
    let name = Array(name.utf8)
    var count = 0
    try forEachStart(in: path) { if $0.elementsEqual(name) { count += 1 } }
    return count
  }

  /// Calls `body` with the name of each start tag, without its prefix.
  ///
  /// - Throws: ``LibraryError`` for a file that cannot be read.
  private static func forEachStart(
    in path: String, _ body: (ArraySlice<UInt8>) -> Void
  ) throws(LibraryError) {
    let file = try DataFile(DataFile.folder(path), DataFile.name(path))
    let sections = [("<!--", "-->"), ("<![CDATA[", "]]>")].map {
      (start: Array($0.utf8), end: Array($1.utf8))
    }
    var (offset, buffer) = (0, [UInt8]())
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
        let name = tag.prefix { $0 != UInt8(ascii: "/") }
        body(name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name)
      }
      buffer.removeFirst(max(0, min(place, buffer.count)))
    } while offset < file.size
  }
}

/// The nesting of an XML file, checked before GDAL reads it, because its libraries recurse once per level.
struct XMLNesting {
  /// The deepest nesting that is read, beyond any real file.
  private static let limit = 256

  private enum State { case text, opening, tag, closingTag, mark, comment, section, instruction, declaration }

  private var state = State.text
  private var depth = 0
  /// The last bytes of the current part, at most eight.
  private var last: [UInt8] = []
  private var quote: UInt8?

  /// Checks a file that begins like XML; other files are not read.
  ///
  /// - Throws: ``LibraryError`` for deep nesting, and for declarations of entities, which could expand without limit.
  static func check(_ path: String) throws(LibraryError) {
    guard let file = try? DataFile(DataFile.folder(path), DataFile.name(path)) else { return }
    var (nesting, offset) = (XMLNesting(), 0)
    while offset < file.size {
      let bytes = try file.bytes(at: offset, count: min(1 << 20, file.size - offset))
      if offset == 0 {
        // A byte order mark, and the zeros of UTF-16, may come first.
        let first = bytes.prefix(64).first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) }
        guard first == UInt8(ascii: "<") else { return }
      }
      offset += bytes.count
      for byte in bytes where byte != 0 { try nesting.read(byte) }
    }
  }

  private mutating func read(_ byte: UInt8) throws(LibraryError) {
    switch state {
    case .text:
      if byte == UInt8(ascii: "<") { enter(.opening) }
    case .opening:
      switch byte {
      case UInt8(ascii: "/"): enter(.closingTag)
      case UInt8(ascii: "?"): enter(.instruction)
      case UInt8(ascii: "!"): enter(.mark)
      default:
        depth += 1
        guard depth <= Self.limit else {
          throw LibraryError("its elements are nested deeper than \(Self.limit) levels")
        }
        enter(.tag)
        try read(byte)
      }
    case .tag:
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        if last.last == UInt8(ascii: "/") { depth -= 1 }
        enter(.text)
        return
      }
      note(byte)
    case .closingTag:
      if byte == UInt8(ascii: ">") {
        depth = max(0, depth - 1)
        enter(.text)
      }
    case .mark:
      note(byte)
      if last == Array("--".utf8) {
        enter(.comment)
      } else if last == Array("[CDATA[".utf8) {
        enter(.section)
      } else if last[0] != UInt8(ascii: "-"), last[0] != UInt8(ascii: "[") {
        enter(.declaration)
      }
    case .comment: leave(byte, at: "-->")
    case .section: leave(byte, at: "]]>")
    case .instruction: leave(byte, at: "?>")
    case .declaration:
      guard byte != UInt8(ascii: "[") else { throw LibraryError("declares entities, which are not read") }
      if byte == UInt8(ascii: ">") { enter(.text) }
    }
  }

  private mutating func enter(_ new: State) {
    (state, quote) = (new, nil)
    last.removeAll(keepingCapacity: true)
  }

  private mutating func note(_ byte: UInt8) {
    if last.count == 8 { last.removeFirst() }
    last.append(byte)
  }

  private mutating func leave(_ byte: UInt8, at end: StaticString) {
    note(byte)
    if last.reversed().starts(with: end.description.utf8.reversed()) { enter(.text) }
  }
}
