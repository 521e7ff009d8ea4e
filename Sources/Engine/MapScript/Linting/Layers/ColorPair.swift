import MapModel

/// The differences between two colours, for all readers and for the readers who tell them apart least.
struct ColorPair {
  /// The difference CIEDE2000 below which two colours are confused.
  ///
  /// - Source: design decision; a pair just above it can be told apart side by side, but not in a legend and a map.
  static let confusedDifference = 5.0
  /// The difference below which two colours are confused if it is less than half of that in full colour vision.
  ///
  /// - Source: design decision; red and green of equal lightness have 4 to 10.
  static let lostDifference = 10.0
  /// The difference below which neighbouring classes of numbers are confused; below ``lostDifference`` they are if it is
  /// less than a fifth of that in full colour vision.
  ///
  /// - Source: design decision; neighbours in a ramp are close for all readers, and are read by their order. The
  ///   published ramps that are safe for colour-blind readers have at least 3.2, and a quarter of the difference in full
  ///   colour vision, with up to seven classes.
  static let neighbourDifference = 3.0

  /// The difference in full colour vision.
  let normal: Double
  /// The difference for readers with the deficiency.
  let least: Double
  /// The deficiency that brings the colours closest.
  let deficiency: ColorVisionDeficiency

  /// Compares opaque colours.
  init(_ first: Color, _ second: Color) {
    let (first, second) = (LinearColor(first), LinearColor(second))
    self.init(normal: PerceivedColor(first).difference(to: PerceivedColor(second))) { deficiency in
      PerceivedColor(first.seen(with: deficiency)).difference(
        to: PerceivedColor(second.seen(with: deficiency)))
    }
  }

  /// Finds the deficiency that brings the colours closest; the first one of several.
  init(normal: Double, difference: (ColorVisionDeficiency) -> Double) {
    var (deficiency, least) = (ColorVisionDeficiency.protanopia, Double.infinity)
    for other in ColorVisionDeficiency.allCases {
      let found = difference(other)
      if found < least { (deficiency, least) = (other, found) }
    }
    (self.normal, self.least, self.deficiency) = (normal, least, deficiency)
  }

  /// Returns the difference beyond the limit below which readers confuse the colours; negative if they do.
  ///
  /// - Parameter areNeighbours: whether the colours are those of neighbouring classes of numbers.
  func margin(areNeighbours: Bool = false) -> Double {
    let (confused, share) = areNeighbours ? (Self.neighbourDifference, 5.0) : (Self.confusedDifference, 2.0)
    return least - max(confused, min(Self.lostDifference, normal / share))
  }
}
