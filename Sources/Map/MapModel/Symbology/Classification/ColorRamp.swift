import MapSystem

/// A series of colours for classes: a published one, or the colours between given ones.
public struct ColorRamp: Hashable, Sendable {
  /// The order in a ramp.
  public enum Kind: String, Hashable, Sendable {
    /// From light to dark, or from dark to light.
    case sequential
    /// From one dark colour through a light middle to another.
    case diverging
    /// Colours without an order, for classes of texts.
    case qualitative
  }

  /// The name, such as `YlGnBu` or `viridis`.
  public private(set) var name: String
  /// The order of the colours.
  public let kind: Kind
  /// Whether its colours are distinguishable with colour blindness.
  ///
  /// - Source: colorbrewer2.org; for viridis and its family their authors.
  public let isColorBlindSafe: Bool
  /// The lists of colours by length; one list of 256 for a continuous ramp, of all colours for a qualitative one, and the
  /// given colours alone.
  private var lists: [[Color]]
  /// Whether ``lists`` are read from their ends.
  private var isReversed = false
  /// Whether the first and the last class have the outer colours, whatever their number.
  private var keepsEnds = false

  /// The largest number of classes with different colours; nil for ramps that have colours between others.
  public var largestCount: Int? { kind == .qualitative ? lists.last?.count : nil }

  /// All ramps: sequential, diverging, continuous and qualitative ones.
  public static let all: [ColorRamp] = Array(tables.utf8).split(separator: 0x0A).compactMap {
    ColorRamp(line: $0)
  }

  /// ColorBrewer's *YlGnBu*, from light to dark, readable in greyscale.
  public static let standard = named("YlGnBu") ?? all[0]

  /// ColorBrewer's *RdBu* in reverse order, from blue through white to red: warm colours are high numbers.
  package static let diverging = named("RdBu_r") ?? all[0]

  /// Creates a ramp that leads from each of its colours to the next; it has no name.
  ///
  /// The first class has the first colour, and the last class the last one. One class has the last colour.
  /// - Parameter colors: the colours; one is the colour of all classes.
  public init(through colors: [Color]) {
    (name, kind, isColorBlindSafe) = ("", .sequential, false)
    (lists, keepsEnds) = ([colors], true)
  }

  /// The end of the names of ramps in reverse order.
  private static let reversal = "_r"

  /// Returns the ramp with a name, whatever its case; nil if there is none.
  ///
  /// `_r` at the end of a name, as in `YlOrRd_r`, is the ramp in reverse order.
  public static func named(_ name: String) -> ColorRamp? {
    let name = name.lowercased()
    if let ramp = all.first(where: { $0.name.lowercased() == name }) { return ramp }
    guard name.hasSuffix(reversal) else { return nil }
    return all.first { $0.name.lowercased() == name.dropLast(reversal.count) }?.reversed
  }

  /// The ramp in reverse order.
  private var reversed: ColorRamp {
    var ramp = self
    (ramp.name, ramp.isReversed) = (name + Self.reversal, true)
    return ramp
  }

  /// ColorBrewer's *YlOrRd*, from light to dark, which replaces ``standard`` on blue or green ground.
  static let alternative = named("YlOrRd") ?? all[0]

  /// Returns the default colours of classes, from the lowest to the highest: those of a ramp without the end that is nearest
  /// to the ground.
  ///
  /// On light ground high classes are dark, and on dark ground light, so that high classes stand out on both.
  ///
  /// - Source: design decision, as maps on dark ground in the field.
  package static func standardColors(
    count: Int, on ground: GroundTone, of ramp: ColorRamp = .standard
  ) -> [Color] {
    guard count > 0 else { return [] }
    if ground == .light { return Array(ramp.colors(count: count + 1).dropFirst()) }
    return ramp.colors(count: count + 1 + count / 6).reversed().suffix(count)
  }

  /// Returns colours for a number of classes.
  ///
  /// For up to 9 classes (11 of a diverging ramp) these are ColorBrewer's own; one or two classes take the outer
  /// colours of three. More classes, and the continuous ramps, take colours at equal distances. A qualitative ramp has
  /// its first colours, which repeat beyond ``largestCount``.
  public func colors(count: Int) -> [Color] {
    isReversed ? ownColors(count: count).reversed() : ownColors(count: count)
  }

  private func ownColors(count: Int) -> [Color] {
    guard count > 0, let longest = lists.last, let last = longest.last else { return [] }
    if kind == .qualitative { return (0..<count).map { longest[$0 % longest.count] } }
    if keepsEnds {
      guard count > 1, longest.count > 1 else { return [Color](repeating: last, count: count) }
      return (0..<count).map { Self.color(at: Double($0) / Double(count - 1), of: longest) }
    }
    if let list = lists.first(where: { $0.count == count }) { return list }
    guard count > 2, lists.count == 1 || count > longest.count else {
      let least =
        lists.count == 1
        ? [Self.color(at: 0.25, of: lists[0]), Self.color(at: 0.75, of: lists[0])] : lists[0]
      return count == 1 ? [least[least.count - 1]] : [least[0], least[least.count - 1]].suffix(count)
    }
    return (0..<count).map { Self.color(at: Double($0) / Double(count - 1), of: longest) }
  }

  /// Reads a line of the tables, by its bytes: the options of the tool read all ramps at each start.
  private init?(line: ArraySlice<UInt8>) {
    let parts = line.split(separator: 0x20)
    guard parts.count == 4, let kind = Kind(rawValue: String(decoding: parts[1], as: UTF8.self)) else {
      return nil
    }
    (name, self.kind) = (String(decoding: parts[0], as: UTF8.self), kind)
    isColorBlindSafe = parts[2].elementsEqual("safe".utf8)
    lists = parts[3].split(separator: UInt8(ascii: "|")).map { list in
      // The digits are 0 to 9 and a to f.
      let digits = list.map { $0 <= 0x39 ? $0 & 15 : ($0 & 15) + 9 }
      return stride(from: 0, to: digits.count - 5, by: 6).map { place in
        Color(
          red: digits[place] << 4 | digits[place + 1], green: digits[place + 2] << 4 | digits[place + 3],
          blue: digits[place + 4] << 4 | digits[place + 5])
      }
    }
  }

  /// Returns the colour at a place from 0 to 1, between the two nearest of a list.
  private static func color(at place: Double, of list: [Color]) -> Color {
    let scaled = place * Double(list.count - 1)
    let index = min(Int(clamping: scaled), list.count - 2)
    let (a, b, part) = (list[index], list[index + 1], scaled - Double(index))
    func mixed(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8(clamping: (Double(a) + (Double(b) - Double(a)) * part).rounded())
    }
    return Color(
      red: mixed(a.red, b.red), green: mixed(a.green, b.green), blue: mixed(a.blue, b.blue),
      alpha: mixed(a.alpha, b.alpha))
  }
}
