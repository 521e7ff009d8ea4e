/// The byte ranges of a column's values in a source of any size, eight bytes per value.
struct SourcePlaces: Sendable {
  /// A byte range relative to the base of its section; a value without a range has no length.
  private struct Place: Sendable {
    let start: UInt32
    let length: UInt32
  }

  private var places: [Place] = []
  /// The rows at which a new base begins, ascending; the first is row 0.
  private var stretches: [(row: Int, base: Int)] = [(0, 0)]

  /// Reserves memory for values to be added.
  mutating func reserve(_ count: Int) { places.reserveCapacity(count) }

  /// Adds values without a range.
  mutating func appendNowhere(_ count: Int) {
    for _ in 0..<count { places.append(Place(start: 0, length: 0)) }
  }

  /// Adds a value's range.
  mutating func append(_ range: Range<Int>) {
    guard !range.isEmpty else { return appendNowhere(1) }
    let base = stretches[stretches.count - 1].base
    if let start = UInt32(exactly: range.lowerBound - base), let length = UInt32(exactly: range.count) {
      places.append(Place(start: start, length: length))
    } else {
      stretches.append((places.count, range.lowerBound))
      // No value stored by its range is as long as 4 GiB.
      places.append(Place(start: 0, length: UInt32(clamping: range.count)))
    }
  }

  /// Adds the ranges in a part of the source, which starts at `start`.
  mutating func append(_ part: SourcePlaces, from start: Int) {
    let count = places.count
    stretches += part.stretches.map { ($0.row + count, $0.base + start) }
    places += part.places
  }

  /// Calls `body` with each range, in the order of the rows; empty for a value without a range.
  func forEach(_ body: (Range<Int>) -> Void) {
    var stretch = 0
    for (row, place) in places.enumerated() {
      while stretch + 1 < stretches.count, stretches[stretch + 1].row <= row { stretch += 1 }
      let start = stretches[stretch].base + Int(place.start)
      body(place.length == 0 ? 0..<0 : start..<start + Int(place.length))
    }
  }
}
