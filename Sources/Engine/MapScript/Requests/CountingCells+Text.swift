import MapJSON
package import MapModel
package import MapState
import MapSystem

extension CountingCells: RequestText {
  /// Reads the text form: `pixel` or `hexagon`, with a size in view pixels after a colon.
  package init(text: String) throws(MapStateError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = Shape.allCases.map(\.rawValue)
    guard let shape = Shape(rawValue: String(parts[0])) else {
      let nearest = NearestName.of(String(parts[0]), among: names)
      throw MapStateError(
        .input,
        "unknown cells \"\(parts[0])\"; "
          + (nearest.map { "did you mean \"\($0)\"?" } ?? "available: \(names.joined(separator: ", "))"),
        suggestion: nearest)
    }
    let size =
      parts.count > 1 ? DecimalNumbers.read(String(parts[1]), counts: 1...1)?.first : shape.standardSize
    guard let size, let cells = CountingCells(shape, size: size) else {
      throw MapStateError(
        .input,
        "the size of a \(shape.rawValue) must be \(Int(clamping: shape.sizes.lowerBound)) to "
          + "\(Int(clamping: shape.sizes.upperBound)) view pixels; for example \(shape.rawValue):"
          + "\(Int(clamping: max(4, shape.standardSize)))")
    }
    self = cells
  }
}
