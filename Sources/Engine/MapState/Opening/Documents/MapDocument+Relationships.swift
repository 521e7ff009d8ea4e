import MapFeatures

extension MapDocument {
  /// Notes about the relationships of layers to other tables of their services, whose rows are not read.
  package var relationshipNotes: [String] {
    layers.compactMap { opened in
      let relationships = opened.layer.source.metadata.layerResource?["relationships"]?.array ?? []
      guard !relationships.isEmpty else { return nil }
      let names = relationships.prefix(10).map { $0["name"]?.string ?? "without a name" }
      let list = names.joined(separator: ", ") + (relationships.count > 10 ? ", …" : "")
      let count = relationships.count == 1 ? "1 relationship" : "\(relationships.count) relationships"
      return "layer \"\(opened.layer.name)\": \(count) to other tables of its service not followed: \(list)"
    }
  }
}
