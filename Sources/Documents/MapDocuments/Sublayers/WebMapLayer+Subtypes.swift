import MapJSON
import MapModel
import MapSystem

/// The layers of subtypes, and the addresses of collections.
extension WebMapLayer {
  /// Reads the layers of the subtypes in a group, starting at the bottom, as feature layers of one table.
  ///
  /// Each has the definition of the group with the members of its own instead, and both definition expressions. It shows
  /// the rows with its code in the field of subtypes, which the group's definition names, or else the service.
  ///
  /// - Source: web map specification, subtype group layer. Design decision: the order is that of groups, and rows of
  ///   other subtypes are not drawn.
  static func subtypes(
    of node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> WebMapEntry {
    guard let url = try node.string("url"), !url.isEmpty else {
      report.note(node.path["url"], "missing: the layer is not drawn")
      var layer = WebMapLayer(
        id: try node.string("id") ?? "", title: try node.string("title") ?? "", url: "")
      (layer.path, layer.content) = (node.path, .unsupported(DocumentObject.subtypeGroups))
      return WebMapEntry(layers: [layer])
    }
    var members: [WebMapEntry] = []
    for sublayer in try node.elements("layers") {
      guard let code = try sublayer.integer("subtypeCode") else {
        report.note(sublayer.path["subtypeCode"], "missing: the layer is not drawn")
        continue
      }
      let entry = JSONNode(.object(try featureLayer(sublayer, of: node, url)), at: sublayer.path)
      var found = try layers(from: entry, &report)
      for index in found.indices {
        found[index].subtypeCode = code
        if let field = try entry["layerDefinition"]?.string("subtypeField"), !field.isEmpty {
          found[index].showSubtype(in: field)
        }
      }
      members.append(WebMapEntry(layers: found))
    }
    return try joined(members, node, try LayerGroup(of: node, &report))
  }

  /// Returns the layer of a subtype as an entry of the document for a feature layer.
  private static func featureLayer(
    _ sublayer: JSONNode, of group: JSONNode, _ url: String
  ) throws(JSONDecodingError) -> JSONObject {
    let (common, own) = (group["layerDefinition"], sublayer["layerDefinition"])
    var definition = common?.value.object ?? JSONObject()
    for member in own?.value.object?.members ?? [] { definition[member.name] = member.value }
    let filters = [try common?.string("definitionExpression"), try own?.string("definitionExpression")]
      .compactMap { $0 }.filter { !$0.isEmpty }
    let joined = filters.count == 1 ? filters[0] : filters.map { "(\($0))" }.joined(separator: " AND ")
    definition["definitionExpression"] = filters.isEmpty ? nil : .string(joined)
    var object: JSONObject = [
      "layerType": "ArcGISFeatureLayer", "url": .string(url), "layerDefinition": .object(definition),
    ]
    for name in ["copyright", "timeAnimation"] { object[name] = group[name]?.value }
    for name in [
      "id", "title", "visibility", "opacity", "showLabels", "showLegend", "popupInfo", "disablePopup",
    ] {
      object[name] = sublayer[name]?.value
    }
    return object
  }

  /// Limits the layer to the rows with its ``subtypeCode`` in a field.
  package mutating func showSubtype(in field: String) {
    guard let code = subtypeCode else { return }
    subtypeCode = nil
    let name = field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    let (rows, written) = ("\"\(name)\" = \(code)", definition.definitionExpression)
    definition.definitionExpression = written.isEmpty ? rows : "\(rows) AND (\(written))"
  }

  /// Returns the address of a layer's features; nil without one.
  ///
  /// That of a collection follows from the address of its OGC API and its name, unless it is written whole.
  static func address(of node: JSONNode, _ type: String?) throws(JSONDecodingError) -> String? {
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
}
