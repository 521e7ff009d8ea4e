/// A point in a view, in view pixels (1/96 inch) from its top left corner; y points down.
public struct ScreenPoint: Hashable, Sendable {
  /// The distance from the left side.
  public let x: Double
  /// The distance from the top.
  public let y: Double

  /// Creates a point.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// A rectangle in a view, in view pixels (1/96 inch) from its top left corner; y points down.
public struct ScreenRect: Hashable, Sendable {
  /// The position of the left side.
  public let x: Double
  /// The position of the top side.
  public let y: Double
  /// The width.
  public let width: Double
  /// The height.
  public let height: Double

  /// Creates a rectangle.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}
