/// The ways in which users may move a map on a screen.
public struct InteractionModes: OptionSet, Hashable, Sendable {
  /// The modes as bits.
  public let rawValue: Int
  /// Creates modes from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Panning over the map.
  public static let pan = InteractionModes(rawValue: 1)
  /// Zooming in and out.
  public static let zoom = InteractionModes(rawValue: 2)
  /// Rotation about the centre.
  public static let rotate = InteractionModes(rawValue: 4)
  /// All modes.
  public static let all: InteractionModes = [.pan, .zoom, .rotate]
}
