extension ArrowArray {
  /// Returns an integer, or the number behind a date or time; unsigned ones of 64 bits by their bits.
  @inline(__always)
  func integer(_ row: Int) -> Int64 {
    switch type {
    case .integer(bits: 8, let isSigned):
      let byte = buffers[0].byte(at: row)
      return isSigned ? Int64(Int8(bitPattern: byte)) : Int64(byte)
    case .integer(bits: 16, let isSigned):
      let word = buffers[0].bits16(at: 2 * row)
      return isSigned ? Int64(Int16(bitPattern: word)) : Int64(word)
    case .integer(bits: 32, isSigned: false):
      return Int64(UInt32(truncatingIfNeeded: buffers[0].int32(at: 4 * row)))
    case .integer(bits: 32, _), .date(isInDays: true), .time(.seconds), .time(.milliseconds):
      return Int64(buffers[0].int32(at: 4 * row))
    default:
      return Int64(buffers[0].int64(at: 8 * row))
    }
  }

  /// Returns a number of 16, 32 or 64 bits.
  @inline(__always)
  func real(_ row: Int) -> Double {
    switch type {
    case .real(bits: 64): Double(bitPattern: UInt64(bitPattern: Int64(buffers[0].int64(at: 8 * row))))
    case .real(bits: 32):
      Double(Float(bitPattern: UInt32(truncatingIfNeeded: buffers[0].int32(at: 4 * row))))
    default: Self.half(buffers[0].bits16(at: 2 * row))
    }
  }

  /// Returns the numbers of some rows, of 16, 32 or 64 bits.
  func reals(_ rows: Range<Int>) -> [Double] {
    guard case .real(let bits) = type, bits > 16 else { return rows.map { real($0) } }
    let (bytes, range) = (buffers[0].bytes, buffers[0].range)
    let source = bytes.span.extracting(range)
    let first = rows.lowerBound
    return bits == 64
      ? Array(count: rows.count, filling: 0) { Double(bitPattern: source.bits64(at: 8 * (first + $0))) }
      : Array(count: rows.count, filling: 0) {
        Double(Float(bitPattern: UInt32(truncatingIfNeeded: source.int32(at: 4 * (first + $0)))))
      }
  }

  /// Returns the signed integers of 32 bits, or the days, of some rows; nil for values of other types.
  func shortIntegers(_ rows: Range<Int>) -> [Int32]? {
    guard type == .integer(bits: 32, isSigned: true) else { return nil }
    let (bytes, range) = (buffers[0].bytes, buffers[0].range)
    let source = bytes.span.extracting(range)
    let first = rows.lowerBound
    return Array(count: rows.count, filling: 0) {
      Int32(truncatingIfNeeded: source.int32(at: 4 * (first + $0)))
    }
  }

  /// Returns the timestamps of some rows in microseconds; nil for finer ones, and if one is outside the years 0001 to 9999.
  func microseconds(_ rows: Range<Int>, _ unit: ArrowUnit) -> [Int64]? {
    guard unit != .nanoseconds else { return nil }
    let (bytes, range) = (buffers[0].bytes, buffers[0].range)
    let source = bytes.span.extracting(range)
    let (first, factor) = (rows.lowerBound, 1_000_000 / unit.perSecond)
    let day = 86_400 * unit.perSecond
    let (least, end) = (-719_162 * day, 2_932_897 * day)
    var areInRange = true
    let found = [Int64](count: rows.count, filling: 0) {
      let value = Int64(source.int64(at: 8 * (first + $0)))
      areInRange = areInRange && value >= least && value < end
      return value &* factor
    }
    return areInRange ? found : nil
  }

  /// Returns the number of a half-precision pattern.
  ///
  /// - Source: IEEE 754, binary16.
  private static func half(_ bits: UInt16) -> Double {
    let (exponent, fraction) = (Int(bits >> 10 & 31), Double(bits & 1023))
    let size =
      switch exponent {
      case 0: fraction * 0x1p-24
      case 31: fraction == 0 ? Double.infinity : .nan
      default: Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
      }
    return bits >> 15 == 1 ? -size : size
  }

  /// Returns the double nearest to a decimal, and whether the decimal has more digits than the double keeps.
  func decimal(_ row: Int, scale: Int) -> (value: Double, isRounded: Bool) {
    let width = type.width ?? 0
    let (bytes, start) = (buffers[0], width * row)
    if width == 4 || width == 8 {
      return Self.decimal(
        unscaled: Int64(width == 4 ? bytes.int32(at: start) : bytes.int64(at: start)), scale: scale)
    }
    var words: [UInt64] = []
    for place in stride(from: start, to: start + width, by: 8) {
      words.append(UInt64(bitPattern: Int64(bytes.int64(at: place))))
    }
    let isNegative = words[words.count - 1] >> 63 == 1
    let low = Int64(bitPattern: words[0])
    if words.dropFirst().allSatisfy({ $0 == (isNegative ? .max : 0) }), (low < 0) == isNegative {
      return Self.decimal(unscaled: low, scale: scale)
    }
    return Self.decimal(words: words, isNegative: isNegative, scale: scale)
  }

  private static let powers = (0...22).reduce(into: [1.0]) { powers, _ in
    powers.append(powers[powers.count - 1] * 10)
  }

  private static func decimal(unscaled: Int64, scale: Int) -> (value: Double, isRounded: Bool) {
    // Both numbers are exact, so that the result is rounded once; 15 digits are always kept.
    if unscaled.magnitude < 1_000_000_000_000_000, scale.magnitude <= 22 {
      let power = powers[Int(scale.magnitude)]
      return (scale < 0 ? Double(unscaled) * power : Double(unscaled) / power, false)
    }
    return decimal(digits: String(unscaled.magnitude), isNegative: unscaled < 0, scale: scale)
  }

  private static func decimal(
    words: [UInt64], isNegative: Bool, scale: Int
  ) -> (value: Double, isRounded: Bool) {
    var words = words
    if isNegative {
      var carry = true
      for index in words.indices {
        words[index] = ~words[index]
        if carry { (words[index], carry) = words[index].addingReportingOverflow(1) }
      }
    }
    // Division by 10^18 gives 18 digits a time.
    var digits = ""
    while words.contains(where: { $0 != 0 }) {
      var rest: UInt64 = 0
      for index in words.indices.reversed() {
        (words[index], rest) = UInt64(1_000_000_000_000_000_000).dividingFullWidth((rest, words[index]))
      }
      let text = String(rest)
      digits = String(repeating: "0", count: 18 - text.count) + text + digits
    }
    return decimal(digits: String(digits.drop { $0 == "0" }), isNegative: isNegative, scale: scale)
  }

  private static func decimal(
    digits: String, isNegative: Bool, scale: Int
  ) -> (value: Double, isRounded: Bool) {
    let value = Double("\(isNegative ? "-" : "")\(digits.isEmpty ? "0" : digits)e\(-scale)") ?? .nan
    func significant(_ text: some StringProtocol) -> String {
      let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
      return String(String(digits.reversed()).drop { $0 == "0" })
    }
    // The shortest text of a double has the digits that it keeps.
    return (value, significant(digits) != significant("\(value)"))
  }
}
