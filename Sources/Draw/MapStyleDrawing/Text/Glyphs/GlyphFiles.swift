import MapDrawing
internal import Synchronization

/// The glyph files of a style, read when their characters are first needed.
final class GlyphFiles: Sendable {
  private struct Key: Hashable {
    let stack: String
    let range: Int
  }
  private enum Entry {
    case file(GlyphFile)
    case missing
    /// A file that cannot be used, with the reason.
    case unusable(String)
  }

  private let bytes: @Sendable (_ stack: String, _ range: Int) throws -> [UInt8]?
  private let known = Mutex<[Key: Entry]>([:])

  /// The largest number of files that are kept.
  ///
  /// - Source: design decision; a style has a few stacks, and a stack up to 256 files.
  private static let limit = 1024

  /// Creates the files behind a function that reads them.
  init(_ bytes: @escaping @Sendable (_ stack: String, _ range: Int) throws -> [UInt8]?) {
    self.bytes = bytes
  }

  /// Returns whether a stack has the file of the first 256 characters.
  func has(_ stack: String) -> Bool {
    if case .missing = entry(stack, 0) { false } else { true }
  }

  /// Returns the glyph files of a stack, or of one of its fonts, that have a character; nil for none.
  func stack(of character: Unicode.Scalar, _ names: [String]) -> String? {
    ([names.joined(separator: ",")] + names).first { glyph(of: character, $0) != nil }
  }

  /// Returns the reason why a glyph file of a stack, or of one of its fonts, cannot be used; nil for none.
  func problem(of character: Unicode.Scalar, _ names: [String]) -> String? {
    for stack in [names.joined(separator: ",")] + names {
      if case .unusable(let reason) = entry(stack, Int(character.value >> 8)) { return reason }
    }
    return nil
  }

  /// Shapes a line: one glyph for each character, with the joined forms of Arabic letters.
  ///
  /// - Parameter levels: the embedding level of each character; empty for a line from left to right.
  func shape(_ characters: ArraySlice<Unicode.Scalar>, _ stack: String, levels: [Int8]) -> ShapedLine {
    var line = ShapedCharacters()
    let hasOrder = levels.count == characters.count
    var elements = ArabicForms.elements(of: characters) { glyph(of: $0, stack) != nil }
    if hasOrder { elements = Self.visual(elements, levels) }
    for element in elements {
      var character = element.character
      if character.properties.isDefaultIgnorableCodePoint { continue }
      if hasOrder, levels[element.index] % 2 == 1 { character = character.mirrored }
      if character.needsShaping {
        line.problem =
          "letters of \(stack) that other letters change are drawn unchanged; add a font file"
      }
      if let glyph = glyph(of: character, stack) {
        line.append(glyph, character, at: element.index)
      } else if let reason = problem(of: character, [stack]) {
        line.problem = reason
        line.missing.append(characters[characters.startIndex + element.index])
      } else if !character.properties.isWhitespace {
        line.missing.append(characters[characters.startIndex + element.index])
      }
    }
    return ShapedLine(
      glyphs: line.glyphs, advance: line.advance, missing: line.missing, problem: line.problem)
  }

  /// A line while its glyphs are appended.
  private struct ShapedCharacters {
    var glyphs: [ShapedLine.Glyph] = []
    var advance = 0.0
    var missing: [Unicode.Scalar] = []
    var problem: String?

    mutating func append(_ glyph: GlyphFile.Glyph, _ character: Unicode.Scalar, at index: Int) {
      let width = Double(glyph.advance) / TextUnits.em
      glyphs.append(
        ShapedLine.Glyph(glyph: character.value, x: advance, y: 0, advance: width, character: index))
      advance += width
    }
  }

  /// Returns characters from left to right.
  ///
  /// - Source: Unicode Standard Annex 9, rule L2: from the highest level to the lowest odd one, every sequence at that
  ///   level or higher is reversed. Marks stay behind their letters.
  private static func visual(_ elements: [ArabicForms.Element], _ levels: [Int8]) -> [ArabicForms.Element] {
    var clusters: [[ArabicForms.Element]] = []
    for element in elements {
      let isMark = element.character.properties.generalCategory == .nonspacingMark
      if isMark, !clusters.isEmpty {
        clusters[clusters.count - 1].append(element)
      } else {
        clusters.append([element])
      }
    }
    func level(_ position: Int) -> Int8 { levels[clusters[position][0].index] }
    for lowest in stride(from: levels.max() ?? 0, to: 0, by: -1) {
      var start = 0
      while start < clusters.count {
        var end = start
        while end < clusters.count, level(end) >= lowest { end += 1 }
        clusters[start..<end].reverse()
        start = max(end, start + 1)
      }
    }
    return clusters.flatMap { $0 }
  }

  private func glyph(of character: Unicode.Scalar, _ stack: String) -> GlyphFile.Glyph? {
    guard case .file(let file) = entry(stack, Int(character.value >> 8)) else { return nil }
    return file.glyphs[character.value]
  }

  /// Returns the outline of a character; an empty one for a character without a glyph.
  func outline(of character: UInt32, _ stack: String) -> GlyphOutline {
    Unicode.Scalar(character).flatMap { glyph(of: $0, stack) }.map { GlyphTracing.outline(of: $0) }
      ?? GlyphOutline(steps: [])
  }

  private func entry(_ stack: String, _ range: Int) -> Entry {
    guard Self.isName(stack) else { return .missing }
    let key = Key(stack: stack, range: range)
    if let entry = known.withLock({ $0[key] }) { return entry }
    let entry = read(stack, range)
    known.withLock { known in
      if known.count >= Self.limit { known = [:] }
      known[key] = entry
    }
    return entry
  }

  private func read(_ stack: String, _ range: Int) -> Entry {
    do {
      guard let bytes = try bytes(stack, range) else { return .missing }
      if let file = GlyphFile(bytes) { return .file(file) }
      return .unusable("the glyph file \(stack)/\(range << 8)-\(range << 8 + 255) is damaged")
    } catch { return .unusable("glyph file \(error)") }
  }

  /// Returns whether a text from a style or a tile is the name of a folder in a folder.
  private static func isName(_ stack: String) -> Bool {
    !stack.isEmpty && stack.utf8.count <= 500 && !stack.hasPrefix(".")
      && stack.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
  }
}
