/// Parts of a file in memory, by their offsets.
///
/// Parts that were not used for the longest time are removed when all take more than the limit.
package struct ByteStore: Sendable {
  private struct Part: Sendable {
    let start: Int
    let bytes: [UInt8]
    var lastUse: Int

    var range: Range<Int> { start..<start + bytes.count }
  }

  /// The parts in the order of their offsets, without overlaps.
  private var parts: [Part] = []
  private var uses = 0
  package private(set) var byteCount = 0
  private let limit: Int

  package init(limit: Int) { self.limit = limit }

  /// Returns the bytes of a range; nil if some of them are not here.
  package mutating func bytes(_ range: Range<Int>) -> [UInt8]? {
    guard missing(in: range).isEmpty else { return nil }
    uses += 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for index in overlapping(range) {
      let (part, start) = (parts[index].range.clamped(to: range), parts[index].start)
      bytes += parts[index].bytes[part.lowerBound - start..<part.upperBound - start]
      parts[index].lastUse = uses
    }
    return bytes
  }

  /// Returns the parts of a range that are not here, in order.
  package func missing(in range: Range<Int>) -> [Range<Int>] {
    var missing: [Range<Int>] = []
    var place = range.lowerBound
    for part in parts[overlapping(range)] {
      if part.start > place { missing.append(place..<part.start) }
      place = part.range.upperBound
    }
    if place < range.upperBound { missing.append(place..<range.upperBound) }
    return missing
  }

  /// Returns the indices of the parts that have bytes of a range.
  private func overlapping(_ range: Range<Int>) -> Range<Int> {
    var first = index(after: range.lowerBound)
    if first > 0, parts[first - 1].range.upperBound > range.lowerBound { first -= 1 }
    let end = range.isEmpty ? first : index(after: range.upperBound - 1)
    return first..<max(first, end)
  }

  /// Returns the index of the first part that starts after an offset.
  private func index(after offset: Int) -> Int {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].start > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Adds bytes at an offset; those that are here already are kept.
  package mutating func add(_ bytes: [UInt8], at offset: Int) {
    uses += 1
    for range in missing(in: offset..<offset + bytes.count) {
      let part = Part(
        start: range.lowerBound,
        bytes: range.count == bytes.count
          ? bytes : Array(bytes[range.lowerBound - offset..<range.upperBound - offset]), lastUse: uses)
      parts.insert(part, at: index(after: part.start))
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
