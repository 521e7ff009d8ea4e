import Glibc

/// Conversion of text in another encoding to UTF-8.
package enum TextConversion {
  /// Returns the bytes in UTF-8, and the offset of the first byte that is not in the encoding.
  ///
  /// With an offset, the bytes end before the fault. Nil if the system does not know the encoding.
  package static func utf8(
    _ bytes: ArraySlice<UInt8>, from encoding: String
  ) -> (bytes: [UInt8], fault: Int?)? {
    guard var converter = TextConverter(from: encoding, piece: 1 << 20) else { return nil }
    let text = converter.utf8(bytes)
    return (text.bytes, text.fault?.offset)
  }

  /// Returns whether the system knows an encoding.
  package static func knows(_ encoding: String) -> Bool {
    guard let converter = TextConverter(from: encoding, piece: 1) else { return false }
    _ = consume converter
    return true
  }
}

/// A converter of texts in one encoding to UTF-8, one text after another.
///
/// Unsafe code is limited to passing bytes to and from the system's iconv.
@safe
package struct TextConverter: ~Copyable {
  /// The first byte of a text that is not in the encoding.
  package struct Fault: Hashable, Sendable {
    package let offset: Int
    /// Whether the text ends within a character.
    package let isCut: Bool
  }

  private let converter: iconv_t
  private var buffer: [CChar]

  /// Opens a converter; nil if the system does not know the encoding.
  ///
  /// - Parameter piece: the number of input bytes that are converted at a time.
  package init?(from encoding: String, piece: Int = 1 << 12) {
    // iconv_open returns -1 for an unknown encoding.
    guard let opened = unsafe iconv_open("UTF-8", encoding), Int(bitPattern: opened) != -1 else { return nil }
    unsafe converter = opened
    buffer = [CChar](repeating: 0, count: piece)
  }

  deinit { _ = unsafe iconv_close(converter) }

  /// Returns a text in UTF-8, up to its first fault.
  package mutating func utf8(_ bytes: ArraySlice<UInt8>) -> (bytes: [UInt8], fault: Fault?) {
    // An earlier text with a fault may have left the converter within a character.
    _ = unsafe iconv(converter, nil, nil, nil, nil)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    let piece = buffer.count
    var start = bytes.startIndex
    while start < bytes.endIndex {
      var input = bytes[start..<min(start + piece, bytes.endIndex)].map { CChar(bitPattern: $0) }
      let size = input.count
      var (left, fault) = (size, Int32(0))
      // One piece is converted in several steps, because the result can be four times as long.
      convert: while left > 0 {
        let offset = size - left
        let code = unsafe input.withUnsafeMutableBufferPointer { source in
          var from = unsafe source.baseAddress.map { unsafe $0 + offset }
          return unsafe convert(&from, &left, into: &output)
        }
        switch code {
        case 0, E2BIG: continue
        // A character that the end of the piece cuts; at the end of the text it is a fault.
        case EINVAL where start + size < bytes.endIndex && left < size: break convert
        default:
          fault = code
          break convert
        }
      }
      start += size - left
      if fault != 0 { return (output, Fault(offset: start, isCut: fault == EINVAL)) }
    }
    // Where a mark may follow a letter, as in windows-1258, the last letter is kept back until here.
    var (none, left): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    _ = unsafe convert(&none, &left, into: &output)
    return (output, nil)
  }

  /// Converts bytes into `output` as far as the buffer reaches, and returns the error number; 0 without an error.
  private mutating func convert(
    _ from: inout UnsafeMutablePointer<CChar>?, _ left: inout Int, into output: inout [UInt8]
  ) -> Int32 {
    var room = buffer.count
    let isFlush = unsafe from == nil
    let code = unsafe buffer.withUnsafeMutableBufferPointer { target -> Int32 in
      var to = target.baseAddress
      let result =
        unsafe isFlush
        ? iconv(converter, nil, nil, &to, &room) : iconv(converter, &from, &left, &to, &room)
      return result == -1 ? errno : 0
    }
    output.append(contentsOf: buffer[..<(buffer.count - room)].lazy.map { UInt8(bitPattern: $0) })
    return code
  }
}
