import MapJSON
import MapModel

extension WebMapLayer {
  /// Reads the layers of a group and its nested groups, starting at the bottom, with the properties of the groups
  /// applied.
  ///
  /// - Source: web map specification: a hidden group hides its layers, opacities multiply, and `inherited` shows all
  ///   layers of a visible group. Design decision: of several visible layers in an `exclusive` group the uppermost is
  ///   shown.
  static func grouped(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> WebMapEntry {
    var members: [WebMapEntry] = []
    for member in try node.required("layers").elements() { members.append(try entry(member, &report)) }
    let shown = members.count(where: \.isVisible)
    if try node.string("visibilityMode") == "exclusive", shown > 1 {
      report.note(
        node.path["visibilityMode"],
        "\(shown) layers of an exclusive group are visible; only the uppermost is drawn", .approximated)
    }
    return try joined(members, node, try LayerGroup(of: node, &report))
  }

  /// Returns the layers of a group with the properties of the group applied.
  ///
  /// It is not inlined, because copies of layers take much of the stack, and groups are nested.
  @inline(never)
  private static func joined(
    _ found: [WebMapEntry], _ node: JSONNode, _ own: LayerGroup
  ) throws(JSONDecodingError) -> WebMapEntry {
    var members = found
    let mode = try node.string("visibilityMode") ?? "independent"
    if mode == "exclusive", let shown = members.lastIndex(where: \.isVisible) {
      for index in members.indices where index != shown { members[index].hide() }
    }
    let group = LayerShowing(
      isVisible: try node.boolean("visibility") ?? true, opacity: try fraction(node, "opacity") ?? 1,
      minScale: try node.double("minScale") ?? 0, maxScale: try node.double("maxScale") ?? 0)
    let title = try node.string("title") ?? ""
    let isListed = try node.boolean("showLegend") ?? true
    var joined = WebMapEntry()
    for member in members { joined.append(member) }
    for index in joined.layers.indices {
      if !title.isEmpty { joined.layers[index].definition.groupTitles.insert(title, at: 0) }
      joined.layers[index].groups.insert(own, at: 0)
      joined.layers[index].showsInLegend = joined.layers[index].showsInLegend && isListed
      joined.layers[index].showing = joined.layers[index].showing.inside(
        group, isInherited: mode == "inherited")
    }
    for index in joined.tiles.indices {
      joined.tiles[index].groups.insert(own, at: 0)
      joined.tiles[index].showing = joined.tiles[index].showing.inside(
        group, isInherited: mode == "inherited")
    }
    return joined
  }
}

extension WebMapLayer {
  /// Reads the layers or tables of the subtypes in a group, starting at the bottom, as feature layers of one table.
  ///
  /// Each has the definition of the group with the members of its own instead, and both definition expressions. It shows
  /// the rows with its code in the field of subtypes, which the group's definition names, or else the service.
  ///
  /// - Parameter list: The member with the layers or tables.
  /// - Source: web map specification, subtype group layer and subtype group table. Design decision: the order is that of groups, and rows of
  ///   other subtypes are not drawn.
  static func subtypes(
    of node: JSONNode, list: String = "layers", _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> WebMapEntry {
    guard let url = try node.string("url"), !url.isEmpty else {
      report.note(node.path["url"], "missing: the layer is not drawn")
      var layer = WebMapLayer(
        id: try node.string("id") ?? "", title: try node.string("title") ?? "", url: "")
      (layer.path, layer.content) = (node.path, .unsupported(DocumentObject.subtypeGroups))
      return WebMapEntry(layers: [layer])
    }
    var members: [WebMapEntry] = []
    let sublayers = try node.elements(list)
    if sublayers.isEmpty { report.note(node.path[list], "missing: nothing of the layer is drawn") }
    for sublayer in sublayers {
      guard let code = try sublayer.integer("subtypeCode") else {
        report.note(sublayer.path["subtypeCode"], "missing: the layer is not drawn")
        continue
      }
      let entry = JSONNode(.object(try featureLayer(sublayer, of: node, url)), at: sublayer.path)
      var found = try layers(from: entry, &report)
      for index in found.indices {
        found[index].subtypeCode = code
        found[index].addressPath = node.path["url"]
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
    for name in ["copyright", "timeAnimation", "customParameters"] { object[name] = group[name]?.value }
    for name in [
      "id", "title", "visibility", "opacity", "showLabels", "showLegend", "popupInfo", "disablePopup",
    ] {
      object[name] = sublayer[name]?.value
    }
    return object
  }

  /// Limits the layer to the rows with its ``subtypeCode`` in a field.
  package mutating func showSubtype(in field: String) {
    guard let code = subtypeCode, !showsSubtype else { return }
    showsSubtype = true
    let name = field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
    let (rows, written) = ("\"\(name)\" = \(code)", definition.definitionExpression)
    definition.definitionExpression = written.isEmpty ? rows : "\(rows) AND (\(written))"
  }
}

extension LayerGroup {
  /// Reads the opacity, blend mode and effect of a group, a map service or a feature collection.
  init(of node: JSONNode, _ report: inout DocumentReport) throws(JSONDecodingError) {
    self.init(.document(node.path), opacity: try WebMapLayer.fraction(node, "opacity") ?? 1)
    blendMode = try node.string("blendMode").flatMap(BlendMode.init) ?? .normal
    effect = try EsriEffectCodec.effect(of: node, &report)
  }
}
