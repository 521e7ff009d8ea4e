/// The glyphs of a glyph file: 256 characters of a font stack as distance fields.
///
/// - Source: glyphs.proto of fontnik; MapLibre GL JS 5.
struct GlyphFile: Sendable {
  /// A glyph as a distance field.
  struct Glyph: Sendable {
    /// The distances, of the glyph and a border of ``border`` pixels; 191.25 is the edge, and 32 a pixel.
    var field: ArraySlice<UInt8> = []
    /// The size in pixels without the border; an em is 24 pixels.
    var width = 0
    var height = 0
    /// The distance of the left side from the origin in pixels.
    var left = 0
    /// The distance of the top side above the top of an em, in pixels.
    var top = 0
    /// The width of the letter in pixels.
    var advance = 0

    static let border = 3

    /// Whether the numbers fit each other and the field.
    var isValid: Bool {
      guard width <= 256, height <= 256, abs(left) <= 1024, abs(top) <= 1024, advance <= 1024 else {
        return false
      }
      let (columns, rows) = (width + 2 * Self.border, height + 2 * Self.border)
      return field.isEmpty || field.count == columns * rows
    }
  }

  /// The glyphs by character.
  private(set) var glyphs: [UInt32: Glyph] = [:]

  /// The largest size in bytes.
  ///
  /// - Source: design decision; files of 256 characters have up to 250 KB.
  static let sizeLimit = 4 << 20

  /// Reads a file; nil for damaged bytes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.sizeLimit else { return nil }
    var file = WireFields(bytes[...])
    while let stack = file.next() {
      guard stack.number == 1 else { continue }
      guard case .bytes(let bytes) = stack.value else { return nil }
      var fields = WireFields(bytes)
      while let field = fields.next() {
        guard field.number == 3 else { continue }
        guard case .bytes(let bytes) = field.value, glyphs.count < 1024, let (id, glyph) = Self.glyph(bytes)
        else { return nil }
        glyphs[id] = glyph
      }
      guard fields.isComplete else { return nil }
    }
    guard file.isComplete else { return nil }
  }

  private static func glyph(_ bytes: ArraySlice<UInt8>) -> (id: UInt32, glyph: Glyph)? {
    var (id, glyph, fields) = (UInt32?.none, Glyph(), WireFields(bytes))
    while let field = fields.next() {
      switch (field.number, field.value) {
      case (2, .bytes(let field)): glyph.field = field
      case (1, .number(let number)): id = UInt32(exactly: number)
      case (3, .number(let number)): glyph.width = Int(clamping: number)
      case (4, .number(let number)): glyph.height = Int(clamping: number)
      case (5, .number(let number)): glyph.left = signed(number)
      case (6, .number(let number)): glyph.top = signed(number)
      case (7, .number(let number)): glyph.advance = Int(clamping: number)
      default: continue
      }
    }
    guard let id, fields.isComplete, glyph.isValid else { return nil }
    return (id, glyph)
  }

  /// Returns the signed number of a zigzag code.
  private static func signed(_ code: UInt64) -> Int {
    let code = UInt32(truncatingIfNeeded: code)
    return Int(Int32(bitPattern: code >> 1) ^ -Int32(bitPattern: code & 1))
  }
}

/// The fields of a message in Protocol Buffers' wire format.
private struct WireFields {
  enum Value {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
    case other
  }

  private var rest: ArraySlice<UInt8>
  /// Whether all bytes were read without a fault.
  private(set) var isComplete = false

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Returns the next field; nil at the end, and for damaged bytes.
  mutating func next() -> (number: UInt64, value: Value)? {
    guard !rest.isEmpty else {
      isComplete = true
      return nil
    }
    guard let key = number() else { return nil }
    switch key & 7 {
    case 0: return number().map { (key >> 3, .number($0)) }
    case 1: return take(8).map { _ in (key >> 3, .other) }
    case 2: return number().flatMap { take($0) }.map { (key >> 3, .bytes($0)) }
    case 5: return take(4).map { _ in (key >> 3, .other) }
    default: return nil
    }
  }

  private mutating func take(_ count: UInt64) -> ArraySlice<UInt8>? {
    guard count <= UInt64(rest.count) else { return nil }
    let bytes = rest.prefix(Int(count))
    rest = rest.dropFirst(Int(count))
    return bytes
  }

  private mutating func number() -> UInt64? {
    var (value, shift) = (UInt64(0), UInt64(0))
    while let byte = rest.popFirst(), shift < 64 {
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return value }
      shift += 7
    }
    return nil
  }
}
