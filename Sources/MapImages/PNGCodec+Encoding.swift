internal import CPNGGuard
internal import Dispatch
internal import Synchronization

extension PNGCodec {
  /// Bytes of rows that are compressed as one block, at least, but for the last.
  ///
  /// - Source: ours; each block begins without what came before, which takes less than 1 % more.
  private static let blockBytes = 1 << 18

  /// The PNG of a picture: the same bytes for the same pixels and version of zlib, on any number of threads.
  ///
  /// RGB when every pixel is opaque, else RGBA; zlib level 1 and no row filter, which on maps is both quicker and
  /// smaller than libpng's own choice; no time stamp, no text. The rows are compressed in blocks, several at once.
  ///
  /// - Throws: ``PNGError`` when memory runs out.
  public static func encode(_ bitmap: Bitmap) throws(PNGError) -> [UInt8] {
    try encode(bitmap, threads: .max)
  }

  /// The same on that many threads at most; for tests.
  package static func encode(_ bitmap: Bitmap, threads: Int) throws(PNGError) -> [UInt8] {
    let isOpaque = bitmap.isOpaque
    let rows = max(1, blockBytes / (bitmap.width * (isOpaque ? 3 : 4)))
    let count = (bitmap.height + rows - 1) / rows
    let blocks = Mutex<[Result<Block, PNGError>?]>(Array(repeating: nil, count: count))
    let workers = max(1, min(threads, count))
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      for index in stride(from: worker, to: count, by: workers) {
        let range = index * rows..<min((index + 1) * rows, bitmap.height)
        let block = Result { () throws(PNGError) in
          try Block(bitmap, rows: range, isOpaque: isOpaque, isLast: index == count - 1)
        }
        blocks.withLock { $0[index] = block }
      }
    }
    // The head of zlib's format: deflate, a window of 32 KB, the fastest level.
    var data: [UInt8] = [0x78, 0x01]
    var checksum: UInt32 = 1
    for case .some(let result) in blocks.withLock({ $0 }) {
      let block = try result.get()
      data += block.bytes
      checksum = cpngguard_adler32(checksum, block.checksum, block.rawCount)
    }
    data += checksum.bytes
    var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // 8 bits a channel, RGB or RGBA; compression, filter and interlacing are those of the standard.
    let form: [UInt8] = [8, isOpaque ? 2 : 6, 0, 0, 0]
    append("IHDR", UInt32(bitmap.width).bytes + UInt32(bitmap.height).bytes + form, to: &png)
    // A chunk holds less than 2 GiB.
    for start in stride(from: 0, to: data.count, by: 1 << 30) {
      append("IDAT", data[start..<min(start + 1 << 30, data.count)], to: &png)
    }
    append("IEND", [], to: &png)
    return png
  }

  private static func append(_ name: String, _ content: some Collection<UInt8>, to png: inout [UInt8]) {
    png += UInt32(content.count).bytes
    let start = png.count
    png += name.utf8
    png += content
    let checksum = unsafe png.withUnsafeBufferPointer { bytes in
      let chunk = bytes.extracting(start..<bytes.count)
      return unsafe cpngguard_crc32(chunk.baseAddress, chunk.count)
    }
    png += checksum.bytes
  }

  /// Some rows of a picture, compressed.
  private struct Block: Sendable {
    let bytes: [UInt8]
    let rawCount: Int
    /// Adler-32 of the rows before compression.
    let checksum: UInt32

    init(_ bitmap: Bitmap, rows: Range<Int>, isOpaque: Bool, isLast: Bool) throws(PNGError) {
      var block = unsafe cpngguard_block()
      var text = ErrorText()
      let stride = bitmap.width * 4
      let done = unsafe bitmap.pixels.withUnsafeBufferPointer { pixels in
        let rows = pixels.extracting(rows.lowerBound * stride..<rows.upperBound * stride)
        return unsafe text.collect { error in
          unsafe cpngguard_deflate(
            rows.baseAddress, bitmap.width, rows.count / stride, isOpaque ? 1 : 0, 1, isLast ? 1 : 0, &block,
            error)
        }
      }
      guard done else { throw PNGError(.encoding(text.string)) }
      defer { unsafe cpngguard_free(&block) }
      let count = unsafe block.count
      guard canAllocate(bytes: count) else { throw PNGError(.memory(bytes: count)) }
      bytes = unsafe [UInt8](UnsafeBufferPointer(start: block.data, count: count))
      rawCount = unsafe block.raw_count
      checksum = unsafe block.checksum
    }
  }
}

extension UInt32 {
  /// Its bytes, the highest first.
  fileprivate var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
