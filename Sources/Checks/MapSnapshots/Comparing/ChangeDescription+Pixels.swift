import MapImages

/// The attribution of differing pixels to changes, by the owner image of each record.
extension ChangeDescription {
  /// The largest number of boxes of a group by which pixels without an owner are attributed.
  private static let boxLimit = 100

  /// Counts the differing pixels of each group, and of the causes of those that belong to none.
  mutating func countPixels(_ difference: ImageDifference) {
    let (old, new) = (ItemOwners(before), ItemOwners(after))
    // The owner image contains only the first item of each row, so pixels are compared by feature.
    var (oldGroups, newGroups) = ([Int: Int](), [Int: Int]())
    var boxes: [(left: Double, top: Double, right: Double, bottom: Double, group: Int)] = []
    for (index, group) in groups.enumerated() {
      let limit = boxes.count + Self.boxLimit
      for number in group.before {
        if let feature = old.feature(number), oldGroups[feature] == nil { oldGroups[feature] = index }
        if boxes.count < limit, let box = old.box(number) {
          boxes.append((box.left, box.top, box.right, box.bottom, index))
        }
      }
      for number in group.after {
        if let feature = new.feature(number), newGroups[feature] == nil { newGroups[feature] = index }
        if boxes.count < limit, let box = new.box(number) {
          boxes.append((box.left, box.top, box.right, box.bottom, index))
        }
      }
    }
    let isExplained =
      !comparison.shown.isEmpty || !groups.isEmpty || !comparison.styleCounts.isEmpty
    var byOwner: [Int: Int] = [:]
    let (width, height) = (after.owners.width, after.owners.height)
    let columns = (width + Self.cell - 1) / Self.cell
    let hasOld = before.owners.width == width && before.owners.height == height
    for y in 0..<height {
      for x in 0..<width where difference.differs(x: x, y: y) {
        let pixel = y * width + x
        let was = hasOld ? old.feature(PictureDetails.owner(in: before.owners, at: pixel)) : nil
        let now = new.feature(PictureDetails.owner(in: after.owners, at: pixel))
        let (oldGroup, newGroup) = (was.flatMap { oldGroups[$0] }, now.flatMap { newGroups[$0] })
        let cell = y / Self.cell * columns + x / Self.cell
        if let newGroup {
          if oldGroup == newGroup {
            groups[newGroup].change.pixels.changed += 1
          } else {
            groups[newGroup].change.pixels.gained += 1
          }
          groups[newGroup].cells[cell, default: 0] += 1
        } else if let oldGroup {
          groups[oldGroup].change.pixels.lost += 1
          groups[oldGroup].cells[cell, default: 0] += 1
        } else if let box = boxes.first(where: {
          Double(x) >= $0.left - 2 && Double(x) <= $0.right + 2 && Double(y) >= $0.top - 2
            && Double(y) <= $0.bottom + 2
        }) {
          groups[box.group].change.pixels.changed += 1
          groups[box.group].cells[cell, default: 0] += 1
        } else {
          byOwner[now ?? -1, default: 0] += 1
        }
      }
    }
    if isExplained { assign(byOwner, new) } else { blame(byOwner, new) }
  }

  /// Attributes differing pixels of unchanged items to a property of their layer, else to one of the view.
  private mutating func assign(_ byOwner: [Int: Int], _ owners: ItemOwners) {
    let changes = comparison.changes
    let view = changes.firstIndex { $0.scope == .view }
    // Without ids, pixels can belong to a layer of a style only if nothing else differs.
    let styles = changes.indices.filter { changes[$0].scope == .style }
    let style = styles.count == 1 ? styles.first : nil
    for (feature, pixels) in byOwner {
      let layer = owners.item(feature)?.layer.name
      let own = layer.flatMap { name in changes.firstIndex { $0.scope == .layer && $0.layer == name } }
      if let cause = own ?? view ?? changes.firstIndex(where: { $0.scope == .layer }) ?? style {
        ownPixels[cause, default: 0] += pixels
      }
    }
  }

  /// Attributes differing pixels to their owners if neither a property nor an item changed.
  private mutating func blame(_ byOwner: [Int: Int], _ owners: ItemOwners) {
    var byClass: [[String?]: (pixels: Int, features: [SnapshotChange.Feature], count: Int)] = [:]
    for (feature, pixels) in byOwner.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      let found = owners.item(feature)
      let key = found.map { [$0.layer.name, $0.layer.className(of: $0.item)] } ?? []
      byClass[key, default: (0, [], 0)].pixels += pixels
      guard let found, !found.isOfStyle else { continue }
      byClass[key]?.count += 1
      if byClass[key]?.features.count ?? 0 < 5 {
        byClass[key]?.features.append(self.feature(found.item, in: found.layer.name, isHere: true))
      }
    }
    for (key, value) in byClass {
      var change = SnapshotChange(
        layer: key.first ?? nil, isLabels: false, className: key.last ?? nil,
        summary: key.isEmpty
          ? "pixels of no feature: background, basemap, labels or edges"
          : "the same symbols in other colours",
        featureCount: value.count, features: value.features)
      change.pixels.changed = value.pixels
      change.isOfDrawing = true
      groups.append(Group(change: change))
    }
  }
}
