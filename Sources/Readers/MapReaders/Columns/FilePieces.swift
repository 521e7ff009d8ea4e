/// The division of a long file into pieces for several cores.
enum FilePieces {
  /// The size of a piece in bytes: some 10 ms of work for a reader, the longest that other cores wait for the last one.
  static let size = 2 << 20

  /// The number of pieces in memory, each as text, as columns or as output.
  ///
  /// - Source: design decision; as many cores read, and they need some 100 MB for it.
  static let inFlight = 16

  /// Divides `range` into ranges of about `size` bytes; all but the first start at the offset that `start` returns.
  ///
  /// `start` may be wrong, because the meaning of a byte depends on all bytes before it. A piece is valid if the reader
  /// of the previous piece, which has read all bytes so far, stops at its start. Where it returns nil, pieces are longer.
  static func ranges(_ range: Range<Int>, size: Int, start: (Int) -> Int?) -> [Range<Int>] {
    var bounds = [range.lowerBound]
    for place in stride(from: range.lowerBound, to: range.upperBound, by: size).dropFirst() {
      guard let next = start(place), next < range.upperBound else { continue }
      if let last = bounds.last, next > last { bounds.append(next) }
    }
    return zip(bounds, bounds.dropFirst() + [range.upperBound]).map { $0..<$1 }
  }
}
