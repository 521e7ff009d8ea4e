import MapDrawing
import MapGeometry
import MapModel
import MapSystem

#if Labels
  import MapText
#endif

/// The face of the bundled font that labels are set in.
struct LabelFace: Hashable {
  let weight: TextSymbol.FontWeight
  let isItalic: Bool

  /// The face of a text symbol.
  init(_ symbol: TextSymbol) { (weight, isItalic) = (symbol.fontWeight, symbol.fontStyle != .normal) }

  /// The name in styles.
  var name: String {
    switch (weight, isItalic) {
    case (.normal, false): "Noto Sans Regular"
    case (.normal, true): "Noto Sans Italic"
    case (.bold, false): "Noto Sans Bold"
    case (.bold, true): "Noto Sans Bold Italic"
    }
  }
}

/// The glyphs of the bundled fonts for labels as distance fields, in files of 256 characters.
///
/// - Source: glyphs.proto of fontnik, whose fields MapLibre reads: an em of 24 pixels, a border of 3, and distances of up
///   to 8 pixels.
package struct GlyphFiles: Sendable {
  /// The numbers of the files of each face: the first character, divided by 256.
  private var ranges: [LabelFace: Set<UInt32>] = [:]

  init() {}

  /// Adds the characters of texts.
  mutating func add(_ texts: [String?], in face: LabelFace) {
    for case let text? in texts {
      for scalar in text.unicodeScalars { ranges[face, default: []].insert(scalar.value >> 8) }
    }
  }

  /// Adds the characters of others.
  mutating func add(_ others: GlyphFiles) {
    for (face, more) in others.ranges { ranges[face, default: []].formUnion(more) }
  }

  /// The files, each with its font stack and its range; none in a build without fonts.
  package var files: [(stack: String, range: String, bytes: [UInt8])] {
    #if Labels
      ranges.sorted { $0.key.name < $1.key.name }.flatMap { face, numbers in
        numbers.sorted().map { number in
          let range = "\(number << 8)-\(number << 8 + 255)"
          return (face.name, range, Self.file(face, number: number, range: range))
        }
      }
    #else
      []
    #endif
  }

  #if Labels
    private static func file(_ face: LabelFace, number: UInt32, range: String) -> [UInt8] {
      let font = FontChoice(weight: face.weight, isItalic: face.isItalic, isKerned: false)
      var stack = WireMessage()
      stack.add(1, Array(face.name.utf8))
      stack.add(2, Array(range.utf8))
      for character in (number << 8)..<(number << 8 + 256) {
        guard let scalar = Unicode.Scalar(character), scalar.properties.generalCategory != .control else {
          continue
        }
        let line = TextMeasurer.notoSans.shape(String(scalar), font)
        guard line.missing.isEmpty, line.glyphs.count == 1, let glyph = line.glyphs.first else { continue }
        let field = DistanceField(TextMeasurer.notoSans.outline(glyph.glyph, font))
        stack.add(3, field.message(character: character, advance: line.advance))
      }
      var file = WireMessage()
      file.add(1, stack.bytes)
      return file.bytes
    }
  #endif
}

/// A message in the wire format of Protocol Buffers.
struct WireMessage {
  private(set) var bytes: [UInt8] = []

  /// Adds a field of bytes.
  mutating func add(_ number: UInt64, _ value: [UInt8]) {
    append(number << 3 | 2)
    append(UInt64(value.count))
    bytes += value
  }

  /// Adds a field of a number.
  mutating func add(_ number: UInt64, _ value: UInt64) {
    append(number << 3)
    append(value)
  }

  /// Adds a field of a signed number, in zigzag code.
  mutating func add(_ number: UInt64, signed value: Int) {
    add(number, value < 0 ? UInt64(-2 * value - 1) : UInt64(2 * value))
  }

  private mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

/// The distances of the pixels around a glyph from its outline.
struct DistanceField {
  /// The pixels of an em, the border around the glyph, and the distance in pixels between the values 0 and 255.
  ///
  /// - Source: fontnik and MapLibre GL JS 5.
  private static let (em, border, radius) = (24.0, 3, 8.0)
  /// The value of the edge is 255 times 1 less this.
  private static let cutoff = 0.25
  /// The height of the ascender of Noto Sans in pixels, from which files count the top of a glyph.
  ///
  /// - Source: its table hhea, 1.069 em, rounded up by FreeType.
  private static let ascender = 26
  /// The lines that replace a curve.
  ///
  /// - Source: design decision; curves of letters at 24 pixels are off by less than 0.05 pixels.
  private static let steps = 8

  private typealias Segment = (x0: Double, y0: Double, x1: Double, y1: Double)

  private var segments: [Segment] = []
  private var (left, top, width, height) = (0, 0, 0, 0)

  /// Creates the field of an outline.
  init(_ outline: GlyphOutline) {
    guard let bounds = outline.bounds else { return }
    func pixels(_ length: Double) -> Double { min(max(length * Self.em, -1000), 1000) }
    left = Int(clamping: pixels(bounds.xMin).rounded(.down))
    top = Int(clamping: pixels(bounds.yMax).rounded(.up))
    width = Int(clamping: pixels(bounds.xMax).rounded(.up)) - left
    height = top - Int(clamping: pixels(bounds.yMin).rounded(.down))
    var (start, now) = ((x: 0.0, y: 0.0), (x: 0.0, y: 0.0))
    func add(_ x: Double, _ y: Double) {
      segments.append((now.x, now.y, x, y))
      now = (x, y)
    }
    for step in outline.steps {
      switch step {
      case .move(let x, let y):
        now = (pixels(x), pixels(y))
        start = now
      case .line(let x, let y): add(pixels(x), pixels(y))
      case .curve(let x1, let y1, let x2, let y2, let x, let y):
        let from = now
        for step in 1...Self.steps {
          let t = Double(step) / Double(Self.steps)
          let (a, b, c, d) = (
            (1 - t) * (1 - t) * (1 - t), 3 * t * (1 - t) * (1 - t), 3 * t * t * (1 - t), t * t * t
          )
          add(
            a * from.x + b * pixels(x1) + c * pixels(x2) + d * pixels(x),
            a * from.y + b * pixels(y1) + c * pixels(y2) + d * pixels(y))
        }
      case .close: add(start.x, start.y)
      }
    }
  }

  /// Returns the message of the glyph.
  ///
  /// - Parameter advance: the width of the letter in ems.
  func message(character: UInt32, advance: Double) -> [UInt8] {
    var message = WireMessage()
    message.add(1, UInt64(character))
    if width > 0, height > 0 { message.add(2, values) }
    message.add(3, UInt64(width))
    message.add(4, UInt64(height))
    message.add(5, signed: left)
    message.add(6, signed: width > 0 ? top - Self.ascender : 0)
    message.add(7, UInt64(clamping: Int(clamping: (advance * Self.em).rounded())))
    return message.bytes
  }

  /// The values of the glyph and its border, row by row from the top.
  private var values: [UInt8] {
    var values: [UInt8] = []
    values.reserveCapacity((width + 2 * Self.border) * (height + 2 * Self.border))
    for row in 0..<height + 2 * Self.border {
      for column in 0..<width + 2 * Self.border {
        let x = Double(left - Self.border + column) + 0.5
        let y = Double(top + Self.border - row) - 0.5
        let distance = distance(x, y)
        let value = 255 * (1 - (distance / Self.radius + Self.cutoff))
        values.append(UInt8(clamping: Int(clamping: value.rounded())))
      }
    }
    return values
  }

  /// Returns the distance of a point from the outline, negative inside; the inside follows the non-zero rule.
  private func distance(_ x: Double, _ y: Double) -> Double {
    var (nearest, winding) = (Double.infinity, 0)
    for segment in segments {
      let (dx, dy) = (segment.x1 - segment.x0, segment.y1 - segment.y0)
      let length = dx * dx + dy * dy
      let along = length > 0 ? min(max(((x - segment.x0) * dx + (y - segment.y0) * dy) / length, 0), 1) : 0
      let (ex, ey) = (x - segment.x0 - along * dx, y - segment.y0 - along * dy)
      nearest = min(nearest, ex * ex + ey * ey)
      let isUp = segment.y0 <= y && segment.y1 > y
      guard isUp || segment.y1 <= y && segment.y0 > y else { continue }
      let side = dx * (y - segment.y0) - (x - segment.x0) * dy
      if isUp, side > 0 { winding += 1 } else if !isUp, side < 0 { winding -= 1 }
    }
    let far = nearest.squareRoot()
    return winding == 0 ? far : -far
  }
}
