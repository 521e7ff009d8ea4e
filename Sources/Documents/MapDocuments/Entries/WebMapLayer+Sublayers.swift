import MapJSON
import MapModel
import MapReaders
import MapSystem

extension WebMapLayer {
  /// Reads the sublayers of a map service as layers, starting at the bottom; none, with a warning, if they are not known.
  ///
  /// A sublayer is drawn from the features at its own address, with the drawing of the service where the document has
  /// none. The labels of the service are drawn too. One without features is an image of the service, if images can be had.
  ///
  /// - Source: web map specification, map service layer; ArcGIS REST API, map service.
  static func sublayers(
    of node: JSONNode, url: String, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> WebMapEntry {
    let id = try node.string("id") ?? ""
    let title = try node.string("title") ?? ""
    let (description, fault) = report.mapService(at: url)
    let sublayers = try MapServiceSublayers(node, description: description, &report)
    let service = LayerShowing(
      isVisible: try node.boolean("visibility") ?? true, opacity: try fraction(node, "opacity") ?? 1,
      minScale: try node.double("minScale") ?? 0, maxScale: try node.double("maxScale") ?? 0)
    guard !sublayers.list.isEmpty else {
      let message =
        "not drawn: the sublayers of the map service are not known" + (fault.map { ": \($0)" } ?? "")
      if service.isVisible {
        report.note(node.path, message)
      } else {
        report.note(DocumentWarning(remark: "\(message); it is hidden", path: node.path))
      }
      var layer = WebMapLayer(id: id, title: title, url: "")
      (layer.path, layer.content) = (node.path, .unsupported("ArcGISMapServiceLayer"))
      layer.showing = service
      return WebMapEntry(layers: [layer])
    }
    var found = WebMapEntry()
    var images = MapServiceImages(node, description)
    for sublayer in sublayers.list.reversed() where !sublayers.isGroup(sublayer) {
      let (path, name) = (sublayer.entry?.path ?? node.path, sublayer.name.isEmpty ? title : sublayer.name)
      if images.isImage(sublayer, report) {
        guard sublayer.isVisible, sublayers.groups(around: sublayer).allSatisfy(\.isVisible) else { continue }
        if let image = try images.add(sublayer, &report) { found.add(image, inside: service) }
        continue
      }
      if !["", "Feature Layer"].contains(sublayer.type) {
        guard sublayer.isVisible, service.isVisible else { continue }
        report.note(path, "not drawn: the sublayer \"\(name)\" is a \(sublayer.type), which has no features")
        continue
      }
      if sublayer.hasOtherSource {
        report.note(
          path,
          "approximated: the features of the service's layer \(sublayer.id) are drawn, not those of its source",
          .approximated)
      }
      if let image = try images.finished(&report) { found.add(image, inside: service) }
      let object = Self.featureLayer(
        sublayer, id: "\(id)_\(sublayer.id)", title: name, url: Self.address(of: sublayer.source, in: url))
      for var layer in try layers(from: JSONNode(.object(object), at: path), &report) {
        layer.addressPath = node.path["url"]
        // A service without labels is no fault of the document.
        layer.listsLabelClasses = true
        var titles: [String] = []
        for group in sublayers.groups(around: sublayer) {
          layer.showing = layer.showing.inside(
            LayerShowing(isVisible: group.isVisible, minScale: group.minScale, maxScale: group.maxScale),
            isInherited: false)
          if !group.name.isEmpty { titles.insert(group.name, at: 0) }
        }
        if !title.isEmpty { titles.insert(title, at: 0) }
        layer.definition.groupTitles = titles
        layer.showing = layer.showing.inside(service, isInherited: false)
        found.layers.append(layer)
      }
    }
    if let image = try images.finished(&report) { found.add(image, inside: service) }
    return found
  }

  /// Returns a sublayer as an entry of the document for a feature layer.
  private static func featureLayer(
    _ sublayer: MapServiceSublayer, id: String, title: String, url: String
  ) -> JSONObject {
    var object: JSONObject = [
      "id": .string(id), "title": .string(title), "layerType": "ArcGISFeatureLayer", "url": .string(url),
      "visibility": .boolean(sublayer.isVisible), "showLabels": true,
    ]
    var definition = sublayer.entry?["layerDefinition"]?.value.object ?? JSONObject()
    for (name, scale) in [("minScale", sublayer.minScale), ("maxScale", sublayer.maxScale)]
    where scale > 0 && definition[name] == nil {
      definition[name] = .number(scale)
    }
    object["layerDefinition"] = .object(definition)
    for name in ["opacity", "popupInfo", "disablePopup", "showLegend", "showLabels"] {
      if let value = sublayer.entry?[name]?.value { object[name] = value }
    }
    return object
  }

  /// Returns the address of a sublayer, with the query of the service's address.
  private static func address(of number: Int, in url: String) -> String {
    var service = url.prefix { $0 != "?" }
    let query = url[service.endIndex...]
    while service.hasSuffix("/") { service = service.dropLast() }
    return "\(service)/\(number)\(query)"
  }

  /// Applies what the document says of the sublayer that a layer's address names.
  mutating func readSublayer(
    of node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    let last = url?.prefix { $0 != "?" }.split(separator: "/").last.flatMap { Int($0) }
    let sublayers = try MapServiceSublayers(node, description: nil, &report)
    guard let sublayer = sublayers.list.first(where: { $0.id == last }),
      let definition = sublayer.entry?["layerDefinition"]
    else { return }
    try read(definition: definition, &report)
  }

  /// Returns the address of a layer's features; nil without one.
  ///
  /// That of a collection follows from the address of its OGC API and its name, unless it is written whole, and that of a
  /// type of features from the address of its Web Feature Service and its name.
  static func address(of node: JSONNode, _ type: String?) throws(JSONDecodingError) -> String? {
    if type == DocumentObject.wfsLayers { return try featureTypeAddress(of: node) }
    guard let url = try node.string("url"), type == DocumentObject.ogcFeatureLayers else {
      return try node.string("url")
    }
    var service = url.prefix { $0 != "?" && $0 != "#" }
    guard !service.split(separator: "/").contains("collections") else { return url }
    guard let name = try node.string("collectionId"), !name.isEmpty else { return nil }
    let query = url[service.endIndex...].prefix { $0 != "#" }
    while service.hasSuffix("/") { service = service.dropLast() }
    return "\(service)/collections/\(PercentEncoding.encode(name))\(query)"
  }

  /// Returns the address of a type of features with the version that the document names; nil without a name.
  private static func featureTypeAddress(of node: JSONNode) throws(JSONDecodingError) -> String? {
    let info = node["wfsInfo"]
    let (own, other) = (try node.string("url"), try info?.string("featureUrl"))
    guard let url = own ?? other else { return nil }
    let service = String(url.prefix { $0 != "#" })
    var parameters = [ServiceParameter(name: "service", value: "WFS")]
    if let version = try info?.string("version"), !version.isEmpty {
      parameters.append(ServiceParameter(name: "version", value: version))
    }
    let names = [
      ServiceParameter(name: "typeNames", value: ""), ServiceParameter(name: "typeName", value: ""),
    ]
    let isNamed = names.missing(in: [service.drop { $0 != "?" }.dropFirst()]).count < names.count
    let name = try info?.string("name") ?? ""
    guard isNamed || url != service || !name.isEmpty else { return nil }
    let fragment = name.isEmpty ? url.drop { $0 != "#" } : "#\(name)"[...]
    return parameters.added(to: service) + fragment
  }
}
