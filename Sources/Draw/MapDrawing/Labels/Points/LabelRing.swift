/// The positions around a symbol at (0, 0).
struct LabelRing {
  /// The positions, the preferred one first.
  let spots: [LabelSpot]
  /// The same positions for labels of any text.
  let positions: [CrowdedCells.Position]

  init(_ spots: [LabelSpot], size: Double) {
    self.spots = spots
    positions = spots.map {
      CrowdedCells.Position(core: $0.core(size: size), symbol: $0.symbol, gap: $0.distance)
    }
  }
}
