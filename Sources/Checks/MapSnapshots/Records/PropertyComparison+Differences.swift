extension PropertyComparison {
  /// A property that differs.
  struct Difference {
    let key: String
    let name: String
    let before: String
    let after: String
  }

  /// Returns the later class of each earlier class: with the same rule and label, the same rule, the same label, or
  /// the same properties, and then at the same index.
  static func matched(_ olds: [LayerProperties.Class], _ news: [LayerProperties.Class]) -> [Int: Int] {
    var found: [Int: Int] = [:]
    var open = Set(news.indices)
    func match(_ key: (LayerProperties.Class) -> AnyHashable?) {
      var places: [AnyHashable: [Int]] = [:]
      for at in open.sorted(by: >) {
        if let key = key(news[at]) { places[key, default: []].append(at) }
      }
      for old in olds.indices where found[old] == nil {
        guard let key = key(olds[old]), let at = places[key]?.popLast() else { continue }
        found[old] = at
        open.remove(at)
      }
    }
    func rule(_ own: LayerProperties.Class) -> [String] { own.rule.map(\.value) }
    match { [rule($0), [$0.label]] as [[String]] }
    match { rule($0).isEmpty ? nil : rule($0) }
    match { $0.label.isEmpty ? nil : $0.label }
    match { $0.properties.isEmpty ? nil : $0.properties }
    if olds.count == news.count {
      for old in olds.indices where found[old] == nil && open.contains(old) {
        found[old] = old
        open.remove(old)
      }
    }
    return found
  }

  /// Returns the properties that differ, those of the later list first.
  static func differences(_ olds: [RecordedProperty], _ news: [RecordedProperty]) -> [Difference] {
    var known: [String: RecordedProperty] = [:]
    for old in olds { known[old.key] = old }
    var found: [Difference] = []
    for new in news {
      let old = known.removeValue(forKey: new.key)
      if let old {
        let isSame = FilterMeaning.isFilter(new.key) && FilterMeaning.isSame(old.value, new.value)
        if isSame || RecordedProperty.isEqual(old.value, new.value) { continue }
      }
      if old == nil, new.isNull { continue }
      found.append(
        Difference(key: new.key, name: new.name, before: old?.value ?? "none", after: new.value))
    }
    for old in olds where known[old.key] != nil && !old.isNull {
      found.append(Difference(key: old.key, name: old.name, before: old.value, after: "none"))
    }
    return found
  }

  /// Returns the differences of two renderers; a visual variable more or less is one difference.
  static func rendererDifferences(
    _ olds: [RecordedProperty], _ news: [RecordedProperty]
  ) -> [Difference] {
    func variables(_ all: [RecordedProperty]) -> [(key: String, name: String)] {
      all.filter { $0.key.hasPrefix("variable.") && $0.key.hasSuffix(".type") }.map {
        (String($0.key.dropLast("type".count)), String($0.name.dropLast(" type".count)))
      }
    }
    var found = differences(olds, news)
    let (were, are) = (variables(olds), variables(news))
    for (own, others, isOld) in [(were, are, true), (are, were, false)] {
      for (key, name) in own where !others.contains(where: { $0.key == key }) {
        found.removeAll { $0.key.hasPrefix(key) }
        found.append(
          Difference(
            key: key, name: name, before: isOld ? "present" : "absent", after: isOld ? "removed" : "added"))
      }
    }
    return found
  }

  /// Returns the differences with one for each shape that has several moved vertices.
  private static func joiningVertices(
    _ found: [Difference], _ olds: [RecordedProperty], _ news: [RecordedProperty]
  ) -> [Difference] {
    /// Returns the part of a text up to the word, and whether there is one.
    func shape(_ text: String, _ word: String) -> String? {
      text.firstRange(of: word).map { String(text[..<$0.upperBound]) }
    }
    var counts: [String: Int] = [:]
    for difference in found {
      if let key = shape(difference.key, ".geometry.") { counts[key, default: 0] += 1 }
    }
    var joined: [Difference] = []
    for difference in found {
      guard let key = shape(difference.key, ".geometry."), let moved = counts[key], moved > 1 else {
        joined.append(difference)
        continue
      }
      guard !joined.contains(where: { $0.key == key }) else { continue }
      let (before, after) = (
        olds.count { $0.key.hasPrefix(key) }, news.count { $0.key.hasPrefix(key) }
      )
      joined.append(
        Difference(
          key: key, name: shape(difference.name, " geometry") ?? difference.name,
          before: "\(before) vertices", after: "\(after) vertices, \(moved) of them at other positions"))
    }
    return joined
  }

  /// Returns the differences of two classes; another kind of symbol, or an outline more or less, is one difference.
  static func symbolDifferences(
    _ old: LayerProperties.Class, _ new: LayerProperties.Class
  ) -> [Difference] {
    if old.kind != new.kind {
      return [Difference(key: "kind", name: "symbol kind", before: old.kind, after: new.kind)]
    }
    var found = differences(old.properties, new.properties)
    for part in ["outline."] {
      let (a, b) = (
        old.properties.filter { $0.key.hasPrefix(part) }, new.properties.filter { $0.key.hasPrefix(part) }
      )
      guard a.isEmpty != b.isEmpty else { continue }
      found.removeAll { $0.key.hasPrefix(part) }
      func text(_ own: [RecordedProperty]) -> String {
        own.isEmpty ? "none" : own.map(\.value).joined(separator: " ")
      }
      found.append(Difference(key: "outline", name: "outline", before: text(a), after: text(b)))
    }
    return joiningVertices(found, old.properties, new.properties)
  }
}
