import MapDrawing

/// Glyphs of a label that show characters together, such as a letter and its accents, a ligature or a syllable.
struct LetterUnit: Equatable {
  /// The indexes of the glyphs.
  var glyphs: Range<Int>
  /// The indexes of the characters, with the blanks after them.
  var characters: Range<Int>

  /// Returns the glyphs of a label in units, in their order.
  ///
  /// - Parameters:
  ///   - glyphs: the glyphs.
  ///   - starts: the first characters of all glyphs of the text, ascending, also of those in other labels.
  static func units(of glyphs: [LabelItem.Glyph], starts: [Int], in text: LabelCharacters) -> [LetterUnit] {
    var units: [LetterUnit] = []
    for (index, glyph) in glyphs.enumerated() {
      let first = min(Int(glyph.character), max(0, text.scalars.count - 1))
      var unit = LetterUnit(
        glyphs: index..<index + 1, characters: first..<max(first, end(after: first, starts, text)))
      while let last = units.last, unit.joins(last, in: text) {
        unit.glyphs = last.glyphs.lowerBound..<unit.glyphs.upperBound
        unit.characters =
          min(
            last.characters.lowerBound, unit.characters.lowerBound)..<max(
            last.characters.upperBound, unit.characters.upperBound)
        units.removeLast()
      }
      units.append(unit)
    }
    return units
  }

  /// Returns the first start after a character, or the end of the text.
  private static func end(after first: Int, _ starts: [Int], _ text: LabelCharacters) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] > first { high = middle } else { low = middle + 1 }
    }
    return low < starts.count ? min(starts[low], text.scalars.count) : text.scalars.count
  }

  /// Returns whether the unit and the one before it show parts of one character, or characters in another order.
  private func joins(_ last: LetterUnit, in text: LabelCharacters) -> Bool {
    let (first, end) = (characters.lowerBound, last.characters.upperBound - 1)
    guard text.scalars.indices.contains(first), text.scalars.indices.contains(end) else { return true }
    let own = text.letters[first]
    if (text.letters[last.characters.lowerBound]...text.letters[end]).contains(own) { return true }
    return first < last.characters.lowerBound && !text.scalars[first].readsFromRight
  }
}

/// The characters of a label.
struct LabelCharacters {
  let scalars: [Unicode.Scalar]
  /// For each scalar, the number of the letter with its marks to which it belongs.
  let letters: [Int]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    letters = text.enumerated().flatMap { number, letter in letter.unicodeScalars.map { _ in number } }
  }

  /// Returns the characters of a unit, without blanks around them.
  func text(of unit: LetterUnit) -> String {
    let own = scalars[unit.characters.clamped(to: 0..<scalars.count)]
    let start = own.firstIndex { !$0.isBlank } ?? own.endIndex
    let end = own.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? start
    var view = String.UnicodeScalarView()
    for scalar in own[start..<max(start, end)] { view.append(scalar.isBlank ? " " : scalar) }
    return String(view)
  }

  /// Returns whether a blank follows the letters of a unit that read from left to right.
  func hasBlank(after unit: LetterUnit) -> Bool {
    let own = scalars[unit.characters.clamped(to: 0..<scalars.count)]
    guard let last = own.last, let first = own.first else { return false }
    return last.isBlank && !first.readsFromRight
  }
}

extension Unicode.Scalar {
  /// Whether the character leaves no ink: a blank, or a control of the reading order.
  fileprivate var isBlank: Bool {
    properties.isWhitespace || properties.generalCategory == .control
      || [0x200E, 0x200F].contains(value) || (0x202A...0x202E).contains(value)
      || (0x2066...0x2069).contains(value)
  }

  /// Whether the character is of a script from right to left, such as Hebrew or Arabic.
  fileprivate var readsFromRight: Bool {
    (0x590...0x8FF).contains(value) || (0xFB1D...0xFDFF).contains(value)
      || (0xFE70...0xFEFF).contains(value) || (0x1_0800...0x1_0FFF).contains(value)
      || (0x1_E800...0x1_EFFF).contains(value)
  }
}
