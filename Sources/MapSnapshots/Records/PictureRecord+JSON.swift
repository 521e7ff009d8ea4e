import MapDrawing
import MapJSON

extension PictureRecord {
  /// The version of the format.
  private static let version = 1

  /// The record as JSON text with one item per line, so that changes are readable in a change request.
  var text: String {
    var lines = ["{"]
    lines.append("\"version\": \(Self.version),")
    lines.append("\"pixels\": \(JSONValue.string(pixels).text()),")
    lines.append("\"size\": [\(width), \(height)],")
    lines.append("\"background\": \(JSONValue.string(background).text()),")
    lines.append("\"basemap\": \(JSONValue.string(basemap).text()),")
    lines.append("\"extent\": \(Self.list(extent.map { JSONValue.number($0) })),")
    lines.append("\"rotation\": \(JSONValue.number(rotation).text()),")
    lines.append("\"layers\": [" + (layers.isEmpty ? "]" : ""))
    for (index, layer) in layers.enumerated() {
      lines += layer.lines(isLast: index == layers.count - 1)
    }
    if !layers.isEmpty { lines.append("]") }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  fileprivate static func list(_ values: [JSONValue]) -> String { JSONValue.array(values).text() }

  /// Reads the JSON text.
  ///
  /// - Throws: `JSONDecodingError` or `JSONSyntaxError`.
  init(parsing bytes: [UInt8]) throws {
    let root = JSONNode(try JSONValue(parsing: bytes))
    guard try root.integer("version") == Self.version else {
      throw root.invalid("was recorded by another version of mapstate; record it again")
    }
    pixels = try root.required("pixels").string()
    let size = try root.elements("size")
    guard size.count == 2 else { throw root.invalid("expected two sides of \"size\"") }
    (width, height) = (try size[0].integer(), try size[1].integer())
    background = try root.required("background").string()
    basemap = try root.required("basemap").string()
    extent = try root.elements("extent").map { try $0.double() }
    guard extent.count == 4 else { throw root.invalid("expected four sides of \"extent\"") }
    rotation = try root.double("rotation") ?? 0
    layers = try root.elements("layers").map { try Layer($0) }
  }
}

extension PictureRecord.Layer {
  fileprivate func lines(isLast: Bool) -> [String] {
    var lines = ["{\(isLabels ? "\"labels\"" : "\"layer\""): \(JSONValue.string(name).text()),"]
    lines.append("\"opacity\": \(JSONValue.number(opacity).text()),")
    if !funnel.isEmpty {
      let stages = funnel.map { "\"\($0.name)\": \($0.count)" }
      lines.append("\"funnel\": {\(stages.joined(separator: ", "))},")
    }
    lines.append("\"classes\": \(PictureRecord.list(classes.map { .string($0) })),")
    lines.append("\"looks\": [")
    for (index, look) in looks.enumerated() {
      lines.append(
        " [\(look.classIndex), \(JSONValue.string(look.text).text())]\(index == looks.count - 1 ? "" : ",")")
    }
    lines.append("],")
    lines.append("\"items\": [")
    for (index, item) in items.enumerated() {
      let numbers = ["\(item.id)", "\(item.look)"] + item.place.map(\.thousandths)
      let text = item.text.isEmpty ? "" : ",\(JSONValue.string(item.text).text())"
      lines.append("[\(numbers.joined(separator: ","))\(text)]\(index == items.count - 1 ? "" : ",")")
    }
    lines.append("]}" + (isLast ? "" : ","))
    return lines
  }

  fileprivate init(_ node: JSONNode) throws(JSONDecodingError) {
    isLabels = node["labels"] != nil
    name = try node.required(isLabels ? "labels" : "layer").string()
    opacity = try node.required("opacity").double()
    var funnel: [(name: String, count: Int)] = []
    if let stages = node["funnel"] {
      for member in try stages.object().members {
        funnel.append((member.name, try stages.required(member.name).integer()))
      }
    }
    self.funnel = funnel
    classes = try node.elements("classes").map { item throws(JSONDecodingError) in try item.string() }
    let looks = try node.elements("looks").map { item throws(JSONDecodingError) in
      let parts = try item.elements()
      guard parts.count == 2 else { throw item.invalid("expected [class, look]") }
      return PictureRecord.Look(classIndex: try parts[0].integer(), text: try parts[1].string())
    }
    self.looks = looks
    items = try node.elements("items").map { item throws(JSONDecodingError) in
      var parts = try item.elements()
      var text = ""
      if let last = parts.last?.value.string {
        text = last
        parts.removeLast()
      }
      guard parts.count >= 4, let look = try? parts[1].integer(), looks.indices.contains(look) else {
        throw item.invalid("expected [id, look, x, y, …, text]")
      }
      let place = try parts[2...].map { part throws(JSONDecodingError) in try part.double() }
      return PictureRecord.Item(id: Int64(try parts[0].integer()), look: look, place: place, text: text)
    }
  }
}
