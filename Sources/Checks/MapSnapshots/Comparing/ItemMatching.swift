import MapGeometry
import MapJSON
import MapSystem

/// The matching of a layer's items between two records, by id, style and position.
struct ItemMatching {
  /// The items that are in both records, by their indexes; matched items may differ.
  private(set) var pairs: [(before: Int, after: Int)] = []
  private(set) var lost: [Int] = []
  private(set) var gained: [Int] = []

  /// The tolerance for an equal position, in pixels.
  ///
  /// - Source: design decision; machines differ by far less, and smaller differences are not visible.
  static let nearness = 0.02

  /// Matches equal items with equal ids, then equal items with other ids and texts, then items with equal ids:
  /// of these, labels with equal texts first.
  ///
  /// The second step is needed because row numbers change when a row is removed, and the third because the recorded
  /// texts of features change with the order of columns.
  init(_ before: PictureRecord.Layer, _ after: PictureRecord.Layer) {
    var (openBefore, openAfter) = (Array(before.items.indices), Array(after.items.indices))
    func match(_ key: (PictureRecord.Layer, Int) -> Key) {
      var places: [Key: [Int]] = [:]
      for item in openAfter.reversed() { places[key(after, item), default: []].append(item) }
      var (left, used) = ([Int](), Set<Int>())
      for item in openBefore {
        if let found = places[key(before, item)]?.popLast() {
          pairs.append((item, found))
          used.insert(found)
        } else {
          left.append(item)
        }
      }
      openBefore = left
      openAfter.removeAll { used.contains($0) }
    }
    match { layer, item in Key(layer, item, hasID: true, hasContent: true) }
    match { layer, item in Key(layer, item, hasID: false, hasContent: true) }
    match { layer, item in Key(layer, item, hasID: false, hasContent: true, hasText: layer.isLabels) }
    if after.isLabels {
      match { layer, item in Key(layer, item, hasID: true, hasContent: false, isByText: true) }
    }
    match { layer, item in Key(layer, item, hasID: true, hasContent: false) }
    (lost, gained) = (openBefore, openAfter)
  }

  private struct Key: Hashable {
    let id: Int64?
    let look: PictureRecord.Look?
    let place: [Int]
    let text: String

    init(
      _ layer: PictureRecord.Layer, _ index: Int, hasID: Bool, hasContent: Bool, hasText: Bool = true,
      isByText: Bool = false
    ) {
      let item = layer.items[index]
      id = hasID ? item.id : nil
      look = hasContent ? layer.looks[item.look] : nil
      place = hasContent ? item.place.map { Int(clamping: max(-1e12, min(1e12, ($0 * 100).rounded()))) } : []
      text = isByText || hasContent && !hasID && hasText ? item.text : ""
    }
  }

  /// The pairs whose painting order changed: those that moved below another item.
  var reordered: [(before: Int, after: Int)] {
    var highest = -1
    return pairs.sorted { $0.before < $1.before }.filter { pair in
      defer { highest = max(highest, pair.after) }
      return pair.after < highest
    }
  }
}

extension PictureRecord.Item {
  /// Returns the largest difference to another item along an axis.
  func distance(to other: PictureRecord.Item) -> Double {
    guard place.count == other.place.count else { return .infinity }
    return zip(place, other.place).map { abs($0 - $1) }.max() ?? 0
  }
}

extension PictureRecord.Layer {
  /// Returns the display name of an item's class; nil for the class of a simple renderer without a label.
  func className(of item: PictureRecord.Item) -> String? { className(ofIndex: looks[item.look].classIndex) }

  /// Returns the display name of a class by its index, -1 for the default symbol; nil for layers of a style.
  func className(ofIndex index: Int) -> String? {
    if index < 0 { return definition == .null && classes.isEmpty ? nil : "default" }
    guard classes.indices.contains(index), !classes[index].isEmpty else {
      return classes.count > 1 ? "\(index)" : nil
    }
    return classes[index]
  }

  /// Whether the items are of a layer of a style or a part of a page; without ids, their features are not counted.
  var isOfStyle: Bool { definition == .null && items.allSatisfy { $0.id == 0 } }

  /// The indexes of the classes with at least one item.
  var drawnClasses: Set<Int> { Set(Set(items.map(\.look)).map { looks[$0].classIndex }) }

  /// Returns the bounding box of an item in pixels, as far as it is known.
  func box(of item: PictureRecord.Item) -> (left: Double, top: Double, right: Double, bottom: Double) {
    if item.place.count >= 4 { return (item.place[0], item.place[1], item.place[2], item.place[3]) }
    // For a marker, the size is the second word of its style; a margin covers the outline.
    let words = looks[item.look].text.split(separator: " ")
    let half = (words.count > 1 ? Double(words[1]) ?? 0 : 0) / 2 + 2
    return (item.place[0] - half, item.place[1] - half, item.place[0] + half, item.place[1] + half)
  }
}
