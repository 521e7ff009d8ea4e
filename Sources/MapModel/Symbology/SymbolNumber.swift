/// The kinds of numbers that symbols have, with their limits.
///
/// Every number that comes from a document, from data or from a visual variable is bounded by its kind before it is drawn.
///
/// - Units: pixels of the picture, degrees for turns.
/// - Source: ours; pictures are at most 32,767 pixels wide, and wider strokes would leave Cairo's fixed point.
package enum SymbolNumber {
  /// The side of a marker, a picture or letters: 0 to 65,536.
  case size
  /// The width of a stroke, or twice that of a halo: 0 to 4096.
  case width
  /// A shift: -65,536 to 65,536.
  case offset
  /// The length of a dash or gap: 0.001 to 65,536.
  case dash
  /// How many times as large, or as wide as high: 0 to 65,536.
  case ratio
  /// A turn: -360 to 360 degrees.
  case rotation

  /// The smallest size and width that is drawn: what is smaller covers less than half a step of a pixel's 255.
  package static let smallest = 0x1p-10

  /// The largest number of the kind.
  package var limit: Double {
    switch self {
    case .size, .offset, .dash, .ratio: 65_536
    case .width: 4096
    case .rotation: 360
    }
  }

  /// The number within the limits of its kind: one beyond them is the nearest limit, a turn the same direction, a size or
  /// width too small to be seen 0, and so is NaN, but for a dash, which is never 0; an infinite turn is 0.
  package func bounded(_ number: Double) -> Double {
    switch self {
    case .size, .width: number >= Self.smallest ? min(number, limit) : 0
    case .offset: number.isNaN ? 0 : min(max(number, -limit), limit)
    // NaN compares false.
    case .dash: number > 0.001 ? min(number, limit) : 0.001
    case .ratio: number > 0 ? min(number, limit) : 0
    case .rotation:
      abs(number) <= limit ? number : number.isFinite ? number.truncatingRemainder(dividingBy: limit) : 0
    }
  }
}
