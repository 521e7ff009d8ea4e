public import MapGeometry

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
    /// The number of labels left out because every position covers a marker or is too close to one.
    public var atMarker = 0
    /// The number of labels left out because the image's edge would cut them.
    public var atEdge = 0
    /// The number of labels left out because another label has the same text.
    public var duplicate = 0
    /// The number of labels left out because they would extend beyond their area.
    public var overrun = 0
    /// The number of labels left out because they would cover their area as a whole.
    public var coversArea = 0
    /// The number of features for which the expression gives no text.
    public var empty = 0

    /// The number of placed labels by position, such as `aboveRight` for points and `widest` for areas.
    public var positions: [String: Int] = [:]

    /// The counts with their names, in order.
    public var counts: [(name: String, count: Int)] { [("placed", placed)] + dropped }

    /// The counts of labels that are left out, with their names, in order.
    public var dropped: [(name: String, count: Int)] {
      [
        ("collided", collided), ("atMarker", atMarker), ("atEdge", atEdge), ("duplicate", duplicate),
        ("overrun", overrun), ("coversArea", coversArea), ("empty", empty),
      ]
    }

    /// Counts one label.
    mutating func add(_ outcome: LabelOutcome) {
      switch outcome {
      case .placed: placed += 1
      case .collided: collided += 1
      case .atMarker: atMarker += 1
      case .atEdge: atEdge += 1
      case .duplicate: duplicate += 1
      case .overrun: overrun += 1
      case .coversArea: coversArea += 1
      case .empty: empty += 1
      }
    }
  }

  /// The classes that are shown, by layer from the bottom.
  public var classes: [Class] = []
  /// A label of the image.
  public struct Label: Hashable, Sendable {
    /// The index of its class in ``LabelReport/classes``.
    public let classNumber: Int
    /// The object id of its feature.
    public let objectID: Int64
    /// The text; lines are separated by line feeds.
    public let text: String
    /// The box around lines, ink, halo and frame, in output pixels, y down.
    public let box: Envelope
  }

  /// The labels of the image: by class, and first those placed first.
  public var labels: [Label] = []
  /// The characters of placed labels that the font lacks, without duplicates, by code point; drawn as a box.
  public var missingGlyphs: [Unicode.Scalar] = []
  /// The reasons for labels that are not shaped as they should be, without duplicates.
  public var problems: [String] = []

  /// The first failure of each label expression, such as a place outside a list.
  public var failures: [String] = []

  /// Creates an empty report.
  public init() {}
}

/// The result of placing one label; the names are those in ``LabelReport/Class/counts``.
enum LabelOutcome: String {
  case placed, collided, atMarker, atEdge, duplicate, overrun, coversArea, empty
}
