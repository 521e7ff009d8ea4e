import MapJSON

/// The members of a sprite's image that say how it is painted at other sizes.
struct ImageStretching: Hashable, Sendable {
  /// The values of `textFitWidth` and `textFitHeight`.
  enum Fit: String {
    case stretchOrShrink, stretchOnly, proportional
  }

  /// Whether the alpha of the pixels is a distance from an edge.
  var isDistanceField = false
  /// The columns that stretch, in order, in pixels of the image; nil without the member.
  var columns: [Range<Double>]?
  /// The rows that stretch.
  var rows: [Range<Double>]?
  /// The part that covers a text to which the image is fitted, in pixels of the image; nil for all of it.
  var content: SymbolBox?
  /// Whether the width of a fitted image may shrink, or keeps its ratio to the height.
  var fitWidth = Fit.stretchOrShrink
  /// Whether the height of a fitted image may shrink, or keeps its ratio to the width.
  var fitHeight = Fit.stretchOrShrink

  /// The largest number of zones that stretch along an axis.
  ///
  /// - Source: design decision; images have one to three.
  private static let zoneLimit = 100

  /// Creates the members of an image that stretches as a whole.
  init() {}

  /// Reads the members of an image; those that do not fit its size are left out.
  init(_ json: JSONValue, width: Int, height: Int) {
    isDistanceField = json["sdf"]?.boolean ?? false
    columns = Self.zones(json["stretchX"], length: Double(width))
    rows = Self.zones(json["stretchY"], length: Double(height))
    fitWidth = json["textFitWidth"]?.string.flatMap { Fit(rawValue: $0) } ?? .stretchOrShrink
    fitHeight = json["textFitHeight"]?.string.flatMap { Fit(rawValue: $0) } ?? .stretchOrShrink
    guard case .array(let elements)? = json["content"] else { return }
    let sides = elements.compactMap(\.double)
    guard sides.count == 4, elements.count == 4, sides[0] >= 0, sides[1] >= 0, sides[0] < sides[2],
      sides[1] < sides[3], sides[2] <= Double(width), sides[3] <= Double(height)
    else { return }
    content = SymbolBox(left: sides[0], top: sides[1], right: sides[2], bottom: sides[3])
  }

  private static func zones(_ json: JSONValue?, length: Double) -> [Range<Double>]? {
    guard case .array(let elements)? = json, elements.count <= zoneLimit else { return nil }
    var (zones, end) = ([Range<Double>](), 0.0)
    for case .array(let pair) in elements {
      let sides = pair.compactMap(\.double)
      guard sides.count == 2, sides[0] >= end, sides[0] < sides[1], sides[1] <= length else { return nil }
      zones.append(sides[0]..<sides[1])
      end = sides[1]
    }
    return zones.isEmpty || zones.count < elements.count ? nil : zones
  }
}
