/// The colours of an image, at most as many as a palette has places, and the place of each pixel's colour.
///
/// An image with no more colours keeps them exactly. Otherwise the colours are cut into boxes: the box whose colours
/// differ most is cut where its two halves differ least, until the places are used up. Nothing is dithered, so that
/// areas of one colour stay so.
///
/// - Source: P. Heckbert, Color image quantization for frame buffer display, 1982; X. Wu, Efficient statistical
///   computations for optimal color quantization, 1991, for the choice of the cuts.
struct ImagePalette {
  /// The number of places of a palette.
  static let places = 256

  /// The colours as red, green and blue from the third byte down; one place is left if pixels are transparent.
  private(set) var colors: [UInt32]
  /// The place of each pixel; transparent pixels have the place after the last colour.
  private(set) var indices: [UInt8]
  /// Whether the image has transparent pixels.
  let hasTransparency: Bool

  /// Finds the colours of an image whose pixels are opaque or transparent.
  init(_ image: Bitmap) {
    var known: [UInt32: Int] = [:]
    var (all, counts): ([UInt32], [Int]) = ([], [])
    var pixels = [Int32](repeating: -1, count: image.width * image.height)
    var last: (color: UInt32, place: Int)?
    let bytes = image.pixels.span
    var hasTransparency = false
    for pixel in pixels.indices {
      let at = pixel * 4
      guard bytes[at + 3] != 0 else {
        hasTransparency = true
        continue
      }
      let color = UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2])
      let place: Int
      if let last, last.color == color {
        place = last.place
      } else if let found = known[color] {
        place = found
      } else {
        place = all.count
        known[color] = place
        all.append(color)
        counts.append(0)
      }
      last = (color, place)
      counts[place] += 1
      pixels[pixel] = Int32(place)
    }
    self.hasTransparency = hasTransparency
    let most = hasTransparency ? Self.places - 1 : Self.places
    var places = Array(all.indices)
    colors = all
    if all.count > most { (colors, places) = Self.reduced(all, counts, to: most) }
    let transparent = UInt8(truncatingIfNeeded: colors.count)
    indices = pixels.map { $0 < 0 ? transparent : UInt8(truncatingIfNeeded: places[Int($0)]) }
  }

  /// Returns fewer colours, and the new place of each colour.
  private static func reduced(
    _ all: [UInt32], _ counts: [Int], to most: Int
  ) -> (colors: [UInt32], places: [Int]) {
    var order = Array(all.indices)
    var boxes = [ColorBox(order, all, counts, 0..<order.count)]
    while boxes.count < most {
      guard let widest = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }),
        boxes[widest].spread > 0
      else { break }
      let cut = boxes[widest].cut(&order, all, counts)
      let range = boxes[widest].range
      boxes[widest] = ColorBox(order, all, counts, range.lowerBound..<cut)
      boxes.append(ColorBox(order, all, counts, cut..<range.upperBound))
    }
    var places = [Int](repeating: 0, count: all.count)
    for (place, box) in boxes.enumerated() {
      for index in box.range { places[order[index]] = place }
    }
    return (boxes.map { $0.color(order, all, counts) }, places)
  }
}

/// Some colours of an image: a range of an order of all of them.
private struct ColorBox {
  let range: Range<Int>
  /// The sum of the squared distances of the pixels from their mean colour.
  private(set) var spread = 0.0
  /// The shift of the channel that differs most.
  private var shift: UInt32 = 0

  init(_ order: [Int], _ all: [UInt32], _ counts: [Int], _ range: Range<Int>) {
    self.range = range
    var greatest = -1.0
    for shift: UInt32 in [16, 8, 0] {
      var (count, sum, squares) = (0, 0, 0)
      for index in range {
        let (value, weight) = (Int(all[order[index]] >> shift & 255), counts[order[index]])
        count += weight
        sum += weight * value
        squares += weight * value * value
      }
      let own = Double(squares) - Double(sum) * Double(sum) / Double(count)
      spread += own
      if own > greatest { (greatest, self.shift) = (own, shift) }
    }
  }

  /// Sorts the colours of the box by their widest channel, and returns where the two halves differ least in themselves.
  func cut(_ order: inout [Int], _ all: [UInt32], _ counts: [Int]) -> Int {
    let channel = shift
    order[range].sort {
      let (first, second) = (all[$0] >> channel & 255, all[$1] >> channel & 255)
      // Colours are never equal, so the order is the same in every run.
      return first == second ? all[$0] < all[$1] : first < second
    }
    var (count, sum) = (0, 0)
    for index in range {
      count += counts[order[index]]
      sum += counts[order[index]] * Int(all[order[index]] >> channel & 255)
    }
    var best = (place: range.lowerBound + 1, gain: -1.0)
    var (left, leftSum) = (0, 0)
    for index in range.dropLast() {
      let value = all[order[index]] >> channel & 255
      left += counts[order[index]]
      leftSum += counts[order[index]] * Int(value)
      guard value != all[order[index + 1]] >> channel & 255 else { continue }
      let (right, rightSum) = (count - left, sum - leftSum)
      let gain =
        Double(leftSum) * Double(leftSum) / Double(left) + Double(rightSum) * Double(rightSum) / Double(right)
      if gain > best.gain { best = (index + 1, gain) }
    }
    return best.place
  }

  /// The colour of at least half of the pixels, so that areas keep theirs; otherwise the mean colour.
  func color(_ order: [Int], _ all: [UInt32], _ counts: [Int]) -> UInt32 {
    var (count, most) = (0, range.lowerBound)
    for index in range {
      count += counts[order[index]]
      if counts[order[index]] > counts[order[most]] { most = index }
    }
    guard 2 * counts[order[most]] < count else { return all[order[most]] }
    var color: UInt32 = 0
    for shift: UInt32 in [16, 8, 0] {
      let sum = range.reduce(0) { $0 + counts[order[$1]] * Int(all[order[$1]] >> shift & 255) }
      color |= UInt32((2 * sum + count) / (2 * count)) << shift
    }
    return color
  }
}
