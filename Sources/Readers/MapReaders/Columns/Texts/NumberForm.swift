import MapFeatures
import MapJSON

/// A way to write numbers: a decimal sign, and a sign between groups of three digits.
struct NumberForm: Hashable, Sendable {
  /// The sign between groups of three digits in the whole part.
  enum Grouping: UInt8, CaseIterable {
    case none
    /// The comma where the point is the decimal sign, and the point where the comma is.
    case otherSign
    /// A space, also a no-break or a thin one.
    case space
    case apostrophe
  }

  let decimal: DecimalSign
  let grouping: Grouping

  /// Returns a number as programs write it, with a decimal point and without groups.
  ///
  /// The text must be a number in this form.
  func plain(_ text: Span<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    var place = 0
    while place < text.count {
      let byte = text[place]
      if NumberForms.isDigit(byte) || byte | 0x20 == 0x65 || byte == 0x2D || byte == 0x2B {
        plain.append(byte)
      } else if byte == decimal.byte {
        plain.append(0x2E)
      } else if text.starts(with: NumberForms.minus, at: place) {
        plain.append(0x2D)
        place += NumberForms.minus.count - 1
      }
      place += 1
    }
    return plain
  }
}

/// The forms in which a text is a number, or all texts of a column are.
struct NumberForms: Hashable, Sendable {
  private var bits: UInt8

  private static let all = NumberForms(bits: 0xFF)
  static let none = NumberForms(bits: 0)
  static let minus: [UInt8] = [0xE2, 0x88, 0x92]

  private init(bits: UInt8) { self.bits = bits }

  init(_ form: NumberForm) {
    bits = 1 << ((form.decimal == .comma ? 4 : 0) + form.grouping.rawValue)
  }

  /// All forms with a decimal sign.
  init(_ decimal: DecimalSign) { bits = decimal == .comma ? 0xF0 : 0x0F }

  var isEmpty: Bool { bits == 0 }

  func contains(_ form: NumberForm) -> Bool { bits & NumberForms(form).bits != 0 }

  func intersection(_ other: NumberForms) -> NumberForms { NumberForms(bits: bits & other.bits) }

  /// The form with a decimal sign and the fewest groups; nil if none has this sign.
  func form(_ decimal: DecimalSign) -> NumberForm? {
    NumberForm.Grouping.allCases.lazy.map { NumberForm(decimal: decimal, grouping: $0) }.first(
      where: contains)
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Finds the forms in which a text is a number; none for any other text.
  ///
  /// - Parameter leadingZeros: whether `007` is a number and not a code.
  init(of text: Span<UInt8>, leadingZeros: Bool) {
    guard let parts = Parts(text), leadingZeros || !parts.startsWithZero else {
      self = .none
      return
    }
    self = .none
    for decimal in DecimalSign.allCases { bits |= parts.forms(decimal).bits }
  }

  /// The runs of digits in a number, and the signs between them.
  private struct Parts {
    enum Sign { case point, comma, space, apostrophe }

    /// The lengths of the runs; the first may be 0.
    private var runs: [Int] = []
    private var signs: [Sign] = []
    private var hasExponent = false
    /// Whether the first run is `0` and more digits.
    private(set) var startsWithZero = false

    /// Divides a text; nil for one with other signs than those of numbers.
    init?(_ text: Span<UInt8>) {
      var place = 0
      if text.starts(with: NumberForms.minus, at: 0) {
        place = NumberForms.minus.count
      } else if text.count > 0, text[0] == 0x2D || text[0] == 0x2B {
        place = 1
      }
      let first = place
      while true {
        let start = place
        while place < text.count, NumberForms.isDigit(text[place]) { place += 1 }
        guard place > start || runs.isEmpty, runs.count < 12 else { return nil }
        runs.append(place - start)
        guard place < text.count else { break }
        if text[place] | 0x20 == 0x65 {
          guard place > first, Self.isExponent(text, at: place + 1) else { return nil }
          hasExponent = true
          break
        }
        guard let (sign, length) = Self.sign(text, at: place) else { return nil }
        signs.append(sign)
        place += length
      }
      guard runs.count > 1 || runs[0] > 0 else { return nil }
      startsWithZero = runs[0] > 1 && text[first] == 0x30
      // `0.123.456` has no group that starts a number.
      if runs.count > 2, runs[0] == 0 || text[first] == 0x30 { return nil }
      startsGroupWithZero = runs[0] == 1 && text[first] == 0x30
    }

    private var startsGroupWithZero = false

    private static func isExponent(_ text: Span<UInt8>, at start: Int) -> Bool {
      var place = start
      if place < text.count, text[place] == 0x2B || text[place] == 0x2D { place += 1 }
      let digits = place
      while place < text.count, NumberForms.isDigit(text[place]) { place += 1 }
      return place == text.count && place > digits
    }

    private static func sign(_ text: Span<UInt8>, at place: Int) -> (sign: Sign, length: Int)? {
      switch text[place] {
      case 0x2E: (.point, 1)
      case 0x2C: (.comma, 1)
      case 0x20: (.space, 1)
      case 0x27: (.apostrophe, 1)
      default:
        if text.starts(with: [0xC2, 0xA0], at: place) {
          (.space, 2)
        } else if text.starts(with: [0xE2, 0x80, 0xAF], at: place)
          || text.starts(with: [0xE2, 0x80, 0x89], at: place)
        {
          (.space, 3)
        } else if text.starts(with: [0xE2, 0x80, 0x99], at: place) {
          (.apostrophe, 3)
        } else {
          nil
        }
      }
    }

    /// Returns the forms with a decimal sign.
    func forms(_ decimal: DecimalSign) -> NumberForms {
      guard !signs.isEmpty else { return NumberForms(decimal) }
      let sign: Sign = decimal == .point ? .point : .comma
      if signs == [sign] { return NumberForms(decimal) }
      let groups = signs.last == sign ? signs.dropLast() : signs[...]
      guard let first = groups.first, first != sign, groups.allSatisfy({ $0 == first }), !hasExponent,
        1...3 ~= runs[0], !startsGroupWithZero, runs[1...groups.count].allSatisfy({ $0 == 3 })
      else { return .none }
      let grouping: NumberForm.Grouping =
        switch first {
        case .point, .comma: .otherSign
        case .space: .space
        case .apostrophe: .apostrophe
        }
      return NumberForms(NumberForm(decimal: decimal, grouping: grouping))
    }
  }
}

extension Span<UInt8> {
  /// Whether some bytes are at a place.
  func starts(with bytes: [UInt8], at place: Int) -> Bool {
    guard bytes.count <= count - place else { return false }
    for index in bytes.indices where self[place + index] != bytes[index] { return false }
    return true
  }
}
