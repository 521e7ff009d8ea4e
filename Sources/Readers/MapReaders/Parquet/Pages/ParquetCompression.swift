extension ParquetCodec {
  /// Returns a range of bytes uncompressed, which must give exactly `size` bytes.
  func decompressed(_ source: [UInt8], _ range: Range<Int>, size: Int) throws -> [UInt8] {
    switch self {
    case .none:
      guard range.count == size else { throw ArrowError("has a page of another size than it states") }
      return Array(source[range])
    case .snappy: return try BlockOutput.snappy(source.span.extracting(range), size: size)
    case .lz4Raw: return try BlockOutput.lz4(source.span.extracting(range), size: size)
    case .lz4: return try Self.oldLZ4(source, range, size: size)
    case .zstd: return try ArrowBatch.Codec.zstd.decompressed(source, range, size: size)
    case .gzip:
      var bytes: [UInt8] = []
      bytes.reserveCapacity(size)
      do {
        try GzipFile.decode(Array(source[range])) { piece throws(ArrowError) in
          guard piece.count <= size - bytes.count else { throw BlockOutput.otherSize }
          bytes += piece
        }
      } catch let error as ArchiveError { throw ArrowError("its compressed bytes cannot be read: \(error)") }
      guard bytes.count == size else { throw BlockOutput.otherSize }
      return bytes
    case .lzo, .brotli: throw ArrowError("is compressed with \(name), which is not read")
    }
  }

  /// Returns bytes of the codec that writers used differently: blocks with their sizes, as Hadoop has them, a frame, or
  /// a single block.
  ///
  /// - Source: parquet-format 2.11, `Compression.md`, LZ4; Arrow's `Lz4HadoopCodec`.
  private static func oldLZ4(_ source: [UInt8], _ range: Range<Int>, size: Int) throws -> [UInt8] {
    if let bytes = try hadoopBlocks(source, range, size: size) { return bytes }
    if source[range].starts(with: [0x04, 0x22, 0x4D, 0x18]) {
      return try ArrowBatch.Codec.lz4.decompressed(source, range, size: size)
    }
    return try BlockOutput.lz4(source.span.extracting(range), size: size)
  }

  /// Returns the content of blocks that each begin with both of their sizes in big-endian order; nil for other bytes.
  private static func hadoopBlocks(
    _ source: [UInt8], _ range: Range<Int>, size: Int
  ) throws -> [UInt8]? {
    func number(at place: Int) -> Int { (place..<place + 4).reduce(0) { $0 << 8 | Int(source[$1]) } }
    var (place, bytes) = (range.lowerBound, [UInt8]())
    while place < range.upperBound {
      guard range.upperBound - place >= 8 else { return nil }
      let (plain, packed) = (number(at: place), number(at: place + 4))
      place += 8
      guard plain <= size - bytes.count, packed <= range.upperBound - place,
        let block = try? BlockOutput.lz4(source.span.extracting(place..<place + packed), size: plain)
      else { return nil }
      bytes += block
      place += packed
    }
    return bytes.count == size ? bytes : nil
  }
}

/// The output of a block of literals and matches, of a known size.
struct BlockOutput: ~Copyable {
  private var bytes: [UInt8]
  private var count = 0

  static let damaged = ArrowError("its compressed bytes are damaged")
  static let otherSize = ArrowError("its compressed bytes have another size than they state")

  private init(size: Int) { bytes = [UInt8](repeating: 0, count: size) }

  /// Copies bytes of the input.
  @inline(__always)
  private mutating func add(_ source: Span<UInt8>, at place: Int, count length: Int) throws(ArrowError) {
    let start = count
    guard length <= source.count - place, length <= bytes.count - start else { throw Self.damaged }
    var target = bytes.mutableSpan
    for index in 0..<length { target[start &+ index] = source[place &+ index] }
    count += length
  }

  /// Copies earlier bytes of the output, which may overlap the new ones.
  @inline(__always)
  private mutating func repeatBytes(distance: Int, count length: Int) throws(ArrowError) {
    let start = count
    guard distance > 0, distance <= start, length <= bytes.count - start else { throw Self.damaged }
    var target = bytes.mutableSpan
    for index in start..<start + length { target[index] = target[index &- distance] }
    count += length
  }

  private consuming func finished() throws(ArrowError) -> [UInt8] {
    guard count == bytes.count else { throw Self.otherSize }
    return bytes
  }

  // MARK: Snappy

  /// Returns the content of a block.
  ///
  /// - Source: google/snappy, `format_description.txt`.
  static func snappy(_ source: Span<UInt8>, size: Int) throws(ArrowError) -> [UInt8] {
    var (place, stated, shift) = (0, 0, 0)
    while true {
      guard place < source.count, shift < 35 else { throw damaged }
      stated |= Int(source[place] & 127) << shift
      place += 1
      if source[place - 1] < 128 { break }
      shift += 7
    }
    guard stated == size else { throw otherSize }
    var output = BlockOutput(size: size)
    while place < source.count {
      let tag = source[place]
      place += 1
      func number(_ count: Int) throws(ArrowError) -> Int {
        guard count <= source.count - place else { throw damaged }
        var value = 0
        for index in 0..<count { value |= Int(source[place + index]) << (8 * index) }
        return value
      }
      switch tag & 3 {
      case 0:
        var length = Int(tag >> 2)
        if length >= 60 {
          let extra = length - 59
          length = try number(extra)
          place += extra
        }
        try output.add(source, at: place, count: length + 1)
        place += length + 1
      case 1:
        let distance = Int(tag >> 5) << 8 | (try number(1))
        place += 1
        try output.repeatBytes(distance: distance, count: 4 + Int(tag >> 2 & 7))
      case 2:
        let distance = try number(2)
        place += 2
        try output.repeatBytes(distance: distance, count: 1 + Int(tag >> 2))
      default:
        let distance = try number(4)
        place += 4
        try output.repeatBytes(distance: distance, count: 1 + Int(tag >> 2))
      }
    }
    return try output.finished()
  }

  // MARK: LZ4

  /// Returns the content of a block.
  ///
  /// - Source: lz4, `doc/lz4_Block_format.md`.
  static func lz4(_ source: Span<UInt8>, size: Int) throws(ArrowError) -> [UInt8] {
    var output = BlockOutput(size: size)
    var place = 0
    /// Reads a length, which continues in further bytes if its four bits are all set.
    func length(_ start: Int) throws(ArrowError) -> Int {
      guard start == 15 else { return start }
      var length = start
      while true {
        guard place < source.count else { throw damaged }
        let next = source[place]
        place += 1
        length += Int(next)
        if next < 255 { return length }
      }
    }
    while place < source.count {
      let token = source[place]
      place += 1
      let literals = try length(Int(token >> 4))
      try output.add(source, at: place, count: literals)
      place += literals
      // The last sequence has literals only.
      guard place < source.count else { break }
      guard source.count - place >= 2 else { throw damaged }
      let distance = Int(source[place]) | Int(source[place + 1]) << 8
      place += 2
      try output.repeatBytes(distance: distance, count: try length(Int(token & 15)) + 4)
    }
    return try output.finished()
  }
}
