import Glibc
internal import MapModel
internal import MapSystem

/// A linear change of red, green and blue, with numbers in units of 1/65,536.
///
/// - Source: W3C Filter Effects Module Level 1, section 13 (shorthands of the filter functions) and section 9.7
///   (`feColorMatrix`).
struct EffectMatrix {
  /// A colour that is not premultiplied, each channel 0 to 65,535.
  typealias Channels = (red: Int64, green: Int64, blue: Int64)

  /// Three rows of factors for red, green and blue, and an offset.
  private let rows: [[Int64]]

  private init(_ rows: [[Double]]) {
    self.rows = rows.map { row in row.map { Int64(clamping: ($0 * 65536).rounded()) } }
  }

  /// Creates the change by an amount; one of the opacity changes no colour.
  init(_ kind: EffectAmount, _ amount: Double) {
    let a = min(max(amount, 0), kind.largest)
    // The share of the unchanged colour.
    let s = 1 - a
    switch kind {
    case .brightness: self.init([[a, 0, 0, 0], [0, a, 0, 0], [0, 0, a, 0]])
    case .contrast:
      let offset = 0.5 - 0.5 * a
      self.init([[a, 0, 0, offset], [0, a, 0, offset], [0, 0, a, offset]])
    case .invert:
      let factor = 1 - 2 * a
      self.init([[factor, 0, 0, a], [0, factor, 0, a], [0, 0, factor, a]])
    case .grayscale:
      self.init([
        [0.2126 + 0.7874 * s, 0.7152 - 0.7152 * s, 0.0722 - 0.0722 * s, 0],
        [0.2126 - 0.2126 * s, 0.7152 + 0.2848 * s, 0.0722 - 0.0722 * s, 0],
        [0.2126 - 0.2126 * s, 0.7152 - 0.7152 * s, 0.0722 + 0.9278 * s, 0],
      ])
    case .sepia:
      self.init([
        [0.393 + 0.607 * s, 0.769 - 0.769 * s, 0.189 - 0.189 * s, 0],
        [0.349 - 0.349 * s, 0.686 + 0.314 * s, 0.168 - 0.168 * s, 0],
        [0.272 - 0.272 * s, 0.534 - 0.534 * s, 0.131 + 0.869 * s, 0],
      ])
    case .saturate:
      self.init([
        [0.213 + 0.787 * a, 0.715 - 0.715 * a, 0.072 - 0.072 * a, 0],
        [0.213 - 0.213 * a, 0.715 + 0.285 * a, 0.072 - 0.072 * a, 0],
        [0.213 - 0.213 * a, 0.715 - 0.715 * a, 0.072 + 0.928 * a, 0],
      ])
    case .opacity: self.init([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
    }
  }

  /// Creates the rotation of the hues by degrees.
  init(hueRotation degrees: Double) {
    let angle = degrees.truncatingRemainder(dividingBy: 360) * Double.pi / 180
    let (c, s) = (cos(angle), sin(angle))
    self.init([
      [0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928, 0],
      [0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283, 0],
      [0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072, 0],
    ])
  }

  /// Returns the changed colour, with channels limited to 0 to 65,535.
  func applied(to color: Channels) -> Channels {
    func channel(_ row: [Int64]) -> Int64 {
      let sum = row[0] * color.red + row[1] * color.green + row[2] * color.blue + row[3] * 65535
      return min(max((sum + 32768) >> 16, 0), 65535)
    }
    return (channel(rows[0]), channel(rows[1]), channel(rows[2]))
  }
}
