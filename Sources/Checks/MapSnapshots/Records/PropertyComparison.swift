import MapJSON

/// The properties that differ between two records, and the layers and classes that belong together.
struct PropertyComparison {
  /// Two layers that belong together, by their indexes in the records; nil for a missing one.
  struct Pair {
    let before: Int?
    let after: Int?
    /// The index of each later class, by the index of the earlier one.
    var classes: [Int: Int] = [:]
  }

  private(set) var changes: [PropertyChange] = []
  /// The properties that differ, without those of classes that neither image shows.
  var shown: [PropertyChange] { changes.filter { !$0.isHidden } }
  /// The numbers of features of a style's layers that differ.
  private(set) var styleCounts: [PropertyChange] = []
  /// The layers and labels of both records.
  private(set) var pairs: [Pair] = []
  private let before: PictureRecord
  private let after: PictureRecord

  /// Compares two records.
  ///
  /// - Parameter comparesFiles: whether files of styles are compared, which matter only where pixels differ.
  init(_ before: PictureRecord, _ after: PictureRecord, comparesFiles: Bool) {
    (self.before, self.after) = (before, after)
    changes = Self.differences(ofViews: before, after).map {
      PropertyChange(
        scope: .view, layer: nil, className: nil, key: $0.key, name: $0.name, before: $0.before,
        after: $0.after)
    }
    pairLayers()
    compareOrder()
    for index in pairs.indices { compareLayers(index) }
    pairLabels()
    guard !before.styles.isEmpty, !after.styles.isEmpty else { return }
    // What a style says about its layers is compared by itself.
    changes.removeAll { change in
      change.scope == .layer
        && (before.styles + after.styles).contains { change.layer?.hasPrefix("\($0.name)#") ?? false }
    }
    let found = Self.styleChanges(before, after, comparesFiles: comparesFiles)
    changes += found.properties
    styleCounts = found.counts
  }

  /// Whether the view differs, so that positions cannot be compared.
  var hasOtherView: Bool { changes.contains { $0.scope == .view && Self.placeKeys.contains($0.key) } }

  private static let placeKeys: Set = [
    "size", "pixelRatio", "spatialReference", "rotation", "center", "scale", "extent",
  ]

  // MARK: Layers

  private mutating func pairLayers() {
    let olds = before.layers.indices.filter { !before.layers[$0].isLabels }
    var news = after.layers.indices.filter { !after.layers[$0].isLabels }
    var found: [Int: Int] = [:]
    func match(_ isSame: (PictureRecord.Layer, PictureRecord.Layer) -> Bool) {
      for old in olds where found[old] == nil {
        guard let at = news.firstIndex(where: { isSame(before.layers[old], after.layers[$0]) }) else {
          continue
        }
        found[old] = news.remove(at: at)
      }
    }
    match { $0.name == $1.name }
    match { a, b in
      let id = a.definition["id"]?.string ?? ""
      return !id.isEmpty && id == b.definition["id"]?.string
    }
    match { a, b in a.definition.withoutNames == b.definition.withoutNames }
    match { a, b in !a.items.isEmpty && a.looks == b.looks && a.items.map(\.place) == b.items.map(\.place) }
    for old in olds { pairs.append(Pair(before: old, after: found[old])) }
    for new in news { pairs.append(Pair(before: nil, after: new)) }
  }

  private mutating func compareOrder() {
    let common = pairs.compactMap { pair in pair.before.flatMap { old in pair.after.map { (old, $0) } } }
    let (olds, news) = (common.map(\.1), common.map(\.1).sorted())
    guard olds != news,
      let place = zip(olds, news).enumerated().first(where: { $0.element.0 != $0.element.1 })
    else { return }
    let (was, now) = place.element
    let name = after.layers[now].name
    changes.append(
      PropertyChange(
        scope: .layer, layer: name, className: nil, key: "order", name: "order of layers",
        before: "above \"\(after.layers[was].name)\"", after: "below \"\(after.layers[was].name)\""))
  }

  private mutating func compareLayers(_ index: Int) {
    let pair = pairs[index]
    guard let first = pair.before, let second = pair.after else {
      let name = pair.after.map { after.layers[$0].name } ?? pair.before.map { before.layers[$0].name } ?? ""
      changes.append(
        PropertyChange(
          scope: .layer, layer: name, className: nil, key: "layer", name: "layer",
          before: pair.before == nil ? "absent" : "present", after: pair.after == nil ? "absent" : "present"))
      return
    }
    let (old, new) = (before.layers[first], after.layers[second])
    let (was, now) = (LayerProperties(old.definition), LayerProperties(new.definition))
    func note(
      _ scope: PropertyChange.Scope, _ found: [Difference]
    ) {
      changes += found.map {
        PropertyChange(
          scope: scope, layer: new.name, className: nil, key: $0.key, name: $0.name, before: $0.before,
          after: $0.after)
      }
    }
    if old.name != new.name {
      note(.layer, [Difference(key: "title", name: "title (renamed)", before: old.name, after: new.name)])
    }
    pairs[index].classes = Self.matched(was.classes, now.classes)
    // A layer that neither image shows differs only in what shows it.
    guard old.isShown || new.isShown else { return }
    var own = Self.differences(was.own, now.own)
    if old.opacity != new.opacity, !own.contains(where: { $0.key == "opacity" }) {
      own.append(
        Difference(key: "opacity", name: "opacity", before: "\(old.opacity)", after: "\(new.opacity)"))
    }
    note(.layer, own)
    note(.rule, Self.rendererDifferences(was.renderer, now.renderer))
    compareClasses(index, old, new, was, now)
    compareLabels(old, new, was, now)
  }

  private mutating func compareClasses(
    _ index: Int, _ old: PictureRecord.Layer, _ new: PictureRecord.Layer, _ was: LayerProperties,
    _ now: LayerProperties
  ) {
    let (drawnBefore, drawnAfter) = (old.drawnClasses, new.drawnClasses)
    let map = pairs[index].classes
    // The classes of two kinds of renderers, or of two fields, have nothing in common.
    let isOther = changes.contains {
      $0.scope == .rule && $0.layer == new.name && $0.className == nil
        && ["type", "field", "expression"].contains($0.key)
    }
    func isDrawn(_ first: Int?, _ second: Int?) -> Bool {
      first.map { drawnBefore.contains($0) } ?? false || second.map { drawnAfter.contains($0) } ?? false
    }
    func note(
      _ scope: PropertyChange.Scope, _ found: [Difference], _ name: String?, _ first: Int?, _ second: Int?
    ) {
      changes += found.map {
        PropertyChange(
          scope: scope, layer: new.name, className: name, classes: (first, second),
          isHidden: !isDrawn(first, second), key: $0.key, name: $0.name, before: $0.before, after: $0.after)
      }
    }
    func compare(
      _ a: LayerProperties.Class, _ b: LayerProperties.Class, _ first: Int, _ second: Int,
      _ bounds: [Difference]
    ) {
      let name = new.className(ofIndex: second)
      if a.label != b.label {
        let renamed = Difference(key: "label", name: "label (renamed)", before: a.label, after: b.label)
        note(.rule, [renamed], name, first, second)
      }
      note(.rule, bounds, name, first, second)
      note(.symbol, Self.symbolDifferences(a, b), name, first, second)
    }
    var previous: Difference?
    for (first, own) in was.classes.enumerated() {
      guard let second = map[first] else {
        if !isOther {
          let removed = Difference(key: "class", name: "class", before: "present", after: "removed")
          note(.rule, [removed], old.className(ofIndex: first), first, nil)
        }
        previous = nil
        continue
      }
      let other = now.classes[second]
      var bounds = Self.differences(own.rule, other.rule)
      let maximum = bounds.first { $0.key == "maximum" }
      // Neighbours share a bound, and its change is that of the lower class.
      if let previous {
        bounds.removeAll {
          $0.key == "minimum" && $0.before == previous.before && $0.after == previous.after
        }
      }
      previous = maximum
      if !isOther {
        compare(own, other, first, second, bounds)
      } else if isDrawn(first, second), was.renderer.first?.value == now.renderer.first?.value {
        note(
          .symbol, Self.symbolDifferences(own, other), new.className(ofIndex: second), first, second)
      }
    }
    // Later rules are drawn above earlier ones.
    let kept = was.classes.indices.compactMap { first in map[first].map { (first: first, second: $0) } }
    if !isOther, now.renderer.contains(where: { $0.key == "type" && $0.value == "rules" }),
      let (own, other) = zip(kept, kept.dropFirst()).first(where: { $0.second > $1.second })
    {
      let name = new.className(ofIndex: other.second) ?? "rule \(other.second + 1)"
      let moved = Difference(
        key: "order", name: "order of rules", before: "below \"\(name)\"", after: "above \"\(name)\"")
      note(.rule, [moved], new.className(ofIndex: own.second), own.first, own.second)
    }
    if !isOther {
      let added = now.classes.indices.filter { !map.values.contains($0) }
      for second in added {
        note(
          .rule, [Difference(key: "class", name: "class", before: "absent", after: "added")],
          new.className(ofIndex: second), nil, second)
      }
    }
    guard isDrawn(-1, -1) || !isOther else { return }
    switch (was.defaultClass, now.defaultClass) {
    case (let a?, let b?): compare(a, b, -1, -1, [])
    case (nil, nil): break
    case (let a, _):
      if !isOther {
        note(
          .rule,
          [
            Difference(
              key: "class", name: "default symbol", before: a == nil ? "absent" : "present",
              after: a == nil ? "added" : "removed")
          ], "default", a == nil ? nil : -1, a == nil ? -1 : nil)
      }
    }
  }

  private mutating func compareLabels(
    _ old: PictureRecord.Layer, _ new: PictureRecord.Layer, _ was: LayerProperties, _ now: LayerProperties
  ) {
    func drawn(_ record: PictureRecord, _ name: String) -> PictureRecord.Layer? {
      record.layers.first { $0.isLabels && $0.name == name }
    }
    let (first, second) = (drawn(before, old.name), drawn(after, new.name))
    guard first != nil || second != nil else { return }
    func note(_ found: [Difference], _ name: String?, _ first: Int?, _ second: Int?) {
      changes += found.map {
        PropertyChange(
          scope: .labels, layer: new.name, className: name, classes: (first, second), key: $0.key,
          name: $0.name, before: $0.before, after: $0.after)
      }
    }
    if was.hasLabels != now.hasLabels {
      let found = Difference(
        key: "showLabels", name: "labels shown (on or off)", before: was.hasLabels ? "yes" : "no",
        after: now.hasLabels ? "yes" : "no")
      note([found], nil, nil, nil)
    }
    let map = Self.matched(was.labelClasses, now.labelClasses)
    let (drawnBefore, drawnAfter) = (first?.drawnClasses ?? [], second?.drawnClasses ?? [])
    for (at, own) in was.labelClasses.enumerated() {
      guard let other = map[at] else {
        if drawnBefore.contains(at) {
          note(
            [Difference(key: "class", name: "label class", before: "present", after: "removed")],
            first?.className(ofIndex: at), at, nil)
        }
        continue
      }
      guard drawnBefore.contains(at) || drawnAfter.contains(other) else { continue }
      let name = second?.className(ofIndex: other) ?? first?.className(ofIndex: at)
      let later = now.labelClasses[other]
      if own.label != later.label {
        note(
          [Difference(key: "label", name: "name (renamed)", before: own.label, after: later.label)], name,
          at, other)
      }
      note(Self.symbolDifferences(own, later), name, at, other)
    }
    for at in now.labelClasses.indices where drawnAfter.contains(at) && !map.values.contains(at) {
      note(
        [Difference(key: "class", name: "label class", before: "absent", after: "added")],
        second?.className(ofIndex: at), nil, at)
    }
  }

  private mutating func pairLabels() {
    // Labels belong together if their layers do, and parts of a page if their names are equal.
    var names: [String: String] = [:]
    var labelClasses: [String: [Int: Int]] = [:]
    for pair in pairs {
      guard let first = pair.before, let second = pair.after else { continue }
      let (old, new) = (before.layers[first], after.layers[second])
      names[old.name] = new.name
      labelClasses[new.name] = Self.matched(
        LayerProperties(old.definition).labelClasses, LayerProperties(new.definition).labelClasses)
    }
    var news = after.layers.indices.filter { after.layers[$0].isLabels }
    for old in before.layers.indices where before.layers[old].isLabels {
      let name = before.layers[old].name
      let at = news.firstIndex { after.layers[$0].name == names[name] ?? name }
      let new = at.map { news.remove(at: $0) }
      pairs.append(
        Pair(before: old, after: new, classes: new.flatMap { labelClasses[after.layers[$0].name] } ?? [:]))
    }
    pairs += news.map { Pair(before: nil, after: $0) }
  }
}

extension JSONValue {
  /// A layer without its id and title.
  fileprivate var withoutNames: JSONValue {
    guard var object else { return self }
    (object["id"], object["title"]) = (nil, nil)
    return .object(object)
  }
}
