package import MapFeatures
import MapGeometry
package import MapJSON
package import MapModel
package import MapReaders

/// A layer as a document describes it, before it is opened.
@dynamicMemberLookup
package struct WebMapLayer: Sendable {
  /// The origin of the features.
  package enum Content: Sendable {
    /// A path, or the address of a service.
    case url(String)
    /// Features in the document itself.
    case features(FeatureColumns)
    /// A layer of an unsupported type, with the name of the type.
    case unsupported(String)
  }

  /// The path in the document, for messages.
  package var path: JSONPath
  /// The origin of the features.
  package var content: Content
  /// The definition; its members are also those of the layer.
  package var definition: LayerDefinition
  /// Whether the document lists label classes, even ones that cannot be drawn.
  package var listsLabelClasses = false
  /// Whether the document does not say whether labels are shown, so that they are not.
  package var lacksShowLabels = false
  /// Whether the layer belongs to a basemap and lies above the layers of the map.
  package var isReference = false
  /// The coordinate columns and the spatial reference that the document states for a file.
  package var reading = ReadingOptions()
  /// The parameters that are added to each request to the layer's service.
  package internal(set) var customParameters: [ServiceParameter] = []
  /// Whether the address is that of a file of features, and not of a service.
  package var isDataFile = false
  /// The choices of a KML layer, whose file may have several layers; nil for other layers, and once it is divided.
  package var kml: KMLEntry?
  /// The rows, if they were read while the file was divided into layers; nil otherwise.
  package var rows: FeatureColumns?
  /// The path of the address in the document; that of a sublayer is in the entry around it.
  package var urlPath: JSONPath { addressPath ?? path["url"] }
  /// The path of an address that is not a member of the layer's own object; nil for others.
  var addressPath: JSONPath?
  /// The code of the subtype whose rows the layer shows; nil for all rows.
  package internal(set) var subtypeCode: Int?
  /// Whether the definition expression limits the layer to the rows of its subtype: the field of the code is known.
  package internal(set) var showsSubtype = false
  /// The domains that the document states for fields of a file or service, by their names in lower case.
  package internal(set) var domains: [String: FieldDomain] = [:]
  /// The document that the layer was read from; nil for a layer made in code.
  var mark: DocumentMark?

  /// Creates a layer of a file or service.
  package init(id: String, title: String, url: String, renderer: RendererForm? = nil) {
    self.init(path: .root, id: id, title: title, content: .url(url))
    definition.renderer = renderer
  }

  /// Creates the layer of an entry.
  init(path: JSONPath, id: String, title: String, content: Content) {
    (self.path, self.content, definition) = (path, content, LayerDefinition(id: id, title: title))
  }

  /// Creates the layer of an origin with a later definition.
  init(_ origin: LayerOrigin?, content: Content, _ definition: LayerDefinition) {
    (path, mark) = (origin?.path ?? .root, origin?.document)
    (self.content, self.definition) = (content, definition)
  }

  /// A property of the definition.
  package subscript<Value>(dynamicMember property: WritableKeyPath<LayerDefinition, Value>) -> Value {
    get { definition[keyPath: property] }
    set { definition[keyPath: property] = newValue }
  }

  /// Whether the layer is of a supported type.
  var isDrawable: Bool { if case .unsupported = content { false } else { true } }

  /// The path or address of the features; nil for features in the document itself.
  package var url: String? { if case .url(let url) = content { url } else { nil } }

  /// Whether the title and id are the name of the file without its ending, as in a document saved for a data file.
  package var isTitledByFile: Bool {
    guard let file = url?.split(separator: "/").last, !definition.title.isEmpty else { return false }
    // The layer of one kind of geometries has its name at the end of the title.
    let kinds: [GeometryKind] = [.point, .multipoint, .polyline, .polygon]
    let kind = kinds.first { definition.title.hasSuffix(" (\($0.rawValue))") }
    let name = kind.map { definition.title.dropLast($0.rawValue.count + 3) } ?? definition.title[...]
    return file.hasPrefix("\(name).") && definition.id.hasPrefix(definition.title)
  }

  /// The place in the document that the layer was read from; nil for a layer made in code.
  package var origin: LayerOrigin? {
    mark.map { LayerOrigin(document: $0, path: path, url: url, definition: definition) }
  }

  /// Returns a table in memory with the domains that the document states for its fields.
  package func describing(_ source: any FeatureSource) -> any FeatureSource {
    domains.isEmpty ? source : source.inMemory?.with(domains: domains) ?? source
  }

  /// Returns the map's layer for an opened table.
  package func featureLayer(over source: any FeatureSource) -> FeatureLayer {
    FeatureLayer(definition, source: source, readFrom: origin)
  }
}
