/// How a long file is cut for several cores.
enum FilePieces {
  /// Bytes of a piece: some 10 ms of work for a reader, so that no core waits long for the last one's end.
  static let size = 2 << 20

  /// Ranges of about a size that cover `range`, each but the first starting where `start` says for a place in it.
  ///
  /// `start` may be wrong, for what a byte means hangs on all before it: a piece is good when the reader of the one
  /// before, which came the whole way, stops where it starts.
  static func ranges(_ range: Range<Int>, size: Int, start: (Int) -> Int?) -> [Range<Int>] {
    var bounds = [range.lowerBound]
    for place in stride(from: range.lowerBound, to: range.upperBound, by: size).dropFirst() {
      guard let next = start(place), next < range.upperBound else { break }
      if let last = bounds.last, next > last { bounds.append(next) }
    }
    return zip(bounds, bounds.dropFirst() + [range.upperBound]).map { $0..<$1 }
  }
}
