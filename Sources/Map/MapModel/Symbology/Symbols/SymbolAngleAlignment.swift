/// The direction that a symbol's angle is measured from.
public enum SymbolAngleAlignment: String, Hashable, Sendable, CaseIterable {
  /// The top of the view, whatever the map's rotation.
  case screen
  /// The map's north: the symbol rotates with the map.
  case map
}

extension SymbolAngleAlignment {
  /// Returns the angle on the screen, clockwise in degrees, in a view with a counter-clockwise rotation.
  package func onScreen(_ angle: Double, rotation: Double) -> Double {
    self == .map ? angle - rotation : angle
  }
}
