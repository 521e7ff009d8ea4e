/// The kinds of numbers in symbols, with their limits.
///
/// Every number from a document, from data or from a visual variable is limited by its kind before it is drawn.
///
/// - Units: output pixels; degrees for rotations.
/// - Source: design decision: images are at most 32,767 pixels wide, and wider strokes would exceed Cairo's
///   fixed-point range.
package enum SymbolNumber {
  /// The side of a marker or image, or the height of text: 0 to 65,536.
  case size
  /// The width of a stroke, or twice that of a halo: 0 to 4096.
  case width
  /// An offset: -65,536 to 65,536.
  case offset
  /// The length of a dash or gap: 0.001 to 65,536.
  case dash
  /// A scale factor or aspect ratio: 0 to 65,536.
  case ratio
  /// A rotation: -360 to 360 degrees.
  case rotation

  /// The smallest size and width that is drawn; a smaller one covers less than half a step of a pixel's 255.
  package static let smallest = 0x1p-10

  /// The largest number of the kind.
  package var limit: Double {
    switch self {
    case .size, .offset, .dash, .ratio: 65_536
    case .width: 4096
    case .rotation: 360
    }
  }

  /// Returns the number within the limits of its kind.
  ///
  /// - A number beyond the limits becomes the nearest limit; a rotation keeps its direction instead.
  /// - A size or width too small to be visible becomes 0.
  /// - NaN becomes 0, or 0.001 for a dash.
  /// - An infinite rotation becomes 0.
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
