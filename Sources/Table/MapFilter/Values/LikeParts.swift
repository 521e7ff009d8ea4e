/// A LIKE pattern split at its `%`, so that long parts are found in linear time.
///
/// The text must begin with the part before the first `%` and end with the part after the last. Each part in between is
/// searched after the end of the one before it. The first match is always sufficient, since `%` matches anything before
/// the next part.
struct LikeParts: Hashable, Sendable {
  private typealias Element = LikePattern.Element

  private let first: [LikePattern.Element]
  private let between: [Part]
  private let last: [LikePattern.Element]

  /// A part to search for.
  private enum Part: Hashable {
    case bytes(ByteSearch)
    case scalars(ScalarSearch)
  }

  /// Splits a pattern that has a `%`; nil when a part has `_` and more characters than ``LikePattern/wildcardLimit``.
  init?(_ elements: [LikePattern.Element]) {
    let parts = elements.split(separator: .anyRun, omittingEmptySubsequences: false)
    first = parts.first.map(Array.init) ?? []
    last = parts.last.map(Array.init) ?? []
    var between: [Part] = []
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard part.contains(.anyScalar) else {
        between.append(.bytes(ByteSearch(part.compactMap(\.byte))))
        continue
      }
      let scalars = Self.scalars(part)
      guard scalars.count <= LikePattern.wildcardLimit else { return nil }
      between.append(.scalars(ScalarSearch(scalars)))
    }
    self.between = between
  }

  /// Returns the characters of a part; nil is `_`.
  private static func scalars(_ part: ArraySlice<LikePattern.Element>) -> [Unicode.Scalar?] {
    var scalars: [Unicode.Scalar?] = []
    for (place, run) in part.split(separator: .anyScalar, omittingEmptySubsequences: false).enumerated() {
      if place > 0 { scalars.append(nil) }
      let text = String(decoding: run.compactMap(\.byte), as: UTF8.self)
      for scalar in text.unicodeScalars { scalars.append(scalar) }
    }
    return scalars
  }

  /// Returns whether the whole text matches.
  func match(_ text: Span<UInt8>) -> Bool {
    var place = 0
    for element in first {
      guard place < text.count else { return false }
      if case .byte(let byte) = element {
        guard text[place] == byte else { return false }
        place += 1
      } else {
        place = LikePattern.scalarEnd(text, place)
      }
    }
    for part in between {
      let end: Int?
      switch part {
      case .bytes(let search):
        end = search.firstMatch(in: text, from: place).map { $0 + search.pattern.count }
      case .scalars(let search): end = search.endOfFirstMatch(in: text, from: place)
      }
      guard let end else { return false }
      place = end
    }
    var end = text.count
    for element in last.reversed() {
      guard end > place else { return false }
      end -= 1
      if case .byte(let byte) = element {
        guard text[end] == byte else { return false }
      } else {
        while end > place, text[end] & 0xC0 == 0x80 { end -= 1 }
      }
    }
    return true
  }
}

extension LikePattern.Element {
  fileprivate var byte: UInt8? { if case .byte(let byte) = self { byte } else { nil } }
}

/// A sequence of characters and `_`, prepared for a search that compares 64 positions at a time.
///
/// - Source: Baeza-Yates, Gonnet, "A new approach to text searching", CACM 1992 (shift-and), over several words.
private struct ScalarSearch: Hashable, Sendable {
  private let count: Int
  /// For each character one bit per position of the sequence at which it matches.
  private let places: [Unicode.Scalar: [UInt64]]
  /// The positions of `_`, at which any character matches.
  private let anyPlaces: [UInt64]

  init(_ scalars: [Unicode.Scalar?]) {
    count = scalars.count
    var anyPlaces = [UInt64](repeating: 0, count: (scalars.count + 63) / 64)
    for (place, scalar) in scalars.enumerated() where scalar == nil {
      anyPlaces[place >> 6] |= 1 &<< UInt64(place & 63)
    }
    var places: [Unicode.Scalar: [UInt64]] = [:]
    for (place, scalar) in scalars.enumerated() {
      if let scalar { places[scalar, default: anyPlaces][place >> 6] |= 1 &<< UInt64(place & 63) }
    }
    (self.places, self.anyPlaces) = (places, anyPlaces)
  }

  /// Returns the offset after the first match that begins at or after an offset.
  func endOfFirstMatch(in text: Span<UInt8>, from start: Int) -> Int? {
    // Bit p is set when the first p + 1 characters of the sequence match up to the character just read.
    var matched = [UInt64](repeating: 0, count: anyPlaces.count)
    var place = start
    while place < text.count {
      let end = LikePattern.scalarEnd(text, place)
      let fitting = places[Self.scalar(text, place, end)] ?? anyPlaces
      var carry: UInt64 = 1
      for word in matched.indices {
        let next = matched[word] >> 63
        matched[word] = (matched[word] << 1 | carry) & fitting[word]
        carry = next
      }
      place = end
      if matched[(count - 1) >> 6] & (1 &<< UInt64((count - 1) & 63)) != 0 { return place }
    }
    return nil
  }

  /// Decodes a scalar from bytes of well-formed UTF-8.
  private static func scalar(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Unicode.Scalar {
    var value = UInt32(text[start])
    if end - start > 1 { value &= 0x7F >> UInt32(end - start) }
    for place in start + 1..<max(end, start + 1) { value = value << 6 | UInt32(text[place] & 0x3F) }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
