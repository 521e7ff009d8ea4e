/// The widths of the strips along a view's sides that other content covers, in view pixels (1/96 inch).
public struct EdgeInsets: Hashable, Sendable {
  /// The covered height at the top.
  public var top: Double
  /// The covered width on the left.
  public var leading: Double
  /// The covered height at the bottom.
  public var bottom: Double
  /// The covered width on the right.
  public var trailing: Double

  /// Creates insets from the covered widths and heights.
  public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
    (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
  }

  /// Returns the insets if they suit a view's size.
  ///
  /// Invalid lengths, or insets that cover the whole view, give zero insets.
  func inForce(width: Double, height: Double) -> EdgeInsets {
    let isSound = [top, leading, bottom, trailing].allSatisfy { $0 >= 0 && $0.isFinite }
    return isSound && leading + trailing < width && top + bottom < height ? self : EdgeInsets()
  }

  /// The offset from the centre of the view to the centre of the uncovered part.
  var middle: (right: Double, down: Double) { ((leading - trailing) / 2, (top - bottom) / 2) }
}
