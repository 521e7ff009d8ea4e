/// The fields that a schema declares.
struct KMLSchema: Sendable {
  /// The name and alias of a field, and its type in KML, such as `ushort`.
  struct Field: Sendable {
    let name: String
    let alias: String?
    let type: String
  }

  var fields: [Field] = []
}

extension KMLParser {
  /// Reads a schema: fields with names and types.
  mutating func schema() throws(ReadFault) {
    // A schema without an identifier is known by its name.
    let (id, name) = (try scanner.attribute("id"), try scanner.attribute("name"))
    var schema = KMLSchema()
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      guard scanner.name == "SimpleField", let field = try scanner.attribute("name") else {
        // Arrays belong to tracks, which are counted.
        try scanner.skipElement()
        continue
      }
      let type = try scanner.attribute("type") ?? "string"
      let alias = try displayName()
      if !schema.fields.contains(where: { $0.name == field }) {
        schema.fields.append(KMLSchema.Field(name: field, alias: alias, type: type))
      }
      guard schema.fields.count <= 65_536 else {
        throw ReadFault("more than 65536 fields", at: scanner.place)
      }
    }
    for key in [id, name].compactMap({ $0 }) where schemas[key] == nil { schemas[key] = schema }
  }

  /// Reads the display name in the element that was opened last, up to its end; nil without one.
  private mutating func displayName() throws(ReadFault) -> String? {
    var found: String?
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      if scanner.name == "displayName" {
        found = Self.trimmed(try scanner.elementText())
      } else {
        try scanner.skipElement()
      }
    }
    return found.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads the extended data of a placemark.
  mutating func extendedData() throws(ReadFault) {
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch (scanner.isOwn, scanner.name) {
      case (true, "Data"): try datum()
      case (true, "SimpleData"): try simpleDatum(schema: nil)
      case (true, "SchemaData"): try schemaData()
      default:
        note(unread: "ExtendedData/\(scanner.name)")
        try scanner.skipElement()
      }
    }
  }

  /// Reads a value without a type.
  private mutating func datum() throws(ReadFault) {
    let (name, place) = (try scanner.attribute("name"), scanner.place)
    var (text, alias): ([UInt8]?, String?) = (nil, nil)
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      switch scanner.name {
      case "value": text = try scanner.elementText()
      case "displayName": alias = Self.trimmed(try scanner.elementText())
      default: try scanner.skipElement()
      }
    }
    guard let name else { throw ReadFault("<Data> without a name", at: place) }
    guard let text else { return }
    placemark.data.append(
      .init(name: name, alias: alias?.isEmpty == false ? alias : nil, schema: nil, text: text))
  }

  private mutating func schemaData() throws(ReadFault) {
    // The address of a schema in the same file is its identifier after "#".
    let schema = try scanner.attribute("schemaUrl").map { url in
      url.lastIndex(of: "#").map { String(url[url.index(after: $0)...]) } ?? url
    }
    let depth = scanner.depth
    while let part = try scanner.next(), part != .end || scanner.depth >= depth {
      guard part == .start else { continue }
      if scanner.isOwn, scanner.name == "SimpleData" {
        try simpleDatum(schema: schema)
      } else {
        note(unread: "SchemaData/\(scanner.name)")
        try scanner.skipElement()
      }
    }
  }

  private mutating func simpleDatum(schema: String?) throws(ReadFault) {
    guard let name = try scanner.attribute("name") else {
      throw ReadFault("<SimpleData> without a name", at: scanner.place)
    }
    placemark.data.append(
      .init(name: name, alias: nil, schema: schema ?? "", text: try scanner.elementText()))
  }
}
