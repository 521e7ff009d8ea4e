/// A symbol with the form and position of its parts; a part that is nil is not shown.
struct PlacedSymbol {
  /// A text at its position.
  struct Text {
    /// The shapes that collide.
    var shapes: [CollisionGrid.Shape]
    let isVertical: Bool
    /// The anchor of a text with a variable anchor; nil for a fixed one.
    let place: TextPlace?
    /// The offset of the text to its variable anchor in output pixels, before it rotates with the map.
    let shift: (x: Double, y: Double)
  }

  /// An icon at its position.
  struct Icon {
    let box: SymbolBox
    let isVertical: Bool
    /// The same for an icon that is fitted to the text.
    let shift: (x: Double, y: Double)
  }

  var text: Text?
  var icon: Icon?
}
