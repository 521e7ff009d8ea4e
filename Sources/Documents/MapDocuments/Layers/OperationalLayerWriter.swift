import MapJSON
import MapModel

/// A writer of a map's layers over the entries of the document that they were read from.
///
/// - An entry without changed layers is written as it was read.
/// - A group with layers that were removed or changed in visibility, opacity or scales keeps its place in the
///   document. Its layers then state their own visibility, opacity and scales.
/// - An entry whose layers are no longer adjacent is written as separate layers.
/// - A map service with changed sublayers is written as feature layers, and so are a group of subtypes and a KML layer.
/// - Layers of types that are not drawn stay behind the entry that they followed.
struct OperationalLayerWriter {
  /// A layer in its current state and as it was read.
  private struct Leaf {
    let now: WebMapLayer
    let before: WebMapLayer

    var isChanged: Bool { !now.edits(from: before).isEmpty }
  }

  /// Adjacent layers of the map from one entry, or one layer without an entry.
  private struct Block {
    let entry: Int?
    var layers: [any Layer]
  }

  private let read: WebMap?
  private let raw: [JSONValue]
  /// The document paths of the opened layers, in order.
  private let order: [JSONPath]
  private let opened: Set<JSONPath>

  init(read: WebMap?, isOpened: Bool) {
    self.read = read
    raw = read?.source?["operationalLayers"]?.array ?? []
    let layers = isOpened ? (read?.layers ?? []).filter(\.isOpened) : []
    order = layers.map(\.path)
    opened = Set(layers.map { Self.nodePath(of: $0, in: read?.source) })
  }

  /// Returns the path of the object that a layer is written as: of a sublayer, the map service or group of subtypes.
  private static func nodePath(of layer: WebMapLayer, in source: JSONValue?) -> JSONPath {
    let path = layer.nodePath
    var value = source
    for (index, step) in path.steps.enumerated() {
      if index > 1, value.map(hasSublayers) ?? false {
        return JSONPath(steps: Array(path.steps.prefix(index)))
      }
      switch step {
      case .member(let name): value = value?[name]
      case .index(let index): value = value?[index]
      }
    }
    return path
  }

  private static func hasSublayers(_ value: JSONValue) -> Bool {
    let (type, url) = ((value["layerType"] ?? value["type"])?.string, value["url"]?.string)
    return [DocumentObject.subtypeGroups, DocumentObject.kmlLayers].contains(type)
      || value["featureCollection"] == nil && DocumentObject.isMapService(type: type, url: url ?? "")
  }

  func entries(of layers: [any Layer]) -> [JSONValue] {
    var blocks: [Block] = []
    for layer in layers {
      // The document keeps the entry of a layer of tiles, which is not in the order of layers with features.
      switch layer.layerForm {
      case .tiles(let layer) where layer.isOfDocument: continue
      case .vectorTiles(let layer) where layer.isOfDocument: continue
      default: break
      }
      let entry = origin(of: layer)?.entry
      if let entry, entry == blocks.last?.entry {
        blocks[blocks.count - 1].layers.append(layer)
      } else {
        blocks.append(Block(entry: entry, layers: [layer]))
      }
    }
    let openedEntries = Set(
      opened.compactMap { path in
        if path.steps.count > 1, case .index(let index) = path.steps[1] { index } else { nil }
      })
    let present = Set(blocks.compactMap(\.entry))
    var followers: [Int: [JSONValue]] = [:]
    var last = -1
    for (index, entry) in raw.enumerated() {
      if present.contains(index) {
        last = index
      } else if !openedEntries.contains(index) {
        followers[last, default: []].append(entry)
      }
    }
    var written = followers[-1] ?? []
    for (place, block) in blocks.enumerated() {
      let isWhole = blocks.count(where: { $0.entry == block.entry }) == 1
      written += json(of: block, isWhole: isWhole)
      guard let entry = block.entry, !blocks[(place + 1)...].contains(where: { $0.entry == entry }) else {
        continue
      }
      if !isWhole { written += rest(of: entry) }
      written += followers[entry] ?? []
    }
    return written
  }

  // MARK: One entry

  private func json(of block: Block, isWhole: Bool) -> [JSONValue] {
    guard let entry = block.entry, raw.indices.contains(entry) else { return block.layers.map(json) }
    let leaves = block.layers.flatMap(\.featureLayers).compactMap(leaf)
    let places = leaves.compactMap { order.firstIndex(of: $0.before.path) }
    guard isWhole, places == places.sorted() else {
      return leaves.map { alone($0, isAbsolute: true) } + (isWhole ? rest(of: entry) : [])
    }
    let all = order.count { path in path.steps.prefix(2) == leaves[0].before.path.steps.prefix(2) }
    let isAbsolute =
      leaves.count < all || leaves.contains { $0.now.definition.showing != $0.before.definition.showing }
    let byNode = Dictionary(grouping: leaves) { Self.nodePath(of: $0.before, in: read?.source) }
    return rebuilt(JSONNode(raw[entry], at: JSONPath.root["operationalLayers"][entry]), byNode, isAbsolute)
  }

  /// Returns the contents of an entry without the layers that were opened.
  private func rest(of entry: Int) -> [JSONValue] {
    rebuilt(JSONNode(raw[entry], at: JSONPath.root["operationalLayers"][entry]), [:], true)
  }

  private func rebuilt(
    _ node: JSONNode, _ leaves: [JSONPath: [Leaf]], _ isAbsolute: Bool
  ) -> [JSONValue] {
    if node["layerType"]?.value.string ?? node["type"]?.value.string == "GroupLayer",
      var group = node.value.object, let inside = try? node.elements("layers")
    {
      let layers = inside.flatMap { rebuilt($0, leaves, isAbsolute) }
      guard !layers.isEmpty || inside.isEmpty else { return [] }
      group["layers"] = .array(layers)
      if isAbsolute {
        for name in ["visibility", "opacity", "visibilityMode", "minScale", "maxScale"] { group[name] = nil }
      }
      return [.object(group)]
    }
    guard let own = leaves[node.path] else {
      return opened.contains(node.path) ? [] : [isAbsolute ? alone(node) : node.value]
    }
    let isInGroup = node.path.steps.count > 2
    let isWhole =
      own.count
      == order.count { path in
        path == node.path || path.steps.starts(with: node.path["featureCollection"].steps)
          || Self.hasSublayers(node.value) && path.steps.starts(with: node.path.steps)
      }
    if isWhole, !(isAbsolute && isInGroup), !own.contains(where: \.isChanged) { return [node.value] }
    return own.map { alone($0, isAbsolute: isAbsolute && isInGroup) }
  }

  // MARK: One layer

  /// Returns a layer as an entry of its own; for a feature collection, with its own table only.
  private func alone(_ leaf: Leaf, isAbsolute: Bool) -> JSONValue {
    let written = node(at: Self.nodePath(of: leaf.before, in: read?.source))
    guard var object = written?.object, !(written.map(Self.hasSublayers) ?? false) else {
      return leaf.now.json
    }
    if let index = leaf.before.tableIndex, let tables = object["featureCollection"]?["layers"]?.array,
      tables.count > 1, tables.indices.contains(index)
    {
      object.set(["featureCollection", "layers"], [tables[index]])
      if let shown = object["visibleLayers"]?.array {
        object["visibleLayers"] = nil
        if !shown.contains(where: { $0.integer == index }) { object["visibility"] = false }
      }
      (object["id"], object["title"]) = (.string(leaf.now.id), .string(leaf.now.title))
    }
    object.apply(leaf.now.edits(from: leaf.before, isAbsolute: isAbsolute))
    return .object(object)
  }

  /// Returns a layer without features; one of tiles states what its groups no longer state.
  private func alone(_ node: JSONNode) -> JSONValue {
    guard let layer = read?.tileLayers.first(where: { $0.path == node.path }), var object = node.value.object
    else {
      return node.value
    }
    object["visibility"] = .boolean(layer.showing.isVisible)
    object["opacity"] = .number(layer.showing.opacity)
    (object["minScale"], object["maxScale"]) = (
      .number(layer.showing.minScale), .number(layer.showing.maxScale)
    )
    return .object(object)
  }

  /// Returns a layer or group made in code, or a document's layer in a group made in code.
  private func json(_ layer: any Layer) -> JSONValue {
    switch layer.layerForm {
    case .features(let own):
      guard let leaf = leaf(own) else { return own.written.json }
      return alone(leaf, isAbsolute: true)
    case .tiles(let layer): return layer.json
    case .vectorTiles(let layer): return layer.json
    case .group(let group):
      var object: JSONObject = [
        "title": .string(group.name), "layerType": "GroupLayer", "visibility": .boolean(group.isVisible),
        "opacity": .number(group.opacity), "visibilityMode": .string(group.visibilityMode.rawValue),
      ]
      if group.minScale != 0 { object["minScale"] = .number(group.minScale) }
      if group.maxScale != 0 { object["maxScale"] = .number(group.maxScale) }
      if !group.showsInLegend { object["showLegend"] = false }
      object["layers"] = .array(group.layers.map(json))
      return .object(object)
    }
  }

  private func leaf(_ layer: FeatureLayer) -> Leaf? {
    origin(of: layer).map { origin in
      let now = layer.written
      return Leaf(now: now, before: WebMapLayer(origin, content: now.content, origin.definition))
    }
  }

  /// Returns the layer as its document described it; nil for a group, and for a layer not read from this document.
  private func origin(of layer: any Layer) -> LayerOrigin? {
    guard case .features(let layer) = layer.layerForm, let origin = layer.origin, origin.isOf(read) else {
      return nil
    }
    return origin
  }

  private func node(at path: JSONPath) -> JSONValue? {
    path.steps.reduce(read?.source) { value, step in
      switch step {
      case .member(let name): value?[name]
      case .index(let index): value?[index]
      }
    }
  }
}
