/// Parts of a file in memory, by their offsets.
///
/// Parts that were not used for the longest time are removed when all take more than the limit.
struct ByteStore: Sendable {
  private struct Part: Sendable {
    let start: Int
    let bytes: [UInt8]
    var lastUse: Int

    var range: Range<Int> { start..<start + bytes.count }
  }

  /// The parts in the order of their offsets, without overlaps.
  private var parts: [Part] = []
  private var uses = 0
  private(set) var byteCount = 0
  let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Returns the bytes of a range; nil if some of them are not here.
  mutating func bytes(_ range: Range<Int>) -> [UInt8]? {
    guard missing(in: range).isEmpty else { return nil }
    uses += 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for index in parts.indices where parts[index].range.overlaps(range) {
      let (part, start) = (parts[index].range.clamped(to: range), parts[index].start)
      bytes += parts[index].bytes[part.lowerBound - start..<part.upperBound - start]
      parts[index].lastUse = uses
    }
    return bytes
  }

  /// Returns the parts of a range that are not here, in order.
  func missing(in range: Range<Int>) -> [Range<Int>] {
    var missing: [Range<Int>] = []
    var place = range.lowerBound
    for part in parts where part.range.overlaps(range) {
      if part.start > place { missing.append(place..<part.start) }
      place = part.range.upperBound
    }
    if place < range.upperBound { missing.append(place..<range.upperBound) }
    return missing
  }

  /// Adds bytes at an offset; those that are here already are kept.
  mutating func add(_ bytes: [UInt8], at offset: Int) {
    uses += 1
    for range in missing(in: offset..<offset + bytes.count) {
      let part = Part(
        start: range.lowerBound,
        bytes: range.count == bytes.count
          ? bytes : Array(bytes[range.lowerBound - offset..<range.upperBound - offset]), lastUse: uses)
      parts.insert(part, at: parts.firstIndex { $0.start > part.start } ?? parts.count)
      byteCount += part.bytes.count
    }
    // The newest part stays, whatever its size.
    while byteCount > limit, let oldest = parts.indices.min(by: { parts[$0].lastUse < parts[$1].lastUse }),
      parts[oldest].lastUse < uses
    {
      byteCount -= parts[oldest].bytes.count
      parts.remove(at: oldest)
    }
  }
}
