/// A report on the labels of an image: how many were placed or left out, and why.
public struct LabelReport: Hashable, Sendable {
  /// The label counts of one label class.
  public struct Class: Hashable, Sendable {
    /// The index of the layer in the map.
    public let layerIndex: Int
    /// The title or id of the layer.
    public let layer: String
    /// The index of the class in the layer.
    public let classIndex: Int
    /// The name of the class; may be empty.
    public let name: String
    /// The number of labels drawn.
    public var placed = 0
    /// The number of labels left out because they would overlap another label.
    public var collided = 0
    /// The number of labels left out because the image's edge would cut them.
    public var atEdge = 0
    /// The number of labels left out because another label has the same text.
    public var duplicate = 0
    /// The number of labels left out because they would extend beyond their area.
    public var overrun = 0
    /// The number of features for which the expression gives no text.
    public var empty = 0

    /// The counts with their names, in order.
    public var counts: [(name: String, count: Int)] {
      [
        ("placed", placed), ("collided", collided), ("atEdge", atEdge), ("duplicate", duplicate),
        ("overrun", overrun), ("empty", empty),
      ]
    }
  }

  /// The classes that are shown, by layer from the bottom.
  public var classes: [Class] = []
  /// The characters of placed labels that the font lacks, without duplicates, by code point; drawn as a box.
  public var missingGlyphs: [Unicode.Scalar] = []

  /// Creates an empty report.
  public init() {}
}
