import Glibc
import MapDrawing
import MapGeometry
import MapModel
import MapSystem

/// The bytes of an SVG document, or of a page of a PDF document, while they are written.
struct VectorText {
  var bytes: [UInt8] = []

  static func += (text: inout VectorText, more: String) { text.bytes += more.utf8 }

  /// Writes a number rounded to a hundredth.
  mutating func add(_ number: Double) { add(hundredths: Int(clamping: (number * 100).rounded())) }

  /// Writes a number of hundredths, in the shortest form.
  mutating func add(hundredths: Int) {
    var rest = hundredths.magnitude
    if hundredths < 0 { bytes.append(UInt8(ascii: "-")) }
    let fraction = rest % 100
    rest /= 100
    // Neither format needs a zero before the point.
    if rest > 0 || fraction == 0 { bytes += "\(rest)".utf8 }
    guard fraction > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 10))
    if fraction % 10 > 0 { bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction % 10)) }
  }

  /// Writes a number of units in the shortest form; a power of ten units make 1.
  mutating func add(_ units: Int, decimals: Int) {
    // Nearly all numbers are hundredths.
    guard decimals != 2 else { return add(hundredths: units) }
    if units < 0 { bytes.append(UInt8(ascii: "-")) }
    let digits = Array(String(units.magnitude).utf8)
    let whole = digits.dropLast(decimals)
    var fraction = Array(repeating: UInt8(ascii: "0"), count: max(0, decimals - digits.count))
    fraction += digits.suffix(decimals)
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    bytes += whole.isEmpty && fraction.isEmpty ? digits[..<1] : whole
    guard !fraction.isEmpty else { return }
    bytes.append(UInt8(ascii: "."))
    bytes += fraction
  }

  /// Writes a number rounded to some decimals, and a text after it.
  mutating func add(value: Double, decimals: Int, after end: String) {
    add(Int(clamping: (value * pow(10, Double(decimals))).rounded()), decimals: decimals)
    self += end
  }

  /// Returns the number of decimals of an item's coordinates: 2, and more where they would change a small part.
  ///
  /// A part is small if its size, or with few vertices its shortest side, is less than 50 hundredths.
  static func decimals(_ geometry: borrowing CoordinateBuffer, _ item: Int) -> Int {
    var least = Double.infinity
    for part in geometry.parts(ofRow: item) {
      let range = geometry.vertices(ofPart: part)
      let (x, y) = (geometry.x[range], geometry.y[range])
      if range.count > 16 {
        let sides = ((x.max() ?? 0) - (x.min() ?? 0), (y.max() ?? 0) - (y.min() ?? 0))
        least = min(least, max(sides.0, sides.1))
      } else {
        for vertex in range.dropFirst() {
          let side = max(abs(x[vertex] - x[vertex - 1]), abs(y[vertex] - y[vertex - 1]))
          if side > 0 { least = min(least, side) }
        }
      }
    }
    var (decimals, units) = (2, 100.0)
    while decimals < 6, least * units < 50 { (decimals, units) = (decimals + 1, units * 10) }
    return decimals
  }

  /// Writes the steps of an outline, transformed.
  mutating func add(
    _ steps: [GlyphOutline.Step], x: (Double, Double) -> Double, y: (Double, Double) -> Double
  ) {
    func point(_ px: Double, _ py: Double, _ text: inout VectorText) {
      text.add(x(px, py))
      text += " "
      text.add(y(px, py))
    }
    for step in steps {
      switch step {
      case .move(let px, let py):
        self += "M"
        point(px, py, &self)
      case .line(let px, let py):
        self += "L"
        point(px, py, &self)
      case .curve(let x1, let y1, let x2, let y2, let px, let py):
        self += "C"
        point(x1, y1, &self)
        self += " "
        point(x2, y2, &self)
        self += " "
        point(px, py, &self)
      case .close: self += "z"
      }
    }
  }

  /// Writes a circle as four curves, because Chromium paints the edges of circles and arcs less exactly.
  ///
  /// - Error: the curves differ from the circle by up to 0.03 % of the radius.
  mutating func addCircle(x: Double, y: Double, radius: Double) {
    let arm = 4 * (2.0.squareRoot() - 1) / 3
    let steps: [GlyphOutline.Step] = [
      .move(x: 1, y: 0), .curve(x1: 1, y1: arm, x2: arm, y2: 1, x: 0, y: 1),
      .curve(x1: -arm, y1: 1, x2: -1, y2: arm, x: -1, y: 0),
      .curve(x1: -1, y1: -arm, x2: -arm, y2: -1, x: 0, y: -1),
      .curve(x1: arm, y1: -1, x2: 1, y2: -arm, x: 1, y: 0), .close,
    ]
    add(steps, x: { px, _ in x + px * radius }, y: { _, py in y + py * radius })
  }

  /// Returns the attributes of a colour; nil paints nothing.
  static func paint(_ name: String, _ color: Color?) -> String {
    guard let color else { return " \(name)=\"none\"" }
    return " \(name)=\"\(hex(color))\"" + (color.alpha < 255 ? " \(name)-opacity=\"\(alpha(color))\"" : "")
  }

  /// Returns the attributes of a stroke; empty for none.
  static func stroke(_ stroke: Stroke?) -> String {
    guard let stroke else { return "" }
    return paint("stroke", stroke.color) + " stroke-width=\"\(stroke.width.thousandths)\""
      + (stroke.cap == .butt ? "" : " stroke-linecap=\"\(stroke.cap.rawValue)\"")
      + (stroke.join == .miter
        ? " stroke-miterlimit=\"\(stroke.miterLimit.thousandths)\""
        : " stroke-linejoin=\"\(stroke.join.rawValue)\"")
  }

  /// Returns a colour without its alpha.
  static func hex(_ color: Color) -> String { String(color.hexadecimal.prefix(7)) }

  /// Returns an alpha as a number of 0 to 1.
  static func alpha(_ color: Color) -> String { (Double(color.alpha) / 255).thousandths }

  /// Returns a text for content and attributes, without characters that XML forbids.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t", "\r": result += " "
      case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a text as part of an id.
  static func name(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }
}
