import MapJSON
import MapStyles

/// The differences of two records of a style, by layer and property, at the zoom of the later one.
struct StyleComparison {
  /// A difference.
  struct Difference {
    /// The id of the layer; nil for the style.
    let layer: String?
    /// The name of the property, of the member or of the file.
    let key: String
    /// The property for reports, with the zoom if the value depends on it.
    let name: String
    let before: String
    let after: String
    /// The number of features of the layer.
    var featureCount = 0
  }

  /// The properties and members that differ.
  private(set) var properties: [Difference] = []
  /// The files of images and glyphs that differ, which matter only where pixels differ.
  private(set) var files: [Difference] = []
  /// The numbers of features that differ, in layers without another difference.
  private(set) var counts: [Difference] = []
  private let before: StyleRecord
  private let after: StyleRecord
  /// Whether both records have the same zoom.
  private var hasSameZoom: Bool { abs(before.zoom - after.zoom) < 1e-6 }

  init(_ before: StyleRecord, _ after: StyleRecord) {
    (self.before, self.after) = (before, after)
    let pairs = Self.pairs(before.layers, after.layers)
    compareOrder(pairs)
    for (old, new) in pairs { compare(old.map { before.layers[$0] }, new.map { after.layers[$0] }) }
    compareSources()
    for name in ["sprite", "glyphs"] {
      let (old, new) = (before.addresses[name], after.addresses[name])
      if old != new { add(&properties, nil, name, Self.text(old), Self.text(new)) }
    }
    compareFiles()
  }

  private static func text(_ json: JSONValue?) -> String { json.map { $0.string ?? $0.text() } ?? "none" }

  private func add(
    _ list: inout [Difference], _ layer: String?, _ name: String, _ before: String, _ after: String,
    shownAs shown: String? = nil, _ count: Int = 0
  ) {
    list.append(
      Difference(
        layer: layer, key: name, name: shown ?? name, before: before, after: after, featureCount: count))
  }

  // MARK: Layers

  /// Returns the layers that belong together, by their indexes: those with the same id, then those with the same members.
  private static func pairs(
    _ olds: [StyleRecord.Layer], _ news: [StyleRecord.Layer]
  ) -> [(before: Int?, after: Int?)] {
    var byID: [String: Int] = [:]
    for (index, old) in olds.enumerated() where byID[old.id] == nil { byID[old.id] = index }
    var pairs: [(before: Int?, after: Int?)] = news.indices.map { index in
      let old = byID.removeValue(forKey: news[index].id)
      return (old, index)
    }
    var byMembers: [JSONObject: [Int]] = [:]
    for index in byID.values.sorted(by: >) { byMembers[olds[index].definition, default: []].append(index) }
    for index in pairs.indices where pairs[index].before == nil && news[index].isShown {
      pairs[index].before = byMembers[news[index].definition]?.popLast()
    }
    return pairs + byMembers.values.flatMap { $0 }.sorted().map { ($0, nil) }
  }

  /// Adds the layers that are above others than before: the fewest that explain the order.
  private mutating func compareOrder(_ pairs: [(before: Int?, after: Int?)]) {
    let common = pairs.compactMap { pair -> (before: Int, after: Int)? in
      guard let old = pair.before, let new = pair.after else { return nil }
      guard before.layers[old].isShown, after.layers[new].isShown else { return nil }
      return (old, new)
    }
    let kept = Set(Self.longestRise(common.map(\.before)))
    let previous = common.sorted { $0.before < $1.before }
    for (place, pair) in common.enumerated() where !kept.contains(place) {
      func below(_ list: [(before: Int, after: Int)]) -> String {
        guard let at = list.firstIndex(where: { $0.after == pair.after }), at > 0 else {
          return "below all others"
        }
        return "above \"\(after.layers[list[at - 1].after].id)\""
      }
      let own = after.layers[pair.after]
      add(
        &properties, own.id, "order of layers", below(previous), below(common), own.featureCount)
    }
  }

  private func add(
    _ list: inout [Difference], _ layer: String?, _ name: String, _ before: String, _ after: String,
    _ count: Int
  ) {
    add(&list, layer, name, before, after, shownAs: nil, count)
  }

  /// Returns the places of the longest rising part of different numbers.
  private static func longestRise(_ numbers: [Int]) -> [Int] {
    var (tails, previous) = ([Int](), [Int?](repeating: nil, count: numbers.count))
    for (place, number) in numbers.enumerated() {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
      }
      previous[place] = low > 0 ? tails[low - 1] : nil
      if low == tails.count { tails.append(place) } else { tails[low] = place }
    }
    var (found, at) = ([Int](), tails.last)
    while let place = at {
      found.append(place)
      at = previous[place]
    }
    return found.reversed()
  }

  private mutating func compare(_ old: StyleRecord.Layer?, _ new: StyleRecord.Layer?) {
    guard let old, let new else {
      guard let known = old ?? new, known.isShown else { return }
      add(
        &properties, known.id, "layer", old == nil ? "absent" : "present", new == nil ? "removed" : "added",
        known.featureCount)
      return
    }
    let count = new.featureCount > 0 ? new.featureCount : old.featureCount
    if old.id != new.id {
      add(&properties, new.id, "id (renamed)", old.id, new.id, count)
    }
    guard old.isShown || new.isShown else { return }
    let first = properties.count
    let isBoth = old.isShown && new.isShown
    // Another zoom shows other layers, which is no change of the style.
    guard isBoth || hasSameZoom else { return }
    for name in ["minzoom", "maxzoom"] {
      let (was, now) = (old.definition[name], new.definition[name])
      if was?.double != now?.double { add(&properties, new.id, name, Self.text(was), Self.text(now), count) }
    }
    compareVisibility(old, new, count)
    // The record of a layer that is not shown has no other members.
    if isBoth { compareMembers(old, new, count) }
    guard properties.count == first, hasSameZoom, old.featureCount != new.featureCount else { return }
    add(&counts, new.id, "features", "\(old.featureCount)", "\(new.featureCount)", count)
  }

  private mutating func compareVisibility(_ old: StyleRecord.Layer, _ new: StyleRecord.Layer, _ count: Int) {
    let texts = [old, new].map { Self.text($0.definition["layout"]?["visibility"] ?? "visible") }
    if texts[0] != texts[1] { add(&properties, new.id, "visibility", texts[0], texts[1], count) }
  }

  private mutating func compareMembers(_ old: StyleRecord.Layer, _ new: StyleRecord.Layer, _ count: Int) {
    let (was, now) = (old.definition, new.definition)
    guard was != now else { return }
    for name in ["type", "source", "source-layer"] where was[name] != now[name] {
      add(&properties, new.id, name, Self.text(was[name]), Self.text(now[name]), count)
    }
    guard old.isDrawn || new.isDrawn else { return }
    let values = StyleValues(zoom: after.zoom)
    if let (a, b) = values.difference(ofFilters: was["filter"], now["filter"]) {
      add(&properties, new.id, "filter", a, b, count)
    }
    for found in values.differences(was, now) {
      add(&properties, new.id, found.name, found.before, found.after, shownAs: found.shown, count)
    }
  }

  // MARK: Sources and files

  private mutating func compareSources() {
    for member in after.sources.members {
      guard let old = before.sources[member.name], old != member.value else { continue }
      let names =
        (member.value.object?.members ?? []).map(\.name)
        + (old.object?.members ?? []).map(\.name).filter { member.value[$0] == nil }
      for name in names where old[name] != member.value[name] {
        let shown = "source \"\(member.name)\" \(name)"
        add(
          &properties, nil, shown, Self.text(old[name]).shortened, Self.text(member.value[name]).shortened)
      }
    }
  }

  private mutating func compareFiles() {
    for (name, hash) in after.images.sorted(by: { $0.key < $1.key }) {
      guard let old = before.images[name], old != hash else { continue }
      let users = after.layers.filter { layer in
        layer.isDrawn && layer.definition.imagePatterns.contains { $0.matches(name) }
      }
      guard !users.isEmpty else { continue }
      for user in users.prefix(3) {
        let property = user.definition.imageProperty(for: name)
        add(
          &files, user.id, property, "image \"\(name)\"", "image \"\(name)\" with other pixels",
          user.featureCount)
      }
    }
    for name in before.images.keys.sorted() where after.images[name] == nil {
      for user in before.layers.filter({
        $0.isDrawn && $0.definition.imagePatterns.contains { $0.matches(name) }
      })
      .prefix(3) {
        let property = user.definition.imageProperty(for: name)
        guard
          after.layers.contains(where: {
            $0.id == user.id && $0.definition.imagePatterns.contains { $0.matches(name) }
          })
        else { continue }
        add(&files, user.id, property, "image \"\(name)\"", "no such image", user.featureCount)
      }
    }
    for (name, hash) in after.glyphs.sorted(by: { $0.key < $1.key }) {
      guard let old = before.glyphs[name], old != hash else { continue }
      let stack = name.split(separator: " ").dropLast().joined(separator: " ")
      let user = after.layers.first { layer in
        layer.isDrawn
          && layer.definition["layout"]?["text-font"]?.texts.contains { stack.contains($0) } ?? false
      }
      add(
        &files, user?.id, "text-font", "glyphs of \(name)", "glyphs of \(name) with other shapes",
        user?.featureCount ?? 0)
    }
  }
}

extension JSONObject {
  /// Returns the first property that may use an image.
  fileprivate func imageProperty(for name: String) -> String {
    for group in ["layout", "paint"] {
      for member in self[group]?.object?.members ?? [] {
        let own: JSONObject = [group: .object([member.name: member.value])]
        if own.imagePatterns.contains(where: { $0.matches(name) }) { return member.name }
      }
    }
    return "icon-image"
  }
}

extension String {
  /// The text, cut after 120 characters.
  var shortened: String { count > 120 ? prefix(119) + "…" : self }
}
