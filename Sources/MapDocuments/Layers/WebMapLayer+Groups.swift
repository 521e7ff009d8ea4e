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
  ) throws(JSONDecodingError) -> [WebMapLayer] {
    var members: [[WebMapLayer]] = []
    for member in try node.required("layers").elements() { members.append(try layers(from: member, &report)) }
    return try joined(members, node, try LayerGroup(of: node, &report))
  }

  /// Returns the layers of a group with the properties of the group applied.
  ///
  /// It is not inlined, because copies of layers take much of the stack, and groups are nested.
  @inline(never)
  private static func joined(
    _ found: [[WebMapLayer]], _ node: JSONNode, _ own: LayerGroup
  ) throws(JSONDecodingError) -> [WebMapLayer] {
    var members = found
    let mode = try node.string("visibilityMode") ?? "independent"
    if mode == "exclusive", let shown = members.lastIndex(where: { $0.contains(where: \.isVisible) }) {
      for index in members.indices where index != shown { members[index].hide() }
    }
    let group = LayerShowing(
      isVisible: try node.boolean("visibility") ?? true, opacity: try fraction(node, "opacity") ?? 1,
      minScale: try node.double("minScale") ?? 0, maxScale: try node.double("maxScale") ?? 0)
    let title = try node.string("title") ?? ""
    let isListed = try node.boolean("showLegend") ?? true
    return members.flatMap { $0 }.map { layer in
      var layer = layer
      if !title.isEmpty { layer.definition.groupTitles.insert(title, at: 0) }
      layer.groups.insert(own, at: 0)
      layer.showsInLegend = layer.showsInLegend && isListed
      layer.showing = layer.showing.inside(group, isInherited: mode == "inherited")
      return layer
    }
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

extension [WebMapLayer] {
  fileprivate mutating func hide() { for index in indices { self[index].isVisible = false } }
}
