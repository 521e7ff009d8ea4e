import MapReaders

/// An element of a style document, with its texts and the elements in it.
///
/// Names have no prefix: SLD 1.0 has one namespace for what Symbology Encoding has a second one, and other programs mix
/// them.
struct SLDElement: Sendable {
  /// The place of an element: its name, its number among its siblings, and the place of its parent.
  final class Place: Sendable {
    let step: String
    let parent: Place?

    init(_ name: String, number: Int, in parent: Place?) {
      let name = String(name.prefix(60))
      (step, self.parent) = (number == 1 ? name : "\(name)[\(number)]", parent)
    }

    /// The path from the root, whose name is left out, such as `NamedLayer/UserStyle/FeatureTypeStyle/Rule[2]/Filter`.
    var path: String {
      var (steps, place) = ([String](), self)
      while let parent = place.parent {
        steps.append(place.step)
        place = parent
      }
      return steps.isEmpty ? step : steps.reversed().joined(separator: "/")
    }
  }

  /// A text or an element in an element.
  enum Part: Sendable {
    case text(String)
    case element(SLDElement)
  }

  let name: String
  let attributes: [String: String]
  let line: Int
  let place: Place
  /// The range of the element in the document.
  fileprivate(set) var range: Range<Int>
  fileprivate(set) var parts: [Part] = []

  /// The elements in the element.
  var children: [SLDElement] {
    parts.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The text without the elements, and without white space around it.
  var text: String {
    parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined().trimmed
  }

  /// The first element with a name; nil without one.
  subscript(name: String) -> SLDElement? { children.first { $0.name == name } }

  /// The elements with a name.
  func all(_ name: String) -> [SLDElement] { children.filter { $0.name == name } }

  /// The text of the first element with a name; nil without one, and for an empty one.
  func text(_ name: String) -> String? { self[name].flatMap { $0.text.isEmpty ? nil : $0.text } }
}

extension SLDElement {
  /// The largest number of elements in a document.
  ///
  /// - Source: design decision; the largest published styles have about 60,000.
  static let mostElements = 500_000

  /// Reads the elements of a document.
  ///
  /// Entities, external references and deep nesting are refused by the scanner.
  ///
  /// - Throws: ``FeatureReadError`` with the line.
  static func read(_ bytes: [UInt8]) throws(FeatureReadError) -> (root: SLDElement, bytes: [UInt8]) {
    var scanner = try XMLScanner(decoding: bytes)
    let text = scanner.bytes
    var lines = LineCounter()
    var open: [SLDElement] = []
    var numbers: [[String: Int]] = [[:]]
    var (root, count): (SLDElement?, Int) = (nil, 0)
    do {
      while let part = try scanner.next() {
        switch part {
        case .start:
          count += 1
          guard count <= mostElements else {
            throw ReadFault("more than \(mostElements) elements", at: scanner.place)
          }
          let name = scanner.name
          let number = (numbers[numbers.count - 1][name] ?? 0) + 1
          numbers[numbers.count - 1][name] = number
          numbers.append([:])
          let place = Place(name, number: number, in: open.last?.place)
          open.append(
            SLDElement(
              name: name, attributes: try scanner.attributeValues(),
              line: lines.line(of: scanner.place, in: text), place: place,
              range: scanner.place..<scanner.place))
        case .text:
          guard !open.isEmpty else { break }
          let piece = String(decoding: try scanner.pieceText(), as: UTF8.self)
          open[open.count - 1].parts.append(.text(piece))
        case .end:
          numbers.removeLast()
          guard var element = open.popLast() else { break }
          element.range = element.range.lowerBound..<scanner.offset
          if open.isEmpty { root = element } else { open[open.count - 1].parts.append(.element(element)) }
        }
      }
    } catch {
      throw FeatureReadError(error, in: text)
    }
    guard let root else { throw FeatureReadError(ReadFault("no element", at: 0), in: text) }
    return (root, text)
  }

  /// Counts lines up to ascending offsets.
  private struct LineCounter {
    private var (offset, count) = (0, 1)

    mutating func line(of place: Int, in bytes: [UInt8]) -> Int {
      while offset < place {
        if bytes[offset] == 0x0A { count += 1 }
        offset += 1
      }
      return count
    }
  }
}

extension String {
  /// The text without white space at its ends.
  var trimmed: String {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }

  /// The name without the prefix of its namespace.
  var localName: String { split(separator: ":").last.map(String.init) ?? self }
}
