import MapJSON

/// A schema of vector tiles of streets: the layers and fields in which it has the subjects of the street styles.
package struct StreetSchema: Sendable {
  /// The name, such as `OpenMapTiles`.
  package let name: String
  private let members: JSONValue

  /// The schemas that are known.
  package static let all = (JSONValue(bundled: 2).object?.members ?? []).map {
    StreetSchema(name: $0.name, members: $0.value)
  }

  /// The layers of tiles that the schemas have.
  package static let layers = Set(all.flatMap(\.sourceLayers))

  /// Returns the schema of tiles with some layers; nil for an unknown one.
  ///
  /// - Parameter fields: returns the fields of a layer of the tiles; nil if they are not known.
  package static func of(layers: [String], fields: (String) -> [String]? = { _ in nil }) -> StreetSchema? {
    all.first { schema in
      schema.marks.allSatisfy { layer in
        // Some makers of tiles state layers and no fields.
        layers.contains(layer)
          && (fields(layer).map { $0.isEmpty || $0.contains(schema.markField(of: layer)) } ?? true)
      }
    }
  }

  /// The layers by which the schema is recognised.
  package var marks: [String] { (members["layers"]?.object?.members ?? []).map(\.name) }

  /// The field by which such a layer is recognised, if the tiles state their fields.
  private func markField(of layer: String) -> String { members["layers"]?[layer]?.string ?? "" }

  /// The expressions for the values of features, by their names in the list of layers.
  var values: JSONValue { members["values"] ?? [:] }

  private var sourceLayers: [String] {
    (members["subjects"]?.object?.members ?? []).compactMap { $0.value["source-layer"]?.string }
  }

  /// Returns the layer of a subject, and the filter of its features; nil if the schema does not have it.
  func subject(_ name: String) -> (layer: String, filter: JSONValue?)? {
    guard let subject = members["subjects"]?[name], let layer = subject["source-layer"]?.string else {
      return nil
    }
    return (layer, subject["filter"])
  }

  /// Returns the field with the names in a language.
  package func field(of language: String) -> String { (members["names"]?.string ?? "name:") + language }

  /// Returns the languages of the names among some fields.
  package func languages(among fields: [String]) -> [String] {
    let start = field(of: "")
    return fields.filter { $0.hasPrefix(start) && !own.contains($0) }.map {
      String($0.dropFirst(start.count))
    }
  }

  /// The fields with the names in use at a place, the preferred one first.
  private var own: [String] { (members["name"]?.array ?? []).compactMap(\.string) }

  /// Returns the expression for the name of a feature: in a language, else that in use at the place.
  ///
  /// - Parameter fields: the fields that the features have; nil if they are not known.
  func name(_ language: String?, fields: [String]?) -> JSONValue {
    let wanted = (language.map { [field(of: $0)] } ?? []) + own
    let names = wanted.filter { fields?.contains($0) ?? true }
    let values = (names.isEmpty ? own : names).map { JSONValue.array(["get", .string($0)]) }
    return .array(["coalesce"] + values + [""])
  }
}
