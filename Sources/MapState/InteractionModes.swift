/// How people may move a map on a screen.
public struct InteractionModes: OptionSet, Hashable, Sendable {
  /// The modes as bits.
  public let rawValue: Int
  /// Modes by their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// Over the ground.
  public static let pan = InteractionModes(rawValue: 1)
  /// Nearer and farther.
  public static let zoom = InteractionModes(rawValue: 2)
  /// About the centre.
  public static let rotate = InteractionModes(rawValue: 4)
  /// All of them.
  public static let all: InteractionModes = [.pan, .zoom, .rotate]
}
