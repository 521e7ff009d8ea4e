/// What a symbol's turn is counted from.
public enum SymbolAngleAlignment: String, Hashable, Sendable, CaseIterable {
  /// The top of the view, however the map is turned.
  case screen
  /// The map's north, so that the symbol turns with the map.
  case map
}

extension SymbolAngleAlignment {
  /// The turn on the screen, clockwise in degrees, of a symbol in a view that is turned counter-clockwise.
  package func onScreen(_ angle: Double, rotation: Double) -> Double {
    self == .map ? angle - rotation : angle
  }
}
