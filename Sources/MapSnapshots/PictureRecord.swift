import MapJSON

/// What a picture is made of, without its pixels: the view, the funnel of each layer, and an item for each symbol,
/// path and label with the feature that it stands for.
///
/// Kept beside a reference, so that a later picture's changes can be named without the earlier documents and data.
struct PictureRecord: Hashable, Sendable {
  /// Something that is painted.
  struct Item: Hashable, Sendable {
    /// The feature's object id.
    let id: Int64
    /// Index into the layer's looks.
    let look: Int
    /// Where it is, in pixels: a place, or the sides of its box and what else tells shapes apart.
    let place: [Double]
    /// A text that tells people the feature: a label's own, or a value of it; may be empty.
    let text: String
  }

  /// How items of a class look.
  struct Look: Hashable, Sendable {
    /// The renderer's class, -1 for its default symbol; for labels the class of labels.
    let classIndex: Int
    /// Shape, sizes and colours, as display lists are dumped.
    let text: String
  }

  /// The symbols of a layer, or its labels.
  struct Layer: Hashable, Sendable {
    /// Title or id.
    let name: String
    /// True for labels.
    let isLabels: Bool
    let opacity: Double
    /// The names of the classes for people.
    let classes: [String]
    let looks: [Look]
    /// In painting order.
    let items: [Item]
    /// The stages of the filter funnel, in order; none for labels.
    let funnel: [(name: String, count: Int)]

    static func == (a: Layer, b: Layer) -> Bool {
      a.name == b.name && a.isLabels == b.isLabels && a.opacity == b.opacity && a.classes == b.classes
        && a.looks == b.looks && a.items == b.items && a.counts == b.counts
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(items)
    }

    /// The funnel's counts.
    var counts: [Int] { funnel.map(\.count) }
  }

  /// Tells the pixels, so that a picture exchanged without its record is found out.
  let pixels: String
  let width: Int
  let height: Int
  let background: String
  let basemap: String
  /// xmin, ymin, xmax, ymax of the view in the map's reference.
  let extent: [Double]
  let rotation: Double
  /// The layers in painting order, then the labels of each.
  let layers: [Layer]
}

/// A hash of bytes that stays the same from run to run and machine to machine.
package enum StableHash {
  /// FNV-1a of 64 bits over words of eight bytes, as 16 hexadecimal digits.
  ///
  /// - Source: Fowler, Noll and Vo; ours: words for bytes, eight times quicker.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let span = bytes.span
    var at = 0
    while at + 8 <= span.count {
      var word: UInt64 = 0
      for index in 0..<8 { word |= UInt64(span[at &+ index]) << UInt64(8 &* index) }
      hash = (hash ^ word) &* 0x100_0000_01B3
      // Without this the high bits of a word never reach the low bits of the hash.
      hash ^= hash >> 32
      at += 8
    }
    while at < span.count {
      hash = (hash ^ UInt64(span[at])) &* 0x100_0000_01B3
      at += 1
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
