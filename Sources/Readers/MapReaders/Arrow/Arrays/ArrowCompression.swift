internal import CCompression

extension ArrowBatch.Codec {
  /// Returns a range of bytes uncompressed, which must give exactly `size` bytes.
  ///
  /// Unsafe code is limited to lending bytes to the libraries.
  func decompressed(_ source: [UInt8], _ range: Range<Int>, size: Int) throws(ArrowError) -> [UInt8] {
    var error = [CChar](repeating: 0, count: Int(CCOMPRESSION_ERROR_SIZE))
    var isDone = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { output, written in
      isDone = unsafe source.withUnsafeBufferPointer { source in
        unsafe error.withUnsafeMutableBufferPointer { error in
          let input = unsafe UnsafeBufferPointer(rebasing: source[range])
          guard let text = error.baseAddress, let target = output.baseAddress else { return false }
          return switch self {
          case .lz4: unsafe ccompression_lz4(input.baseAddress, input.count, target, size, text) != 0
          case .zstd: unsafe ccompression_zstd(input.baseAddress, input.count, target, size, text) != 0
          }
        }
      }
      written = isDone ? size : 0
    }
    guard isDone else {
      let text = String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw ArrowError("its compressed bytes cannot be read: \(text)")
    }
    return bytes
  }
}
