import MapJSON
import MapReaders
import MapScript
import MapStyles
import MapSystem
import MapTiles

/// Archives of vector tiles and styles: any bytes are read within the limits, or refused.
enum SubjectTiles {
  /// Lists the tiles of an archive, and reads its levels as tables.
  static func archive(_ bytes: [UInt8], folder: String) -> Bool {
    let isPackage = bytes.starts(with: [0x50, 0x4B])
    let path = "\(folder)/fuzzed-vector.\(isPackage ? "vtpk" : "pmtiles")"
    guard (try? FileAccess.write(bytes, to: path)) != nil, let archive = try? TileArchive(path) else {
      return false
    }
    if isPackage, let package = try? VectorTilePackage(path) {
      _ = package.tiles
      for address in ["../sprites/sprite.json", "https://a.example/resources/fonts/a/0-255.pbf"] {
        _ = try? package.resource(at: address, limit: 1 << 20)
      }
    }
    _ = (try? TileInspection(of: path))?.map { ($0.text, $0.json) }
    guard archive.format == .vector else { return true }
    var limits = VectorTileLimits.ofLevel
    // A fuzzer asks for a small answer.
    (limits.bytes, limits.features, limits.vertices) = (1 << 24, 1 << 12, 1 << 16)
    for zoom in archive.zooms.prefix(3) {
      guard let tables = try? TileTables(archive, zoom: zoom, skipsBadTiles: true, limits: limits) else {
        continue
      }
      for table in tables.tables {
        precondition(table.counts.features + table.counts.outside <= table.counts.pieces)
        if let columns = table.columns { SubjectTables.ask(columns) }
      }
    }
    return true
  }

  /// Reads a style, describes it, and explains its first layers.
  static func style(_ bytes: [UInt8]) -> Bool {
    guard let json = try? JSONValue(parsing: bytes), let style = try? StyleDocument(json) else {
      return false
    }
    if let inspection = try? StyleInspection(style) { _ = (inspection.text, inspection.json) }
    for layer in style.layers.prefix(20) {
      for zoom in [0, 7.5, 22] {
        var question = StyleQuestion(layer: layer.id, zoom: zoom)
        question.properties = ["class": "park", "rank": 3, "name": "A", "_symbol": 1]
        guard let answer = try? question.answer(style) else { continue }
        _ = (answer.text, answer.json)
      }
    }
    return true
  }
}
