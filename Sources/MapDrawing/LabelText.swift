import MapFeatures
import MapFilter
import MapModel

/// The text of a class of labels, bound to the columns of a table.
struct LabelText {
  private enum Part {
    case text(String)
    case column(Column)
  }

  private let parts: [Part]
  private let stacking: LabelStacking?

  /// - Throws: ``RendererFieldError`` when the table lacks a field.
  init(
    _ template: LabelTemplate, stacking: LabelStacking?, table: FeatureColumns
  ) throws(RendererFieldError) {
    var parts: [Part] = []
    for part in template.parts {
      switch part {
      case .text(let text): parts.append(.text(text))
      case .field(let name):
        guard let index = table.schema.index(ofField: name) else {
          throw RendererFieldError(
            reader: "a class of labels", field: name, available: table.schema.fields.map(\.name))
        }
        parts.append(.column(table.columns[index]))
      }
    }
    (self.parts, self.stacking) = (parts, stacking)
  }

  /// True when a row's label has a visible character.
  func hasInk(row: Int) -> Bool {
    // Nearly all labels have a plain letter, and need no cutting into lines to see it.
    func isPlain(_ text: String) -> Bool { text.utf8.contains { (0x21...0x7E).contains($0) } }
    let isSure = parts.contains { part in
      switch part {
      case .text(let text): isPlain(text)
      case .column(let column):
        switch column.value(at: row) {
        case .null: false
        case .text(let text): isPlain(text)
        default: true
        }
      }
    }
    return isSure || !lines(ofRow: row).isEmpty
  }

  /// The lines of a row's label, those without a visible character left out.
  ///
  /// O(characters).
  func lines(ofRow row: Int) -> [String] {
    var text = ""
    for part in parts {
      switch part {
      case .text(let part): text += part
      case .column(let column): text += column.value(at: row).labelText
      }
    }
    return Self.split(text).flatMap { line in stacking?.lines(of: line) ?? [line] }
      .compactMap(Self.trimmed)
  }

  /// The lines of a text, those without a visible character left out.
  static func lines(of text: String) -> [String] { split(text).compactMap(trimmed) }

  /// The text at its line ends, without control characters; a tab is a blank.
  private static func split(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        // CR LF gives an empty line more, which is left out like all.
        lines.append(line)
        line = ""
      case "\t": line.unicodeScalars.append(" ")
      case _ where scalar.properties.generalCategory == .control: continue
      default: line.unicodeScalars.append(scalar)
      }
    }
    return lines + [line]
  }

  /// Without blanks at its ends; nil when nothing is left.
  private static func trimmed(_ line: String) -> String? {
    let scalars = line.unicodeScalars
    func isInk(_ scalar: Unicode.Scalar) -> Bool { !scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: isInk), let last = scalars.lastIndex(where: isInk) else {
      return nil
    }
    return String(scalars[first...last])
  }
}

extension AttributeValue {
  /// The value as labels show it: nothing for null, numbers as short as they read back, dates as `2026-11-21`, moments
  /// as `2026-11-21 14:30:00` in UTC.
  ///
  /// - Source: ours; documents may ask for formats, which are not read yet.
  var labelText: String {
    switch self {
    case .null: ""
    case .integer(let value): "\(value)"
    case .real(let value):
      value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    case .text(let value): value
    case .boolean(let value): value ? "true" : "false"
    case .date(let date): date.labelText
    case .instant(let instant): "\(instant.date.labelText) \(Self.time(instant.microsecondOfDay))"
    // No column has durations.
    case .duration(let duration): duration.sqlLiteral
    }
  }

  private static func time(_ microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }
    let rest = microseconds % 1_000_000
    guard rest > 0 else { return clock.joined(separator: ":") }
    var digits = rest.padded(to: 6)
    while digits.last == "0" { digits.removeLast() }
    return clock.joined(separator: ":") + "." + digits
  }
}

extension CalendarDate {
  fileprivate var labelText: String {
    let (year, month, day) = components
    return "\(Int64(year).padded(to: 4))-\(Int64(month).padded(to: 2))-\(Int64(day).padded(to: 2))"
  }
}

extension Int64 {
  /// With zeros in front, after a minus where there is one.
  fileprivate func padded(to count: Int) -> String {
    let digits = "\(magnitude)"
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(count - digits.count, 0)) + digits
  }
}
