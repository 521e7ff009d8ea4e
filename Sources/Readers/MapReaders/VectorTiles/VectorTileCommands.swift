/// A position in the packed numbers of a geometry, and the position that its commands have reached in the tile.
///
/// - Source: Mapbox Vector Tile specification 2.1, 4.3.
struct VectorTileCommands {
  private(set) var offset = 0
  /// The position in the tile, to the right; wide enough for any number of 32-bit steps of a tile.
  private(set) var x = 0
  /// The position in the tile, downwards.
  private(set) var y = 0

  /// Returns the next number of 32 bits; nil at the end and for a number of more than ten bytes.
  ///
  /// A longer number keeps its low 32 bits, as in protocol buffers.
  @inline(__always)
  mutating func number(_ bytes: Span<UInt8>) -> UInt32? {
    guard offset &+ 1 < bytes.count else { return longNumber(bytes) }
    // Steps of one and two bytes follow each other without a pattern, so a branch between them would be predicted
    // wrongly for every third one.
    let (low, high) = (UInt32(bytes[offset]), UInt32(bytes[offset &+ 1]))
    let more = low >> 7
    guard more & high >> 7 == 0 else { return longNumber(bytes) }
    offset &+= 1 &+ Int(more)
    return low & 0x7F | (high << 7) & (0 &- more)
  }

  /// Returns the next number, of any length.
  @inline(never)
  private mutating func longNumber(_ bytes: Span<UInt8>) -> UInt32? {
    var (result, shift): (UInt32, UInt32) = (0, 0)
    while offset < bytes.count, shift < 70 {
      let byte = bytes[offset]
      offset &+= 1
      result |= UInt32(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift &+= 7
    }
    return nil
  }

  /// Moves the position by two numbers in zigzag encoding.
  @inline(__always)
  mutating func move(_ dx: UInt32, _ dy: UInt32) {
    x &+= Int(Int32(bitPattern: dx >> 1) ^ -Int32(bitPattern: dx & 1))
    y &+= Int(Int32(bitPattern: dy >> 1) ^ -Int32(bitPattern: dy & 1))
  }
}
