import MapJSON

/// The number of occurrences of something in a text, with the offset of the first.
struct FirstSight: Sendable {
  private(set) var count = 0
  private var offset = 0

  mutating func note(_ offset: Int) {
    if count == 0 { self.offset = offset }
    count += 1
  }

  /// Adds the occurrences in a later part of the text, which starts at `start`.
  mutating func append(_ part: FirstSight, from start: Int) {
    if count == 0 { offset = start + part.offset }
    count += part.count
  }

  /// Returns the position for messages, such as "line 3" or "line 3 and 20 more"; nil without occurrences.
  func text(in bytes: [UInt8], _ line: (Int) -> String = { "line \($0)" }) -> String? {
    text(at: count == 0 ? "" : line(TextPlace(offset: offset, in: bytes).line))
  }

  /// Returns the position in a text that is read by its ranges.
  func text(in text: TextBytes) throws -> String? {
    self.text(at: count == 0 ? "" : "line \(try text.line(of: offset))")
  }

  private func text(at line: String) -> String? {
    guard count > 0 else { return nil }
    return count == 1 ? line : "\(line) and \(count - 1) more"
  }
}
