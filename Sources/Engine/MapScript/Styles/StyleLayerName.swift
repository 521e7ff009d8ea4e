import MapModel
import MapState
import MapSystem

/// The name of layers of a style in options, steps and cases: `LAYER#PATTERN`.
///
/// In the pattern, `*` stands for any text and `?` for any character. In a map with one style and no other layers, the
/// pattern is enough.
struct StyleLayerName {
  /// The layer of the map.
  let layer: VectorTiledLayer
  /// The ids of its style's layers that the pattern matches; all, where the name is that of the layer alone.
  let ids: Set<String>

  /// Finds the layers; nil for a name that is not of a style.
  ///
  /// - Parameters:
  ///   - layers: the layers of vector tiles of the map.
  ///   - isAlone: whether the map has no other layers, so that ids need no name before them.
  /// - Throws: `MapStateError` of kind usage for a pattern that matches nothing.
  init?(_ name: String, among layers: [VectorTiledLayer], isAlone: Bool) throws(MapStateError) {
    if let whole = layers.first(where: { $0.name == name || $0.id == name && !name.isEmpty }) {
      (layer, ids) = (whole, Set(whole.styleLayerIDs))
      return
    }
    // Both parts may contain the sign: the name is the longest that is known.
    let parts = name.indices.filter { name[$0] == "#" }.reversed().compactMap { hash in
      let owner = name[..<hash]
      return layers.first { $0.name == owner || $0.id == owner && !owner.isEmpty }.map {
        ($0, String(name[name.index(after: hash)...]))
      }
    }
    guard let (owner, pattern) = parts.first ?? (isAlone ? layers.first.map { ($0, name) } : nil) else {
      return nil
    }
    let known = owner.styleLayerIDs
    let found = known.contains(pattern) ? [pattern] : known.filter { TextPattern(pattern).matches($0) }
    guard !found.isEmpty else {
      let nearest = NearestName.of(pattern, among: known)
      throw MapStateError(
        .usage,
        "no layer of the style \"\(MessageText.name(owner.name))\" matches \"\(MessageText.name(pattern))\"; "
          + (nearest.map { "did you mean \"\($0)\"?" } ?? "inspect lists its \(known.count) layers"),
        suggestion: nearest)
    }
    (layer, ids) = (owner, Set(found))
  }
}

/// A text in which `*` stands for any text and `?` for any character.
struct TextPattern {
  private let pattern: [Character]

  init(_ text: String) { pattern = Array(text) }

  /// Returns whether a whole text matches.
  ///
  /// - Cost: at most the product of the lengths.
  func matches(_ text: String) -> Bool {
    let text = Array(text)
    var (place, next): (Int, Int) = (0, 0)
    // The last star, and the end of the text that it stands for.
    var star: (next: Int, place: Int)?
    while place < text.count {
      if next < pattern.count, pattern[next] == "*" {
        star = (next, place)
        next += 1
      } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[place] {
        next += 1
        place += 1
      } else if let last = star {
        star = (last.next, last.place + 1)
        (next, place) = (last.next + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == "*" }
  }
}
