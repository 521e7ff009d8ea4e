/// The bytes of a file that a request asks for.
package enum ByteRange: Hashable, Sendable, CustomStringConvertible {
  /// A range; the file may end before it does.
  case bytes(Range<Int>)
  /// A number of bytes at the end, or all of a smaller file.
  case last(Int)

  /// The text in the field `Range`.
  ///
  /// - Source: RFC 9110, 14.1.2; the last byte is included.
  package var description: String {
    switch self {
    case .bytes(let range): "\(range.lowerBound)-\(range.upperBound - 1)"
    case .last(let count): "-\(count)"
    }
  }

  /// Returns the range in a file of a size.
  func range(in size: Int) -> Range<Int> {
    switch self {
    case .bytes(let range): range.lowerBound..<min(range.upperBound, max(size, range.lowerBound))
    case .last(let count): max(0, size - count)..<size
    }
  }
}

/// A part of a file on a server, and the version of the file.
package struct ServedPart: Hashable, Sendable {
  /// The bytes.
  package let bytes: [UInt8]
  /// The size of the whole file; nil if the server does not state it.
  package let size: Int?
  /// The tag of the file, which changes when the file does, or else its date; nil if the server states neither.
  package let version: String?
}

extension HTTPResponse {
  /// The reason for refusing an answer with a whole file.
  static let wholeInsteadOfPart =
    "answers a request for a part with the whole file, which is not downloaded; use a server with byte ranges "
    + "(Accept-Ranges: bytes), or a local copy"

  /// Returns the part of a file in an answer; nil for a file that does not exist.
  ///
  /// - Parameter asked: the bytes that were asked for.
  /// - Source: RFC 9110, 14.4 and 15.3.7.
  /// - Throws: ``ServiceError`` for an answer that is not exactly that part.
  package func part(_ asked: ByteRange) throws(ServiceError) -> ServedPart {
    if status == 200 { throw ServiceError(Self.wholeInsteadOfPart, at: url) }
    guard status == 206 else { throw ServiceError("answered \(status)", at: url) }
    guard let field = header["content-range"], let stated = Self.contentRange(field) else {
      throw ServiceError("answered 206 without a valid field Content-Range", at: url)
    }
    guard stated.range == asked.range(in: stated.size ?? .max) else {
      throw ServiceError(
        "was asked for bytes \(asked) and answered with bytes \(ByteRange.bytes(stated.range))", at: url)
    }
    guard body.count == stated.range.count else {
      throw ServiceError(
        "announced \(stated.range.count) bytes and sent \(body.count)", at: url)
    }
    let version = header["etag"] ?? header["last-modified"]
    return ServedPart(bytes: body, size: stated.size, version: version)
  }

  /// Reads a field such as `bytes 0-126/5000`, whose size may be `*`; nil for other texts.
  private static func contentRange(_ field: String) -> (range: Range<Int>, size: Int?)? {
    let words = field.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/")
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-")
    guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first >= 0, first <= last,
      last < Int.max
    else { return nil }
    guard parts[1] != "*" else { return (first..<last + 1, nil) }
    guard let size = Int(parts[1]), size > last else { return nil }
    return (first..<last + 1, size)
  }
}
