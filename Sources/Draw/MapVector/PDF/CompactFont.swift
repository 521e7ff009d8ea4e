import MapDrawing
import MapSystem

/// A font program in the Compact Font Format, whose glyphs have numbers instead of names.
///
/// - Source: Adobe Technical Notes 5176 (the Compact Font Format) and 5177 (Type 2 charstrings).
enum CompactFont {
  /// The units of an em.
  static let em = 1_000.0
  /// The largest distance of a coordinate from the origin, in units: 32 ems.
  private static let limit = 32_000.0

  /// A glyph.
  struct Glyph {
    /// The steps of its outline, after its width.
    let charstring: [UInt8]
    /// The distance to the next glyph, in units.
    let width: Int
    /// The box of its points, in units.
    let box: (left: Int, bottom: Int, right: Int, top: Int)
  }

  /// Returns a glyph; nil if it is too large.
  ///
  /// - Parameters:
  ///   - steps: its outline in ems, y up.
  ///   - width: its width in units; nil for as much space after its ink as before it.
  static func glyph(_ steps: [GlyphOutline.Step], width: Int? = nil) -> Glyph? {
    var path = Charstring()
    for step in steps {
      switch step {
      case .move(let x, let y): path.move(x, y)
      case .line(let x, let y): path.line(x, y)
      case .curve(let x1, let y1, let x2, let y2, let x, let y): path.curve(x1, y1, x2, y2, x, y)
      case .close: break
      }
    }
    guard path.isSound else { return nil }
    let own = width ?? min(max(0, path.box.right + max(0, path.box.left)), 32_000)
    let bytes = number(own) + path.finished
    return bytes.count < 1 << 16 ? Glyph(charstring: bytes, width: own, box: path.box) : nil
  }

  /// The steps of an outline while they are written, as differences.
  private struct Charstring {
    private var bytes: [UInt8] = []
    /// The numbers of lines or of curves that wait for their operator.
    private var waiting: [UInt8] = []
    private var (count, operation): (Int, UInt8) = (0, 0)
    private var last = (x: 0, y: 0)
    private(set) var isSound = true
    private(set) var box = (left: 0, bottom: 0, right: 0, top: 0)
    private var isEmpty = true

    var finished: [UInt8] {
      var copy = self
      copy.flush()
      return copy.bytes + [14]
    }

    mutating func move(_ x: Double, _ y: Double) {
      flush()
      append(x, y)
      bytes += waiting + [21]
      (waiting, count) = ([], 0)
    }

    mutating func line(_ x: Double, _ y: Double) {
      begin(5)
      append(x, y)
    }

    mutating func curve(
      _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double, _ y: Double
    ) {
      begin(8)
      append(x1, y1)
      append(x2, y2)
      append(x, y)
    }

    /// Begins a line or curve; an operator takes up to 48 numbers.
    private mutating func begin(_ next: UInt8) {
      if operation != next || count > 40 { flush() }
      operation = next
    }

    private mutating func flush() {
      if count > 0 { bytes += waiting + [operation] }
      (waiting, count, operation) = ([], 0, 0)
    }

    private mutating func append(_ x: Double, _ y: Double) {
      let (right, up) = ((x * CompactFont.em).rounded(), (y * CompactFont.em).rounded())
      // This comparison is false for NaN.
      guard abs(right) <= CompactFont.limit, abs(up) <= CompactFont.limit else {
        isSound = false
        return
      }
      let place = (x: Int(clamping: right), y: Int(clamping: up))
      let (dx, dy) = (place.x - last.x, place.y - last.y)
      if abs(dx) > 32_767 || abs(dy) > 32_767 { isSound = false }
      waiting += CompactFont.number(dx)
      waiting += CompactFont.number(dy)
      count += 2
      box =
        isEmpty
        ? (place.x, place.y, place.x, place.y)
        : (min(box.left, place.x), min(box.bottom, place.y), max(box.right, place.x), max(box.top, place.y))
      (last, isEmpty) = (place, false)
    }
  }

  /// Returns the program of a font.
  ///
  /// - Parameter glyphs: the glyphs by their numbers; the first replaces missing ones.
  static func program(_ glyphs: [Glyph], name: String, box: [Int]) -> [UInt8] {
    let count = glyphs.count
    // All glyphs but the first, with the numbers from 1 on.
    let charset: [UInt8] = count > 1 ? [2] + two(1) + two(count - 2) : [0]
    let choice: [UInt8] = [3] + two(1) + two(0) + [0] + two(count)
    let outlines = index(glyphs.map(\.charstring))
    // The default width.
    let own: [UInt8] = number(0) + [20]
    let header: [UInt8] = [1, 0, 4, 4]
    let names = index([Array(name.utf8)])
    let strings = index([Array("Adobe".utf8), Array("Identity".utf8)])
    func top(_ charsetAt: Int, _ choiceAt: Int, _ outlinesAt: Int, _ fontsAt: Int) -> [UInt8] {
      // The registry and the ordering of the glyphs' numbers are the two strings.
      let parts: [[UInt8]] = [
        number(391), number(392), number(0), [12, 30], box.flatMap { number($0) }, [5], number(count),
        [12, 34],
        wide(charsetAt), [15], wide(choiceAt), [12, 37], wide(outlinesAt), [17], wide(fontsAt), [12, 36],
      ]
      return parts.flatMap { $0 }
    }
    // Positions have the same number of bytes, whatever they are.
    let topSize = index([top(0, 0, 0, 0)]).count
    let charsetAt = header.count + names.count + topSize + strings.count + 2
    let choiceAt = charsetAt + charset.count
    let outlinesAt = choiceAt + choice.count
    let ownAt = outlinesAt + outlines.count
    let fonts = index([number(own.count) + wide(ownAt) + [18]])
    let dictionary = index([top(charsetAt, choiceAt, outlinesAt, ownAt + own.count)])
    // There are no subroutines.
    let parts = [header, names, dictionary, strings, [0, 0], charset, choice, outlines, own, fonts]
    return parts.flatMap { $0 }
  }

  /// Returns a list of data.
  private static func index(_ items: [[UInt8]]) -> [UInt8] {
    var result = two(items.count) + [4]
    var end = 1
    result += four(end)
    for item in items {
      end += item.count
      result += four(end)
    }
    for item in items { result += item }
    return result
  }

  private static func two(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  private static func four(_ value: Int) -> [UInt8] { two(value >> 16) + two(value) }

  /// Returns a number of a dictionary in five bytes.
  private static func wide(_ value: Int) -> [UInt8] { [29] + four(value) }

  /// Returns a number of 16 bits, for a dictionary or a charstring.
  private static func number(_ value: Int) -> [UInt8] {
    switch value {
    case -107...107: [UInt8(truncatingIfNeeded: value + 139)]
    case 108...1_131:
      [
        UInt8(truncatingIfNeeded: (value - 108) >> 8 + 247), UInt8(truncatingIfNeeded: value - 108),
      ]
    case -1_131 ... -108:
      [
        UInt8(truncatingIfNeeded: (-value - 108) >> 8 + 251), UInt8(truncatingIfNeeded: -value - 108),
      ]
    default: [28] + two(value)
    }
  }
}
