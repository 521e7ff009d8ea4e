import MapJSON
import MapModel

/// The sublayers of a map service that are drawn as images, joined to one image where they lie directly above each other.
///
/// - Source: ArcGIS REST API, export map: `layers`, `layerDefs` and `dynamicLayers`.
struct MapServiceImages {
  private let node: JSONNode
  /// Whether the service has no features to read.
  private let lacksQueries: Bool
  /// The sublayers of the next image, starting at the bottom.
  private var open: [MapServiceSublayer] = []

  /// - Parameter description: the description of the service; nil if it is not known.
  init(_ node: JSONNode, _ description: JSONValue?) {
    self.node = node
    let abilities = description?["capabilities"]?.string ?? ""
    lacksQueries = !abilities.isEmpty && !abilities.split(separator: ",").contains("Query")
  }

  /// Returns whether a sublayer is drawn as an image: it has no features, and the service can be asked.
  func isImage(_ sublayer: MapServiceSublayer, _ report: DocumentReport) -> Bool {
    guard lacksQueries || !["", "Feature Layer"].contains(sublayer.type), let hasTiles = report.hasTiles,
      let url = node["url"]?.value.string
    else { return false }
    return hasTiles(url)
  }

  /// Adds a sublayer on top; returns the image below it if it is not part of it.
  mutating func add(
    _ sublayer: MapServiceSublayer, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> WebMapTileLayer? {
    let isOfSame = open.last.map { $0.opacity == sublayer.opacity } ?? true
    let below = isOfSame ? nil : try finished(&report)
    open.append(sublayer)
    return below
  }

  /// Returns the image of the sublayers so far; nil without any.
  mutating func finished(_ report: inout DocumentReport) throws(JSONDecodingError) -> WebMapTileLayer? {
    guard let first = open.first else { return nil }
    let sublayers = open
    open = []
    var parameters = node["customParameters"]?.value.object ?? JSONObject()
    for name in ["dynamicLayers", "layers", "layerDefs"] { parameters[name] = nil }
    if sublayers.contains(where: {
      $0.definition["drawingInfo"] != nil || $0.source != $0.id || $0.hasOtherSource
    }) {
      // The first of them is on top.
      parameters["dynamicLayers"] = .string(JSONValue.array(sublayers.reversed().map(\.dynamic)).text())
    } else {
      parameters["layers"] = .string("show:" + sublayers.map { "\($0.id)" }.joined(separator: ","))
      var filters = JSONObject()
      for sublayer in sublayers {
        if let filter = sublayer.filter { filters["\(sublayer.id)"] = .string(filter) }
      }
      if !filters.members.isEmpty { parameters["layerDefs"] = .string(JSONValue.object(filters).text()) }
    }
    let names = sublayers.map(\.name).filter { !$0.isEmpty }
    var object: JSONObject = [
      "id": .string("\(node["id"]?.value.string ?? "")_\(first.id)"),
      "title": .string(names.isEmpty ? node["title"]?.value.string ?? "" : names.joined(separator: ", ")),
      "layerType": .string(WebMapTileLayer.mapServices), "customParameters": .object(parameters),
      "opacity": .number(first.opacity),
    ]
    for name in ["url", "copyright", "timeAnimation", "imageFormat", "imageTransparency"] {
      object[name] = node[name]?.value
    }
    let path = first.entry?.path ?? node.path
    return try WebMapTileLayer(JSONNode(.object(object), at: path), takesMapServices: true, &report)
  }
}

extension MapServiceSublayer {
  /// The opacity that the document states, 1 by default.
  fileprivate var opacity: Double { entry?["opacity"]?.value.double ?? 1 }
  /// The definition that the document states; empty for none.
  fileprivate var definition: JSONObject { entry?["layerDefinition"]?.value.object ?? JSONObject() }
  /// The definition expression that the document states; nil for none.
  fileprivate var filter: String? {
    definition["definitionExpression"]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The sublayer as an element of `dynamicLayers`.
  fileprivate var dynamic: JSONValue {
    let own = definition["source"] ?? entry?["source"]?.value
    var object: JSONObject = [
      "id": .number(id), "source": own ?? ["type": "mapLayer", "mapLayerId": .number(source)],
    ]
    for name in ["definitionExpression", "drawingInfo"] { object[name] = definition[name] }
    for (name, scale) in [("minScale", minScale), ("maxScale", maxScale)] where scale > 0 {
      object[name] = .number(scale)
    }
    return .object(object)
  }
}

extension WebMapEntry {
  /// Adds an image of a map service on top.
  mutating func add(_ image: WebMapTileLayer, inside service: LayerShowing) {
    var image = image
    image.below = layers.count(where: \.isDrawable)
    image.showing = image.showing.inside(service, isInherited: false)
    tiles.append(image)
  }
}
