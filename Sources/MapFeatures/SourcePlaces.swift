/// Where the values of a column stand in a source of any size, eight bytes a value.
struct SourcePlaces: Sendable {
  /// A place, counted from the base of its stretch; a value that stands nowhere has no length.
  private struct Place: Sendable {
    let start: UInt32
    let length: UInt32
  }

  private var places: [Place] = []
  /// The rows from which places are counted from another base, rising; the first is row 0.
  private var stretches: [(row: Int, base: Int)] = [(0, 0)]

  /// Makes room for what will be appended.
  mutating func reserve(_ count: Int) { places.reserveCapacity(count) }

  /// Adds values that stand nowhere.
  mutating func appendNowhere(_ count: Int) {
    for _ in 0..<count { places.append(Place(start: 0, length: 0)) }
  }

  /// Adds a value's place.
  mutating func append(_ range: Range<Int>) {
    guard !range.isEmpty else { return appendNowhere(1) }
    let base = stretches[stretches.count - 1].base
    if let start = UInt32(exactly: range.lowerBound - base), let length = UInt32(exactly: range.count) {
      places.append(Place(start: start, length: length))
    } else {
      stretches.append((places.count, range.lowerBound))
      // No value that is kept by its place is of 4 GiB.
      places.append(Place(start: 0, length: UInt32(clamping: range.count)))
    }
  }

  /// Adds the places in a part of the source, which starts at an offset.
  mutating func append(_ part: SourcePlaces, from start: Int) {
    let count = places.count
    stretches += part.stretches.map { ($0.row + count, $0.base + start) }
    places += part.places
  }

  /// The places in the order of the rows; empty for a value that stands nowhere.
  func forEach(_ body: (Range<Int>) -> Void) {
    var stretch = 0
    for (row, place) in places.enumerated() {
      while stretch + 1 < stretches.count, stretches[stretch + 1].row <= row { stretch += 1 }
      let start = stretches[stretch].base + Int(place.start)
      body(place.length == 0 ? 0..<0 : start..<start + Int(place.length))
    }
  }
}
