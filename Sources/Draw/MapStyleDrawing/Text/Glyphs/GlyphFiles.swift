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
    case damaged
  }

  private let bytes: @Sendable (_ stack: String, _ range: Int) -> [UInt8]?
  private let known = Mutex<[Key: Entry]>([:])

  /// The largest number of files that are kept.
  ///
  /// - Source: design decision; a style has a few stacks, and a stack up to 256 files.
  private static let limit = 1024

  /// Creates the files behind a function that reads them.
  init(_ bytes: @escaping @Sendable (_ stack: String, _ range: Int) -> [UInt8]?) { self.bytes = bytes }

  /// Returns whether a stack has the file of the first 256 characters.
  func has(_ stack: String) -> Bool {
    if case .missing = entry(stack, 0) { false } else { true }
  }

  /// Returns the glyph files of a stack, or of one of its fonts, that have a character; nil for none.
  func stack(of character: Unicode.Scalar, _ names: [String]) -> String? {
    ([names.joined(separator: ",")] + names).first { stack in
      guard case .file(let file) = entry(stack, Int(character.value >> 8)) else { return false }
      return file.glyphs[character.value] != nil
    }
  }

  /// Shapes a line: one glyph for each character, from left to right.
  func shape(_ characters: ArraySlice<Unicode.Scalar>, _ stack: String) -> ShapedLine {
    var (glyphs, missing, pen) = ([ShapedLine.Glyph](), [Unicode.Scalar](), 0.0)
    var problem: String?
    for (index, character) in characters.enumerated() {
      if character.isRightToLeftLetter {
        problem = problem ?? "right-to-left text in glyph files is not in reading order; add a font file"
      }
      var found: GlyphFile.Glyph?
      switch entry(stack, Int(character.value >> 8)) {
      case .file(let file): found = file.glyphs[character.value]
      case .damaged:
        let first = character.value & ~0xFF
        problem = "the glyph file \(stack)/\(first)-\(first + 255) is damaged"
      case .missing: break
      }
      guard let found else {
        let isBlank =
          character.properties.isWhitespace || character.properties.isDefaultIgnorableCodePoint
        if !isBlank { missing.append(character) }
        continue
      }
      let advance = Double(found.advance) / TextUnits.em
      glyphs.append(
        ShapedLine.Glyph(glyph: character.value, x: pen, y: 0, advance: advance, character: index))
      pen += advance
    }
    return ShapedLine(glyphs: glyphs, advance: pen, missing: missing, problem: problem)
  }

  /// Returns the outline of a character; an empty one for a character without a glyph.
  func outline(of character: UInt32, _ stack: String) -> GlyphOutline {
    guard case .file(let file) = entry(stack, Int(character >> 8)), let glyph = file.glyphs[character] else {
      return GlyphOutline(steps: [])
    }
    return GlyphTracing.outline(of: glyph)
  }

  private func entry(_ stack: String, _ range: Int) -> Entry {
    guard Self.isName(stack) else { return .missing }
    let key = Key(stack: stack, range: range)
    if let entry = known.withLock({ $0[key] }) { return entry }
    let entry: Entry =
      bytes(stack, range).map { bytes in GlyphFile(bytes).map { .file($0) } ?? .damaged } ?? .missing
    known.withLock { known in
      if known.count >= Self.limit { known = [:] }
      known[key] = entry
    }
    return entry
  }

  /// Returns whether a text from a style or a tile is the name of a folder in a folder.
  private static func isName(_ stack: String) -> Bool {
    !stack.isEmpty && stack.utf8.count <= 500 && !stack.hasPrefix(".")
      && stack.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
  }
}
