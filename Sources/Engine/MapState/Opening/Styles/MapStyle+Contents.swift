import MapJSON
package import MapModel
import MapStyleDrawing
import MapStyles

extension MapStyle {
  /// Returns the names of the images of the sprites; nil if one of them cannot be read.
  package func imageNames() async -> [String]? {
    guard !document.sprites.isEmpty else { return [] }
    let read = await sprites.sprites(for: 1)
    guard read.problems.isEmpty, read.sprites.count == document.sprites.count else { return nil }
    return read.sprites.flatMap { sprite in
      (sprite.index.object?.members ?? []).map {
        sprite.prefix.isEmpty ? $0.name : "\(sprite.prefix):\($0.name)"
      }
    }
  }

  /// Returns the names of the fields that the features of a layer of a source may have; nil if they are not stated.
  package func fieldNames(ofSource source: String, layer: String) -> [String]? {
    switch sources[source] {
    case .tiles(let tiles)?: return tiles.fieldNames(ofLayer: layer)
    case .features(let features)?:
      // Clusters have other fields than the features that they stand for.
      let contents = [0, 30].compactMap { features.content(atZoom: $0).layers[""] }
      return contents.flatMap(\.features.names)
    case .images?, .image?, nil: return nil
    }
  }

  /// Returns a line about the font that replaces those of a stack; nil if one of them is available, or if its glyph files
  /// cannot be read.
  package func replacement(ofFonts names: [String]) async -> String? {
    func found() -> String? {
      SymbolFonts.replacement(of: names, families: []) { stack in
        do { return try glyphs?.bytes(stack: stack, range: 0) != nil } catch { return true }
      }
    }
    let first = found()
    guard first != nil, let glyphs, await glyphs.readMissed() else { return first }
    return found()
  }
}
