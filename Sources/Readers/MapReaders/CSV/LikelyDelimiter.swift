/// The sign that probably divides the fields of a text whose header is read as one field.
///
/// Outside quotation marks, it occurs as often in each of the first records as in the header.
struct LikelyDelimiter {
  let delimiter: CSVDelimiter
  /// The number of fields into which it divides the header.
  let fieldCount: Int

  /// The signs that delimit fields in practice; a space divides at least three fields.
  private static let signs = Array(",;\t|:^~!#&* ".utf8)

  /// Finds the sign in a text with a header at `start`; nil without one, and without records.
  ///
  /// - Cost: at most 64 KiB and ten records are read.
  init?(_ bytes: [UInt8], header start: Int) {
    var counts: [[Int]] = []
    var line = Array(repeating: 0, count: Self.signs.count)
    var (isQuoted, hasText) = (false, false)
    let end = min(bytes.count, start + 65_536)
    for place in start..<end {
      let byte = bytes[place]
      if byte == 0x22 { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 0x0A || byte == 0x0D {
        if hasText { counts.append(line) }
        if counts.count > 10 { break }
        (line, hasText) = (Array(repeating: 0, count: Self.signs.count), false)
        continue
      }
      hasText = true
      if let index = Self.signs.firstIndex(of: byte) { line[index] += 1 }
    }
    if hasText, end == bytes.count, counts.count <= 10 { counts.append(line) }
    guard counts.count > 1 else { return nil }
    var best: (index: Int, count: Int)?
    for (index, count) in counts[0].enumerated() where count > (best?.count ?? 0) {
      let least = Self.signs[index] == 0x20 ? 2 : 1
      if count >= least, counts.allSatisfy({ $0[index] == count }) { best = (index, count) }
    }
    guard let best, let delimiter = CSVDelimiter(byte: Self.signs[best.index]) else { return nil }
    (self.delimiter, fieldCount) = (delimiter, best.count + 1)
  }

  /// Returns the way out for a header that is read as one field; nil if it probably is one.
  ///
  /// - Parameter records: the records, positioned after the header.
  static func hint(_ records: CSVRecords, given: CSVDelimiter?) -> String? {
    guard records.fields.count == 1 else { return nil }
    let declaration = records.bytes[records.start...].prefix(5).filter { $0 != 0x22 }
    if String(decoding: declaration, as: UTF8.self).lowercased().hasPrefix("sep=") {
      return "it states no delimiter of one character; name the delimiter with --delimiter"
    }
    if let likely = LikelyDelimiter(records.bytes, header: records.start) {
      return "--delimiter \(likely.delimiter.written) divides it into \(likely.fieldCount)"
    }
    return given.map { "the given delimiter \($0.written) does not occur in it" }
  }
}
