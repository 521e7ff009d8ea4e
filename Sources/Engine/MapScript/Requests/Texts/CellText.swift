import MapJSON
package import MapModel
package import MapState
import MapSystem

/// The text form of cells: a shape, and a size after a colon.
struct CellText<Shape: RawRepresentable<String> & CaseIterable> {
  let shape: Shape
  private let number: Substring?

  /// Reads a text.
  ///
  /// - Parameter cells: the cells in the message about an unknown shape, such as `bins`.
  /// - Throws: `MapStateError` of the kind, with the nearest name of a shape, or else all.
  init(_ text: String, of cells: String, _ kind: MapStateError.Kind) throws(MapStateError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let (word, names) = (String(parts[0]), Shape.allCases.map(\.rawValue))
    guard let shape = Shape(rawValue: word) else {
      let nearest = NearestName.of(word, among: names)
      throw MapStateError(
        kind,
        "unknown \(cells) \"\(word)\"; "
          + (nearest.map { "did you mean \"\($0)\"?" } ?? "available: \(names.joined(separator: ", "))"),
        suggestion: nearest)
    }
    (self.shape, number) = (shape, parts.count > 1 ? parts[1] : nil)
  }

  /// Returns the size; nil for a text that is no number.
  ///
  /// - Parameter standard: the size of a text without a colon.
  func size(standard: Double? = nil) -> Double? {
    guard let number else { return standard }
    return DecimalNumbers.read(String(number), counts: 1...1)?.first
  }
}

extension CountingCells: RequestText {
  /// Reads the text form: `pixel` or `hexagon`, with a size in view pixels after a colon.
  package init(text: String) throws(MapStateError) {
    let written = try CellText<Shape>(text, of: "cells", .input)
    let shape = written.shape
    guard let size = written.size(standard: shape.standardSize), let cells = CountingCells(shape, size: size)
    else {
      throw MapStateError(
        .input,
        "the size of a \(shape.rawValue) must be \(Int(clamping: shape.sizes.lowerBound)) to "
          + "\(Int(clamping: shape.sizes.upperBound)) view pixels; for example \(shape.rawValue):"
          + "\(Int(clamping: max(4, shape.standardSize)))")
    }
    self = cells
  }
}
