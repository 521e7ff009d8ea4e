/// The columns or rows of an icon: parts of the image that are stretched, and parts that keep their size.
///
/// - Source: MapLibre GL JS 5.
struct ImageAxis {
  /// The ends of the parts: the position in the image in its pixels, and in the icon in CSS pixels from the anchor.
  private(set) var ends: [(source: Double, position: Double)] = []

  /// The first and the last position.
  var start: Double { ends.first?.position ?? 0 }
  var end: Double { ends.last?.position ?? 0 }

  /// Creates an axis of an image that is stretched as a whole.
  init(length: Double, from start: Double, to end: Double) {
    ends = [(0, start), (length, end)]
  }

  /// Creates an axis of an image that is fitted to a text.
  ///
  /// - Parameters:
  ///   - length: the length in pixels of the image.
  ///   - zones: the parts that stretch; nil for all.
  ///   - content: the part that is between `start` and `end`; nil for all.
  ///   - size: the factor of all lengths but those that keep their size.
  init(
    length: Double, zones: [Range<Double>]?, content: Range<Double>?, from start: Double, to end: Double,
    pixelRatio: Double, size: Double
  ) {
    let zones = zones ?? [0..<length]
    let stretched = Self.stretched(zones, in: 0..<length)
    let content = content ?? 0..<length
    let before = Self.stretched(zones, in: 0..<max(content.lowerBound, 0))
    let inside = Self.stretched(zones, in: content)
    let fixedInside = content.upperBound - content.lowerBound - inside
    let width = end - start
    // An icon is never so small that its fixed parts overlap.
    let factor = width > 0 ? max(size, fixedInside / pixelRatio / width) : size
    func position(_ source: Double) -> Double {
      let own = Self.stretched(zones, in: 0..<max(source, 0))
      // Without a part that stretches, the content is moved as a whole.
      let share = inside > 0 ? (own - before) / inside : 0
      let fixed = (source - own) - (content.lowerBound - before)
      let shift = stretched > 0 ? fixedInside * own / stretched : 0
      return (share * width + start) * factor + (fixed - shift) / pixelRatio
    }
    var cuts: Set<Double> = [0, length]
    for zone in zones { cuts.formUnion([zone.lowerBound, zone.upperBound]) }
    for cut in cuts.sorted() { ends.append((cut, max(position(cut), ends.last?.position ?? -.infinity))) }
  }

  /// Returns the length of the zones inside a range.
  private static func stretched(_ zones: [Range<Double>], in range: Range<Double>) -> Double {
    zones.reduce(0) {
      $0 + max(0, min($1.upperBound, range.upperBound) - max($1.lowerBound, range.lowerBound))
    }
  }

  /// Returns the position in the image for the middle of each of some pixels between the ends.
  func sources(count: Int) -> [Double] {
    var part = 1
    return (0..<count).map { pixel in
      let position = start + (Double(pixel) + 0.5) / Double(count) * (end - start)
      while part < ends.count - 1, ends[part].position <= position { part += 1 }
      let (a, b) = (ends[part - 1], ends[part])
      let share = b.position > a.position ? (position - a.position) / (b.position - a.position) : 0
      return a.source + min(max(share, 0), 1) * (b.source - a.source)
    }
  }
}
