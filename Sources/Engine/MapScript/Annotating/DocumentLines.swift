package import MapJSON

/// The lines of values in the text of a JSON document.
package struct DocumentLines: Sendable {
  private let bytes: [UInt8]

  /// Creates the lines of a text that is valid JSON.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the line, from 1, at which the value at a path begins; of its nearest container if it does not exist.
  ///
  /// - Cost: one pass over the text before the value.
  package func line(of path: JSONPath) -> Int {
    var at = skippingBlanks(0)
    for step in path.steps {
      guard let next = child(step, of: at) else { break }
      at = next
    }
    return 1 + bytes[..<min(at, bytes.count)].count { $0 == UInt8(ascii: "\n") }
  }

  /// Returns the start of a member's or element's value; nil if the container does not have it.
  private func child(_ step: JSONPath.Step, of start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    switch (step, bytes[start]) {
    case (.member(let name), UInt8(ascii: "{")):
      var at = skippingBlanks(start + 1)
      while at < bytes.count, bytes[at] == UInt8(ascii: "\"") {
        let end = endOfString(at)
        let key = (try? JSONValue(parsing: Array(bytes[at..<end])))?.string
        let value = skippingBlanks(skippingBlanks(end) + 1)
        if key == name { return value }
        at = afterComma(endOfValue(value))
      }
      return nil
    case (.index(let index), UInt8(ascii: "[")):
      var at = skippingBlanks(start + 1)
      for _ in 0..<index where at < bytes.count && bytes[at] != UInt8(ascii: "]") {
        at = afterComma(endOfValue(at))
      }
      return at < bytes.count && bytes[at] != UInt8(ascii: "]") ? at : nil
    default: return nil
    }
  }

  private func skippingBlanks(_ start: Int) -> Int {
    var at = start
    while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
    return at
  }

  private func afterComma(_ end: Int) -> Int {
    let at = skippingBlanks(end)
    return at < bytes.count && bytes[at] == UInt8(ascii: ",") ? skippingBlanks(at + 1) : at
  }

  private func endOfString(_ start: Int) -> Int {
    var at = start + 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(at + 1, bytes.count)
  }

  private func endOfValue(_ start: Int) -> Int {
    var (at, depth) = (start, 0)
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""): at = endOfString(at) - 1
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return at }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return at
      default: break
      }
      at += 1
      // A string, object or array ends here; a number or word ends at the next mark.
      if depth == 0, [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(bytes[at - 1]) {
        return at
      }
    }
    return at
  }
}
