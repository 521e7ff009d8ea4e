/// The items of a record by their number, counted from 1, and the feature of each item.
struct ItemOwners {
  private var layers: [(layer: PictureRecord.Layer, first: Int, isOfStyle: Bool)] = []
  private var features: [Int] = [0]

  init(_ details: PictureDetails) {
    for layer in details.record.layers {
      layers.append((layer, features.count, layer.isOfStyle))
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

  /// Returns an item, its layer and whether it is of a style; nil for a number of no item.
  func item(_ number: Int) -> (layer: PictureRecord.Layer, item: PictureRecord.Item, isOfStyle: Bool)? {
    guard number > 0, number < features.count, let found = layers.last(where: { $0.first <= number }) else {
      return nil
    }
    return (found.layer, found.layer.items[number - found.first], found.isOfStyle)
  }

  /// Returns the box of an item, in pixels.
  func box(_ number: Int) -> (left: Double, top: Double, right: Double, bottom: Double)? {
    item(number).map { $0.layer.box(of: $0.item) }
  }
}
