/// The units in which texts of symbols are set: 24ths of an em, in which MapLibre's constants are.
enum TextUnits {
  /// The units of an em.
  static let em = 24.0
  /// The offset down of the top of a glyph's box from the middle of its line.
  static let topOffset = -17.0
  /// The distance from the top of a glyph's box down to the baseline.
  ///
  /// - Source: the ascender of Noto Sans, 1.069 ems, rounded up to whole units as in glyph files.
  static let ascender = 26.0
  /// The largest number of characters and images of a text.
  ///
  /// - Source: design decision; labels have some hundred characters.
  static let lengthLimit = 2000
}
