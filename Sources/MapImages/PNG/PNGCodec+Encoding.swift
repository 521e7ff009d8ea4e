internal import CPNGGuard
internal import Dispatch
import MapSystem
internal import Synchronization

extension PNGCodec {
  /// The minimum size in bytes of the rows that are compressed as one piece.
  ///
  /// - Source: design decision; each piece is compressed without the data before it, which costs less than 1 % in
  ///   size.
  private static let pieceBytes = 1 << 17

  /// Encodes an image as PNG; the bytes depend on the pixels only, not on the machine or the number of threads.
  ///
  /// Writes RGB when every pixel is opaque, else RGBA. Uses no row filter: on maps that is faster and smaller than
  /// libpng's choice. Writes no timestamp and no text. Compresses several pieces of rows at the same time.
  ///
  /// - Parameter dotsPerInch: the resolution to write into the file; nil writes none.
  /// - Throws: ``PNGError`` when memory runs out.
  package static func encode(_ bitmap: Bitmap, dotsPerInch: Double? = nil) throws(PNGError) -> [UInt8] {
    try encode(bitmap, threads: .max, dotsPerInch: dotsPerInch)
  }

  /// Encodes an image on at most `threads` threads; for tests.
  package static func encode(
    _ bitmap: Bitmap, threads: Int, dotsPerInch: Double? = nil
  ) throws(PNGError) -> [UInt8] {
    let isOpaque = bitmap.isOpaque
    let rows = max(1, pieceBytes / (bitmap.width * (isOpaque ? 3 : 4)))
    let count = (bitmap.height + rows - 1) / rows
    let pieces = Mutex<[Piece?]>(Array(repeating: nil, count: count))
    // Few pieces are compressed before another thread begins.
    let workers = max(1, min(threads, count / 4))
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let range = index * rows..<min((index + 1) * rows, bitmap.height)
        let piece = Piece(bitmap, rows: range, isOpaque: isOpaque, isLast: index == count - 1)
        pieces.withLock { $0[index] = piece }
      }
    }
    let done = pieces.withLock { $0.compactMap(\.self) }
    let total = done.reduce(0) { $0 + $1.bytes.count }
    guard canAllocate(bytes: 2 * total) else { throw PNGError(.memory(bytes: 2 * total)) }
    // The header of the zlib format (RFC 1950): deflate, a window of 32 KB, the fastest level.
    var data: [UInt8] = [0x78, 0x01]
    var checksum: UInt32 = 1
    for piece in done {
      data += piece.bytes
      checksum = cpngguard_adler32_combine(checksum, piece.checksum, piece.rawCount)
    }
    data += checksum.bytes
    var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // 8 bits per channel, RGB or RGBA; the only compression and filter methods of the standard, no interlacing.
    let form: [UInt8] = [8, isOpaque ? 2 : 6, 0, 0, 0]
    append("IHDR", UInt32(bitmap.width).bytes + UInt32(bitmap.height).bytes + form, to: &png)
    if let dotsPerInch {
      let perMetre = UInt32(clamping: (dotsPerInch / 0.0254).rounded()).bytes
      // The unit 1 is the metre.
      append("pHYs", perMetre + perMetre + [1], to: &png)
    }
    // A chunk must be smaller than 2 GiB.
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

  /// Some rows of an image, compressed.
  private struct Piece: Sendable {
    let bytes: [UInt8]
    let rawCount: Int
    /// The Adler-32 checksum of the rows before compression.
    let checksum: UInt32

    init(_ bitmap: Bitmap, rows: Range<Int>, isOpaque: Bool, isLast: Bool) {
      let stride = 1 + bitmap.width * (isOpaque ? 3 : 4)
      let count = rows.count * stride
      let raw = isOpaque ? bitmap.opaqueRows(rows) : bitmap.rowsWithAlpha(rows)
      checksum = unsafe raw.withUnsafeBufferPointer { unsafe cpngguard_adler32($0.baseAddress, count) }
      bytes = Deflate.compress(raw, isLast: isLast)
      rawCount = count
    }
  }
}

extension Bitmap {
  /// Returns rows with alpha in PNG's layout, with the padding: each row follows a 0 byte, the filter "none".
  fileprivate func rowsWithAlpha(_ rows: Range<Int>) -> [UInt8] {
    var raw: [UInt8] = []
    raw.reserveCapacity(rows.count * (1 + width * 4) + Deflate.padding)
    for row in rows {
      raw.append(0)
      raw += pixels[row * width * 4..<(row + 1) * width * 4]
    }
    raw += repeatElement(0, count: Deflate.padding)
    return raw
  }

  /// Returns rows without alpha in PNG's layout, with the padding.
  fileprivate func opaqueRows(_ rows: Range<Int>) -> [UInt8] {
    var raw = [UInt8](repeating: 0, count: rows.count * (1 + width * 3) + Deflate.padding)
    let source = unsafe pixels.span.bytes
    var span = raw.mutableSpan
    // Any bytes are valid pixels, and every access is checked.
    var target = unsafe span.mutableBytes
    var (from, to) = (rows.lowerBound * width * 4, 0)
    for _ in rows {
      to += 1
      for _ in 0..<width {
        // The alpha byte is overwritten by the next pixel or the next row's 0, or falls into the padding.
        let pixel = unsafe source.unsafeLoad(fromByteOffset: from, as: UInt32.self)
        target.storeBytes(of: pixel, toByteOffset: to, as: UInt32.self)
        from &+= 4
        to &+= 3
      }
      target.storeBytes(of: 0, toByteOffset: to, as: UInt8.self)
    }
    return raw
  }
}

extension UInt32 {
  /// The four bytes, highest first.
  fileprivate var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
