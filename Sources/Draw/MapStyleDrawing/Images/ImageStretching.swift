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
  ///
  /// - Parameter faults: the list to which a line for each member that is left out is added.
  init(_ json: JSONValue, width: Int, height: Int, faults: inout [String]) {
    func read<Value>(_ name: String, _ expected: String, _ value: (JSONValue) -> Value?) -> Value? {
      guard let member = json[name], member != .null else { return nil }
      let found = value(member)
      if found == nil { faults.append("'\(name)' is ignored: it must be \(expected)") }
      return found
    }
    isDistanceField = read("sdf", "true or false", \.boolean) ?? false
    let parts = "a list of [start, end] in order, inside the image"
    columns = read("stretchX", parts) { Self.zones($0, length: Double(width)) }
    rows = read("stretchY", parts) { Self.zones($0, length: Double(height)) }
    // Without parts, the image stretches as a whole.
    if columns == [] { columns = nil }
    if rows == [] { rows = nil }
    let fits = "stretchOrShrink, stretchOnly or proportional"
    fitWidth = read("textFitWidth", fits) { $0.string.flatMap { Fit(rawValue: $0) } } ?? .stretchOrShrink
    fitHeight = read("textFitHeight", fits) { $0.string.flatMap { Fit(rawValue: $0) } } ?? .stretchOrShrink
    content = read("content", "[left, top, right, bottom] inside the image") { json in
      let (elements, sides) = (json.array ?? [], json.array?.compactMap(\.double) ?? [])
      guard sides.count == 4, elements.count == 4, sides[0] >= 0, sides[1] >= 0, sides[0] < sides[2],
        sides[1] < sides[3], sides[2] <= Double(width), sides[3] <= Double(height)
      else { return nil }
      return SymbolBox(left: sides[0], top: sides[1], right: sides[2], bottom: sides[3])
    }
  }

  private static func zones(_ json: JSONValue, length: Double) -> [Range<Double>]? {
    guard case .array(let elements) = json, elements.count <= zoneLimit else { return nil }
    var (zones, end) = ([Range<Double>](), 0.0)
    for case .array(let pair) in elements {
      let sides = pair.compactMap(\.double)
      guard sides.count == 2, sides[0] >= end, sides[0] < sides[1], sides[1] <= length else { return nil }
      zones.append(sides[0]..<sides[1])
      end = sides[1]
    }
    return zones.count < elements.count ? nil : zones
  }
}
