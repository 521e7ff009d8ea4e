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
    try forEachTag(in: path) { tag, isStart, _ in
      if isStart, tag.elementsEqual(name) { count += 1 }
    }
    return count
  }

  /// Checks that each track of a KML file has as many times as places: LIBKML of GDAL 3.6 crashes on others.
  ///
  /// - Throws: ``LibraryError`` with both numbers.
  static func checkTracks(in path: String) throws(LibraryError) {
    let (track, place, time) = (Array("Track".utf8), Array("coord".utf8), Array("when".utf8))
    var (places, times) = (0, 0)
    var fault: String?
    try forEachTag(in: path) { tag, isStart, _ in
      if tag.elementsEqual(track) {
        if !isStart, places != times {
          fault = fault ?? "a track has \(places) places and \(times) times; it must have as many of both"
        }
        (places, times) = (0, 0)
      } else if isStart {
        if tag.elementsEqual(place) { places += 1 } else if tag.elementsEqual(time) { times += 1 }
      }
    }
    if let fault { throw LibraryError(fault) }
  }

  /// Returns the names of the data fields of a KML file, each once, in the file's order.
  ///
  /// - Throws: ``LibraryError`` for a file that cannot be read.
  static func fieldNames(in path: String) throws(LibraryError) -> [String] {
    let elements = [Array("Data".utf8), Array("SimpleField".utf8)]
    var names: [String] = []
    var known: Set<String> = []
    try forEachTag(in: path) { tag, isStart, rest in
      guard isStart, elements.contains(where: { tag.elementsEqual($0) }) else { return }
      let text = String(decoding: rest.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
      guard let start = text.firstRange(of: #/\bname\s*=\s*["']/#)?.upperBound else { return }
      let name = String(text[start...].prefix { $0 != "\"" && $0 != "'" })
      // A name with references is left out: nobody reads it here.
      if !name.isEmpty, !name.contains("&"), known.insert(name).inserted { names.append(name) }
    }
    return names
  }

  /// Calls `body` with the name of each start and end tag, without its prefix, and with what follows the name.
  ///
  /// - Throws: ``LibraryError`` for a file that cannot be read.
  private static func forEachTag(
    in path: String, _ body: (ArraySlice<UInt8>, _ isStart: Bool, _ rest: ArraySlice<UInt8>) -> Void
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
        let isStart = tag.first != UInt8(ascii: "/")
        let ownName = (isStart ? tag : tag.dropFirst()).prefix { $0 != UInt8(ascii: "/") }
        let local = ownName.lastIndex(of: UInt8(ascii: ":")).map { ownName[($0 + 1)...] } ?? ownName
        body(local, isStart, buffer[(place + tag.count)...].prefix(longestName))
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

  /// Checks a file that begins like XML; returns false for other files.
  ///
  /// - Throws: ``LibraryError`` for deep nesting, and for declarations of entities, which could expand without limit.
  static func check(_ path: String) throws(LibraryError) -> Bool {
    guard let file = try? DataFile(DataFile.folder(path), DataFile.name(path)) else { return false }
    var (nesting, offset) = (XMLNesting(), 0)
    while offset < file.size {
      let bytes = try file.bytes(at: offset, count: min(1 << 20, file.size - offset))
      if offset == 0 {
        // A byte order mark, and the zeros of UTF-16, may come first.
        let first = bytes.prefix(64).first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) }
        guard first == UInt8(ascii: "<") else { return false }
      }
      offset += bytes.count
      for byte in bytes where byte != 0 { try nesting.read(byte) }
    }
    return true
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
