/// What became of the labels of a picture.
public struct LabelReport: Hashable, Sendable {
  /// The labels of one class.
  public struct Class: Hashable, Sendable {
    /// The layer's place in the map.
    public let layerIndex: Int
    /// Its title or id.
    public let layer: String
    /// The class's place in the layer.
    public let classIndex: Int
    /// What people call the class; may be empty.
    public let name: String
    /// Labels drawn.
    public var placed = 0
    /// Left out, since another label lies there.
    public var collided = 0
    /// Left out, since the picture's edge would cut them.
    public var atEdge = 0
    /// Left out, since another label says the same.
    public var duplicate = 0
    /// Left out, since they would reach beyond their area.
    public var overrun = 0
    /// Features for which the expression gives no text.
    public var empty = 0

    /// The numbers with their names, in order.
    public var counts: [(name: String, count: Int)] {
      [
        ("placed", placed), ("collided", collided), ("atEdge", atEdge), ("duplicate", duplicate),
        ("overrun", overrun), ("empty", empty),
      ]
    }
  }

  /// The classes that are shown, by layer from the bottom.
  public var classes: [Class] = []
  /// Characters of placed labels for which the font has no glyph, each once, by code point; a box stands for them.
  public var missingGlyphs: [Unicode.Scalar] = []

  /// A report of nothing.
  public init() {}
}
