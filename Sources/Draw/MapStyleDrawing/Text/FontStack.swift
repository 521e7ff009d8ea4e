import MapDrawing
import MapModel

/// The font of a font stack: a list of names such as `Noto Sans Bold Italic`.
struct FontStack: Hashable, Sendable {
  /// The font.
  let font: SymbolFont
  /// A line about the font that is missing; nil if a font of the stack is used.
  let replacement: String?

  /// Finds the font of a stack.
  ///
  /// - Parameters:
  ///   - names: the names, the preferred one first.
  ///   - families: the families of the user's font files.
  ///   - hasGlyphs: whether there are glyph files of a stack.
  init(_ names: [String], families: [String], hasGlyphs: (String) -> Bool) {
    let named = names.lazy.map { FontName($0) }
    for name in named {
      if let family = name.family(in: families) {
        (font, replacement) = (.file(name.choice(family)), nil)
        return
      }
      if let choice = name.bundled {
        (font, replacement) = (.file(choice), nil)
        return
      }
    }
    let stack = names.joined(separator: ",")
    if let glyphs = ([stack] + names).first(where: { !$0.isEmpty && hasGlyphs($0) }) {
      (font, replacement) = (.glyphFiles(glyphs), nil)
      return
    }
    let first = named.first ?? FontName("")
    font = .file(first.nearest)
    replacement = names.first.map { "no font '\($0)'; \(first.nearestName) is used" }
  }
}

/// The name of a font, in parts for its family and its style.
struct FontName {
  /// The family in small letters, without spaces.
  private let family: String
  /// The words of the style in small letters.
  private let style: Set<String>

  init(_ name: String) {
    var words = name.prefix(200).lowercased().split(whereSeparator: { " -_".contains($0) }).map(String.init)
    var style: Set<String> = []
    while let word = words.last, words.count > 1, Self.styleWords.contains(word) {
      style.insert(word)
      words.removeLast()
    }
    (family, self.style) = (words.joined(), style)
  }

  /// Returns the family that has the font; of several, that with the most words of its style.
  func family(in families: [String]) -> String? {
    let others = families.map { FontName($0) }
    let same = others.indices.filter {
      !family.isEmpty && others[$0].family == family && others[$0].style.isSubset(of: style)
    }
    return same.max { others[$0].style.count < others[$1].style.count }.map { families[$0] }
  }

  /// The choice of a bundled font with exactly this name; nil for another name.
  var bundled: FontChoice? {
    let isExact = style.isSubset(of: ["regular", "normal", "book", "bold", "italic", "condensed"])
    guard family == "notosans", isExact else { return nil }
    return choice(isCondensed ? "Noto Sans Condensed" : "")
  }

  var isCondensed: Bool {
    !style.isDisjoint(with: ["condensed", "narrow", "semicondensed", "extracondensed"])
  }
  private var isItalic: Bool { !style.isDisjoint(with: ["italic", "oblique", "it"]) }
  private var isBold: Bool { !style.isDisjoint(with: Self.boldWords) }

  /// Returns the choice of a font of a family in this style.
  func choice(_ family: String) -> FontChoice {
    FontChoice(family: family, weight: isBold ? .bold : .normal, isItalic: isItalic)
  }

  /// Reads the first name of a stack whose names have commas between them.
  init(ofStack stack: String) { self.init(String(stack.prefix { $0 != "," })) }

  /// The choice of the bundled font in this style.
  var nearest: FontChoice { choice(isCondensed ? "Noto Sans Condensed" : "") }

  /// The name of the bundled font in this style.
  var nearestName: String {
    let words = [isCondensed ? "Condensed" : "", isBold ? "Bold" : "", isItalic ? "Italic" : ""]
    let style = words.filter { !$0.isEmpty }
    return "Noto Sans \(style.isEmpty ? "Regular" : style.joined(separator: " "))"
  }

  private static let boldWords: Set<String> = [
    "bold", "semibold", "demibold", "demi", "extrabold", "ultrabold", "black", "heavy",
  ]
  private static let styleWords: Set<String> = boldWords.union([
    "regular", "normal", "book", "roman", "medium", "light", "extralight", "ultralight", "semilight", "thin",
    "hairline", "italic", "oblique", "it", "condensed", "narrow", "semicondensed", "extracondensed", "semi",
    "extra", "ultra", "demi",
  ])
}
