/// The items of a record by their number, counted from 1, and the feature of each item.
struct ItemOwners {
  private var layers: [(layer: PictureRecord.Layer, first: Int, isOfStyle: Bool)] = []
  private var features: [Int] = [0]
  /// The left and upper side of the map.
  private let origin: (x: Double, y: Double)

  init(_ details: PictureDetails) {
    let sides = details.record.mapOrigin ?? [0, 0]
    origin = (Double(sides[0]), Double(sides[1]))
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

  /// Returns the box of an item, in pixels of the image.
  func box(_ number: Int) -> (left: Double, top: Double, right: Double, bottom: Double)? {
    guard let (layer, item, _) = item(number) else { return nil }
    let box = layer.box(of: item)
    // The parts of a page have their places on it.
    let (x, y) = layer.isPart ? (0, 0) : origin
    return (box.left + x, box.top + y, box.right + x, box.bottom + y)
  }
}
