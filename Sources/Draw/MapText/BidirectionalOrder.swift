#if Labels
  internal import CFriBidi

  /// The embedding levels of a line's characters, by the Unicode bidirectional algorithm.
  ///
  /// FriBidi is opened for the first line with a right-to-left character; other lines need no library.
  struct BidirectionalOrder {
    /// The level of each character; empty when all read from left to right.
    private(set) var levels: [Int8] = []
    /// The reason if FriBidi cannot be opened; the characters are then in the order in which they are stored.
    private(set) var problem: String?

    var hasLevels: Bool { !levels.isEmpty }

    init(_ scalars: [Unicode.Scalar]) {
      guard scalars.contains(where: Self.isRightToLeft) else { return }
      let characters = scalars.map(\.value)
      levels = Array(repeating: 0, count: scalars.count)
      var error = [CChar](repeating: 0, count: Int(CFRIBIDI_ERROR_SIZE.rawValue))
      // The arrays are alive during the call, which writes one level per character.
      let isKnown = unsafe cfribidi_levels(characters, Int32(clamping: characters.count), &levels, &error)
      if isKnown == 0 {
        levels = []
        let text = String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        problem = "right-to-left text is not in reading order: \(text)"
      }
    }

    /// Returns the level of a character.
    func level(_ index: Int) -> Int { levels.isEmpty ? 0 : Int(levels[index]) }

    /// Returns whether a character may read from right to left.
    ///
    /// - Source: the blocks that `DerivedBidiClass.txt` assigns to the classes R and AL, and the marks that set them.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x590...0x8FF, 0x200F, 0x202B, 0x202E, 0x2067, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
        0x1E800...0x1EFFF:
        true
      default: false
      }
    }
  }
#endif
