package import MapJSON

/// The description of a layer of vector tiles.
///
/// - Source: TileJSON 3.0.0, 3.3; MBTiles and PMTiles have the same member `vector_layers`.
package struct VectorTileDescription: Hashable, Sendable {
  /// The name of the layer in the tiles.
  package let name: String
  /// The text about the layer; empty for none.
  package let text: String
  /// The first zoom level with the layer; nil if it is not stated.
  package let minimumZoom: Int?
  /// The last zoom level with the layer; nil if it is not stated.
  package let maximumZoom: Int?
  /// The names of the fields, in their order.
  package let fieldNames: [String]
  /// For each field, its type or its description, as stated.
  package let fieldTexts: [String]

  /// The greatest number of layers, and of fields of a layer, that are read.
  ///
  /// - Source: design decision.
  private static let limit = 4096

  /// Returns the layers of a member `vector_layers`; those without a name are left out.
  package static func all(_ json: JSONValue?) -> [VectorTileDescription] {
    (json?.array ?? []).prefix(limit).compactMap { layer in
      guard let name = layer["id"]?.string else { return nil }
      let fields = (layer["fields"]?.object?.members ?? []).prefix(limit)
      return VectorTileDescription(
        name: name, text: layer["description"]?.string ?? "", minimumZoom: layer["minzoom"]?.integer,
        maximumZoom: layer["maxzoom"]?.integer, fieldNames: fields.map(\.name),
        fieldTexts: fields.map { $0.value.string ?? "" })
    }
  }
}

extension [VectorTileDescription] {
  /// The names of the fields by layer, of the layers that state any: descriptions may leave out all fields.
  package var fieldNames: [String: [String]] {
    Dictionary(
      filter { !$0.fieldNames.isEmpty }.map { ($0.name, $0.fieldNames) },
      uniquingKeysWith: { first, _ in first })
  }
}
