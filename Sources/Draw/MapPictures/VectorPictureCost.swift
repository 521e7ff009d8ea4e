/// A bound of the work that an SVG takes, found before librsvg draws it, because drawing cannot be stopped.
///
/// Elements count once for each time that a reference draws them. Filters count by their pixels, and dashes by the length
/// of the shapes. Where the text hides what it says, the SVG is refused.
struct VectorPictureCost {
  /// The largest number of drawn elements.
  ///
  /// - Source: design decision; librsvg 2.54 draws as many small ones in about a second.
  private static let elementLimit = 100_000.0
  /// The largest number of dashes.
  ///
  /// - Source: design decision; librsvg 2.54 draws as many in about a second.
  private static let dashLimit = 100_000.0
  /// The number of elements that take the time of a pass of a filter over all pixels.
  private static let filterWeight = 2000.0

  /// An element with what it draws below it.
  private struct Node {
    var weight = 1.0
    var references: [Int] = []
  }

  private var nodes: [Node] = []
  private var names: [[UInt8]: Int] = [:]
  private var references: [(node: Int, name: [UInt8])] = []
  private var length = 0.0
  private var shortestDash = Double.infinity

  /// Returns why an SVG is refused; nil if it can be drawn.
  static func refusal(of bytes: [UInt8], density: Double) -> String? {
    if bytes.starts(with: [0x1F, 0x8B]) { return "compressed SVG is not read" }
    if bytes.contains(0) { return "only SVG in UTF-8 is read" }
    var tags = SVGTags(bytes)
    if let encoding = tags.encoding, !SVGTags.isPlain(encoding) { return "only SVG in UTF-8 is read" }
    if tags.hidesNames { return "its entities have elements or character references" }
    var cost = VectorPictureCost()
    if let refusal = cost.read(&tags, density: density) { return refusal }
    return cost.refusal
  }

  /// Reads all elements.
  private mutating func read(_ tags: inout SVGTags, density: Double) -> String? {
    // Children stand after their parent, so the nodes below one are a range.
    var open: [(node: Int, name: [UInt8])] = []
    func add(_ weight: Double, to index: Int) { nodes[index].weight += weight }
    while let tag = tags.next() {
      if tag.isEnd {
        if !open.isEmpty { open.removeLast() }
        continue
      }
      guard Double(nodes.count) < Self.elementLimit else { return "it has too many elements" }
      let index = nodes.count
      nodes.append(Node())
      if let parent = open.last?.node { nodes[parent].references.append(index) }
      if tag.name.starts(with: "fe".utf8) { add(Self.filterWeight * tag.passes(density: density), to: index) }
      for attribute in tag.attributes {
        if attribute.name.elementsEqual("id".utf8) { names[Array(attribute.value)] = index }
        for name in SVGTags.references(in: attribute) { references.append((index, name)) }
        if SVGTags.isLength(attribute.name) { length += SVGNumbers.length(of: attribute.value) }
      }
      if !tag.isWhole { open.append((index, tag.name)) }
    }
    for (node, name) in references { if let target = names[name] { nodes[node].references.append(target) } }
    shortestDash = tags.shortestDash
    if tags.dashesAreHidden { return "its dashes are entities" }
    return nil
  }

  /// Why the elements or dashes are too many; nil if they are not.
  private var refusal: String? {
    if shortestDash < .infinity, length / max(shortestDash, 1e-9) > Self.dashLimit {
      return "its dashes are too many to draw"
    }
    guard !nodes.isEmpty else { return nil }
    // Sums from the leaves, without recursion; a reference to an element that is being summed is a circle, which librsvg
    // refuses.
    var sums = [Double?](repeating: nil, count: nodes.count)
    var isOpen = [Bool](repeating: false, count: nodes.count)
    var stack = [0]
    while let index = stack.last {
      if sums[index] != nil {
        stack.removeLast()
      } else if isOpen[index] {
        sums[index] = nodes[index].references.reduce(nodes[index].weight) { $0 + (sums[$1] ?? 0) }
        stack.removeLast()
      } else {
        isOpen[index] = true
        stack += nodes[index].references.filter { sums[$0] == nil && !isOpen[$0] }
      }
    }
    return (sums[0] ?? 0) > Self.elementLimit ? "it takes too long to draw" : nil
  }
}

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
  private var place = 0

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

  /// Whether entities have elements or character references, which multiply elements or hide names.
  var hidesNames: Bool {
    guard let start = bytes.firstRange(of: Array("<!ENTITY".utf8)) else { return false }
    let end = bytes[start.lowerBound...].firstRange(of: Array("]".utf8))?.lowerBound ?? bytes.count
    let declared = bytes[start.lowerBound..<end]
    return declared.firstRange(of: Array("&#".utf8)) != nil
      || declared.indices.dropLast().contains { declared[$0] == 0x3C && declared[$0 + 1] != 0x21 }
  }

  /// The values of dashes, in attributes and in style sheets.
  private var dashes: [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while let range = rest.firstRange(of: Array("dasharray".utf8)) {
      rest = rest[range.upperBound...]
      let value = rest.drop { [0x20, 0x09, 0x0A, 0x0D, 0x3A, 0x3D, 0x22, 0x27].contains($0) }
      found.append(value.prefix { ![0x22, 0x27, 0x3B, 0x7D, 0x3C, 0x3E].contains($0) })
    }
    return found
  }

  /// The least sum of a pattern of dashes; infinity without dashes.
  var shortestDash: Double {
    dashes.map { SVGNumbers.all(in: $0).reduce(0) { $0 + abs($1) } }.filter { $0 > 0 }.min() ?? .infinity
  }

  /// Whether the text of dashes is elsewhere.
  var dashesAreHidden: Bool { dashes.contains { $0.contains(0x26) } }

  /// Returns the names of elements that an attribute refers to.
  static func references(in attribute: Attribute) -> [[UInt8]] {
    func name(after start: ArraySlice<UInt8>) -> [UInt8] {
      Array(start.prefix { ![0x29, 0x22, 0x27, 0x20].contains($0) })
    }
    if attribute.name.suffix(4).elementsEqual("href".utf8) {
      return attribute.value.first == 0x23 ? [name(after: attribute.value.dropFirst())] : []
    }
    var found: [[UInt8]] = []
    var rest = attribute.value
    while let range = rest.firstRange(of: Array("url(".utf8)) {
      rest = rest[range.upperBound...].drop { [0x22, 0x27, 0x20].contains($0) }
      if rest.first == 0x23 { found.append(name(after: rest.dropFirst())) }
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
    while let start = bytes[place...].firstIndex(of: 0x3C) {
      let rest = bytes[start...]
      for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
      where rest.starts(with: opening.utf8) {
        // A declaration may contain others.
        if opening == "<!" {
          place = start + 2
        } else {
          place =
            rest.dropFirst(opening.utf8.count).firstRange(of: Array(closing.utf8))?.upperBound ?? bytes.count
        }
      }
      if place > start { continue }
      return tag(at: start + 1)
    }
    return nil
  }

  private mutating func tag(at start: Int) -> Tag {
    let isEnd = start < bytes.count && bytes[start] == 0x2F
    place = isEnd ? start + 1 : start
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    let name = bytes[place...].prefix { !isBlank($0) && $0 != 0x3E && $0 != 0x2F }
    place = name.endIndex
    // `svg:rect` is `rect`.
    var tag = Tag(name: Array(name.split(separator: 0x3A).last ?? name), isEnd: isEnd)
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x3E || byte == 0x3C {
        place += byte == 0x3E ? 1 : 0
        break
      }
      if byte == 0x2F { tag.isWhole = true }
      guard !isBlank(byte), byte != 0x2F else {
        place += 1
        continue
      }
      tag.isWhole = false
      let name = bytes[place...].prefix { !isBlank($0) && ![0x3D, 0x3E, 0x3C, 0x2F].contains($0) }
      place = max(name.endIndex, place + 1)
      guard let sign = bytes[place...].first(where: { !isBlank($0) }), sign == 0x3D,
        let quote = bytes[place...].firstIndex(where: { $0 == 0x22 || $0 == 0x27 || $0 == 0x3E }),
        bytes[quote] != 0x3E
      else { continue }
      let value = bytes[(quote + 1)...].prefix { $0 != bytes[quote] }
      tag.attributes.append(Attribute(name: name, value: value))
      place = min(value.endIndex + 1, bytes.count)
    }
    return tag
  }
}

/// The numbers in texts of SVG.
enum SVGNumbers {
  /// Returns all numbers, such as those of `M-1.5.5 1e3`.
  static func all(in text: ArraySlice<UInt8>) -> [Double] {
    var numbers: [Double] = []
    var place = text.startIndex
    while place < text.endIndex {
      let start = place
      if [0x2B, 0x2D].contains(text[place]) { place += 1 }
      let digits = place
      place = text[place...].prefix { 0x30...0x39 ~= $0 }.endIndex
      if place < text.endIndex, text[place] == 0x2E {
        place = text[(place + 1)...].prefix { 0x30...0x39 ~= $0 }.endIndex
      }
      guard place > digits else {
        place = max(place, start + 1)
        continue
      }
      if place + 1 < text.endIndex, text[place] | 0x20 == 0x65 {
        let sign = [0x2B, 0x2D].contains(text[place + 1]) ? 2 : 1
        let end = text[(place + sign)...].prefix { 0x30...0x39 ~= $0 }.endIndex
        if end > place + sign { place = end }
      }
      if let number = Double(String(decoding: text[start..<place], as: UTF8.self)) { numbers.append(number) }
    }
    return numbers
  }

  /// Returns a bound of the length of a shape with these coordinates, which may be absolute or relative.
  static func length(of text: ArraySlice<UInt8>) -> Double {
    let numbers = all(in: text)
    let isRelative = text.contains { 0x61...0x7A ~= $0 && $0 != 0x65 && $0 != 0x7A }
    var sum = abs(numbers.first ?? 0) * 7
    for index in numbers.indices.dropFirst() {
      sum += abs(numbers[index] - (index > 1 ? numbers[index - 2] : 0))
      if isRelative { sum += abs(numbers[index]) }
    }
    return sum
  }
}
