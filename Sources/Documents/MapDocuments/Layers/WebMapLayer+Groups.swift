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
    return try joined(members, node, try LayerGroup(of: node, &report))
  }

  /// Returns the layers of a group with the properties of the group applied.
  ///
  /// It is not inlined, because copies of layers take much of the stack, and groups are nested.
  @inline(never)
  static func joined(
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

extension LayerGroup {
  /// Reads the opacity, blend mode and effect of a group, a map service or a feature collection.
  init(of node: JSONNode, _ report: inout DocumentReport) throws(JSONDecodingError) {
    self.init(.document(node.path), opacity: try WebMapLayer.fraction(node, "opacity") ?? 1)
    blendMode = try node.string("blendMode").flatMap(BlendMode.init) ?? .normal
    effect = try EsriEffectCodec.effect(of: node, &report)
  }
}
