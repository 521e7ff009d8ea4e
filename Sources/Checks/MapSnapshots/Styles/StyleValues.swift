import MapJSON
import MapStyles
import MapSystem

/// The values of a style's layers at a zoom, as texts that can be compared.
struct StyleValues {
  /// A property that differs.
  struct Difference {
    let name: String
    /// The name for reports, with the zoom if the value depends on it.
    let shown: String
    let before: String
    let after: String
  }

  let zoom: Double

  /// Returns the texts of two filters, cut to what differs; nil for filters that are the same at the zoom.
  func difference(ofFilters old: JSONValue?, _ new: JSONValue?) -> (String, String)? {
    let (a, b) = (old ?? .null, new ?? .null)
    guard a != b else { return nil }
    return JSONDifference.texts(a, b)
  }

  /// Returns the properties of two layers with other values at the zoom.
  func differences(_ old: JSONObject, _ new: JSONObject) -> [Difference] {
    guard let first = layer(old), let second = layer(new) else { return [] }
    var found: [Difference] = []
    for group in ["layout", "paint"] {
      let (a, b) = (old[group]?.object ?? JSONObject(), new[group]?.object ?? JSONObject())
      let names = b.members.map(\.name) + a.members.map(\.name).filter { b[$0] == nil }
      for name in names where a[name] != b[name] && name != "visibility" && !name.hasSuffix("-transition") {
        let (was, now) = (value(name, a[name], first), value(name, b[name], second))
        guard was.text != now.text else { continue }
        let shown = was.dependsOnZoom || now.dependsOnZoom ? "\(name) at zoom \(number(zoom))" : name
        let isWritten = was.written != nil || now.written != nil
        let texts =
          isWritten
          ? JSONDifference.texts(
            was.written ?? .string(was.text), now.written ?? .string(now.text))
          : (was.text, now.text)
        found.append(Difference(name: name, shown: shown, before: texts.0, after: texts.1))
      }
    }
    return found
  }

  /// Reads a layer alone.
  private func layer(_ members: JSONObject) -> StyleLayer? {
    let style: JSONObject = ["version": 8, "sources": .object(JSONObject()), "layers": [.object(members)]]
    return (try? StyleDocument(.object(style)))?.layers.first
  }

  /// Returns the value of a property as text, and whether the zoom decides it; of a value that features decide, also what
  /// is written for the zoom.
  private func value(
    _ name: String, _ json: JSONValue?, _ layer: StyleLayer
  ) -> (text: String, dependsOnZoom: Bool, written: JSONValue?) {
    let json = json ?? .null
    guard let index = layer.type.index(of: name) else {
      return (json.isNull ? "none" : json.string ?? json.text(), false, nil)
    }
    switch layer.values[index] {
    case nil where !json.isNull: return ("\(json.string ?? json.text()) (not valid)", false, nil)
    case .expression(let expression)? where !expression.isFeatureConstant:
      let property = layer.type.properties[index]
      let whole = property.group == .layout ? zoom.rounded(.down) : zoom
      let stops = StyleZoomStops(json, isInterpolated: property.isInterpolated)
      let written = stops?.written(at: whole) ?? json
      return (written.text(), stops != nil, written)
    case .expression(let expression)?:
      let answer = layer.value(of: index, StyleContext(zoom: zoom))
      return (text(answer.value), !expression.isZoomConstant, nil)
    default: return (text(layer.value(of: index, StyleContext(zoom: zoom)).value), false, nil)
    }
  }

  /// Returns a value as text: colours as `#rrggbb` or `#rrggbbaa`, numbers to six decimals.
  private func text(_ value: StyleValue) -> String {
    switch value {
    case .null: "none"
    case .boolean(let value): value ? "true" : "false"
    case .number(let value): number(value)
    case .string(let text): text.isEmpty ? "\"\"" : text
    case .color(let color): color.hexadecimal
    case .formatted(let sections): sections.map(\.text).joined()
    case .image(let image): image.name
    case .array(let elements): "[\(elements.map { text($0) }.joined(separator: ", "))]"
    case .padding(let numbers), .numbers(let numbers):
      "[\(numbers.map { number($0) }.joined(separator: ", "))]"
    case .colors(let colors): "[\(colors.map(\.hexadecimal).joined(separator: ", "))]"
    default: value.json.text()
    }
  }

  private func number(_ value: Double) -> String {
    value.isFinite ? LayerProperties.text(.number(value)) : "\(value)"
  }
}

extension StyleColor {
  /// The colour as `#rrggbb`, with the opacity as two more digits unless it is opaque.
  fileprivate var hexadecimal: String {
    let channels = alpha < 1 ? [red, green, blue, alpha] : [red, green, blue]
    return "#"
      + channels.map { channel in
        let byte = UInt8(clamping: Int(clamping: (channel * 255).rounded()))
        return (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
  }
}

/// The part in which two JSON values differ.
enum JSONDifference {
  /// The greatest number of characters of a whole value, and of a part.
  private static let (wholeLimit, partLimit) = (60, 120)

  /// Returns the texts of two values: whole ones, or of long ones the part that differs, with `…` for the rest.
  static func texts(_ old: JSONValue, _ new: JSONValue) -> (String, String) {
    func text(_ json: JSONValue) -> String { json.isNull ? "none" : json.string ?? json.text() }
    let (a, b) = (text(old), text(new))
    guard max(a.count, b.count) > wholeLimit, old.string == nil || new.string == nil else { return (a, b) }
    let (first, second) = (words(a), words(b))
    var start = zip(first, second).prefix { $0 == $1 }.count
    // The word before a value says what it is for.
    while start > 0 {
      start -= 1
      if first[start].contains(where: { $0.isLetter || $0.isNumber }) { break }
    }
    let most = min(first.count, second.count) - start
    let end = zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.count
    let kept = max(0, min(end, most))
    func part(_ words: [Substring]) -> String {
      let middle = words[start..<max(start, words.count - kept)].joined()
      let cut = middle.count > partLimit ? middle.prefix(partLimit) + "…" : middle
      return (start > 0 ? "…" : "") + cut + (kept > 0 && !cut.hasSuffix("…") ? "…" : "")
    }
    return (part(first), part(second))
  }

  /// Splits JSON into strings, other values and single marks.
  private static func words(_ text: String) -> [Substring] {
    var (words, start, isString, isEscaped): ([Substring], String.Index, Bool, Bool) = (
      [], text.startIndex, false, false
    )
    var at = text.startIndex
    func end(_ index: String.Index) {
      if start < index { words.append(text[start..<index]) }
      start = index
    }
    while at < text.endIndex {
      let next = text.index(after: at)
      switch text[at] {
      case "\\" where isString && !isEscaped: isEscaped = true
      case "\"" where !isEscaped:
        if isString { end(next) } else { end(at) }
        isString.toggle()
      case "[", "]", "{", "}", ",", ":":
        if !isString {
          end(at)
          end(next)
        }
        isEscaped = false
      default: isEscaped = false
      }
      at = next
    }
    end(text.endIndex)
    return words
  }
}
