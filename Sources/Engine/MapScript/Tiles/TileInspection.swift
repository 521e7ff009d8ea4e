import MapGeometry
package import MapJSON
package import MapState
import MapSystem
import MapTiles

/// A description of a set of tiles as text or JSON: its levels, and the layers and fields of vector tiles.
package struct TileInspection: Sendable {
  private let archive: TileArchive
  /// The pieces of vector tiles; nil for images.
  private let pieces: TilePieces?
  private let tileCounts: [Int: Int]?
  /// The reasons for what is missing.
  package let warnings: [String]

  /// Reads the description of the tiles at a path; nil for a source of another kind, and for one layer of it.
  ///
  /// - Throws: `MapStateError` for an archive that cannot be read.
  package init?(of source: String) throws(MapStateError) {
    guard let archive = try SourceCatalog.tileArchive(source) else { return nil }
    self.archive = archive
    pieces = archive.format == .vector ? TilePieces(archive) : nil
    tileCounts = pieces == nil ? try? archive.tileCounts() : pieces?.tileCounts
    warnings = pieces?.warnings ?? []
  }

  private var kind: String {
    switch archive.format {
    case .vector: "vector tiles"
    case .image: "tiles of images"
    case .mapLibreTile: "MapLibre Tiles (MLT), which are not read"
    }
  }

  /// The use of tiles that have no features.
  private var note: String? {
    archive.format == .image
      ? "tiles of images have no features; render draws them below a map with --basemap \(archive.path)" : nil
  }

  /// The description as text.
  package var text: String {
    let count = tileCounts.map { counts in counts.values.reduce(0, +) }
    var lines = [
      "\(FilePath.name(of: archive.path))  (\(kind), \(Self.range(archive.zooms))\(count.map { ", \($0) \($0 == 1 ? "tile" : "tiles")" } ?? ""))"
    ]
    let metadata = archive.metadata
    if !metadata.name.isEmpty { lines.append("  name        \(MessageText.name(metadata.name))") }
    if !metadata.attribution.isEmpty {
      lines.append("  attribution \(MessageText.name(metadata.attribution))")
    }
    if let box = metadata.extent {
      lines.append("  extent      \(box.xMin), \(box.yMin), \(box.xMax), \(box.yMax)  EPSG:3857")
    }
    if let tileCounts { lines.append("  tiles       \(Self.list(tileCounts))") }
    if let note { lines.append("  note        \(note)") }
    for layer in pieces?.layers ?? [] {
      let description = metadata.vectorLayers.first { $0.name == layer.name }
      lines.append("")
      lines.append("\(MessageText.name(layer.name))  (\(Self.zooms(of: layer, description)))")
      if let text = description?.text, !text.isEmpty {
        lines.append("  description \(MessageText.name(text))")
      }
      if !layer.counts.isEmpty { lines.append("  pieces      \(Self.list(layer.counts))") }
      let fields = Self.fields(of: layer, description)
      let width = fields.map { MessageText.name($0.name).count }.max() ?? 0
      for field in fields {
        let name = MessageText.name(field.name)
        let blank = String(repeating: " ", count: width - name.count)
        let texts = [field.type, MessageText.name(field.description)].filter { !$0.isEmpty }
        lines.append("  field       \(name)\(blank)  \(texts.joined(separator: ", "))")
      }
    }
    lines += warnings.map { MessageText.line("warning: \($0)") }
    return lines.map { MessageText.escaped($0) + "\n" }.joined()
  }

  /// The description as JSON with keys in a fixed order.
  package var json: JSONValue {
    let metadata = archive.metadata
    var tiles: JSONObject = [
      "format": .string(archive.format == .vector ? "vector" : archive.format == .image ? "image" : "mlt"),
      "name": .string(metadata.name), "attribution": .string(metadata.attribution),
      "minZoom": .number(archive.zooms.lowerBound), "maxZoom": .number(archive.zooms.upperBound),
      "extent": metadata.extent?.json ?? .null, "wkid": 3857,
    ]
    if let tileCounts {
      tiles["count"] = .number(tileCounts.values.reduce(0, +))
      tiles["byZoom"] = Self.json(tileCounts, "tiles")
    }
    if let note { tiles["notes"] = [.string(note)] }
    let layers = (pieces?.layers ?? []).map { layer -> JSONValue in
      let description = metadata.vectorLayers.first { $0.name == layer.name }
      return [
        "layer": .string(layer.name), "description": .string(description?.text ?? ""),
        "minZoom": description?.minimumZoom.map { .number($0) } ?? .null,
        "maxZoom": description?.maximumZoom.map { .number($0) } ?? .null,
        "pieces": Self.json(layer.counts, "pieces"),
        "fields": .array(
          Self.fields(of: layer, description).map { field in
            [
              "name": .string(field.name), "type": .string(field.type),
              "description": .string(field.description),
            ]
          }),
      ]
    }
    return [
      "tiles": .object(tiles), "layers": .array(layers),
      "warnings": .array(warnings.map { .string(MessageText.line($0)) }),
    ]
  }

  private static func json(_ counts: [Int: Int], _ name: String) -> JSONValue {
    .array(counts.sorted { $0.key < $1.key }.map { ["zoom": .number($0.key), name: .number($0.value)] })
  }

  private static func list(_ counts: [Int: Int]) -> String {
    "by zoom: " + counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
  }

  private static func range(_ zooms: ClosedRange<Int>) -> String {
    zooms.count == 1 ? "zoom \(zooms.lowerBound)" : "zoom \(zooms.lowerBound) to \(zooms.upperBound)"
  }

  /// Returns the levels with a layer: those that the archive states, else those with pieces.
  private static func zooms(of layer: TilePieces.Layer, _ description: VectorTileDescription?) -> String {
    if let first = description?.minimumZoom, let last = description?.maximumZoom, first <= last {
      return range(first...last)
    }
    guard let first = layer.counts.keys.min(), let last = layer.counts.keys.max() else { return "no pieces" }
    return range(first...last)
  }

  /// A field of a layer.
  private struct Field {
    let name: String
    /// The types of its values in the tiles, else the one that the archive states; empty for neither.
    let type: String
    /// The text of the archive about the field; empty for none.
    var description = ""
  }

  /// The types of tables for those that TileJSON proposes as texts about fields.
  private static let statedTypes = ["String": "text", "Number": "integer or real", "Boolean": "boolean"]

  /// Returns the fields: those that the archive states, and then others in its tiles.
  private static func fields(of layer: TilePieces.Layer, _ description: VectorTileDescription?) -> [Field] {
    let found = layer.fields.map { Field(name: $0.name, type: $0.types.sorted().joined(separator: " or ")) }
    guard let description else { return found }
    let foundTypes = Dictionary(found.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    let stated = zip(description.fieldNames, description.fieldTexts).map { name, text in
      let (foundType, statedType) = (foundTypes[name] ?? "", statedTypes[text])
      return Field(
        name: name, type: foundType.isEmpty ? statedType ?? "" : foundType,
        description: statedType == nil ? text : "")
    }
    let statedNames = Set(description.fieldNames)
    return stated + found.filter { !statedNames.contains($0.name) }
  }
}
