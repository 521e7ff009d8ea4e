import MapJSON
import MapModel

/// A sublayer of a map service, with the changes of the document.
struct MapServiceSublayer {
  /// The number in the service.
  let id: Int
  /// The display name; may be empty.
  var name = ""
  /// The number of the group that contains the sublayer; nil for none.
  var parent: Int?
  /// Whether the sublayer is a group of others.
  var isGroup = false
  /// Whether the sublayer is drawn when its groups are.
  var isVisible = true
  /// The scale denominator of the smallest scale; 0 means no limit.
  var minScale = 0.0
  /// The scale denominator of the largest scale; 0 means no limit.
  var maxScale = 0.0
  /// The type in the description of the service, such as `Raster Layer`; empty if it is unknown.
  var type = ""
  /// The entry in the document; nil for none.
  var entry: JSONNode?

  init(id: Int) { self.id = id }

  /// Reads a sublayer of a service's description; nil without a number.
  init?(described value: JSONValue) {
    guard let id = value["id"]?.integer, id >= 0 else { return nil }
    self.id = id
    name = value["name"]?.string ?? ""
    parent = value["parentLayerId"]?.integer.flatMap { $0 < 0 ? nil : $0 }
    isGroup = !(value["subLayerIds"]?.array ?? []).isEmpty || value["type"]?.string == "Group Layer"
    isVisible = value["defaultVisibility"]?.boolean ?? true
    minScale = value["minScale"]?.double ?? 0
    maxScale = value["maxScale"]?.double ?? 0
    type = value["type"]?.string ?? ""
  }

  /// Takes the values of the document's entry.
  mutating func take(_ node: JSONNode) throws(JSONDecodingError) {
    entry = node
    if let title = try (node["title"] ?? node["name"])?.string(), !title.isEmpty { name = title }
    if let parent = node["parentLayerId"]?.value.integer { self.parent = parent < 0 ? nil : parent }
    if !(node["subLayerIds"]?.value.array ?? []).isEmpty { isGroup = true }
    isVisible = try (node["visibility"] ?? node["defaultVisibility"])?.boolean() ?? isVisible
    minScale = try node.double("minScale") ?? minScale
    maxScale = try node.double("maxScale") ?? maxScale
  }

  /// The number of the service's layer whose features are drawn.
  var source: Int {
    let source = entry?["layerDefinition"]?["source"]?.value ?? entry?["source"]?.value
    return source?["mapLayerId"]?.integer.flatMap { $0 < 0 ? nil : $0 } ?? id
  }

  /// Whether the features are those of a table or join that the document describes, and not of a layer of the service.
  var hasOtherSource: Bool {
    let source = entry?["layerDefinition"]?["source"]?.value ?? entry?["source"]?.value
    return source?["type"]?.string.map { $0 != "mapLayer" } ?? false
  }
}

/// The sublayers of a map service in the order of the service: the first is drawn on top.
struct MapServiceSublayers {
  private(set) var list: [MapServiceSublayer] = []

  /// The greatest number of sublayers; each is compared with the others.
  ///
  /// - Source: design decision.
  private static let most = 1000

  /// Joins the description of a service with the members of the document's layer.
  ///
  /// - Source: web map specification, map service layer: `layers` changes sublayers, and `visibleLayers` lists the
  ///   visible ones. ArcGIS REST API, export map: with `dynamicLayers`, no other sublayer is drawn. Design decision: a
  ///   group in `visibleLayers` without any of its sublayers shows them all.
  init(
    _ node: JSONNode, description: JSONValue?, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    list = (description?["layers"]?.array ?? []).prefix(Self.most).compactMap {
      MapServiceSublayer(described: $0)
    }
    let entries = try node.elements("layers")
    for entry in entries { try take(entry, &report) }
    // Services number their layers from the top.
    if description == nil { list.sort { $0.id < $1.id } }
    if let shown = node["visibleLayers"] {
      let numbers = Set(try shown.elements().map { number throws(JSONDecodingError) in try number.integer() })
      for index in list.indices { list[index].isVisible = isShown(list[index], numbers) }
    }
    let dynamic = try Self.dynamicLayers(node, &report)
    guard !dynamic.isEmpty else { return }
    for entry in dynamic { try take(entry, &report) }
    let numbers = Set(dynamic.compactMap { Self.number($0) })
    for index in list.indices where !list[index].isGroup {
      list[index].isVisible = list[index].isVisible && numbers.contains(list[index].id)
    }
  }

  private mutating func take(
    _ entry: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) {
    guard let number = Self.number(entry) else {
      return report.note(entry.path, "not applied: has no number \"id\"")
    }
    guard list.count < Self.most else { throw entry.invalid("more than \(Self.most) sublayers") }
    let index = list.firstIndex { $0.id == number } ?? list.count
    if index == list.count { list.append(MapServiceSublayer(id: number)) }
    try list[index].take(entry)
  }

  private static func number(_ entry: JSONNode) -> Int? {
    let id = entry["id"]?.value
    let number = id?.integer ?? id?.string.flatMap { Int($0) }
    return number.flatMap { $0 < 0 ? nil : $0 }
  }

  /// Returns whether a list of visible sublayers shows one of them, or a group that contains it.
  private func isShown(_ sublayer: MapServiceSublayer, _ numbers: Set<Int>) -> Bool {
    if numbers.contains(sublayer.id) { return true }
    if list.contains(where: { numbers.contains($0.id) && isInside($0, sublayer) }) { return true }
    return groups(around: sublayer).contains { group in
      numbers.contains(group.id) && !list.contains { numbers.contains($0.id) && isInside($0, group) }
    }
  }

  /// The groups that contain a sublayer, the innermost first.
  func groups(around sublayer: MapServiceSublayer) -> [MapServiceSublayer] {
    var (groups, seen, parent) = ([MapServiceSublayer](), Set([sublayer.id]), sublayer.parent)
    while let number = parent, seen.insert(number).inserted,
      let group = list.first(where: { $0.id == number })
    {
      groups.append(group)
      parent = group.parent
    }
    return groups
  }

  private func isInside(_ sublayer: MapServiceSublayer, _ group: MapServiceSublayer) -> Bool {
    groups(around: sublayer).contains { $0.id == group.id }
  }

  /// Whether the sublayer contains others.
  func isGroup(_ sublayer: MapServiceSublayer) -> Bool {
    sublayer.isGroup || list.contains { $0.parent == sublayer.id }
  }

  /// Returns the sublayers in the parameter `dynamicLayers`, whose other members are those of `layerDefinition`.
  static func dynamicLayers(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [JSONNode] {
    guard let written = node["customParameters"]?["dynamicLayers"] else { return [] }
    var value = written.value
    if let text = value.string {
      do { value = try JSONValue(parsing: text) } catch {
        report.note(written.path, "not applied: is not JSON: \(error)")
        return []
      }
    }
    var entries: [JSONNode] = []
    if value.array == nil { report.note(written.path, "not applied: is not a list of layers") }
    for (index, entry) in (value.array ?? []).enumerated() {
      guard var object = entry.object else {
        report.note(written.path[index], "not applied: is not an object")
        continue
      }
      if object["layerDefinition"] == nil {
        var definition = JSONObject()
        for name in ["drawingInfo", "definitionExpression", "source", "minScale", "maxScale"] {
          if let member = object[name] {
            definition[name] = member
            if name != "source" { object[name] = nil }
          }
        }
        object["layerDefinition"] = .object(definition)
      }
      entries.append(
        try DocumentWalk.check(
          JSONNode(.object(object), at: written.path[index]), as: .sublayer, showsLabels: true, &report))
    }
    return entries
  }
}
