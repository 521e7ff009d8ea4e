extension JSONScanner {
  /// Reads elements of the open array that are arrays of two plain numbers, up to the room of the outputs.
  ///
  /// Stops before the first element of another form and before the end of the array, where ``nextElement()`` continues.
  /// A plain number is followed by a comma, a bracket or whitespace, has at most 19 digits and no exponent, and is not
  /// among the last 64 bytes. The values are those of ``DecimalLiteral/double(in:)``, and finite.
  ///
  /// - Cost: about 340 instructions per element of two numbers of six digits; the general path takes 1000 (Swift 6.3.1, x86-64).
  package mutating func readPairs(_ first: inout OutputSpan<Double>, _ second: inout OutputSpan<Double>) {
    // A copy of the reference, because the span would borrow the whole scanner.
    let array = bytes
    let bytes = array.span
    // Beyond the limit, the general path reports the bracket.
    guard depth < Self.depthLimit else { return }
    while !first.isFull, !second.isFull {
      var place = offset
      if !isAtFirst, !Self.skip(0x2C, bytes, &place) { return }
      guard Self.skip(0x5B, bytes, &place), let x = Self.plainNumber(bytes, &place) else { return }
      guard Self.skip(0x2C, bytes, &place), let y = Self.plainNumber(bytes, &place) else { return }
      guard Self.skip(0x5D, bytes, &place) else { return }
      first.append(x)
      second.append(y)
      (offset, isAtFirst) = (place, false)
    }
  }

  /// Moves past whitespace and a byte; returns false if another byte follows.
  @inline(__always)
  private static func skip(_ byte: UInt8, _ bytes: Span<UInt8>, _ place: inout Int) -> Bool {
    skipSpaces(bytes, &place)
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  @inline(__always)
  private static func skipSpaces(_ bytes: Span<UInt8>, _ place: inout Int) {
    // Most tokens follow each other without a space.
    if place < bytes.count, bytes[place] <= 0x20 { place = endOfSpaces(bytes, from: place) }
  }

  @inline(never)
  private static func endOfSpaces(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      place += 1
    }
    return place
  }

  /// Moves past whitespace and a plain number, and returns its value; nil for another form.
  @inline(__always)
  private static func plainNumber(_ bytes: Span<UInt8>, _ place: inout Int) -> Double? {
    skipSpaces(bytes, &place)
    guard place < bytes.count - 64 else { return nil }
    // The longest plain number and the word after it are inside the window, which needs no other check of bounds.
    let window = bytes.extracting(place..<place + 64)
    let isNegative = window[0] == 0x2D
    let start = isNegative ? 1 : 0
    var (value, end) = (UInt64(0), start)
    while end < 21, window[end] &- 0x30 < 10 {
      value = value &* 10 &+ UInt64(window[end] &- 0x30)
      end &+= 1
    }
    let whole = end &- start
    guard whole > 0, whole == 1 || window[start] != 0x30 else { return nil }
    var decimals = 0
    if window[end] == 0x2E {
      end &+= 1
      while true {
        let word = ByteWord(window, at: end)
        let count = word.digitCount
        value = value &* DecimalLiteral.powersOfTen[count] &+ word.number(ofDigits: count)
        decimals &+= count
        end &+= count
        // At 20 digits the number is not plain.
        guard count == ByteWord.size, whole &+ decimals < 20 else { break }
      }
      guard decimals > 0 else { return nil }
    }
    guard whole &+ decimals < 20 else { return nil }
    place &+= end
    let magnitude: Double
    if value < 1 << 53, decimals < 16 {
      // Both operands are exact as doubles: one operation rounds once, as in the general path, which is a call.
      let power = Int64(bitPattern: DecimalLiteral.powersOfTen[decimals])
      magnitude = Double(Int64(bitPattern: value)) / Double(power)
    } else {
      magnitude = DecimalLiteral.magnitude(value, -decimals) ?? .nan
    }
    return isNegative ? -magnitude : magnitude
  }
}

extension ByteWord {
  /// The number of digits before the first other byte.
  @inline(__always)
  fileprivate var digitCount: Int {
    let values = bits ^ 0x3030_3030_3030_3030
    // The sum has the top bit of a byte from 10 on, without a carry into the next byte.
    let marks = ((values & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
    return Self.first(marks)
  }

  /// Returns the number that the first bytes, which are digits, represent.
  ///
  /// - Source: "Faster integer parsing", Johnny Lee and Daniel Lemire, 2018: pairs, fours, then eight digits.
  @inline(__always)
  fileprivate func number(ofDigits count: Int) -> UInt64 {
    // The digits move to the last bytes, and zeros precede them.
    let digits = (bits ^ 0x3030_3030_3030_3030) << UInt64(64 - 8 * count)
    let pairs = digits &* 10 &+ digits >> 8
    let (even, odd) = (pairs & 0x0000_00FF_0000_00FF, pairs >> 16 & 0x0000_00FF_0000_00FF)
    return (even &* 0x000F_4240_0000_0064 &+ odd &* 0x0000_2710_0000_0001) >> 32
  }
}
