import Glibc

/// Conversion of text in another encoding to UTF-8.
///
/// Unsafe code is limited to passing bytes to and from the system's iconv.
package enum TextConversion {
  /// The number of input bytes that are converted at a time.
  private static let piece = 1 << 20

  /// Returns the bytes in UTF-8, and the offset of the first byte that is not in the encoding.
  ///
  /// With an offset, the bytes end before the fault. Nil if the system does not know the encoding.
  package static func utf8(
    _ bytes: ArraySlice<UInt8>, from encoding: String
  ) -> (bytes: [UInt8], fault: Int?)? {
    let converter = unsafe iconv_open("UTF-8", encoding)
    // iconv_open returns -1 for an unknown encoding.
    guard Int(bitPattern: converter) != -1 else { return nil }
    defer { _ = unsafe iconv_close(converter) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var buffer = [CChar](repeating: 0, count: piece)
    var start = bytes.startIndex
    while start < bytes.endIndex {
      var input = bytes[start..<min(start + piece, bytes.endIndex)].map { CChar(bitPattern: $0) }
      let size = input.count
      var (left, isFaulty) = (size, false)
      // One piece is converted in several steps, because the result can be four times as long.
      convert: while left > 0 {
        let offset = size - left
        var room = buffer.count
        let code = unsafe input.withUnsafeMutableBufferPointer { source in
          unsafe buffer.withUnsafeMutableBufferPointer { target -> Int32 in
            var from = unsafe source.baseAddress.map { unsafe $0 + offset }
            var to = target.baseAddress
            let result = unsafe iconv(converter, &from, &left, &to, &room)
            return result == -1 ? errno : 0
          }
        }
        output.append(contentsOf: buffer[..<(buffer.count - room)].lazy.map { UInt8(bitPattern: $0) })
        switch code {
        case 0, E2BIG: continue
        // A character that the end of the piece cuts; at the end of the text it is a fault.
        case EINVAL where start + size < bytes.endIndex && left < size: break convert
        default:
          isFaulty = true
          break convert
        }
      }
      start += size - left
      if isFaulty { return (output, start) }
    }
    return (output, nil)
  }
}
