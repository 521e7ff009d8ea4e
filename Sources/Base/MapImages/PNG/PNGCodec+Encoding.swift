internal import CPNGGuard
internal import Dispatch
import MapSystem
internal import Synchronization

extension PNGCodec {
  /// The size in bytes of the rows that are compressed as one piece, about; a tile of 256 by 256 pixels is one.
  ///
  /// - Source: design decision; each piece is compressed without the data before it, which costs less than 1 % in
  ///   size.
  private static let pieceBytes = 1 << 18

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
    try encode(
      bitmap, columns: 0..<bitmap.width, rows: 0..<bitmap.height, threads: threads, dotsPerInch: dotsPerInch)
  }

  /// Encodes a rectangle of an image, with the same bytes as an image of these pixels; it must be inside and not empty.
  package static func encode(
    _ bitmap: Bitmap, columns: Range<Int>, rows: Range<Int>, threads: Int = .max, dotsPerInch: Double? = nil
  ) throws(PNGError) -> [UInt8] {
    precondition(!columns.isEmpty && !rows.isEmpty, "an empty image")
    precondition(
      columns.clamped(to: 0..<bitmap.width) == columns && rows.clamped(to: 0..<bitmap.height) == rows,
      "pixels outside the image")
    let isOpaque = bitmap.isOpaque(columns: columns, rows: rows)
    let data = try compressed(bitmap, columns: columns, rows: rows, isOpaque: isOpaque, threads: threads)
    var png = start(
      width: columns.count, height: rows.count, isOpaque: isOpaque, dotsPerInch: dotsPerInch)
    // A chunk must be smaller than 2 GiB.
    for start in stride(from: 0, to: data.count, by: 1 << 30) {
      append("IDAT", data[start..<min(start + 1 << 30, data.count)], to: &png)
    }
    return png + end
  }

  /// Returns the pixels of a rectangle in PNG's layout as a stream of zlib, without alpha if every pixel is opaque.
  static func compressed(
    _ bitmap: Bitmap, columns: Range<Int>, rows: Range<Int>, isOpaque: Bool, threads: Int = .max
  ) throws(PNGError) -> [UInt8] {
    let rowBytes = 1 + columns.count * (isOpaque ? 3 : 4)
    let wanted = max(1, (rows.count * rowBytes + pieceBytes / 2) / pieceBytes)
    let pieceRows = (rows.count + wanted - 1) / wanted
    let count = (rows.count + pieceRows - 1) / pieceRows
    let pieces = Mutex<[Piece?]>(Array(repeating: nil, count: count))
    let compress: @Sendable (Int) -> Void = { index in
      let start = rows.lowerBound + index * pieceRows
      let range = start..<min(start + pieceRows, rows.upperBound)
      let piece = Piece(
        bitmap, columns: columns, rows: range, isOpaque: isOpaque, isLast: index == count - 1)
      pieces.withLock { $0[index] = piece }
    }
    // Few pieces are compressed before another thread begins.
    // One piece takes about as long as a thread needs to begin.
    let workers = max(1, min(threads, count / 2))
    if workers == 1 {
      for index in 0..<count { compress(index) }
    } else {
      let next = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: workers) { _ in
        while true {
          let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
          guard index < count else { return }
          compress(index)
        }
      }
    }
    let done = pieces.withLock { $0.compactMap(\.self) }
    let total = done.reduce(0) { $0 + $1.bytes.count }
    guard canAllocate(bytes: 2 * total) else { throw PNGError(.memory(bytes: 2 * total)) }
    var data = Deflate.zlibHeader
    var checksum: UInt32 = 1
    for piece in done {
      data += piece.bytes
      checksum = cpngguard_adler32_combine(checksum, piece.checksum, piece.rawCount)
    }
    data += checksum.bytes
    return data
  }

  /// Returns the chunks before the pixels.
  static func start(width: Int, height: Int, isOpaque: Bool, dotsPerInch: Double?) -> [UInt8] {
    var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // 8 bits per channel, RGB or RGBA; the only compression and filter methods of the standard, no interlacing.
    let form: [UInt8] = [8, isOpaque ? 2 : 6, 0, 0, 0]
    append("IHDR", UInt32(width).bytes + UInt32(height).bytes + form, to: &png)
    if let dotsPerInch {
      let perMetre = UInt32(clamping: (dotsPerInch / 0.0254).rounded()).bytes
      // The unit 1 is the metre.
      append("pHYs", perMetre + perMetre + [1], to: &png)
    }
    return png
  }

  /// The last chunk.
  static var end: [UInt8] {
    var png: [UInt8] = []
    append("IEND", [], to: &png)
    return png
  }

  /// Adds a chunk.
  static func append(_ name: String, _ content: some Collection<UInt8>, to png: inout [UInt8]) {
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

    init(_ bitmap: Bitmap, columns: Range<Int>, rows: Range<Int>, isOpaque: Bool, isLast: Bool) {
      let stride = bitmap.width * 4
      let pixels = unsafe bitmap.pixels.span.bytes
      (bytes, checksum) = Deflate.compress(
        rows: rows.count, of: pixels, from: rows.lowerBound * stride + columns.lowerBound * 4, stride: stride,
        width: columns.count, pixelBytes: isOpaque ? 3 : 4, isLast: isLast)
      rawCount = rows.count * (1 + columns.count * (isOpaque ? 3 : 4))
    }
  }
}

extension UInt32 {
  /// The four bytes, highest first.
  var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
