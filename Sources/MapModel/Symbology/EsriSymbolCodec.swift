import MapGeometry
import MapJSON

/// Symbols from and to web map JSON.
///
/// - Units: documents write points (1/72 inch), symbols carry pixels (1/96 inch): times 96/72.
/// - Source: Esri web map specification 2.x, symbols; ours: a missing size is 12 pixels, a missing width 1.
enum EsriSymbolCodec {
  static let pixelsPerPoint = 96.0 / 72.0
  /// The largest size or width, in points, that is taken for meant: ten inches.
  ///
  /// - Source: ours; at a pixel ratio of 4 it is still within what Cairo paints right.
  static let largestLength = 720.0

  // MARK: Reading

  /// The symbol; for one of a kind that is not drawn the default of its geometry, which the report says.
  static func symbol(_ node: JSONNode, _ report: inout DocumentReport) throws(JSONDecodingError)
    -> SymbolForm
  {
    switch try node.required("type").string() {
    case "esriSMS": return .marker(try marker(node, &report))
    case "esriSLS": return .line(try line(node, &report))
    case "esriSFS": return .fill(try fill(node, &report))
    case let type:
      report.note(
        node.path["type"], "symbols of type \"\(type)\" are not drawn yet; the default symbol stands in")
      return .standard(for: try geometryKind(type, node))
    }
  }

  private static func geometryKind(
    _ type: String, _ node: JSONNode
  ) throws(JSONDecodingError) -> GeometryKind {
    switch type == "CIMSymbolReference" ? try node["symbol"]?.string("type") : type {
    case "CIMLineSymbol": .polyline
    case "CIMPolygonSymbol", "esriPFS": .polygon
    default: .point
    }
  }

  private static func marker(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleMarkerSymbol {
    report.noteUnknownMembers(
      of: node, known: ["type", "style", "color", "size", "outline", "angle", "xoffset", "yoffset"])
    for name in ["angle", "xoffset", "yoffset"] where try node.double(name) ?? 0 != 0 {
      report.note(node.path[name], "not applied yet")
    }
    var style = SimpleMarkerSymbol.Style.circle
    switch try node.string("style") ?? "esriSMSCircle" {
    case "esriSMSCircle": break
    case "esriSMSSquare": style = .square
    case let other: report.note(node.path["style"], "approximated: \"\(other)\" is drawn as a circle")
    }
    return SimpleMarkerSymbol(
      style: style, color: try color(node["color"]), size: try length(node, "size") ?? 12,
      outline: try node["outline"].map { outline throws(JSONDecodingError) in try line(outline, &report) })
  }

  private static func line(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleLineSymbol {
    report.noteUnknownMembers(of: node, known: ["type", "style", "color", "width"])
    let width = try length(node, "width") ?? 1
    switch try node.string("style") ?? "esriSLSSolid" {
    case "esriSLSSolid": break
    case "esriSLSNull": return SimpleLineSymbol(color: nil, width: width)
    case let other: report.note(node.path["style"], "approximated: \"\(other)\" is drawn as a solid line")
    }
    return SimpleLineSymbol(color: try color(node["color"]), width: width)
  }

  private static func fill(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> SimpleFillSymbol {
    report.noteUnknownMembers(of: node, known: ["type", "style", "color", "outline"])
    var fill = SimpleFillSymbol(
      color: try color(node["color"]),
      outline: try node["outline"].map { outline throws(JSONDecodingError) in try line(outline, &report) })
    switch try node.string("style") ?? "esriSFSSolid" {
    case "esriSFSSolid": break
    case "esriSFSNull": fill.color = nil
    case let other: report.note(node.path["style"], "approximated: \"\(other)\" is drawn as a solid fill")
    }
    return fill
  }

  /// Red, green, blue and alpha, 0 to 255 each; three numbers are opaque, null and absent paint nothing.
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
      channels.append(UInt8(value.rounded()))
    }
    return Color(
      red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count == 4 ? channels[3] : 255)
  }

  /// A length in pixels.
  private static func length(_ node: JSONNode, _ name: String) throws(JSONDecodingError) -> Double? {
    guard let member = node[name] else { return nil }
    let points = try member.double()
    guard points >= 0, points <= largestLength else {
      throw member.invalid("\(points) is impossible; 0 to 720 points can be drawn")
    }
    return points * pixelsPerPoint
  }

  // MARK: Writing

  static func json(_ symbol: SymbolForm) -> JSONValue {
    switch symbol {
    case .marker(let marker):
      var members: [(String, JSONValue)] = [
        ("type", "esriSMS"), ("style", marker.style == .circle ? "esriSMSCircle" : "esriSMSSquare"),
        ("color", json(marker.color)), ("size", .number(marker.size / pixelsPerPoint)),
      ]
      if let outline = marker.outline { members.append(("outline", json(.line(outline)))) }
      return object(members)
    case .line(let line):
      return [
        "type": "esriSLS", "style": line.color == nil ? "esriSLSNull" : "esriSLSSolid",
        "color": json(line.color),
        "width": .number(line.width / pixelsPerPoint),
      ]
    case .fill(let fill):
      var members: [(String, JSONValue)] = [
        ("type", "esriSFS"), ("style", fill.color == nil ? "esriSFSNull" : "esriSFSSolid"),
        ("color", json(fill.color)),
      ]
      if let outline = fill.outline { members.append(("outline", json(.line(outline)))) }
      return object(members)
    }
  }

  static func json(_ color: Color?) -> JSONValue {
    guard let color else { return .null }
    return .array([color.red, color.green, color.blue, color.alpha].map { .number(Int($0)) })
  }

  static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    var object = JSONObject()
    for (name, value) in members { object[name] = value }
    return .object(object)
  }
}
