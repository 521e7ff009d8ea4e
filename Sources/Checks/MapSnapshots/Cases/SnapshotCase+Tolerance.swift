import MapImages
import MapState

/// The largest changes of an image that the tolerance and the masks of a case hide.
struct HiddenChanges {
  /// The changes.
  let texts: [String]
  fileprivate let subject: String
  fileprivate let comparesRecord: Bool

  /// The changes in one line.
  var text: String {
    guard !texts.isEmpty else { return "\(subject) no planted change" }
    let scope =
      comparesRecord
      ? "in drawing; the record still shows changes of styles and data" : "whatever its cause"
    return "\(subject) \(texts.joined(separator: ", ")), \(scope)"
  }
}

extension SnapshotTolerance {
  /// Returns whether an image passes as a changed form of another one.
  fileprivate func hides(_ changed: Bitmap, of picture: Bitmap, _ mask: ImageMask?) -> Bool {
    switch ImageComparison(expected: picture, actual: changed, metric: metric, mask: mask) {
    case .same: true
    case .differs(let difference): allows(difference)
    case .sizeDiffers: false
    }
  }

  /// Returns whether a step of one channel is allowed at every pixel.
  fileprivate func hides(_ step: Int) -> Bool {
    if case .channel(let largest) = metric { step <= Int(largest) } else { false }
  }
}

extension SnapshotCase {
  /// The largest number of classes that are changed to measure a tolerance, and of those that are named.
  private static let (largestClassCount, largestNamedCount) = (48, 4)

  /// Whether the case allows larger differences than the default tolerance.
  var isTolerant: Bool { tolerance.isWiderThanUsual || !masks.isEmpty }

  /// Returns the largest changes of the reference image that the tolerance and the masks would hide; nil for the default
  /// tolerance without masks.
  ///
  /// Changes that the default tolerance hides, too, are left out.
  ///
  /// - Cost: up to some 400 comparisons of images, and at most 100 of an image with few classes.
  /// - Throws: `MapStateError` if the image of a mask cannot be read.
  func hiddenChanges(in reference: SnapshotReference) throws(MapStateError) -> HiddenChanges? {
    guard isTolerant else { return nil }
    let (picture, owners) = (reference.picture, reference.details.owners)
    guard ImageSize(picture) == ImageSize(owners) else { return nil }
    let mask = try mask(ImageSize(picture))
    func isHidden(_ changed: Bitmap) -> Bool { tolerance.hides(changed, of: picture, mask) }
    let pixels = OwnedPixels(reference.details)
    // A class with few pixels may be hidden as a whole.
    let half = Self.largestClassCount / 2
    let classes =
      pixels.classes.count <= 2 * half
      ? pixels.classes : pixels.classes.prefix(half) + pixels.classes.suffix(half)
    let steps = classes.map { name, own in
      (name: name, step: Self.largestStep { step in isHidden(picture.shifting(own, by: step)) })
    }
    let usual = Self.largestStep { step in SnapshotTolerance().hides(step) }
    let hidden = steps.filter { $0.step > usual }.enumerated().sorted {
      ($1.element.step, $0.offset) < ($0.element.step, $1.offset)
    }.map(\.element)
    var texts = hidden.prefix(Self.largestNamedCount).map { name, step in
      "a colour of \(name) that changes by \(step == 255 ? "any amount" : "up to \(step) of 255")"
    }
    if hidden.count > texts.count {
      texts.append("colours of \(hidden.count - texts.count) other classes")
    }
    let background = picture.commonColor
    if let missing = pixels.largestFeature(
      under: mask,
      where: { own in
        let changed = picture.filling(own, with: background)
        return (isHidden(changed), !SnapshotTolerance().hides(changed, of: picture, nil))
      })
    {
      texts.append("a missing feature of \(missing.pixels.count) pixels, such as \(missing.name)")
    }
    return HiddenChanges(
      texts: texts, subject: masks.isEmpty ? "the tolerance hides" : "the tolerance and the masks hide",
      comparesRecord: comparesRecord)
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

  /// The number of features, larger than the one that is found, that are tried as well.
  private static let largestTrialCount = 24

  /// Returns the largest feature found whose change is hidden and could be seen.
  ///
  /// Fewer pixels hide more, so half of the features are left out at a time. Those that a mask covers, and some larger
  /// ones, are tried besides.
  func largestFeature(
    under mask: ImageMask?, where change: (_ pixels: [Int]) -> (isHidden: Bool, isVisible: Bool)
  ) -> (name: String, pixels: [Int])? {
    var (low, high) = (0, features.count)
    while low < high {
      let middle = (low + high) / 2
      if change(features[middle].pixels).isHidden { high = middle } else { low = middle + 1 }
    }
    var covered: [Int] = []
    if let mask {
      let found = features.indices.lazy.filter { index in
        features[index].pixels.allSatisfy { mask.allowed[$0] > 0 }
      }
      covered = Array(found.prefix(Self.largestTrialCount))
    }
    let trials =
      covered
      + Array(max(0, low - Self.largestTrialCount)..<min(features.count, low + Self.largestTrialCount))
    return trials.sorted().first { index in
      let found = change(features[index].pixels)
      return found.isHidden && found.isVisible
    }.map { features[$0] }
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
