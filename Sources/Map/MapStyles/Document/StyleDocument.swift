package import MapJSON

/// A style, read from JSON into values.
package struct StyleDocument: Sendable {
  /// The JSON that was read.
  package let json: JSONValue
  /// The name; nil for none.
  package let name: String?
  /// Longitude and latitude of the view that the style proposes; nil for none.
  package let center: (longitude: Double, latitude: Double)?
  /// The zoom that the style proposes; nil for none.
  package let zoom: Double?
  /// The degrees to which the view is turned clockwise.
  package let bearing: Double
  /// The addresses of sprites by their prefixes; empty for the first or only one.
  package let sprites: [(id: String, url: String)]
  /// The address of glyphs; nil for none.
  package let glyphs: String?
  /// The defaults of the style's state.
  package let state: StyleObject
  /// The sources in order.
  package let sources: [StyleSource]
  /// The layers from the lowest to the highest.
  package let layers: [StyleLayer]
  /// The members that are unknown, not drawn or invalid, in the order of the document.
  package let problems: [StyleProblem]
  /// The number of problems beyond ``problems``.
  package let omittedProblemCount: Int

  /// The greatest number of layers; those above are left out, and reported.
  ///
  /// - Source: design decision; styles of Esri have up to 1,500.
  package static let layerLimit = 20_000

  /// Returns whether JSON is meant as a style, with or without faults: it has sources, layers and a number as version.
  package static func isStyle(_ json: JSONValue) -> Bool {
    json["version"]?.double != nil && json["sources"] != nil && json["layers"] != nil
  }

  /// Reads a style; what is wrong is in ``problems``.
  ///
  /// - Throws: ``StyleDocumentError`` when it is no style of version 8.
  package init(_ json: JSONValue) throws(StyleDocumentError) {
    guard case .object(let root) = json else {
      throw StyleDocumentError("a style must be an object", at: .root)
    }
    guard root["version"]?.integer == 8 else {
      throw StyleDocumentError("the version must be 8", at: JSONPath.root["version"])
    }
    self.json = json
    var problems = StyleProblems()
    problems.check(root, StyleMember.root, "a style", at: .root)
    for (member, properties) in [
      ("light", StyleProperty.light), ("sky", StyleProperty.sky),
      ("projection", StyleProperty.projection),
    ] {
      for inner in root[member]?.object?.members ?? []
      where !properties.contains(where: { $0.name == inner.name }) {
        let name = inner.name.hasSuffix("-transition") ? String(inner.name.dropLast(11)) : inner.name
        guard !properties.contains(where: { $0.name == name }) else { continue }
        problems.addUnknown(
          inner.name, "member of '\(member)'", at: JSONPath.root[member][inner.name],
          among: properties.map(\.name))
      }
    }
    name = root["name"]?.string
    let place = root["center"]?.array?.compactMap(\.double).filter(\.isFinite) ?? []
    center = place.count == 2 ? (longitude: place[0], latitude: place[1]) : nil
    zoom = root["zoom"]?.double.flatMap { $0.isFinite ? $0 : nil }
    bearing = root["bearing"]?.double.flatMap { $0.isFinite ? $0 : nil } ?? 0
    sprites = Self.sprites(root["sprite"] ?? .null, &problems)
    glyphs = root["glyphs"]?.string
    state = StyleObject(
      (root["state"]?.object?.members ?? []).map { member in
        (member.name, StyleValue(checked: member.value["default"] ?? .null) ?? .null)
      })
    let sourcePath = JSONPath.root["sources"]
    sources = (root["sources"]?.object?.members ?? []).compactMap { member in
      StyleSource(member.name, member.value, at: sourcePath[member.name], &problems)
    }
    var reader = StyleLayerReader(sources: sources, problems: problems)
    layers = reader.layers(root["layers"]?.array ?? [])
    self.problems = reader.problems.list
    omittedProblemCount = reader.problems.omittedCount
  }

  /// Returns the layer with an id; nil for none.
  package func layer(_ id: String) -> StyleLayer? { layers.first { $0.id == id } }

  /// Returns the members of the layers in ``layers``, each with those of the layer to which its `ref` points.
  package func definitions() -> [JSONObject] {
    let elements = json["layers"]?.array ?? []
    let objects = elements.prefix(Self.layerLimit).compactMap(\.object)
    let parents = Dictionary(
      objects.compactMap { object in object["id"]?.string.map { ($0, object) } },
      uniquingKeysWith: { first, _ in first })
    return layers.map { layer in
      guard case .index(let index)? = layer.path.steps.last, elements.indices.contains(index),
        let own = elements[index].object
      else { return JSONObject() }
      guard let parent = own["ref"]?.string.flatMap({ parents[$0] }), parent["ref"] == nil else { return own }
      var whole = own
      for name in StyleLayerReader.sharedMembers { whole[name] = parent[name] }
      return whole
    }
  }

  /// Returns the problems that a layer has, and those outside the layers.
  package func problems(of layer: StyleLayer) -> [StyleProblem] {
    problems.filter { $0.path.hasPrefix("\(layer.path)") || !$0.path.hasPrefix("$.layers[") }
  }

  private static func sprites(_ json: JSONValue, _ problems: inout StyleProblems) -> [(
    id: String, url: String
  )] {
    let path = JSONPath.root["sprite"]
    switch json {
    case .null: return []
    case .string(let url): return [(id: "", url: url)]
    case .array(let elements):
      var sprites: [(id: String, url: String)] = []
      for (index, element) in elements.enumerated() {
        if let id = element["id"]?.string, let url = element["url"]?.string {
          sprites.append((id: id == "default" ? "" : id, url: url))
        } else {
          problems.add(.invalid, "must have 'id' and 'url'", at: path[index])
        }
      }
      return sprites
    default:
      problems.add(.invalid, "must be a string or an array", at: path)
      return []
    }
  }
}

/// Why JSON is no style.
package struct StyleDocumentError: Error, Hashable, CustomStringConvertible {
  /// The path of the fault.
  package let path: JSONPath
  /// The fault.
  package let message: String

  init(_ message: String, at path: JSONPath) { (self.message, self.path) = (message, path) }

  /// The path and what is wrong.
  package var description: String { "\(path): \(message)" }
}
