import MapDrawing
import MapModel

/// A style of text on a page.
struct TextStyle: Hashable {
  /// The size of an em in view pixels.
  let size: Double
  var weight = TextSymbol.FontWeight.normal
  let color: Color
  /// The colour of the halo; nil for none.
  var halo: Color?

  /// The distance from one baseline to the next.
  var lineHeight: Double { size * 1.28 }
  /// The distance from the top of a line to its baseline.
  var ascent: Double { size * 0.95 }
}

/// Lines of text, as wrapped.
struct TextBlock: Hashable {
  var lines: [String] = []
  var width = 0.0
  /// Whether text is left out.
  var isCut = false

  func height(_ style: TextStyle) -> Double { Double(lines.count) * style.lineHeight }
}

/// A measurer of text that wraps it to a width.
struct TextSetter {
  /// The largest number of characters of a text that are set.
  ///
  /// - Source: design decision: more do not fit any image.
  static let textLimit = 2_000

  let measurer: TextMeasurer
  private var widths: [Key: Double] = [:]
  /// The characters without a glyph in any font.
  private(set) var missing: Set<Unicode.Scalar> = []

  private struct Key: Hashable {
    let text: String
    let weight: TextSymbol.FontWeight
  }

  init(_ measurer: TextMeasurer) { self.measurer = measurer }

  /// Returns the width of a line in view pixels.
  mutating func width(_ text: String, _ style: TextStyle) -> Double {
    let key = Key(text: text, weight: style.weight)
    if let known = widths[key] { return known * style.size }
    let shaped = measurer.shape(text, FontChoice(weight: style.weight))
    missing.formUnion(shaped.missing)
    widths[key] = shaped.advance
    return shaped.advance * style.size
  }

  /// Wraps a text at spaces, and inside words that are wider than a line.
  ///
  /// Text beyond the last line is cut, and the last line then ends with an ellipsis.
  mutating func wrap(_ text: String, _ style: TextStyle, width limit: Double, lines most: Int) -> TextBlock {
    var block = TextBlock()
    let clean = Self.clean(text)
    guard !clean.text.isEmpty, most > 0, limit > 0 else {
      block.isCut = !clean.text.isEmpty
      return block
    }
    var words = clean.text.split(separator: " ").map { String($0) }[...]
    let space = width(" ", style)
    var (line, used) = ("", 0.0)
    while let word = words.first {
      let wide = width(word, style)
      if line.isEmpty, wide > limit {
        let head = head(of: word, style, width: limit)
        words[words.startIndex] = String(word.dropFirst(head.count))
        if words.first?.isEmpty ?? false { words.removeFirst() }
        block.lines.append(head)
      } else if line.isEmpty || used + space + wide <= limit {
        line += line.isEmpty ? word : " \(word)"
        used += (used > 0 ? space : 0) + wide
        words.removeFirst()
        if !words.isEmpty { continue }
        block.lines.append(line)
        line = ""
      } else {
        block.lines.append(line)
        (line, used) = ("", 0)
      }
      if block.lines.count == most { break }
    }
    if !words.isEmpty || !line.isEmpty || clean.isCut {
      block.isCut = true
      if let last = block.lines.last { block.lines[block.lines.count - 1] = cut(last, style, width: limit) }
    }
    for line in block.lines { block.width = max(block.width, width(line, style)) }
    return block
  }

  /// Returns the start of a word that fits a width, at least one character.
  private mutating func head(of word: String, _ style: TextStyle, width limit: Double) -> String {
    let characters = Array(word.prefix(400))
    var (fits, fails) = (1, characters.count + 1)
    while fails - fits > 1 {
      let middle = (fits + fails) / 2
      let advance =
        measurer.shape(String(characters[..<middle]), FontChoice(weight: style.weight)).advance * style.size
      if advance <= limit { fits = middle } else { fails = middle }
    }
    return String(characters[..<min(fits, characters.count)])
  }

  /// Returns a line with an ellipsis at its end, within a width.
  private mutating func cut(_ line: String, _ style: TextStyle, width limit: Double) -> String {
    let room = limit - width("…", style)
    guard room > 0 else { return "…" }
    let start = width(line, style) <= room ? line : head(of: line, style, width: room)
    return (start.last == " " ? String(start.dropLast()) : start) + "…"
  }

  /// Returns a text on one line without control characters, cut to ``textLimit``.
  static func clean(_ text: String) -> (text: String, isCut: Bool) {
    var clean = ""
    var count = 0
    for scalar in text.unicodeScalars {
      count += 1
      guard count <= textLimit else { return (clean, true) }
      if scalar.properties.isWhitespace {
        if clean.last != " ", !clean.isEmpty { clean.append(" ") }
      } else if scalar.properties.generalCategory != .control {
        clean.unicodeScalars.append(scalar)
      }
    }
    if clean.last == " " { clean.removeLast() }
    return (clean, false)
  }
}
