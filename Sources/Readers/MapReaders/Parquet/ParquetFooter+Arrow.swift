extension ParquetFooter {
  /// The fields that Parquet stores as whole numbers, although Arrow's schema in the file says that they are durations or of
  /// an extension type, such as the periods of pandas.
  ///
  /// - Source: Arrow C++, `parquet/arrow/writer.cc`: the key `ARROW:schema` has a message of the stream format in base64.
  var storedAsNumbers: [(name: String, type: String)] {
    guard let arrowSchema, let bytes = Self.bytes(ofBase64: arrowSchema), bytes.count > 8,
      case .schema(let schema)? = try? ArrowMessage(Array(bytes[8...])).content
    else { return [] }
    return schema.fields.compactMap { field in
      if case .unread("duration", _) = field.type { return (field.name, "duration") }
      guard let name = field.extensionName, case .integer = field.type else { return nil }
      return (field.name, name)
    }
  }

  /// Returns the bytes of a text in base64; nil for other texts.
  private static func bytes(ofBase64 text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var (word, count): (UInt32, Int) = (0, 0)
    for letter in text.utf8 where letter != UInt8(ascii: "=") {
      let value: UInt8
      switch letter {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = letter - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = letter - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = letter + 4
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: return nil
      }
      word = word << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(count)))
      }
    }
    return bytes
  }
}
