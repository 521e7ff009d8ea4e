extension PropertyComparison {
  /// The kinds of changes of an item.
  enum Effect: String {
    case look, `class`, text, place, lost, gained, order
    /// The items lie at the edge of the image, where a larger symbol reaches it, and paths are cut farther outside.
    case lostAtEdge, gainedAtEdge, placeAtEdge
  }

  /// The properties of a label class that decide the texts of labels.
  private static let textKeys: Set = ["expression", "where", "class", "showLabels", "useCodedValues"]

  /// Returns the indexes of the properties that cause a change of items.
  ///
  /// - Parameter isPart: Whether the items are those of a part of a page, such as a legend, which shows the properties of all
  ///   layers.
  func causes(
    of effect: Effect, in layer: PictureRecord.Layer, _ classes: (before: Int?, after: Int?), isPart: Bool
  ) -> [Int] {
    func find(_ isCause: (PropertyChange) -> Bool) -> [Int] {
      changes.indices.filter { isCause(changes[$0]) }
    }
    func isOfClass(_ change: PropertyChange) -> Bool {
      if change.className == nil, change.classes.before == nil, change.classes.after == nil { return true }
      return change.classes.before.map { $0 == classes.before } ?? false
        || change.classes.after.map { $0 == classes.after } ?? false
    }
    func own(_ scope: PropertyChange.Scope, _ isCause: (PropertyChange) -> Bool = { _ in true }) -> [Int] {
      find { $0.scope == scope && $0.layer == layer.name && !$0.isHidden && isOfClass($0) && isCause($0) }
    }
    /// Returns the first of several lists that is not empty.
    func first(_ lists: [Int]...) -> [Int] { lists.first { !$0.isEmpty } ?? [] }
    // A layer of a style has no other properties.
    let styled = find { $0.scope == .style && $0.recordedLayer == layer.name }
    if !styled.isEmpty { return styled }
    let places = find { $0.scope == .view && $0.key != "background" && $0.key != "basemap" }
    if isPart {
      return first(
        find { !$0.isHidden && ($0.scope != .view || $0.key.hasPrefix("page")) }, find { $0.isHidden }, places
      )
    }
    let limits =
      own(.layer) { !["opacity", "title", "order"].contains($0.key) } + own(.rule) { $0.key != "label" }
      + find { $0.scope == .view && $0.key == "time" }
    if layer.isLabels {
      let labels = own(.labels) { $0.key != "label" }
      switch effect {
      // The numbers and styles of clusters follow from what selects and joins features.
      case .look: return first(labels, limits, places)
      case .text: return first(labels.filter { Self.textKeys.contains(changes[$0].key) }, limits, places)
      case .place, .placeAtEdge, .order:
        return first(
          labels, find { $0.scope == .symbol && $0.layer == layer.name && !$0.isHidden }, places)
      case .class: return labels
      case .lost, .gained, .lostAtEdge, .gainedAtEdge: return first(labels, limits, places)
      }
    }
    switch effect {
    case .look:
      return first(
        own(.symbol), own(.rule) { $0.key != "label" }, own(.layer) { $0.key == "scaleSymbols" }, places)
    case .class: return own(.rule) { $0.key != "label" }
    case .lost, .gained: return first(limits, places)
    case .lostAtEdge, .gainedAtEdge: return first(limits, own(.symbol) { $0.moves }, places)
    // Areas of all classes of a layer share borders, and are cut at one distance from the image. Colours move nothing.
    case .place, .placeAtEdge:
      return first(
        places, own(.symbol) { $0.moves } + own(.rule) { $0.key != "label" },
        find {
          (effect == .placeAtEdge || $0.isHidden) && $0.scope == .symbol && $0.layer == layer.name && $0.moves
        })
    case .order: return own(.layer) { $0.key.hasPrefix("orderBy") || $0.key == "order" }
    case .text: return []
    }
  }
}
