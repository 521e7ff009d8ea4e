import MapReaders
import Testing

/// A PDF document of this package: its objects by number, and the texts that it shows.
///
/// It reads no other documents.
struct ReadPDF {
  /// An object: its dictionary as text, and its decoded stream; empty for none.
  struct Object {
    var dictionary = ""
    var stream: [UInt8] = []
  }

  private(set) var objects: [Int: Object] = [:]
  /// The trailer.
  private(set) var trailer = ""

  /// Reads a document by its table of positions.
  init(_ bytes: [UInt8]) throws {
    func position(of text: String, from start: Int = 0) -> Int? {
      let pattern = Array(text.utf8)
      return (start..<max(start, bytes.count - pattern.count + 1)).first { at in
        pattern.indices.allSatisfy { bytes[at + $0] == pattern[$0] }
      }
    }
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let end = try #require(position(of: "startxref\n", from: max(0, bytes.count - 64)))
    let start = try #require(Int(text(end + 10..<bytes.count).split(separator: "\n")[0]))
    let table = text(start..<end).split(separator: "\n")
    #expect(table[0] == "xref")
    let count = try #require(Int(table[1].split(separator: " ")[1]))
    trailer = String(table[(count + 2)...].joined(separator: "\n"))
    #expect(table[2] == "0000000000 65535 f ")
    for number in 1..<count {
      let at = try #require(Int(table[2 + number].prefix(10)))
      let head = "\(number) 0 obj\n"
      #expect(text(at..<at + head.utf8.count) == head)
      let body = at + head.utf8.count
      let close = try #require(position(of: "\nendobj\n", from: body))
      guard let stream = position(of: "\nstream\n", from: body), stream < close else {
        objects[number] = Object(dictionary: text(body..<close))
        continue
      }
      var object = Object(dictionary: text(body..<stream))
      let length = try #require(Int(object.dictionary.firstMatch(of: #/Length (\d+)/#)?.1 ?? ""))
      let data = bytes[stream + 8..<stream + 8 + length]
      #expect(text(data.endIndex..<data.endIndex + 10) == "\nendstream")
      // A header of two bytes, and a checksum of four after the data.
      var pieces = [Array(data.dropFirst(2).dropLast(4))]
      var decoder = Inflate { pieces.popLast() ?? [] }
      var decoded: [UInt8] = []
      try decoder.decode { decoded += $0 }
      object.stream = decoded
      objects[number] = object
    }
  }

  /// The objects whose dictionary contains a text, by their numbers.
  func all(_ text: String) -> [Object] {
    objects.sorted { $0.key < $1.key }.map(\.value).filter { $0.dictionary.contains(text) }
  }

  /// The drawing operators of each page, and those of its groups after them.
  var contents: [String] {
    all("/Type /Page ").compactMap { page in
      page.dictionary.firstMatch(of: #/Contents (\d+) 0 R/#).flatMap { Int($0.1) }.flatMap { objects[$0] }
        .map { String(decoding: $0.stream, as: UTF8.self) }
    } + all("/Subtype /Form").map { String(decoding: $0.stream, as: UTF8.self) }
  }

  /// The characters of each glyph of the font.
  var characters: [Int: String] {
    var characters: [Int: String] = [:]
    for object in objects.values {
      let map = String(decoding: object.stream, as: UTF8.self)
      guard map.contains("begincmap") else { continue }
      for match in map.matches(of: #/<([0-9A-F]{4})> <([0-9A-F]+)>\n/#) where match.2 != "FFFF" {
        let digits = Array(match.2)
        let units = stride(from: 0, to: digits.count, by: 4).compactMap {
          UInt16(String(digits[$0..<$0 + 4]), radix: 16)
        }
        if let glyph = Int(match.1, radix: 16) { characters[glyph] = String(decoding: units, as: UTF16.self) }
      }
    }
    return characters
  }

  /// The texts in the order of their drawing, one for each label, without the blanks at their ends.
  var texts: [String] {
    let characters = characters
    return contents.flatMap { content in
      content.matches(of: #/BT\n((?:.|\n)*?)ET\n/#).map { text in
        let shown = text.1.matches(of: #/<([0-9A-F]{4})>/#).map {
          characters[Int($0.1, radix: 16) ?? 0] ?? "?"
        }
        // A blank ends each text.
        return String(shown.joined().dropLast())
      }
    }
  }
}
