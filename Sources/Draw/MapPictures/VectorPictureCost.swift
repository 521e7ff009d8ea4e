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

  /// A number of drawn elements, and a length of lines.
  private typealias Work = SIMD2<Double>

  /// An element with what it draws below it, and how often.
  private struct Node {
    var work = Work(1, 0)
    var references: [(node: Int, times: Double)] = []
  }

  private var nodes: [Node] = []
  /// The elements that are in no other.
  private var roots: [Int] = []
  /// The elements with a name; which of several librsvg takes is left open.
  private var named: [[UInt8]: [Int]] = [:]
  private var references: [(node: Int, name: [UInt8], times: Double)] = []
  /// The greatest side of a view box, for lengths in per cent.
  private var side = 100.0

  /// Returns why the text of an SVG is not read, before anything else reads it; nil if it is.
  static func refusal(ofText bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x1F, 0x8B]) { return "compressed SVG is not read" }
    if bytes.contains(0) { return "only SVG in UTF-8 is read" }
    let tags = SVGTags(bytes)
    if let encoding = tags.encoding, !SVGTags.isPlain(encoding) { return "only SVG in UTF-8 is read" }
    return tags.hidesContent ? "its entities or character references hide what it draws" : nil
  }

  /// Returns why an SVG takes too long; nil if it can be drawn.
  ///
  /// - Parameter density: the pixels for each pixel of 1/96 inch.
  static func refusal(of bytes: [UInt8], density: Double) -> String? {
    var tags = SVGTags(bytes)
    var cost = VectorPictureCost()
    while let tag = tags.next() {
      guard Double(cost.nodes.count) < elementLimit else { return "it has too many elements" }
      cost.add(tag, density: density)
    }
    for style in tags.styles {
      // A rule may apply to each element.
      for name in SVGTags.references(inText: style) {
        for root in cost.roots.prefix(1) { cost.references.append((root, name, Double(cost.nodes.count))) }
      }
    }
    let work = cost.work
    // Not a number is too much, too.
    guard work[0] <= elementLimit else { return "it takes too long to draw" }
    guard let dash = tags.shortestDash else { return nil }
    return work[1] / max(dash, 1e-9) <= dashLimit ? nil : "its dashes are too many to draw"
  }

  /// The elements around the next one.
  private var open: [Int] = []

  private mutating func add(_ tag: SVGTags.Tag, density: Double) {
    guard !tag.isEnd else {
      if !open.isEmpty { open.removeLast() }
      return
    }
    let index = nodes.count
    nodes.append(Node())
    if let parent = open.last { nodes[parent].references.append((index, 1)) } else { roots.append(index) }
    if tag.name.starts(with: "fe".utf8) {
      nodes[index].work[0] += Self.filterWeight * tag.passes(density: density)
    }
    var vertices = 1.0
    for attribute in tag.attributes {
      if attribute.name.elementsEqual("viewBox".utf8) {
        side = max(side, SVGNumbers.all(in: attribute.value).max() ?? 0)
      }
      guard SVGTags.isLength(attribute.name) else { continue }
      let isRelative = attribute.value.contains(UInt8(ascii: "%"))
      nodes[index].work[1] += SVGNumbers.length(of: attribute.value) * (isRelative ? side / 100 : 1)
      vertices += Double(attribute.value.count / 2)
    }
    for attribute in tag.attributes {
      if attribute.name.elementsEqual("id".utf8) { named[Array(attribute.value), default: []].append(index) }
      // A marker is drawn at each vertex.
      let text = String(decoding: attribute.name.prefix(6), as: UTF8.self)
      let isMarker =
        text == "marker" || text == "style" && attribute.value.firstRange(of: Array("marker".utf8)) != nil
      for name in SVGTags.references(in: attribute) {
        references.append((index, name, isMarker ? vertices : 1))
      }
    }
    if !tag.isWhole { open.append(index) }
  }

  /// The work of the whole SVG.
  ///
  /// Sums go from the leaves up, without recursion. A reference to an element that is being summed is a circle, which
  /// librsvg refuses.
  private var work: Work {
    var nodes = nodes
    var targets: [[UInt8]: Int] = [:]
    for (node, name, times) in references {
      guard let elements = named[name] else { continue }
      if targets[name] == nil {
        // Elements with one name are drawn as if they were in one.
        nodes.append(Node(work: Work(), references: elements.map { ($0, 1) }))
        targets[name] = nodes.count - 1
      }
      if let target = targets[name] { nodes[node].references.append((target, times)) }
    }
    var sums = [Work?](repeating: nil, count: nodes.count)
    var isOpen = [Bool](repeating: false, count: nodes.count)
    var stack = roots
    while let index = stack.last {
      if sums[index] != nil {
        stack.removeLast()
      } else if isOpen[index] {
        sums[index] = nodes[index].references.reduce(nodes[index].work) { sum, reference in
          sum + (sums[reference.node] ?? Work()) * reference.times
        }
        stack.removeLast()
      } else {
        isOpen[index] = true
        for reference in nodes[index].references where sums[reference.node] == nil && !isOpen[reference.node]
        {
          stack.append(reference.node)
        }
      }
    }
    return roots.reduce(Work()) { $0 + (sums[$1] ?? Work()) }
  }
}
