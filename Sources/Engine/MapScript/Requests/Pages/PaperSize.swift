import MapJSON
import MapModel
package import MapState
import MapSystem

/// The margin of a page, in view pixels.
package struct PageMargin: RequestText {
  /// The width of the border.
  package let pixels: Double

  /// Reads a length with a unit, such as `10mm`, or a number of view pixels.
  package init(text: String) throws(MapStateError) {
    guard let length = PaperSize.length(text), length >= 0, length <= 1e6 else {
      throw MapStateError(
        .input, "'\(text)' is no margin; for example 10mm, 1cm, 0.5in or 20, a number of view pixels")
    }
    pixels = length
  }

  /// Reads a number of view pixels, or the text form.
  init(_ node: JSONNode) throws {
    try self.init(text: node.value.string ?? "\(node.double())")
  }
}

/// Sizes of paper in view pixels: names such as `A4` and `A3-landscape`, and sides such as `210x297mm`.
///
/// - Source: ISO 216 for A0 to A6; ANSI/ASME Y14.1 for letter, legal and tabloid.
enum PaperSize {
  /// The sizes in millimetres, upright.
  private static let papers: [(name: String, width: Double, height: Double)] = [
    ("A0", 841, 1189), ("A1", 594, 841), ("A2", 420, 594), ("A3", 297, 420), ("A4", 210, 297),
    ("A5", 148, 210),
    ("A6", 105, 148), ("letter", 215.9, 279.4), ("legal", 215.9, 355.6), ("tabloid", 279.4, 431.8),
  ]

  /// The names, for messages.
  static let names = papers.map(\.name)

  /// The view pixels of a unit: 1/96 inch each.
  private static let units = [("mm", 96 / 25.4), ("cm", 960 / 25.4), ("in", 96.0)]

  /// Returns the view pixels of a length, such as `10mm`, `0.5in` or a number of view pixels; nil for other texts.
  static func length(_ text: String) -> Double? {
    let unit = units.first { text.hasSuffix($0.0) }
    let number = DecimalNumbers.read(String(text.dropLast(unit?.0.count ?? 0)), counts: 1...1)?.first
    return number.map { $0 * (unit?.1 ?? 1) }
  }

  /// Returns the size that a text names; nil for other texts.
  static func size(_ text: String) -> ViewSize? {
    for (unit, pixels) in units where text.hasSuffix(unit) {
      let sides = text.dropLast(unit.count).split(separator: "x", omittingEmptySubsequences: false)
      let numbers = sides.compactMap { DecimalNumbers.read(String($0), counts: 1...1)?.first }
      guard sides.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else { return nil }
      return ViewSize(width: numbers[0] * pixels, height: numbers[1] * pixels)
    }
    let words = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    guard words.count < 3, let paper = papers.first(where: { $0.name.lowercased() == words[0] }),
      words.count == 1 || ["portrait", "landscape"].contains(words[1])
    else { return nil }
    let (width, height) = (paper.width * 96 / 25.4, paper.height * 96 / 25.4)
    return words.last == "landscape"
      ? ViewSize(width: height, height: width) : ViewSize(width: width, height: height)
  }
}
