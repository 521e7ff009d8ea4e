import MapDrawing
import MapImages
import MapJSON
import MapModel
import MapState
import MapStyles

/// A style in a record: its zoom, its layers as the document describes them, and the files that they use.
struct StyleRecord: Hashable, Sendable {
  /// A layer of the style.
  struct Layer: Hashable, Sendable {
    /// The id.
    let id: String
    /// Whether the layer is drawn at the zoom.
    let isShown: Bool
    /// The number of features that are drawn.
    let featureCount: Int
    /// The members of the layer; of a layer that is not shown, only those that hide it.
    let definition: JSONObject

    /// Whether the layer draws features, or has no features because it draws an image or the background.
    var isDrawn: Bool { isShown && (featureCount > 0 || hasNoFeatures) }

    /// Whether the layer has no features to count.
    private var hasNoFeatures: Bool {
      let type = definition["type"]?.string.flatMap { StyleLayerType(rawValue: $0) }
      return type.map { !$0.sourceTypes.contains(.vector) } ?? false
    }
  }

  /// The name of the map's layer with the style.
  let name: String
  /// The zoom of the view.
  let zoom: Double
  /// The layers from the lowest to the highest.
  let layers: [Layer]
  /// The sources of the shown layers by name; data within the style is replaced by a hash.
  let sources: JSONObject
  /// The addresses of sprites and glyphs.
  let addresses: JSONObject
  /// The hashes of the images that shown layers may use, by name.
  let images: [String: String]
  /// The hashes of the glyph files of the drawn texts, by font stack and range.
  let glyphs: [String: String]
}

extension StyleRecord {
  /// Returns the records of the styles in a drawn view, from the lowest to the highest.
  static func all(of drawn: DrawnSnapshot) async -> [StyleRecord] {
    let view = drawn.view
    var open = view.tileLayers.filter { $0.isShown(atScale: view.viewpoint.scale) }
    var records: [StyleRecord] = []
    for report in drawn.report.tiles {
      guard let index = open.firstIndex(where: { $0.name == report.name }),
        case .style(let style, _)? = open[index].content
      else { continue }
      open.remove(at: index)
      let sprites = await style.sprites.sprites(for: view.pixelRatio).sprites
      if let record = StyleRecord(style, report, sprites) { records.append(record) }
    }
    return records
  }

  private init?(_ style: MapStyle, _ report: RenderReport.Tiles, _ sprites: [StyleSprite]) {
    guard let zoom = report.styleZoom else { return nil }
    (name, self.zoom) = (report.name, (zoom * 1e6).rounded() / 1e6)
    let document = style.document
    let counts = Dictionary(
      report.styleLayers.map { ($0.id, $0.featureCount) }, uniquingKeysWith: { first, _ in first })
    let definitions = document.definitions()
    layers = zip(document.layers, definitions).map { layer, definition in
      let count = counts[layer.id]
      return Layer(
        id: layer.id, isShown: count != nil, featureCount: count ?? 0,
        definition: count == nil ? definition.hiding : definition.drawing)
    }
    let shown = zip(document.layers, definitions).filter { counts[$0.0.id] != nil }
    let used = Set(shown.compactMap { $0.0.source })
    var sources = JSONObject()
    for source in document.sources where used.contains(source.name) {
      sources[source.name] = .object(source.members.withoutData)
    }
    self.sources = sources
    var addresses = JSONObject()
    for name in ["sprite", "glyphs"] { addresses[name] = document.json[name] }
    self.addresses = addresses
    images = Self.images(of: sprites, usedBy: shown.map(\.1))
    glyphs = Self.glyphs(of: style, shown.map(\.1), report)
  }

  /// Returns the hashes of the images that layers may use.
  private static func images(of sprites: [StyleSprite], usedBy layers: [JSONObject]) -> [String: String] {
    let patterns = layers.flatMap(\.imagePatterns)
    guard !patterns.isEmpty else { return [:] }
    var hashes: [String: String] = [:]
    for sprite in sprites {
      for member in sprite.index.object?.members ?? [] {
        let name = sprite.prefix.isEmpty ? member.name : "\(sprite.prefix):\(member.name)"
        guard hashes[name] == nil, patterns.contains(where: { $0.matches(name) }) else { continue }
        hashes[name] = sprite.bitmap.hash(of: member.value)
      }
    }
    return hashes
  }

  /// Returns the hashes of the glyph files that the texts may use, as far as they were read.
  private static func glyphs(
    of style: MapStyle, _ layers: [JSONObject], _ report: RenderReport.Tiles
  ) -> [String: String] {
    guard let files = style.glyphs else { return [:] }
    let stacks = Set(layers.flatMap { $0["layout"]?["text-font"]?.fontStacks ?? [] })
    let ranges = Set(report.names.flatMap { $0.text.unicodeScalars.map { Int($0.value) / 256 } })
    var hashes: [String: String] = [:]
    for stack in stacks.sorted() {
      for range in ranges.sorted() {
        if let bytes = files.readBytes(stack: stack, range: range) {
          hashes["\(stack) \(range * 256)-\(range * 256 + 255)"] = StableHash.hexadecimal(of: bytes)
        }
      }
    }
    return hashes
  }
}

extension JSONObject {
  /// The members that decide what a layer draws.
  fileprivate var drawing: JSONObject {
    var own = self
    for name in ["id", "ref", "metadata", "interactive"] { own[name] = nil }
    return own
  }

  /// The members that decide whether a layer is shown.
  fileprivate var hiding: JSONObject {
    var own = JSONObject()
    for name in ["type", "minzoom", "maxzoom"] { own[name] = self[name] }
    if let visibility = self["layout"]?["visibility"] { own["layout"] = ["visibility": visibility] }
    return own
  }

  /// A source with a hash in the place of its data.
  fileprivate var withoutData: JSONObject {
    var own = self
    if let data = own["data"], data.string == nil {
      own["data"] = .string("hash \(StableHash.hexadecimal(of: Array(data.text().utf8)))")
    }
    return own
  }

  /// Patterns of the names of the images that a layer may use.
  var imagePatterns: [GlobPattern] {
    ["layout", "paint"].flatMap { group in
      (self[group]?.object?.members ?? []).filter { $0.name == "icon-image" || $0.name.hasSuffix("-pattern") }
        .flatMap { member in
          // The parts of a joined name are anywhere in it.
          let texts = member.value.texts
          let isJoined = texts.contains("concat")
          return texts.map { isJoined ? "*\($0)*" : $0.withoutTokens }
        }.map { GlobPattern($0) }
    }
  }
}

extension JSONValue {
  /// All texts in a value.
  var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let object): object.members.flatMap(\.value.texts)
    default: []
    }
  }

  /// The lists of texts in a value, with commas between them, and each text alone.
  fileprivate var fontStacks: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements):
      (elements.allSatisfy { $0.string != nil } ? [elements.compactMap(\.string).joined(separator: ",")] : [])
        + elements.flatMap(\.fontStacks)
    case .object(let object): object.members.flatMap(\.value.fontStacks)
    default: []
    }
  }
}

extension String {
  /// The text as a pattern, with `*` for each name in braces.
  fileprivate var withoutTokens: String {
    var (pattern, isInside) = ("", false)
    for character in self {
      switch character {
      case "{":
        pattern += "*"
        isInside = true
      case "}": isInside = false
      default: if !isInside { pattern.append(character) }
      }
    }
    return pattern
  }
}

extension Bitmap {
  /// Returns a hash of the part of a sprite that an entry names, and of the entry.
  fileprivate func hash(of entry: JSONValue) -> String {
    var bytes = Array(entry.text().utf8)
    func side(_ name: String) -> Int { entry[name]?.integer ?? -1 }
    let (x, y, columns, rows) = (side("x"), side("y"), side("width"), side("height"))
    if x >= 0, y >= 0, columns > 0, rows > 0, x <= width, y <= height, columns <= width - x,
      rows <= height - y
    {
      // The position in the sheet does not matter.
      var own = entry.object ?? JSONObject()
      (own["x"], own["y"]) = (nil, nil)
      bytes = Array(JSONValue.object(own).text().utf8)
      for row in y..<y + rows {
        let start = 4 * (row * width + x)
        bytes += pixels[start..<start + 4 * columns]
      }
    }
    return StableHash.hexadecimal(of: bytes)
  }
}
