/// The joined forms of Arabic letters as characters, for glyph files, which have a glyph for each character.
///
/// - Source: Unicode, blocks Arabic Presentation Forms A and B, and the joining of letters in chapter 9.2.
struct ArabicForms {
  /// A character that is shown, with the index of the first one that it replaces.
  struct Element {
    var character: Unicode.Scalar
    let index: Int
  }

  /// The forms of a letter: alone, at the end, at the start and in the middle of joined letters; two letters or one have
  /// fewer.
  private struct Letter {
    let first: UInt32
    let count: UInt32
  }

  /// Runs of letters whose forms are consecutive characters, with the numbers of forms.
  private static let runs: [(first: UInt32, letters: [(letter: UInt32, count: UInt32)])] = [
    (
      0xFB50,
      [
        (0x671, 2), (0x67B, 4), (0x67E, 4), (0x680, 4), (0x67A, 4), (0x67F, 4), (0x679, 4), (0x6A4, 4),
        (0x6A6, 4), (0x684, 4), (0x683, 4), (0x686, 4), (0x687, 4), (0x68D, 2), (0x68C, 2), (0x68E, 2),
        (0x688, 2), (0x698, 2), (0x691, 2), (0x6A9, 4), (0x6AF, 4), (0x6B3, 4), (0x6B1, 4), (0x6BA, 2),
        (0x6BB, 4), (0x6C0, 2), (0x6C1, 4), (0x6BE, 4), (0x6D2, 2), (0x6D3, 2),
      ]
    ),
    (
      0xFBD3,
      [
        (0x6AD, 4), (0x6C7, 2), (0x6C6, 2), (0x6C8, 2), (0x677, 1), (0x6CB, 2), (0x6C5, 2), (0x6C9, 2),
        (0x6D0, 4),
      ]
    ),
    (0xFBFC, [(0x6CC, 4)]),
    (
      0xFE80,
      [
        (0x621, 1), (0x622, 2), (0x623, 2), (0x624, 2), (0x625, 2), (0x626, 4), (0x627, 2), (0x628, 4),
        (0x629, 2), (0x62A, 4), (0x62B, 4), (0x62C, 4), (0x62D, 4), (0x62E, 4), (0x62F, 2), (0x630, 2),
        (0x631, 2), (0x632, 2), (0x633, 4), (0x634, 4), (0x635, 4), (0x636, 4), (0x637, 4), (0x638, 4),
        (0x639, 4), (0x63A, 4), (0x641, 4), (0x642, 4), (0x643, 4), (0x644, 4), (0x645, 4), (0x646, 4),
        (0x647, 4), (0x648, 2), (0x649, 2), (0x64A, 4),
      ]
    ),
  ]

  private static let letters: [UInt32: Letter] = {
    var letters: [UInt32: Letter] = [:]
    for run in runs {
      var next = run.first
      for (letter, count) in run.letters {
        letters[letter] = Letter(first: next, count: count)
        next += count
      }
    }
    return letters
  }()

  /// The forms of lam with the alef after it: alone and at the end.
  private static let lamAlef: [UInt32: UInt32] = [0x622: 0xFEF5, 0x623: 0xFEF7, 0x625: 0xFEF9, 0x627: 0xFEFB]

  /// Returns the characters that are shown, in the order of the text.
  ///
  /// - Parameter has: whether there is a glyph of a form; without one, the letter stays as it is.
  static func elements(
    of characters: some RandomAccessCollection<Unicode.Scalar>, has: (Unicode.Scalar) -> Bool
  ) -> [Element] {
    let characters = Array(characters)
    var elements: [Element] = []
    var index = 0
    /// Whether the letter before joins the next one.
    var isJoined = false
    while index < characters.count {
      let character = characters[index]
      defer { index += 1 }
      guard !isTransparent(character) else {
        elements.append(Element(character: character, index: index))
        continue
      }
      guard let letter = letters[character.value] else {
        elements.append(Element(character: character, index: index))
        isJoined = causesJoining(character)
        continue
      }
      let isEnd = isJoined && letter.count > 1
      if character.value == 0x644, index + 1 < characters.count,
        let form = lamAlef[characters[index + 1].value].map({ $0 + (isEnd ? 1 : 0) }).flatMap(
          Unicode.Scalar.init),
        has(form)
      {
        elements.append(Element(character: form, index: index))
        index += 1
        isJoined = false
        continue
      }
      isJoined = letter.count == 4 && joinsBefore(characters[(index + 1)...])
      let form = (isEnd ? 1 : 0) + (isJoined ? 2 : 0) as UInt32
      let shown = Unicode.Scalar(letter.first + form) ?? character
      elements.append(Element(character: has(shown) ? shown : character, index: index))
    }
    return elements
  }

  /// Returns whether the first letter of some characters joins the one before it.
  private static func joinsBefore(_ characters: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let next = characters.first(where: { !isTransparent($0) }) else { return false }
    return causesJoining(next) || (letters[next.value]?.count ?? 0) > 1
  }

  private static func causesJoining(_ character: Unicode.Scalar) -> Bool {
    character == "\u{640}" || character == "\u{200D}"
  }

  private static func isTransparent(_ character: Unicode.Scalar) -> Bool {
    guard character.value > 0x2FF, character != "\u{200C}", character != "\u{200D}" else { return false }
    return [.nonspacingMark, .enclosingMark, .format].contains(character.properties.generalCategory)
  }
}
