import MapJSON
import MapModel

/// Elements of a style as text, with two blanks for each level.
struct SLDText {
  private(set) var lines: [String] = []
  private var depth = 0

  /// Adds an element with others in it.
  mutating func element(_ name: String, _ attributes: String = "", _ content: (inout SLDText) -> Void) {
    let indent = String(repeating: "  ", count: depth)
    lines.append("\(indent)<\(name)\(attributes.isEmpty ? "" : " " + attributes)>")
    depth += 1
    let count = lines.count
    content(&self)
    depth -= 1
    if lines.count == count {
      let start = lines.removeLast()
      lines.append(start.dropLast() + "/>")
    } else {
      lines.append("\(indent)</\(name)>")
    }
  }

  /// Adds an element with a text.
  mutating func element(_ name: String, _ attributes: String = "", text: String) {
    let indent = String(repeating: "  ", count: depth)
    let start = attributes.isEmpty ? name : "\(name) \(attributes)"
    lines.append("\(indent)<\(start)>\(Self.escaped(text))</\(name)>")
  }

  /// Adds an element with other elements in one line.
  mutating func raw(_ name: String, _ content: String) {
    lines.append("\(String(repeating: "  ", count: depth))<\(name)>\(content)</\(name)>")
  }

  /// Adds an element with a number.
  mutating func element(_ name: String, number: Double) { element(name, text: Self.text(number)) }

  /// Adds a parameter of a fill, a stroke or a font.
  mutating func parameter(_ name: String, _ text: String) {
    element("se:SvgParameter", "name=\"\(name)\"", text: text)
  }

  /// Adds the lines of other elements.
  mutating func append(_ other: SLDText) {
    let indent = String(repeating: "  ", count: depth)
    lines += other.lines.map { indent + $0 }
  }

  /// The number with at most twelve decimals, so that points that were converted to pixels are read back as they were.
  static func text(_ number: Double) -> String {
    let rounded = (number * 1e12).rounded() / 1e12
    return JSONWriter.text(of: rounded.isFinite ? rounded : number)
  }

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }
}

extension Color {
  /// The colour as `#rrggbb`, without its alpha.
  var sldText: String { "\(withAlphaComponent(1))" }

  /// The alpha as a number from 0 to 1, which reads back the same.
  var sldOpacity: Double { (Double(alpha) / 255 * 10_000).rounded() / 10_000 }
}
