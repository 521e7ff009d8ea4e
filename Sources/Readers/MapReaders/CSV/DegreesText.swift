import MapJSON

/// An angle in degrees, minutes and seconds as people write it, such as `52°31'12.5"N`, `N52°31.2'` or `52d31m12s`.
///
/// The last number may have decimals, with a point or a comma. A hemisphere or a sign may be given, not both.
struct DegreesText {
  enum Axis: String { case longitude, latitude }

  /// A text that resembles an angle and is none.
  struct Fault: Error {
    let text: String
  }

  /// The angle in degrees; negative in the west and in the south.
  let degrees: Double

  /// Reads an angle on an axis; nil for a text that does not resemble an angle, such as a plain number.
  ///
  /// - Parameter isGerman: whether `O` is east; otherwise it is refused.
  init?(_ text: Span<UInt8>, _ axis: Axis, isGerman: Bool = false) throws(Fault) {
    var scanner = Scanner(isGerman: isGerman)
    guard scanner.scan(text) else { return nil }
    guard scanner.numbers.count > 1 || scanner.hasMark || scanner.hemisphere != nil else { return nil }
    if scanner.hemisphere == .ambiguous {
      throw Fault(text: "\"O\" means east in German and west in French and Spanish; write E or W")
    }
    if scanner.hasSign, scanner.hemisphere != nil { throw Fault(text: "a sign contradicts a hemisphere") }
    let (degrees, minutes, seconds) = (scanner.number(0), scanner.number(1), scanner.number(2))
    guard minutes < 60, seconds < 60 else { throw Fault(text: "minutes and seconds must be below 60") }
    let isNegative = scanner.isNegative || scanner.hemisphere == .south || scanner.hemisphere == .west
    // Whole degrees and minutes are exact, so the sum and the quotient are rounded once each.
    let magnitude =
      scanner.numbers.count == 1 ? degrees : ((degrees * 60 + minutes) * 60 + seconds) / 3600
    if let own = scanner.hemisphere?.axis, own != axis {
      throw Fault(text: "a \(own) in the column of a \(axis); name the columns with --x and --y")
    }
    let most = axis == .latitude ? 90 : 180
    guard magnitude <= Double(most) else { throw Fault(text: "a \(axis) has at most \(most) degrees") }
    self.degrees = isNegative ? -magnitude : magnitude
  }

  private enum Hemisphere {
    case north, south, east, west, ambiguous

    var axis: Axis? {
      switch self {
      case .north, .south: .latitude
      case .east, .west: .longitude
      case .ambiguous: nil
      }
    }
  }

  private struct Scanner {
    private let isGerman: Bool
    private(set) var numbers: [Double] = []
    private(set) var hemisphere: Hemisphere?
    private(set) var hasMark = false
    private(set) var hasSign = false
    private(set) var isNegative = false
    private var hasLetters = false
    private var hasDecimals = false
    private var place = 0

    init(isGerman: Bool) { self.isGerman = isGerman }

    func number(_ index: Int) -> Double { index < numbers.count ? numbers[index] : 0 }

    /// Reads the whole text; false if it is not made like an angle.
    mutating func scan(_ text: Span<UInt8>) -> Bool {
      skipBlanks(text)
      takeHemisphere(text)
      skipBlanks(text)
      takeSign(text)
      while numbers.count < 3, takeNumber(text) {
        skipBlanks(text)
        guard takeMark(text) else { return false }
        skipBlanks(text)
      }
      if hemisphere == nil {
        takeHemisphere(text)
        skipBlanks(text)
      }
      return place == text.count && !numbers.isEmpty
    }

    private mutating func skipBlanks(_ text: Span<UInt8>) {
      while place < text.count {
        if text[place] == 0x20 || text[place] == 0x09 {
          place += 1
        } else if text.starts(with: [0xC2, 0xA0], at: place) {
          place += 2
        } else {
          return
        }
      }
    }

    private mutating func take(_ marks: [String], _ text: Span<UInt8>) -> Bool {
      for mark in marks where text.starts(with: Array(mark.utf8), at: place) {
        place += mark.utf8.count
        return true
      }
      return false
    }

    private mutating func takeSign(_ text: Span<UInt8>) {
      if take(["-", "\u{2212}"], text) {
        (hasSign, isNegative) = (true, true)
      } else if take(["+"], text) {
        hasSign = true
      }
    }

    private mutating func takeHemisphere(_ text: Span<UInt8>) {
      guard place < text.count else { return }
      switch text[place] & 0xDF {
      case UInt8(ascii: "N"): hemisphere = .north
      case UInt8(ascii: "S"): hemisphere = .south
      case UInt8(ascii: "E"): hemisphere = .east
      case UInt8(ascii: "W"): hemisphere = .west
      case UInt8(ascii: "O"): hemisphere = isGerman ? .east : .ambiguous
      default: return
      }
      place += 1
    }

    /// Reads the next number; only the last one may have decimals.
    private mutating func takeNumber(_ text: Span<UInt8>) -> Bool {
      let start = place
      while place < text.count, NumberForms.isDigit(text[place]) { place += 1 }
      guard place > start, !hasDecimals, place - start <= 3 else {
        place = start
        return false
      }
      var digits = (start..<place).map { text[$0] }
      if place + 1 < text.count, text[place] == 0x2E || text[place] == 0x2C,
        NumberForms.isDigit(text[place + 1])
      {
        hasDecimals = true
        digits.append(0x2E)
        place += 1
        while place < text.count, NumberForms.isDigit(text[place]) {
          digits.append(text[place])
          place += 1
        }
      }
      guard let literal = DecimalLiteral(loose: digits, at: 0), literal.end == digits.count else {
        return false
      }
      numbers.append(literal.double(in: digits))
      return true
    }

    /// Reads the mark after a number, if there is one; false for the mark of another number.
    private mutating func takeMark(_ text: Span<UInt8>) -> Bool {
      let signs = [
        ["°", "º", "˚"], ["'", "′", "’", "‘", "´", "`"], ["\"", "″", "”", "“", "''", "′′", "’’", "´´"],
      ]
      let letters = [["degrees", "deg", "d", "D"], ["min", "m", "M"], ["sec", "s", "S"]]
      let index = numbers.count - 1
      // In order, so that '' after seconds is not a minute.
      if take(signs[index], text) {
        hasMark = true
        return true
      }
      // After degrees without a letter, S is the hemisphere.
      if index == 0 || hasLetters, take(letters[index], text) {
        (hasMark, hasLetters) = (true, true)
        return true
      }
      if place < text.count, text[place] == 0x3A {
        guard index < 2, place + 1 < text.count, NumberForms.isDigit(text[place + 1]) else { return false }
        place += 1
        return true
      }
      return !(0..<3).contains { other in
        other != index && signs[other].contains { text.starts(with: Array($0.utf8), at: place) }
      }
    }
  }
}
