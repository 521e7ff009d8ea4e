import MapImages
import MapState

extension SnapshotCase {
  /// The largest numbers of classes and of features that are changed to measure a tolerance.
  private static let (largestClassCount, largestFeatureCount) = (4, 40)

  /// Returns the largest changes of the reference image that the tolerance and the masks would hide, in one line; nil for
  /// the default tolerance without masks.
  ///
  /// - Cost: some 70 comparisons of images.
  /// - Throws: `MapStateError` if the image of a mask cannot be read.
  func hiddenChanges(in reference: SnapshotReference) throws(MapStateError) -> String? {
    guard tolerance.isWiderThanUsual || !masks.isEmpty else { return nil }
    let (picture, owners) = (reference.picture, reference.details.owners)
    guard ImageSize(picture) == ImageSize(owners) else { return nil }
    let mask = try mask(ImageSize(picture))
    func isHidden(_ changed: Bitmap) -> Bool {
      switch ImageComparison(expected: picture, actual: changed, metric: tolerance.metric, mask: mask) {
      case .same: true
      case .differs(let difference): tolerance.allows(difference)
      case .sizeDiffers: false
      }
    }
    let pixels = OwnedPixels(reference.details)
    var hidden: [String] = []
    for (name, own) in pixels.classes.prefix(Self.largestClassCount) {
      let largest = Self.largestStep { step in isHidden(picture.shifting(own, by: step)) }
      guard largest > 0 else { continue }
      hidden.append(
        "a colour of \(name) that changes by \(largest == 255 ? "any amount" : "up to \(largest) of 255")")
    }
    let background = picture.commonColor
    let missing = pixels.features.prefix(Self.largestFeatureCount).first { own in
      isHidden(picture.filling(own.pixels, with: background))
    }
    if let missing {
      hidden.append("a missing feature of \(missing.pixels.count) pixels, such as \(missing.name)")
    }
    let words = masks.isEmpty ? "the tolerance hides" : "the tolerance and the masks hide"
    let scope = comparesRecord ? " in drawing; the record still shows changes of styles and data" : ""
    return hidden.isEmpty
      ? "\(words) no planted change"
      : "\(words) \(hidden.joined(separator: ", ")),\(scope.isEmpty ? " whatever its cause" : scope)"
  }

  /// Returns the largest step from 1 to 255 for which a condition holds that holds for all smaller ones; 0 for none.
  private static func largestStep(_ holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, 256)
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return low
  }
}

/// The pixels of an image by their classes and features, those with most pixels first.
private struct OwnedPixels {
  private(set) var classes: [(name: String, pixels: [Int])] = []
  private(set) var features: [(name: String, pixels: [Int])] = []

  init(_ details: PictureDetails) {
    let owners = ItemOwners(details)
    var (byClass, byFeature) = ([String: [Int]](), [String: [Int]]())
    for pixel in 0..<details.owners.width * details.owners.height {
      guard let feature = owners.feature(PictureDetails.owner(in: details.owners, at: pixel)),
        let (layer, item, _) = owners.item(feature)
      else { continue }
      let name = [layer.name, layer.className(of: item)].compactMap { $0 }.joined(separator: " › ")
      byClass[name, default: []].append(pixel)
      byFeature["\(item.id) in \(layer.name)", default: []].append(pixel)
    }
    func sorted(_ all: [String: [Int]]) -> [(name: String, pixels: [Int])] {
      all.map { ($0.key, $0.value) }.sorted { (-$0.1.count, $0.0) < (-$1.1.count, $1.0) }
    }
    (classes, features) = (sorted(byClass), sorted(byFeature))
  }
}

extension Bitmap {
  /// Returns the image with the red of some pixels changed, away from the nearer end of the range.
  fileprivate func shifting(_ pixels: [Int], by step: Int) -> Bitmap {
    var image = self
    for pixel in pixels {
      let (x, y) = (pixel % width, pixel / width)
      var color = image[x, y]
      let red = Int(color.red)
      color.red = UInt8(max(0, min(255, red < 128 ? red + step : red - step)))
      image[x, y] = color
    }
    return image
  }

  fileprivate func filling(_ pixels: [Int], with color: PixelColor) -> Bitmap {
    var image = self
    for pixel in pixels { image[pixel % width, pixel / width] = color }
    return image
  }

  /// The most common colour of a grid of pixels.
  var commonColor: PixelColor {
    var counts: [PixelColor: Int] = [:]
    for y in stride(from: 0, to: height, by: max(1, height / 64)) {
      for x in stride(from: 0, to: width, by: max(1, width / 64)) { counts[self[x, y], default: 0] += 1 }
    }
    // Of equally common colours, the same one counts in every run.
    func order(_ color: PixelColor) -> [UInt8] { [color.red, color.green, color.blue, color.alpha] }
    return counts.max { a, b in
      a.value != b.value ? a.value < b.value : order(a.key).lexicographicallyPrecedes(order(b.key))
    }?.key ?? PixelColor(red: 0, green: 0, blue: 0)
  }
}
