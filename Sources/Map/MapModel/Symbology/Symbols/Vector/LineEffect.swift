/// A change of the geometry along which a line symbol draws.
///
/// - Units: pixels of 1/96 inch.
/// - Source: Esri CIM specification, geometric effects. The shapes of arrows and the side of an offset follow the
///   ArcGIS Maps SDK for JavaScript.
public enum LineEffect: Hashable, Sendable {
  /// The shape of an arrow along a line.
  public enum Arrow: String, Hashable, Sendable, CaseIterable {
    /// Open at the start of the line, closed there, or crossed before its head.
    case open, block, crossed
  }

  /// The shape of the corners of a parallel line.
  public enum Corner: String, Hashable, Sendable, CaseIterable {
    /// Sharp, cut off, rounded, or cut off farther out.
    case mitered, bevelled, rounded, square
  }

  /// A parallel line at a distance: to the left of a line, or outwards from a polygon; negative for the other side.
  case offset(Double, corners: Corner)
  /// The outline of an arrow of a width that ends at the last vertex of a line.
  case arrow(Arrow, width: Double)
}
