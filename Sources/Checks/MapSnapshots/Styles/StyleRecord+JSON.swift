import MapJSON

extension StyleRecord {
  /// The record as lines of JSON, one for each layer.
  func lines(isLast: Bool) -> [String] {
    func object(_ hashes: [String: String]) -> JSONValue {
      var members = JSONObject()
      for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) { members[name] = .string(hash) }
      return .object(members)
    }
    var lines = [
      "{\"style\": \(JSONValue.string(name).text()),", "\"zoom\": \(JSONValue.number(zoom).text()),",
      "\"sources\": \(JSONValue.object(sources).text()),",
      "\"addresses\": \(JSONValue.object(addresses).text()),",
      "\"images\": \(object(images).text()),", "\"glyphs\": \(object(glyphs).text()),",
      "\"layers\": [",
    ]
    for (index, layer) in layers.enumerated() {
      var members: JSONObject = ["id": .string(layer.id)]
      members[layer.isShown ? "features" : "shown"] =
        layer.isShown ? .number(layer.featureCount) : .boolean(false)
      members["definition"] = .object(layer.definition)
      lines.append(" \(JSONValue.object(members).text())\(index == layers.count - 1 ? "" : ",")")
    }
    lines.append("]}" + (isLast ? "" : ","))
    return lines
  }

  /// Reads a record.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    func hashes(_ name: String) throws(JSONDecodingError) -> [String: String] {
      let object = try node.required(name).object()
      return Dictionary(
        object.members.map { ($0.name, $0.value.string ?? "") }, uniquingKeysWith: { first, _ in first })
    }
    name = try node.required("style").string()
    zoom = try node.required("zoom").double()
    sources = try node.required("sources").object()
    addresses = try node.required("addresses").object()
    (images, glyphs) = (try hashes("images"), try hashes("glyphs"))
    layers = try node.elements("layers").map { item throws(JSONDecodingError) in
      Layer(
        id: try item.required("id").string(), isShown: try item.boolean("shown") ?? true,
        featureCount: try item.integer("features") ?? 0,
        definition: try item.required("definition").object())
    }
  }
}
