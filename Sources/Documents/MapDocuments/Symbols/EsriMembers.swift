import MapJSON
import MapModel
import MapSystem

/// Members of symbols in web map JSON: colours, lengths, offsets and angles.
///
/// - Units: documents use points (1/72 inch), symbols use pixels (1/96 inch): factor 96/72.
enum EsriMembers {
  /// The number of pixels of 1/96 inch in a point.
  static let pixelsPerPoint = 96.0 / 72.0
  /// The largest accepted size or width, in points: ten inches.
  ///
  /// - Source: design decision; at a pixel ratio of 4 it is still within the range that Cairo paints correctly.
  static let largestLength = 720.0

  // MARK: Reading

  /// Reads red, green, blue and alpha, 0 to 255 each.
  ///
  /// Three numbers are an opaque colour; null or absent paints nothing.
  static func color(_ node: JSONNode?) throws(JSONDecodingError) -> Color? {
    guard let node else { return nil }
    let elements = try node.elements()
    guard elements.count == 3 || elements.count == 4 else {
      throw node.invalid("expected [red, green, blue, alpha], found \(elements.count) numbers")
    }
    var channels: [UInt8] = []
    for element in elements {
      let value = try element.double()
      guard value >= 0, value <= 255 else { throw element.invalid("\(value) is not between 0 and 255") }
      channels.append(UInt8(clamping: value.rounded()))
    }
    return Color(
      red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count == 4 ? channels[3] : 255)
  }

  /// Reads a rotation, clockwise in degrees; documents count counter-clockwise.
  static func angle(_ node: JSONNode) throws(JSONDecodingError) -> Double {
    let angle = try node.double("angle") ?? 0
    return angle == 0 ? 0 : -angle
  }

  /// Reads the direction that a rotation is measured from.
  ///
  /// - Source: design decision; web maps measure all rotations from the top of the view.
  static func alignment(_ node: JSONNode) throws(JSONDecodingError) -> SymbolAngleAlignment {
    try node.string("angleAlignment").flatMap(SymbolAngleAlignment.init) ?? .screen
  }

  /// Reads an offset in pixels; 0 when absent.
  static func offset(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double {
    guard let member = node[name] else { return 0 }
    let points = try member.double()
    guard abs(points) <= largestLength else {
      throw member.invalid("\(points) is impossible; -720 to 720 points can be drawn")
    }
    return points * pixelsPerPoint
  }

  /// Reads a length in pixels; nil when absent.
  static func length(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double? {
    guard let member = node[name] else { return nil }
    let points = try member.double()
    guard points >= 0, points <= largestLength else {
      throw member.invalid("\(points) is impossible; 0 to 720 points can be drawn")
    }
    return points * pixelsPerPoint
  }

  /// Returns a string unchanged and a number as its text.
  static func text(_ node: JSONNode?) -> String {
    switch node?.value {
    case .string(let text): text
    case .number(let number): number.integer.map { "\($0)" } ?? number.text
    case .boolean(let value): value ? "1" : "0"
    default: ""
    }
  }

  // MARK: Writing

  /// Returns the members for the rotation and offset of a symbol.
  static func placement(
    angle: Double, _ alignment: SymbolAngleAlignment, offsetX: Double, offsetY: Double
  ) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = angle == 0 ? [] : [("angle", .number(-angle))]
    if alignment != .screen { members.append(("angleAlignment", .string(alignment.rawValue))) }
    for (name, offset) in [("xoffset", offsetX), ("yoffset", offsetY)] where offset != 0 {
      members.append((name, .number(offset / pixelsPerPoint)))
    }
    return members
  }

  /// Returns a colour; null for none.
  static func json(_ color: Color?) -> JSONValue {
    guard let color else { return .null }
    return .array([color.red, color.green, color.blue, color.alpha].map { .number(Int($0)) })
  }

  /// Returns an object with members in their order.
  static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    var object = JSONObject()
    for (name, value) in members { object[name] = value }
    return .object(object)
  }
}
