import MapImages

/// A description of the changes between two images by layer, class and feature.
///
/// It uses the records of both images and the owners of differing pixels.
struct ChangeDescription {
  private let before: PictureDetails
  private let after: PictureDetails
  /// The attributes of a feature of the later image, by layer and id.
  private let texts: (_ layer: String, _ id: Int64) -> String?
  private var groups: [Group] = []

  /// The features with the same change.
  private struct Group {
    var change: SnapshotChange
    /// The numbers of the items with the change, counted over each whole record from 1.
    var before: [Int] = []
    var after: [Int] = []
  }

  /// Returns the changes, those with most pixels first.
  ///
  /// - Cost: one pass over the items and one over the differing pixels.
  static func changes(
    from before: PictureDetails, to after: PictureDetails, difference: ImageDifference?,
    texts: @escaping (_ layer: String, _ id: Int64) -> String?
  ) -> [SnapshotChange] {
    var description = ChangeDescription(before: before, after: after, texts: texts)
    let whole = description.wholePicture + description.layerChanges()
    description.itemChanges()
    if let difference { description.countPixels(difference, isExplained: !whole.isEmpty) }
    return whole + description.groups.map(\.change).sorted { $0.pixels.total > $1.pixels.total }
  }

  private init(
    before: PictureDetails, after: PictureDetails,
    texts: @escaping (_ layer: String, _ id: Int64) -> String?
  ) {
    (self.before, self.after, self.texts) = (before, after, texts)
  }

  // MARK: The image and its layers

  private static func whole(
    _ summary: String, layer: String? = nil, isLabels: Bool = false
  ) -> SnapshotChange {
    SnapshotChange(
      layer: layer, isLabels: isLabels, className: nil, summary: summary, featureCount: 0, features: [])
  }

  private var viewIsTheSame: Bool {
    let (a, b) = (before.record, after.record)
    let step = max(1e-9, (b.extent[2] - b.extent[0]) / Double(max(1, b.width)))
    return a.width == b.width && a.height == b.height && abs(a.rotation - b.rotation) < 1e-6
      && zip(a.extent, b.extent).allSatisfy { abs($0 - $1) < step * 0.01 }
  }

  private var wholePicture: [SnapshotChange] {
    let (a, b) = (before.record, after.record)
    var changes: [SnapshotChange] = []
    if a.width != b.width || a.height != b.height {
      changes.append(Self.whole("size \(a.width)x\(a.height) → \(b.width)x\(b.height)"))
    }
    if a.background != b.background {
      changes.append(Self.whole("background \(a.background) → \(b.background)"))
    }
    if a.basemap != b.basemap { changes.append(Self.whole("basemap \(a.basemap) → \(b.basemap)")) }
    if !viewIsTheSame, changes.isEmpty || a.extent != b.extent {
      let (from, to) = (a.extent[2] - a.extent[0], b.extent[2] - b.extent[0])
      let zoom = abs(from / to - 1) > 1e-6 ? "\(rounded(from)) m wide → \(rounded(to)) m" : "moved or rotated"
      changes.append(Self.whole("the view: \(zoom)"))
    }
    return changes
  }

  private func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

  /// The layers of both records, each with the number of items in the layers before it.
  private var layers: [(before: (PictureRecord.Layer, Int)?, after: (PictureRecord.Layer, Int)?)] {
    var olds: [(PictureRecord.Layer, Int)] = []
    var news: [(PictureRecord.Layer, Int)] = []
    var count = 0
    for layer in before.record.layers {
      olds.append((layer, count))
      count += layer.items.count
    }
    count = 0
    for layer in after.record.layers {
      news.append((layer, count))
      count += layer.items.count
    }
    var pairs: [(before: (PictureRecord.Layer, Int)?, after: (PictureRecord.Layer, Int)?)] = []
    for old in olds {
      let found = news.firstIndex { $0.0.name == old.0.name && $0.0.isLabels == old.0.isLabels }
      pairs.append((old, found.map { news.remove(at: $0) }))
    }
    return pairs + news.map { (nil, $0) }
  }

  private func layerChanges() -> [SnapshotChange] {
    var changes: [SnapshotChange] = []
    for (old, new) in layers {
      if let old, let new {
        if old.0.opacity != new.0.opacity {
          changes.append(
            Self.whole(
              "opacity \(old.0.opacity) → \(new.0.opacity)", layer: new.0.name, isLabels: new.0.isLabels))
        }
      } else if let layer = (old ?? new)?.0, !layer.isLabels {
        changes.append(Self.whole(new == nil ? "is gone" : "is new", layer: layer.name))
      }
    }
    let names = before.record.layers.filter { !$0.isLabels }.map(\.name)
    let others = after.record.layers.filter { !$0.isLabels }.map(\.name)
    let (a, b) = (names.filter { others.contains($0) }, others.filter { names.contains($0) })
    if let place = zip(a, b).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
      changes.append(
        Self.whole("order of layers: \"\(b[place])\" now lies below \"\(a[place])\"", layer: b[place]))
    }
    return changes
  }

  // MARK: Items

  private mutating func itemChanges() {
    for (old, new) in layers {
      let empty = PictureRecord.Layer(
        name: (new ?? old)?.0.name ?? "", isLabels: (new ?? old)?.0.isLabels ?? false, opacity: 1,
        classes: [],
        looks: [], items: [], funnel: [])
      itemChanges(old ?? (empty, 0), new ?? (empty, 0))
    }
  }

  private mutating func itemChanges(_ old: (PictureRecord.Layer, Int), _ new: (PictureRecord.Layer, Int)) {
    let (a, b) = (old.0, new.0)
    let matching = ItemMatching(a, b)
    let hasMoved = viewIsTheSame
    var own: [String: Int] = [:]
    func note(
      _ kind: String, className: String, before: Int?, after: Int?, _ summary: @autoclosure () -> String
    ) {
      let key = "\(kind)\u{0}\(className)"
      let index: Int
      if let known = own[key] {
        index = known
      } else {
        index = groups.count
        own[key] = index
        groups.append(
          Group(
            change: SnapshotChange(
              layer: b.name, isLabels: b.isLabels, className: className, summary: summary(), featureCount: 0,
              features: [])))
      }
      if let before { groups[index].before.append(old.1 + before + 1) }
      if let after { groups[index].after.append(new.1 + after + 1) }
    }
    for (first, second) in matching.pairs {
      let (was, now) = (a.items[first], b.items[second])
      let (oldLook, newLook) = (a.looks[was.look].text, b.looks[now.look].text)
      let (oldClass, newClass) = (a.className(of: was), b.className(of: now))
      let distance = was.distance(to: now)
      if oldClass != newClass {
        note(
          "class", className: newClass, before: first, after: second,
          "was of class \"\(oldClass)\": \(LookDifference.text(oldLook, newLook))")
      } else if oldLook != newLook {
        note("look", className: newClass, before: first, after: second, LookDifference.text(oldLook, newLook))
      } else if a.isLabels, was.text != now.text {
        note(
          "text", className: newClass, before: first, after: second, "text \"\(was.text)\" → \"\(now.text)\"")
      } else if distance >= ItemMatching.nearness, hasMoved {
        note(
          "place", className: newClass, before: first, after: second,
          "moved or changed its shape, by up to \(distance.isFinite ? rounded(distance) : "?") pixels")
      }
    }
    for item in matching.lost {
      note("lost", className: a.className(of: a.items[item]), before: item, after: nil, "no longer drawn")
    }
    for item in matching.gained {
      note("gained", className: b.className(of: b.items[item]), before: nil, after: item, "newly drawn")
    }
    for (first, second) in matching.reordered {
      note(
        "order", className: b.className(of: b.items[second]), before: first, after: second,
        "drawn in another order")
    }
    for index in own.values.sorted() { groups[index].change = named(groups[index], a, old.1, b, new.1) }
  }

  /// Returns the change of a group with its features counted and the first ones named.
  private func named(
    _ group: Group, _ a: PictureRecord.Layer, _ firstOld: Int, _ b: PictureRecord.Layer, _ firstNew: Int
  ) -> SnapshotChange {
    let items =
      group.after.isEmpty
      ? group.before.map { a.items[$0 - firstOld - 1] } : group.after.map { b.items[$0 - firstNew - 1] }
    var (seen, features) = (Set<Int64>(), [SnapshotChange.Feature]())
    for item in items where seen.insert(item.id).inserted && features.count < 5 {
      // An id that is no longer drawn may belong to another feature now.
      let isHere = !group.after.isEmpty || item.text.isEmpty
      features.append(
        SnapshotChange.Feature(id: item.id, text: isHere ? texts(b.name, item.id) ?? item.text : item.text))
    }
    return SnapshotChange(
      layer: group.change.layer, isLabels: group.change.isLabels, className: group.change.className,
      summary: group.change.summary, featureCount: Set(items.map(\.id)).count, features: features)
  }

  // MARK: Pixels

  private mutating func countPixels(_ difference: ImageDifference, isExplained: Bool) {
    let (old, new) = (Owners(before), Owners(after))
    // The owner image contains only the first item of each row, so pixels are compared by feature.
    var (oldGroups, newGroups) = ([Int: Int](), [Int: Int]())
    var boxes: [(left: Double, top: Double, right: Double, bottom: Double, group: Int)] = []
    for (index, group) in groups.enumerated() {
      for number in group.before {
        if let feature = old.feature(number), oldGroups[feature] == nil { oldGroups[feature] = index }
        if boxes.count < 200, let box = old.box(number) {
          boxes.append((box.left, box.top, box.right, box.bottom, index))
        }
      }
      for number in group.after {
        if let feature = new.feature(number), newGroups[feature] == nil { newGroups[feature] = index }
        if boxes.count < 200, let box = new.box(number) {
          boxes.append((box.left, box.top, box.right, box.bottom, index))
        }
      }
    }
    let isExplained = isExplained || !groups.isEmpty
    var byOwner: [Int: Int] = [:]
    let (width, height) = (after.owners.width, after.owners.height)
    let hasOld = before.owners.width == width && before.owners.height == height
    for y in 0..<height {
      for x in 0..<width where difference.differs(x: x, y: y) {
        let pixel = y * width + x
        let was = hasOld ? old.feature(PictureDetails.owner(in: before.owners, at: pixel)) : nil
        let now = new.feature(PictureDetails.owner(in: after.owners, at: pixel))
        let (oldGroup, newGroup) = (was.flatMap { oldGroups[$0] }, now.flatMap { newGroups[$0] })
        if let newGroup {
          if oldGroup == newGroup {
            groups[newGroup].change.pixels.changed += 1
          } else {
            groups[newGroup].change.pixels.gained += 1
          }
        } else if let oldGroup {
          groups[oldGroup].change.pixels.lost += 1
        } else if let box = boxes.first(where: {
          Double(x) >= $0.left - 2 && Double(x) <= $0.right + 2 && Double(y) >= $0.top - 2
            && Double(y) <= $0.bottom + 2
        }) {
          groups[box.group].change.pixels.changed += 1
        } else if !isExplained {
          byOwner[now ?? -1, default: 0] += 1
        }
      }
    }
    if !isExplained { blame(byOwner, new) }
  }

  /// Attributes differing pixels to their owners if no drawn item changed.
  private mutating func blame(_ byOwner: [Int: Int], _ owners: Owners) {
    var byClass: [[String]: (pixels: Int, features: [SnapshotChange.Feature], count: Int)] = [:]
    for (feature, pixels) in byOwner.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      let found = owners.item(feature)
      let key = found.map { [$0.layer.name, $0.layer.className(of: $0.item)] } ?? []
      byClass[key, default: (0, [], 0)].pixels += pixels
      guard let found else { continue }
      byClass[key]?.count += 1
      if byClass[key]?.features.count ?? 0 < 5 {
        byClass[key]?.features.append(
          SnapshotChange.Feature(
            id: found.item.id, text: texts(found.layer.name, found.item.id) ?? found.item.text))
      }
    }
    for (key, value) in byClass {
      var change = SnapshotChange(
        layer: key.first, isLabels: false, className: key.last,
        summary: key.isEmpty
          ? "pixels of no feature: background, basemap, labels or edges"
          : "the same symbols in other colours",
        featureCount: value.count, features: value.features)
      change.pixels.changed = value.pixels
      groups.append(Group(change: change))
    }
  }
}

/// The items of a record by their number, counted from 1, and the feature of each item.
private struct Owners {
  private var layers: [(layer: PictureRecord.Layer, first: Int)] = []
  private var features: [Int] = [0]

  init(_ details: PictureDetails) {
    for layer in details.record.layers {
      layers.append((layer, features.count))
      var known: [Int64: Int] = [:]
      for item in layer.items {
        let number = features.count
        features.append(known[item.id] ?? number)
        if known[item.id] == nil { known[item.id] = number }
      }
    }
  }

  /// Returns the number of the first item of an item's feature; nil for 0 and for numbers beyond the last.
  func feature(_ number: Int) -> Int? {
    number > 0 && number < features.count ? features[number] : nil
  }

  func item(_ number: Int) -> (layer: PictureRecord.Layer, item: PictureRecord.Item)? {
    guard number > 0, number < features.count, let found = layers.last(where: { $0.first <= number }) else {
      return nil
    }
    return (found.layer, found.layer.items[number - found.first])
  }

  func box(_ number: Int) -> (left: Double, top: Double, right: Double, bottom: Double)? {
    item(number).map { $0.layer.box(of: $0.item) }
  }
}
