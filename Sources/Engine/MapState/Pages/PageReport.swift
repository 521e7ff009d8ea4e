public import MapGeometry

/// The page of an image: its size, the rectangle of the map, and the warnings of the layout.
public struct PageReport: Hashable, Sendable {
  /// The width of the image in view pixels.
  public let width: Double
  /// The height of the image in view pixels.
  public let height: Double
  /// The rectangle of the map in the image, in view pixels from the top left corner.
  public let map: Envelope
  /// The parts that are left out, cut or approximate.
  public let warnings: [String]
}
