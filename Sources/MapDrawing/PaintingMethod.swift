/// How a picture is painted.
public enum PaintingMethod: String, Hashable, Sendable, CaseIterable {
  /// Markers are laid down from masks that Cairo drew once; their places are rounded to 1/16 pixel.
  case fast
  /// Every item is drawn by Cairo: what the fast way is measured against.
  case reference
}
