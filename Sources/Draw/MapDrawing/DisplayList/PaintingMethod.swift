/// The method by which an image is painted.
public enum PaintingMethod: String, Hashable, Sendable, CaseIterable {
  /// Markers are copied from masks that Cairo drew once; their positions are rounded to 1/16 pixel. Lines, areas and
  /// letters are painted by the coverage of each pixel.
  case fast
  /// Cairo draws every item; the fast method is measured against this one.
  case reference
}
