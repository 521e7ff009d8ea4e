import MapDrawing
import MapJSON

extension PictureRecord {
  /// The version of the format.
  private static let version = 2

  /// The record as JSON text with one item per line, so that changes are readable in a change request.
  ///
  /// The first member is a digest of all others, which detects an edit by hand.
  var text: String {
    let rest = lines.joined(separator: "\n") + "\n"
    guard let value = try? JSONValue(parsing: "{" + rest) else { return "{" + rest }
    return "{\n\"digest\": \"\(Self.digest(of: value))\",\n" + rest
  }

  /// Returns a hash of a record's members except `digest`; blanks and line ends do not matter.
  static func digest(of record: JSONValue) -> String {
    guard var members = record.object else { return "" }
    members["digest"] = nil
    return StableHash.hexadecimal(of: Array(JSONValue.object(members).text().utf8))
  }

  private var lines: [String] {
    var lines: [String] = []
    lines.append("\"version\": \(Self.version),")
    lines.append("\"drawnBy\": \(JSONValue.string(drawnBy).text()),")
    lines.append("\"pixels\": \(JSONValue.string(pixels).text()),")
    lines.append("\"owners\": \(JSONValue.string(owners).text()),")
    lines.append("\"size\": [\(width), \(height)],")
    if let mapSize { lines.append("\"mapSize\": \(Self.list(mapSize.map { .number($0) })),") }
    if let mapOrigin { lines.append("\"mapOrigin\": \(Self.list(mapOrigin.map { .number($0) })),") }
    lines.append("\"view\": \(JSONValue.object(view).text()),")
    if !warnings.isEmpty {
      lines.append("\"warnings\": [")
      for (index, warning) in warnings.enumerated() {
        lines.append(" \(JSONValue.string(warning).text())\(index == warnings.count - 1 ? "" : ",")")
      }
      lines.append("],")
    }
    lines.append("\"background\": \(JSONValue.string(background).text()),")
    lines.append("\"basemap\": \(JSONValue.string(basemap).text()),")
    lines.append("\"extent\": \(Self.list(extent.map { JSONValue.number($0) })),")
    lines.append("\"rotation\": \(JSONValue.number(rotation).text()),")
    if !styles.isEmpty {
      lines.append("\"styles\": [")
      for (index, style) in styles.enumerated() { lines += style.lines(isLast: index == styles.count - 1) }
      lines.append("],")
    }
    lines.append("\"layers\": [" + (layers.isEmpty ? "]" : ""))
    for (index, layer) in layers.enumerated() {
      lines += layer.lines(isLast: index == layers.count - 1)
    }
    if !layers.isEmpty { lines.append("]") }
    lines.append("}")
    return lines
  }

  fileprivate static func list(_ values: [JSONValue]) -> String { JSONValue.array(values).text() }

  /// A record that does not belong to its image any more.
  struct StaleRecordError: Error {
    let message: String
  }

  /// Reads the JSON text.
  ///
  /// - Throws: `JSONDecodingError`, `JSONSyntaxError`, or `StaleRecordError` for a record of an earlier version and
  ///   one that was edited.
  init(parsing bytes: [UInt8]) throws {
    let json = try JSONValue(parsing: bytes)
    let root = JSONNode(json)
    let version = try root.integer("version")
    guard version == Self.version else {
      guard let version, (1..<Self.version).contains(version) else {
        throw root.invalid("was recorded by another version of mapstate; record it again")
      }
      throw StaleRecordError(
        message:
          "was recorded by an earlier version of mapstate; record it again, and check that the image stays")
    }
    drawnBy = try root.required("drawnBy").string()
    pixels = try root.required("pixels").string()
    owners = try root.string("owners") ?? ""
    view = try root.required("view").object()
    warnings = try root.elements("warnings").map { try $0.string() }
    let size = try root.elements("size")
    guard size.count == 2 else { throw root.invalid("expected two sides of \"size\"") }
    (width, height) = (try size[0].integer(), try size[1].integer())
    if let sides = try root["mapSize"]?.elements() {
      guard sides.count == 2 else { throw root.invalid("expected two sides of \"mapSize\"") }
      mapSize = try sides.map { try $0.integer() }
    }
    if let sides = try root["mapOrigin"]?.elements() {
      guard sides.count == 2 else { throw root.invalid("expected two numbers of \"mapOrigin\"") }
      mapOrigin = try sides.map { try $0.integer() }
    }
    background = try root.required("background").string()
    basemap = try root.required("basemap").string()
    extent = try root.elements("extent").map { try $0.double() }
    guard extent.count == 4 else { throw root.invalid("expected four sides of \"extent\"") }
    rotation = try root.double("rotation") ?? 0
    layers = try root.elements("layers").map { try Layer($0) }
    styles = try root.elements("styles").map { try StyleRecord($0) }
    guard try root.string("digest") == Self.digest(of: json) else {
      throw StaleRecordError(message: "was edited after it was recorded; record it again")
    }
  }

  /// Returns a value as lines of JSON, broken at members and elements where a line would be long.
  fileprivate static func lines(of value: JSONValue, indent: String) -> String {
    let text = value.text()
    guard text.utf8.count > 160 else { return text }
    let inner = indent + " "
    switch value {
    case .object(let object):
      let members = object.members.map { member in
        "\(inner)\(JSONValue.string(member.name).text()): \(lines(of: member.value, indent: inner))"
      }
      return "{\n\(members.joined(separator: ",\n"))\n\(indent)}"
    case .array(let elements):
      let list = elements.map { inner + lines(of: $0, indent: inner) }
      return "[\n\(list.joined(separator: ",\n"))\n\(indent)]"
    default: return text
    }
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
    if !isShown { lines.append("\"shown\": false,") }
    if !definition.isNull {
      lines.append("\"definition\": \(PictureRecord.lines(of: definition, indent: "")),")
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
    definition = node["definition"]?.value ?? .null
    isShown = try node.boolean("shown") ?? true
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
