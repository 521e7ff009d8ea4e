public import MapModel
import MapSystem

/// The distribution of the numbers of a layer: bars with the number of features in intervals of equal width, above a strip
/// with the colours of the classes.
public struct ClassChart: Hashable, Sendable {
  /// A class on the strip.
  public struct Segment: Hashable, Sendable {
    /// The lower bound, within the axis.
    public let minimum: Double
    /// The upper bound, within the axis.
    public let maximum: Double
    /// The colour.
    public let color: Color
  }

  /// The numbers at the ends of the axis.
  public let axis: ClosedRange<Double>
  /// The least and the greatest number.
  public let range: ClosedRange<Double>
  /// The number of features in each interval of the axis, ascending.
  public let counts: [Int]
  /// The classes that have a part of the axis, in the order of the renderer.
  public let segments: [Segment]

  /// The largest number of intervals.
  ///
  /// - Source: design decision; bars of 6 pixels show the form of a distribution.
  private static let mostIntervals = 24

  /// Counts numbers in intervals; nil for no numbers, and for equal ones with decimals.
  ///
  /// Whole numbers are in the middle of intervals that have equally many of them.
  package init?(of numbers: [Double], _ renderer: ClassBreaksRenderer) {
    let numbers = numbers.filter(\.isFinite)
    guard let least = numbers.min(), let greatest = numbers.max(), (greatest - least).isFinite else {
      return nil
    }
    range = least...greatest
    let areWhole = numbers.allSatisfy { $0 == $0.rounded() } && greatest - least < 0x1p50
    var (start, width, count) = (
      least, (greatest - least) / Double(Self.mostIntervals), Self.mostIntervals
    )
    if areWhole {
      width = ((greatest - least + 1) / Double(Self.mostIntervals)).rounded(.up)
      count = min(Int(clamping: ((greatest - least + 1) / width).rounded(.up)), Self.mostIntervals)
      start = least - 0.5
    }
    guard width > 0 else { return nil }
    var counts = [Int](repeating: 0, count: count)
    for number in numbers {
      counts[min(max(Int(clamping: ((number - start) / width).rounded(.down)), 0), count - 1)] += 1
    }
    self.counts = counts
    let axis = start...max(areWhole ? start + width * Double(count) : greatest, start.nextUp)
    self.axis = axis
    // Between whole numbers, a class ends in the middle.
    func end(_ bound: Double) -> Double { areWhole ? bound.rounded(.down) + 0.5 : bound }
    segments = renderer.classBreaks.compactMap { item in
      let low = item.minimum > least ? end(item.minimum) : axis.lowerBound
      let high = item.maximum < greatest ? end(item.maximum) : axis.upperBound
      guard low < high, let color = item.symbol.mainColor else { return nil }
      return Segment(minimum: low, maximum: high, color: color)
    }
  }

  /// Returns the position of a number on the axis, 0 to 1.
  func place(of number: Double) -> Double {
    (number - axis.lowerBound) / (axis.upperBound - axis.lowerBound)
  }
}
