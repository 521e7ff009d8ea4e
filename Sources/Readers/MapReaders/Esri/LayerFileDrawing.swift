import MapFeatures
import MapJSON

/// The drawing that a file of features states for one of its layers, as the resource of a service does.
///
/// - Source: ArcGIS REST API, layer resource and feature collection.
struct LayerFileDrawing {
  /// The layer's definition; the layer itself if it has the members of one.
  private let definition: JSONNode
  /// The layer and the objects around it.
  private let around: [JSONNode]

  /// Finds the drawing of a layer.
  ///
  /// - Parameter around: the feature set, the layer, and the objects around it.
  init(of layer: JSONNode, in around: [JSONNode]) {
    definition = layer["layerDefinition"] ?? layer
    self.around = around
  }

  /// Returns the drawing as the metadata of a source; a member that is not applied is a warning.
  ///
  /// - Throws: `JSONDecodingError` for a member of another type.
  func metadata(for schema: FeatureSchema) throws(JSONDecodingError) -> SourceMetadata {
    var metadata = SourceMetadata()
    let drawing = definition["drawingInfo"] ?? around.lazy.compactMap { $0["drawingInfo"] }.first
    guard var members = drawing?.value.object else { return metadata }
    // As in the documents of drawings, labels are shown unless the file says otherwise.
    var showsLabels = members["labelingInfo"]?.array?.isEmpty == false
    for node in around + [drawing].compactMap({ $0 }) where try node.boolean("showLabels") == false {
      showsLabels = false
    }
    if !showsLabels { members["labelingInfo"] = nil }
    metadata.drawingInfo = .object(members)
    metadata.minScale = try definition.double("minScale") ?? 0
    metadata.maxScale = try definition.double("maxScale") ?? 0
    metadata.warnings = unused
    return metadata
  }

  /// Warnings about members of web maps that select or draw features, and have no effect in a file of features.
  private var unused: [String] {
    let own = ["definitionExpression", "displayFilterInfo", "featureReduction", "orderBy", "visibilityField"]
    let outer = ["blendMode", "effect", "featureEffect", "opacity", "visibility"]
    func paths(_ names: [String], _ node: JSONNode) -> [String] {
      names.compactMap { name in
        node[name].flatMap { Self.usual.contains($0.value) ? nil : "\($0.path)" }
      }
    }
    let found = paths(own, definition) + around.flatMap { paths(outer, $0) }
    var known: Set<String> = []
    return found.filter { known.insert($0).inserted }.map {
      "\($0): has no effect in a file of features; add the layer to a web map to apply it"
    }
  }

  /// The values that change nothing.
  private static let usual: [JSONValue] = [.null, "", .array([]), "normal", .number(1), true]
}
