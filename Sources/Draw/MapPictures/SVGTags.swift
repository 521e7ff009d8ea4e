/// A reader of the tags of an SVG, without building a tree.
struct SVGTags {
  /// A name and a value, as written.
  struct Attribute {
    let name: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>
  }

  /// The start or the end of an element.
  struct Tag {
    let name: [UInt8]
    var attributes: [Attribute] = []
    let isEnd: Bool
    /// Whether the element is only this tag.
    var isWhole = false

    /// The number of passes over the pixels that a filter primitive takes.
    func passes(density: Double) -> Double {
      func numbers(_ wanted: String) -> [Double] {
        attributes.first { $0.name.elementsEqual(wanted.utf8) }.map { SVGNumbers.all(in: $0.value) } ?? []
      }
      let octaves = numbers("numOctaves").max() ?? 1
      let order = numbers("order").max() ?? 1
      let reach = name.elementsEqual("feMorphology".utf8) ? (numbers("radius").max() ?? 0) * density : 0
      return max(octaves, 1) * max(order * order / 4, 1) * max((2 * reach + 1) * (2 * reach + 1) / 16, 1)
    }
  }

  private let bytes: [UInt8]
  private var position = 0
  /// The contents of the style sheets so far.
  private(set) var styles: [ArraySlice<UInt8>] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The encoding in the XML declaration; nil for none.
  var encoding: String? {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard head.contains("<?xml"), let range = head.firstRange(of: "encoding") else { return nil }
    return head[range.upperBound...].split(whereSeparator: { "\"'= \t\n".contains($0) }).first.map(
      String.init)
  }

  /// Returns whether an encoding has ASCII characters where UTF-8 has them.
  static func isPlain(_ encoding: String) -> Bool {
    let name = encoding.lowercased()
    return name == "utf-8" || name == "us-ascii" || name.hasPrefix("iso-8859-")
      || name.hasPrefix("windows-125")
  }

  /// Whether entities or character references may hide elements, names or numbers.
  ///
  /// Names of namespaces may be entities, as drawing programs write them.
  var hidesContent: Bool {
    var copy = self
    var (inNamespaces, hidesValue) = (0, false)
    while let tag = copy.next() {
      for attribute in tag.attributes {
        let count = Self.referenceCount(attribute.value)
        if attribute.name.starts(with: "xmlns".utf8) {
          inNamespaces += count
        } else if count > 0 {
          hidesValue = true
        }
      }
    }
    let declares = bytes.firstRange(of: Array("<!ENTITY".utf8)) != nil
    return hidesValue || declares && Self.referenceCount(bytes[...]) > inNamespaces
  }

  /// Returns the number of references in a text, except for those to `&`, `<`, `>` and quotes.
  private static func referenceCount(_ text: ArraySlice<UInt8>) -> Int {
    let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"]
    return text.indices.count { index in
      text[index] == 0x26 && !known.contains { text[index...].starts(with: $0.utf8) }
    }
  }

  /// The sum of the shortest pattern of dashes, in attributes and in style sheets; nil without dashes.
  var shortestDash: Double? {
    var least: Double?
    var rest = bytes[...]
    while let range = rest.firstRange(of: Array("dasharray".utf8)) {
      let value = rest[range.upperBound...].drop {
        [0x20, 0x09, 0x0A, 0x0D, 0x3A, 0x3D, 0x22, 0x27].contains($0)
      }
      .prefix { ![0x22, 0x27, 0x3B, 0x7D, 0x3C, 0x3E].contains($0) }
      rest = rest[max(value.endIndex, range.upperBound)...]
      let sum = SVGNumbers.all(in: value).reduce(0) { $0 + abs($1) }
      if sum > 0 { least = min(least ?? sum, sum) }
    }
    return least
  }

  /// Returns the names of elements that an attribute refers to.
  static func references(in attribute: Attribute) -> [[UInt8]] {
    guard attribute.name.suffix(4).elementsEqual("href".utf8) else {
      return references(inText: attribute.value)
    }
    return attribute.value.first == 0x23 ? [Array(attribute.value.dropFirst())] : []
  }

  /// Returns the names in `url(#name)`.
  static func references(inText text: ArraySlice<UInt8>) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var rest = text
    while let range = rest.firstRange(of: Array("url(".utf8)) {
      rest = rest[range.upperBound...].drop { [0x22, 0x27, 0x20].contains($0) }
      guard rest.first == 0x23 else { continue }
      let name = rest.dropFirst().prefix { ![0x28, 0x29, 0x22, 0x27, 0x20, 0x3C].contains($0) }
      found.append(Array(name))
      rest = rest[name.endIndex...]
    }
    return found
  }

  /// Returns whether an attribute has coordinates or lengths of a shape.
  static func isLength(_ name: ArraySlice<UInt8>) -> Bool {
    ["d", "points", "x1", "x2", "y1", "y2", "width", "height", "r", "rx", "ry"].contains {
      name.elementsEqual($0.utf8)
    }
  }

  /// Returns the next tag; nil at the end.
  mutating func next() -> Tag? {
    let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
    while let start = bytes[position...].firstIndex(of: 0x3C) {
      let rest = bytes[start...]
      if let (opening, closing) = skipped.first(where: { rest.starts(with: $0.0.utf8) }) {
        let content = rest.dropFirst(opening.utf8.count)
        position = content.firstRange(of: Array(closing.utf8))?.upperBound ?? bytes.count
      } else if rest.starts(with: "<!".utf8) {
        // A declaration may contain others.
        position = start + 2
      } else {
        let tag = tag(at: start + 1)
        if tag.name.elementsEqual("style".utf8), !tag.isEnd, !tag.isWhole {
          let end = bytes[position...].firstRange(of: Array("</".utf8))?.lowerBound ?? bytes.count
          styles.append(bytes[position..<end])
        }
        return tag
      }
    }
    return nil
  }

  private mutating func tag(at start: Int) -> Tag {
    let isEnd = start < bytes.count && bytes[start] == 0x2F
    position = isEnd ? start + 1 : start
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    let name = bytes[position...].prefix { !isBlank($0) && ![0x3E, 0x3C, 0x2F].contains($0) }
    position = name.endIndex
    // `svg:rect` is `rect`.
    var tag = Tag(name: Array(name.split(separator: 0x3A).last ?? name), isEnd: isEnd)
    while position < bytes.count {
      let byte = bytes[position]
      if byte == 0x3E || byte == 0x3C {
        position += byte == 0x3E ? 1 : 0
        break
      }
      if byte == 0x2F { tag.isWhole = true }
      guard !isBlank(byte), byte != 0x2F else {
        position += 1
        continue
      }
      tag.isWhole = false
      let name = bytes[position...].prefix { !isBlank($0) && ![0x3D, 0x3E, 0x3C, 0x2F].contains($0) }
      position = max(name.endIndex, position + 1)
      // A value is in quotes, behind an equals sign.
      var value = bytes[name.endIndex...].drop(while: isBlank)
      guard value.first == 0x3D else { continue }
      value = value.dropFirst().drop(while: isBlank)
      guard let quote = value.first, quote == 0x22 || quote == 0x27 else { continue }
      value = value.dropFirst().prefix { $0 != quote }
      tag.attributes.append(Attribute(name: name, value: value))
      position = min(value.endIndex + 1, bytes.count)
    }
    return tag
  }
}

/// The numbers in texts of SVG.
enum SVGNumbers {
  /// Returns all numbers, such as those of `M-1.5.5 1e3`.
  static func all(in text: ArraySlice<UInt8>) -> [Double] {
    var numbers: [Double] = []
    var index = text.startIndex
    while index < text.endIndex {
      let start = index
      if [0x2B, 0x2D].contains(text[index]) { index += 1 }
      let digits = index
      index = text[index...].prefix { 0x30...0x39 ~= $0 }.endIndex
      if index < text.endIndex, text[index] == 0x2E {
        index = text[(index + 1)...].prefix { 0x30...0x39 ~= $0 }.endIndex
      }
      guard index > digits else {
        index = max(index, start + 1)
        continue
      }
      if index + 1 < text.endIndex, text[index] | 0x20 == 0x65 {
        let sign = [0x2B, 0x2D].contains(text[index + 1]) ? 2 : 1
        let end = text[(index + sign)...].prefix { 0x30...0x39 ~= $0 }.endIndex
        if end > index + sign { index = end }
      }
      if let number = Double(String(decoding: text[start..<index], as: UTF8.self)) { numbers.append(number) }
    }
    return numbers
  }

  /// Returns a bound of the length of a shape with these coordinates, which may be absolute or relative.
  static func length(of text: ArraySlice<UInt8>) -> Double {
    let numbers = all(in: text)
    let isRelative = text.contains { 0x61...0x7A ~= $0 && $0 != 0x65 && $0 != 0x7A }
    var sum = abs(numbers.first ?? 0) * 7
    for number in numbers.indices.dropFirst() {
      sum += abs(numbers[number] - (number > 1 ? numbers[number - 2] : 0))
      if isRelative { sum += abs(numbers[number]) }
    }
    return sum
  }
}
