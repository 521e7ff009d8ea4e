/// The kinds of characters that decide over line breaks, letter spacing and vertical text.
///
/// - Source: MapLibre GL JS 5; Unicode 17 blocks, scripts and VerticalOrientation.txt.
extension Unicode.Scalar {
  /// Whether the character is a blank that ends of lines do not keep.
  ///
  /// - Source: the white space of regular expressions in ECMA-262.
  var isBlankInText: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
      true
    default: false
    }
  }

  /// Whether a line may end after the character.
  var allowsBreakAfter: Bool {
    switch value {
    case 0x0A, 0x20, 0x26, 0x29, 0x2B, 0x2D, 0x2F, 0xAD, 0xB7, 0x200B, 0x2010, 0x2013, 0x2027: true
    default: false
    }
  }

  /// Whether lines may end after the character as after any ideograph.
  var isIdeographicInText: Bool {
    switch value {
    // Marks and signs that are in the blocks but belong to no one script.
    case 0x3099...0x309C, 0x30A0, 0x30FB, 0x30FC: false
    case 0x2E80...0x2FDF, 0x2FF0...0x303F, 0x3041...0x30FF, 0x3105...0x312F, 0x31A0...0x4DBF, 0x4E00...0xA4CF,
      0xF900...0xFAFF, 0xFE10...0xFE1F, 0xFE30...0xFE4F, 0xFF00...0xFFEF, 0x16FE0...0x18DFF,
      0x1AFF0...0x1B2FF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// Whether letters of the script are joined, without a space between them.
  var isCursiveInText: Bool {
    switch value {
    case 0x60C, 0x61B, 0x61F, 0x640: false
    case 0x600...0x74F, 0x750...0x77F, 0x860...0x8FF, 0x1800...0x18AF, 0xFB50...0xFDFF, 0xFE70...0xFEFE,
      0x10EC2...0x10EC4, 0x10F70...0x10FAF, 0x11660...0x1166C, 0x1BC00...0x1BC9F, 0x1EE00...0x1EEFF:
      true
    default: false
    }
  }

  /// Whether the character belongs to the Arabic script.
  var isArabic: Bool {
    switch value {
    case 0x700...0x74F, 0x860...0x86F, 0x1800...0x18AF, 0x10F70...0x1BC9F: false
    default: isCursiveInText
    }
  }

  /// Whether the character is a letter of a script that reads from right to left.
  var isRightToLeftLetter: Bool {
    switch value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      properties.isAlphabetic
    default: false
    }
  }

  /// Whether the character is upright in vertical text.
  var isUprightInVerticalText: Bool {
    switch value {
    case 0x2EA, 0x2EB: true
    case 0..<0x1100: false
    // Dashes, brackets and low lines, which are rotated.
    case 0xFE49...0xFE4F, 0x3008...0x3011, 0x3014...0x301F, 0x3030, 0x30FC, 0xFF08, 0xFF09, 0xFF0D,
      0xFF1A...0xFF1E, 0xFF3B, 0xFF3D, 0xFF3F, 0xFF5B...0xFFDF, 0xFFE3, 0xFFE8...0xFFEF,
      0xFE58...0xFE5E, 0xFE63...0xFE66:
      false
    // Hangul, Canadian Aboriginal syllables, Katakana, Kanbun, small forms and hexagrams.
    case 0x1100...0x11FF, 0x1400...0x167F, 0x18B0...0x18FF, 0x302E, 0x302F, 0x30A0...0x30FF, 0x3131...0x319F,
      0x4DC0...0x4DFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xFE50...0xFE6F, 0x11AB0...0x11ABF:
      true
    default: isIdeographicInText
    }
  }

  /// Whether the character is rotated in vertical text, even between characters that are upright.
  var isRotatedInVerticalText: Bool { !isUprightInVerticalText && !isNeutralInVerticalText }

  /// Whether the character is upright in vertical text only beside others that are.
  private var isNeutralInVerticalText: Bool {
    switch value {
    case 0xA7, 0xA9, 0xAE, 0xB1, 0xBC...0xBE, 0xD7, 0xF7: true
    case 0x2016, 0x2020, 0x2021, 0x2030, 0x2031, 0x203B, 0x203C, 0x2042, 0x2047...0x2049, 0x2051: true
    case 0x2100...0x218F, 0x221E, 0x2234, 0x2235: true
    case 0x2300...0x2307, 0x230C...0x231F, 0x2324...0x2328, 0x232B, 0x237D...0x239A, 0x23BE...0x23CD, 0x23CF,
      0x23D1...0x23DB, 0x23E2...0x23FF:
      true
    case 0x2423, 0x261A...0x261F: false
    case 0x2400...0x245F, 0x2460...0x24FF, 0x25A0...0x26FF, 0x2700...0x2767, 0x2776...0x2793: true
    case 0x2B12...0x2B2F, 0x2B50...0x2B59, 0x2BB8...0x2BEB: true
    case 0x3000...0x303F, 0x30A0...0x30FF, 0xE000...0xF8FF, 0xFE30...0xFE6F, 0xFF00...0xFFEF, 0xFFFC, 0xFFFD:
      true
    default: false
    }
  }

  /// Whether letters beside the character change it, so that it needs a font file.
  var needsShaping: Bool {
    switch value {
    // From Devanagari to Sinhala, Tibetan, Myanmar, Khmer, Mongolian and Balinese.
    case 0x700...0x74F, 0x7C0...0x7FF, 0x900...0xDFF, 0xF00...0x109F, 0x1780...0x18AF, 0x1A20...0x1C4F: true
    default: false
    }
  }

  /// The character that is shown for a bracket in text from right to left.
  var mirrored: Unicode.Scalar { Self.mirrors[self] ?? self }

  /// The brackets with their counterparts.
  private static let mirrors: [Unicode.Scalar: Unicode.Scalar] = {
    let brackets = Array("()[]{}<>«»‹›≤≥".unicodeScalars)
    return Dictionary(uniqueKeysWithValues: brackets.indices.map { (brackets[$0], brackets[$0 ^ 1]) })
  }()

  /// The form of a punctuation mark for vertical text; nil for other characters.
  var verticalForm: Unicode.Scalar? { Self.verticalForms[self] }

  /// The forms by character, in pairs.
  private static let verticalForms: [Unicode.Scalar: Unicode.Scalar] = {
    let pairs =
      "!︕#＃$＄%％&＆(︵)︶*＊+＋,︐-︲.・/／:︓;︔<︿=＝>﹀?︖@＠[﹇\\＼]﹈^＾_︳`｀{︷|―}︸~～¢￠£￡¥￥¦￤¬￢¯￣–︲—︱‘﹃’﹄“﹁”﹂…︙⋯︙‧・₩￦"
      + "、︑。︒〈︿〉﹀《︽》︾「﹁」﹂『﹃』﹄【︻】︼〔︹〕︺〖︗〗︘！︕（︵）︶，︐－︲．・：︓；︔＜︿＞﹀？︖［﹇］﹈＿︳｛︷｜―｝︸｟︵｠︶｡︒｢﹁｣﹂"
    let scalars = Array(pairs.unicodeScalars)
    return Dictionary(
      stride(from: 0, to: scalars.count - 1, by: 2).map { (scalars[$0], scalars[$0 + 1]) }
    ) { first, _ in first }
  }()
}
