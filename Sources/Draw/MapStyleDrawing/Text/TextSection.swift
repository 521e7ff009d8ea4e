import MapStyles

/// A section of a text with its font.
struct TextSection {
  /// An image with its size in CSS pixels.
  struct Image {
    let name: String
    let width: Double
    let height: Double
  }

  let font: SymbolFont
  /// The names of the font stack.
  let stack: [String]
  let scale: Double
  /// The image; nil for text.
  let image: Image?
  /// The share of the free height of a line that is above the section.
  let alignment: Double
}

/// The characters of a text with their sections; an image is one character.
struct SectionedText {
  private(set) var sections: [TextSection] = []
  var characters: [Unicode.Scalar] = []
  /// The index of the section of each character.
  private(set) var owners: [Int] = []
  /// The fonts of characters that the font of their section lacks.
  private var replacements: [Int: SymbolFont] = [:]
  private(set) var problems: Set<TextProblem> = []
  /// For each character, whether the first letter of its paragraph reads from right to left; empty if none does.
  private var directions: [Bool] = []

  /// The character that an image has.
  static let imageCharacter: Unicode.Scalar = "\u{FFFC}"

  /// Reads the sections of a text.
  init(_ shaping: TextShaping, _ engine: SymbolTextEngine, limit: Int) {
    let own = engine.font(of: shaping.fonts)
    for section in shaping.sections {
      guard characters.count <= limit else { break }
      let alignment =
        switch section.verticalAlign {
        case "top": 0.0
        case "center": 0.5
        default: 1.0
        }
      if let image = section.image {
        guard let size = engine.images.size(of: image.name) else {
          if let problem = engine.images.problem(ofMissing: image.name) {
            problems.insert(engine.images.isFaulty(image.name) ? .other(problem) : .image(image.name))
          }
          append([], TextSection(font: own.font, stack: [], scale: 1, image: nil, alignment: alignment))
          continue
        }
        append(
          [Self.imageCharacter],
          TextSection(
            font: own.font, stack: [], scale: 1,
            image: TextSection.Image(name: image.name, width: size.width, height: size.height),
            alignment: alignment))
        continue
      }
      let names = section.fonts?.split(separator: ",").map(String.init) ?? shaping.fonts
      let stack = section.fonts == nil ? own : engine.font(of: names)
      let text = Self.characters(of: section.text, shaping.transform, limit: limit - characters.count + 1)
      if !text.isEmpty, let replacement = stack.replacement { problems.insert(.font(replacement)) }
      let scale = section.scale.map { $0.isFinite && $0 > 0 ? min($0, 100) : 1 } ?? 1
      append(
        text,
        TextSection(font: stack.font, stack: names, scale: scale, image: nil, alignment: alignment))
    }
    if characters.count > limit {
      problems.insert(.length)
      characters.removeLast(characters.count - limit)
      owners.removeLast(owners.count - limit)
    }
    findDirections()
  }

  private mutating func findDirections() {
    guard characters.contains(where: \.isRightToLeftLetter) else { return }
    for paragraph in characters.split(separator: "\n", omittingEmptySubsequences: false) {
      let letter = paragraph.first { $0.properties.isAlphabetic }
      directions += repeatElement(letter?.isRightToLeftLetter ?? false, count: paragraph.count + 1)
    }
  }

  /// Returns whether the paragraph of a character begins with a letter from right to left.
  func isRightToLeft(_ index: Int) -> Bool { directions.indices.contains(index) && directions[index] }

  private mutating func append(_ text: [Unicode.Scalar], _ section: TextSection) {
    owners += repeatElement(sections.count, count: text.count)
    characters += text
    sections.append(section)
  }

  /// Returns the first characters of a text in another case, without control characters.
  private static func characters(
    of text: String, _ transform: TextTransform, limit: Int
  ) -> [Unicode.Scalar] {
    // A long text is cut before its case is changed.
    let text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    let cased =
      switch transform {
      case .none: text
      case .uppercase: text.uppercased()
      case .lowercase: text.lowercased()
      }
    var characters: [Unicode.Scalar] = []
    for scalar in cased.unicodeScalars {
      switch scalar {
      case "\n": characters.append(scalar)
      case "\t", "\u{B}", "\u{C}", "\r": characters.append(" ")
      case imageCharacter: continue
      case _ where scalar.properties.generalCategory == .control: continue
      default: characters.append(scalar)
      }
    }
    return characters
  }

  /// Replaces punctuation marks by their vertical forms, unless they are beside letters that are rotated.
  mutating func setVerticalPunctuation() {
    let original = characters
    func isLetter(_ index: Int) -> Bool {
      original.indices.contains(index) && original[index].isRotatedInVerticalText
        && original[index].verticalForm == nil
    }
    for (index, character) in original.enumerated() {
      if let form = character.verticalForm, !isLetter(index - 1), !isLetter(index + 1) {
        characters[index] = form
      }
    }
  }

  /// Takes characters that their font lacks from the glyph files of their stack, or from the bundled font if their glyph
  /// file is damaged; returns whether there are any.
  mutating func replaceFonts(of missing: Set<Unicode.Scalar>, _ engine: SymbolTextEngine) -> Bool {
    guard let files = engine.files, !missing.isEmpty else { return false }
    for (index, character) in characters.enumerated() where missing.contains(character) {
      let names = section(index).stack
      if let stack = files.stack(of: character, names) {
        replacements[index] = .glyphFiles(stack)
      } else if let reason = files.problem(of: character, names) {
        problems.insert(.other(reason))
        guard case .glyphFiles(let stack) = section(index).font else { continue }
        let name = FontName(ofStack: stack)
        replacements[index] = .file(name.nearest)
        problems.insert(.font("glyphs of '\(stack)' cannot be read; \(name.nearestName) is used"))
      }
    }
    return !replacements.isEmpty
  }

  /// The text in one line, without images and without blanks at the ends of its lines.
  var joinedLines: String {
    characters.split(separator: "\n").map { line in
      let start = line.firstIndex { !$0.isBlankInText } ?? line.endIndex
      let end = line.lastIndex { !$0.isBlankInText }.map { $0 + 1 } ?? start
      return String(String.UnicodeScalarView(line[start..<end].filter { $0 != Self.imageCharacter }))
    }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns the font of a character.
  func font(_ index: Int) -> SymbolFont {
    replacements[index] ?? sections[owners[index]].font
  }

  /// Returns the section of a character.
  func section(_ index: Int) -> TextSection { sections[owners[index]] }
}
