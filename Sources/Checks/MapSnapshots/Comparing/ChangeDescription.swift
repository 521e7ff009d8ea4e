import MapImages
import MapJSON

/// A description of the changes between two images by layer, class, property and feature.
///
/// It uses the records of both images and the owners of differing pixels. Properties that differ come first, each with
/// the features whose drawing it changes; then changes of data, and then what follows from them.
struct ChangeDescription {
  let before: PictureDetails
  let after: PictureDetails
  /// The attributes of a feature of the later image, by layer and id.
  private let texts: (_ layer: String, _ id: Int64) -> String?
  let comparison: PropertyComparison
  var groups: [Group] = []
  /// The differing pixels that belong to no group, by cause.
  var ownPixels: [Int: Int] = [:]

  /// The features with the same change.
  struct Group {
    var change: SnapshotChange
    /// The indexes of the properties that cause the change.
    var causes: [Int] = []
    /// Whether the change is reported besides its causes.
    var isListed = true
    /// Whether labels may follow from the change.
    var movesLabels = true
    /// Whether the change may follow from labels or symbols in other places.
    var isOfPlacement = true
    /// The largest distance by which a feature moved, in pixels.
    var distance = 0.0
    /// The differing pixels in each cell of the image, by the cell's number.
    var cells: [Int: Int] = [:]
    /// The numbers of the items with the change, counted over each whole record from 1.
    var before: [Int] = []
    var after: [Int] = []
  }

  /// Returns the changes: properties, then warnings, then changes of data and effects.
  ///
  /// Without a difference of pixels, the records alone are compared; the painting order within a layer is then left
  /// out, because no image shows it.
  ///
  /// - Cost: one pass over the items and one over the differing pixels.
  static func changes(
    from before: PictureDetails, to after: PictureDetails, difference: ImageDifference?,
    texts: @escaping (_ layer: String, _ id: Int64) -> String?
  ) -> [SnapshotChange] {
    var description = ChangeDescription(
      before: before, after: after, comparesFiles: difference != nil, texts: texts)
    description.itemChanges(comparesOrder: difference != nil)
    if let difference { description.countPixels(difference) }
    return description.causes + description.newWarnings + description.effects
  }

  private init(
    before: PictureDetails, after: PictureDetails, comparesFiles: Bool,
    texts: @escaping (_ layer: String, _ id: Int64) -> String?
  ) {
    (self.before, self.after, self.texts) = (before, after, texts)
    comparison = PropertyComparison(before.record, after.record, comparesFiles: comparesFiles)
  }

  private func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

  // MARK: Results

  /// The properties that differ, those of the view first, then those with most pixels.
  private var causes: [SnapshotChange] {
    let (old, new) = (ItemOwners(before), ItemOwners(after))
    var found: [(isView: Bool, change: SnapshotChange)] = []
    for (index, cause) in comparison.changes.enumerated() {
      let own = groups.filter { $0.causes.contains(index) }
      if cause.isHidden, own.isEmpty { continue }
      var (ids, items) = (Set<Int64>(), [(item: PictureRecord.Item, layer: String, isHere: Bool)]())
      // A wider symbol also cuts the paths of other classes farther outside the image.
      let ofClass = own.filter { cause.scope == .symbol && $0.change.className == cause.className }
      for group in ofClass.isEmpty ? own : ofClass {
        for (numbers, owners, isHere) in [(group.after, new, true), (group.before, old, false)] {
          // Features are counted once, in the later image if they are drawn there.
          guard isHere || group.after.isEmpty else { continue }
          for number in numbers {
            guard let (layer, item, isOfStyle) = owners.item(number), !isOfStyle, ids.insert(item.id).inserted
            else { continue }
            if items.count < 5 { items.append((item, layer.name, isHere)) }
          }
        }
      }
      var change = SnapshotChange(
        cause, featureCount: cause.scope == .style ? cause.featureCount : ids.count,
        features: items.map { feature($0.item, in: $0.layer, isHere: $0.isHere) })
      for group in own {
        change.pixels.lost += group.change.pixels.lost
        change.pixels.gained += group.change.pixels.gained
        change.pixels.changed += group.change.pixels.changed
      }
      change.pixels.changed += ownPixels[index] ?? 0
      change.spot = spot(own)
      found.append((cause.scope == .view, change))
    }
    let views = found.filter(\.isView).map(\.change)
    let others = found.filter { !$0.isView }.map(\.change).sorted { $0.pixels.total > $1.pixels.total }
    // On a page, a longer label of the legend changes what the map shows.
    let isPage = after.record.view["page"] != nil && !views.contains { $0.key?.hasPrefix("page") ?? false }
    return isPage ? others + views : views + others
  }

  private var newWarnings: [SnapshotChange] {
    let all = PictureRecord.newWarnings(from: before.record, to: after.record)
    // Opening a document and drawing it may give one warning, once with its path.
    return all.filter { warning in !all.contains { $0.hasSuffix(": \(warning)") } }.map { warning in
      let layer = after.record.layers.first { !$0.isLabels && warning.contains("layer \"\($0.name)\"") }
      var change = SnapshotChange(
        layer: layer?.name, isLabels: false, className: nil, summary: "new warning: \(warning)",
        featureCount: 0, features: [])
      change.property = "warning"
      change.after = warning
      return change
    }
  }

  /// The changes of items that no property explains, and those that follow from properties.
  private var effects: [SnapshotChange] {
    let counts = comparison.styleCounts.map { count in
      var change = SnapshotChange(count, featureCount: count.featureCount)
      // With other symbols, fewer of them may have room.
      change.isEffect = !comparison.shown.isEmpty
      return change
    }
    return counts.filter { !$0.isEffect } + itemEffects + counts.filter(\.isEffect)
  }

  private var itemEffects: [SnapshotChange] {
    let listed = groups.filter(\.isListed)
    let movesLabels =
      comparison.shown.contains(where: \.moves) || listed.contains(where: \.movesLabels)
    return listed.map { group in
      var change = group.change
      change.spot = spot([group])
      change.isEffect =
        !group.causes.isEmpty
        || change.isLabels && movesLabels && group.isOfPlacement && !(group.movesLabels && change.isOfStyle)
      return change
    }.sorted { a, b in
      if a.isEffect != b.isEffect { return b.isEffect }
      if a.isLabels != b.isLabels { return b.isLabels }
      return a.pixels.total > b.pixels.total
    }
  }

  /// The side of the cells in which differing pixels are counted.
  static let cell = 32

  /// Returns the cell with most differing pixels of some groups; nil without any.
  private func spot(_ groups: [Group]) -> PixelRectangle? {
    let cells = groups.reduce(into: [Int: Int]()) { sum, group in sum.merge(group.cells, uniquingKeysWith: +)
    }
    // Of equal cells, the first one counts, so that the result is the same in every run.
    guard let (cell, _) = cells.max(by: { ($0.value, -$0.key) < ($1.value, -$1.key) }) else { return nil }
    let columns = (after.owners.width + Self.cell - 1) / Self.cell
    return PixelRectangle(
      x: cell % columns * Self.cell, y: cell / columns * Self.cell, width: Self.cell, height: Self.cell)
  }

  func feature(_ item: PictureRecord.Item, in layer: String, isHere: Bool) -> SnapshotChange.Feature {
    // An id that is no longer drawn may belong to another feature now.
    let isKnown = isHere || item.text.isEmpty
    return SnapshotChange.Feature(
      id: item.id, text: isKnown ? texts(layer, item.id) ?? item.text : item.text)
  }

  // MARK: Items

  private mutating func itemChanges(comparesOrder: Bool) {
    func starts(_ record: PictureRecord) -> [Int] {
      var (all, count) = ([Int](), 0)
      for layer in record.layers {
        all.append(count)
        count += layer.items.count
      }
      return all
    }
    let (olds, news) = (starts(before.record), starts(after.record))
    for pair in comparison.pairs {
      guard
        let known = pair.after.map({ after.record.layers[$0] })
          ?? pair.before.map({ before.record.layers[$0] })
      else { continue }
      let empty = PictureRecord.Layer(
        name: known.name, isLabels: known.isLabels, opacity: 1, classes: [], looks: [], items: [], funnel: [])
      itemChanges(
        pair, pair.before.map { (before.record.layers[$0], olds[$0]) } ?? (empty, 0),
        pair.after.map { (after.record.layers[$0], news[$0]) } ?? (empty, 0), comparesOrder)
    }
  }

  private mutating func itemChanges(
    _ pair: PropertyComparison.Pair, _ old: (PictureRecord.Layer, Int), _ new: (PictureRecord.Layer, Int),
    _ comparesOrder: Bool
  ) {
    let (a, b) = (old.0, new.0)
    let matching = ItemMatching(a, b)
    let comparesPlaces = !comparison.hasOtherView
    // The name of a layer of a style has a #, unlike that of a part of a page.
    let isOfStyle = a.isOfStyle && b.isOfStyle && b.name.contains("#")
    let isPart = a.isPart && b.isPart
    // Lines and areas of a style leave the places of labels free.
    let isOfPaths = isOfStyle && (a.looks + b.looks).allSatisfy { $0.text.hasPrefix("poly") }
    var own: [String: Int] = [:]
    func note(
      _ kind: PropertyComparison.Effect, className: String?, classes: (Int?, Int?), before: Int?, after: Int?,
      distance: Double = 0, _ summary: @autoclosure () -> String
    ) {
      let key = "\(kind.rawValue) \(classes.0.map { "\($0)" } ?? "-") \(classes.1.map { "\($0)" } ?? "-")"
      let index: Int
      if let known = own[key] {
        index = known
      } else {
        index = groups.count
        own[key] = index
        let found = comparison.causes(of: kind, in: b, classes, isPart: isPart)
        // Without a differing pixel, shapes differ beyond the image because of a class that it does not show.
        let isBeyond =
          !comparesOrder && [.place, .placeAtEdge].contains(kind) && !isPart && !found.isEmpty
          && found.allSatisfy { comparison.changes[$0].isHidden }
        var group = Group(
          change: SnapshotChange(
            layer: b.name, isLabels: b.isLabels, className: className, summary: summary(), featureCount: 0,
            features: []), causes: isBeyond ? [] : found)
        group.change.isOfDrawing = kind == .look || b.isLabels
        group.change.isOfStyle = isOfStyle
        // Another style of labels follows from no change of another layer.
        group.movesLabels = b.isLabels ? isOfStyle && kind == .look : !isOfPaths
        group.isOfPlacement = kind != .text && kind != .look
        let follows = found.allSatisfy { comparison.changes[$0].scope == .view }
        group.isListed =
          found.isEmpty || !follows && [.lost, .gained, .lostAtEdge, .gainedAtEdge, .class].contains(kind)
        groups.append(group)
      }
      groups[index].distance = max(groups[index].distance, distance)
      if let before { groups[index].before.append(old.1 + before + 1) }
      if let after { groups[index].after.append(new.1 + after + 1) }
    }
    func isAtEdge(_ layer: PictureRecord.Layer, _ item: Int, _ record: PictureRecord) -> Bool {
      guard !layer.isLabels else { return false }
      let box = layer.box(of: layer.items[item])
      let size = record.mapSize ?? [record.width, record.height]
      return box.left < 0 || box.top < 0 || box.right > Double(size[0]) || box.bottom > Double(size[1])
    }
    func sameClass(_ was: Int, _ now: Int, _ names: (String?, String?)) -> Bool {
      if was == -1 || pair.classes.isEmpty { return was == now }
      // The classes of clusters and bins are not among those of the layer's renderer.
      return pair.classes[was].map { $0 == now } ?? (was == now && names.0 == names.1)
    }
    for (first, second) in matching.pairs {
      let (was, now) = (a.items[first], b.items[second])
      let (oldLook, newLook) = (a.looks[was.look], b.looks[now.look])
      let classes = (oldLook.classIndex, newLook.classIndex)
      let (oldClass, newClass) = (a.className(of: was), b.className(of: now))
      let distance = was.distance(to: now)
      if !sameClass(classes.0, classes.1, (oldClass, newClass)) {
        note(
          .class, className: newClass, classes: classes, before: first, after: second,
          "class: \(oldClass ?? "none") → \(newClass ?? "none")")
      } else if oldLook.text != newLook.text {
        note(
          .look, className: newClass, classes: classes, before: first, after: second,
          LookDifference.text(oldLook.text, newLook.text))
      }
      // A feature may change in several ways at once, and each may have another cause.
      if a.isLabels, was.text != now.text {
        note(
          .text, className: newClass, classes: classes, before: first, after: second,
          "text: \"\(was.text)\" → \"\(now.text)\"")
      } else if comparesPlaces, distance >= ItemMatching.nearness, !a.isLabels || oldLook.text == newLook.text
      {
        let isAtEdge = isAtEdge(a, first, before.record) && isAtEdge(b, second, after.record)
        note(
          isAtEdge ? .placeAtEdge : .place, className: newClass, classes: classes, before: first,
          after: second, distance: distance,
          "geometry: moved or changed its shape")
      }
    }
    for item in matching.lost {
      note(
        isAtEdge(a, item, before.record) ? .lostAtEdge : .lost, className: a.className(of: a.items[item]),
        classes: (a.looks[a.items[item].look].classIndex, nil), before: item, after: nil, "no longer drawn")
    }
    for item in matching.gained {
      note(
        isAtEdge(b, item, after.record) ? .gainedAtEdge : .gained, className: b.className(of: b.items[item]),
        classes: (nil, b.looks[b.items[item].look].classIndex), before: nil, after: item, "newly drawn")
    }
    for (first, second) in comparesOrder ? matching.reordered : [] {
      let at = b.looks[b.items[second].look].classIndex
      note(
        .order, className: b.className(ofIndex: at), classes: (at, at), before: first, after: second,
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
    var change = group.change
    if group.distance > 0 {
      change.detail = "by up to \(group.distance.isFinite ? rounded(group.distance) : "?") pixels"
    }
    guard !a.isOfStyle || !b.isOfStyle else { return change }
    for item in items where seen.insert(item.id).inserted && features.count < 5 {
      features.append(feature(item, in: b.name, isHere: !group.after.isEmpty))
    }
    (change.featureCount, change.features) = (Set(items.map(\.id)).count, features)
    return change
  }
}
