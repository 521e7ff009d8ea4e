/// The values of a layer's features, by feature: pairs of a field and a value of the layer's table.
///
/// - Cost: 8 bytes per pair and 4 per feature, however many fields the layer has.
package struct VectorTileTags: Sendable {
  /// A field of a feature and its value, as indices.
  package struct Pair: Hashable, Sendable {
    /// The index of the field.
    package let field: Int32
    /// The index of the value in the layer's table.
    package let value: Int32
  }

  /// For every feature the index after its last pair.
  package private(set) var ends: [Int32] = []
  /// The pairs of all features.
  package private(set) var pairs: [Pair] = []

  /// Returns the pairs of a feature.
  package func pairs(ofRow row: Int) -> ArraySlice<Pair> {
    pairs[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])]
  }

  /// Removes all features, and keeps the memory for the next layer.
  mutating func removeAll() {
    ends.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
  }

  /// Returns a copy in memory of its own.
  func copied() -> VectorTileTags {
    var copy = VectorTileTags()
    (copy.ends, copy.pairs) = (ends.copied(), pairs.copied())
    return copy
  }

  /// Adds a feature with its pairs.
  mutating func append(_ feature: [Pair]) {
    pairs += feature
    ends.append(Int32(truncatingIfNeeded: pairs.count))
  }

  /// Adds a feature from its packed tags.
  ///
  /// - Parameters:
  ///   - keys: the keys of the layer; the last row that has each is updated.
  ///   - valueCount: the number of values in the layer's table.
  /// - Returns: whether a field occurs twice.
  /// - Throws: ``VectorTileError`` for an odd number of tags, and for keys and values that the layer does not have.
  mutating func append(
    _ bytes: Span<UInt8>, keys: inout VectorTileKeys, valueCount: Int
  ) throws(VectorTileError) -> Bool {
    let row = Int32(truncatingIfNeeded: ends.count)
    var (fault, isRepeated): (Fault?, Bool) = (nil, false)
    // A pair takes at least two bytes.
    pairs.append(addingCapacity: bytes.count / 2) { pairs in
      fault = Self.read(bytes, &keys, valueCount, row, &pairs, &isRepeated)
    }
    if let fault { throw VectorTileError(fault.reason(keys, valueCount)) }
    ends.append(Int32(truncatingIfNeeded: pairs.count))
    return isRepeated
  }

  /// The reasons for which tags cannot be read.
  private enum Fault {
    case cut, odd, key(UInt32), value(UInt32)

    func reason(_ keys: VectorTileKeys, _ valueCount: Int) -> String {
      switch self {
      case .cut: "its tags end within a number"
      case .odd: "the number of its tags is odd"
      case .key(let key): "its tags name key \(key), but the layer has \(keys.count)"
      case .value(let value): "its tags name value \(value), but the layer has \(valueCount)"
      }
    }
  }

  @inline(__always)
  private static func read(
    _ bytes: Span<UInt8>, _ keys: inout VectorTileKeys, _ valueCount: Int, _ row: Int32,
    _ pairs: inout OutputSpan<Pair>, _ isRepeated: inout Bool
  ) -> Fault? {
    var (numbers, seen) = (VectorTileCommands(), UInt64(0))
    while numbers.offset < bytes.count {
      guard let key = numbers.number(bytes) else { return .cut }
      guard numbers.offset < bytes.count else { return .odd }
      guard let value = numbers.number(bytes) else { return .cut }
      guard Int(value) < valueCount else { return .value(value) }
      guard let field = keys.field(ofKey: Int(key), inRow: row, &seen, &isRepeated) else { return .key(key) }
      pairs.append(Pair(field: field, value: Int32(truncatingIfNeeded: value)))
    }
    return nil
  }
}

/// The keys of a layer while it is read, which may list a key twice.
struct VectorTileKeys {
  /// The different keys, in order of first appearance.
  private(set) var fields: [String] = []
  /// The field of each key.
  private var fieldsOfKeys: [Int32] = []
  /// For every field the last row that has it, to find fields that a feature has twice.
  private var lastRows: [Int32] = []

  /// The number of keys.
  var count: Int { fieldsOfKeys.count }

  /// Creates the keys of the layer from the ranges of their bytes; counts those that are not UTF-8.
  init(_ ranges: [Range<Int>], _ bytes: Span<UInt8>, repaired: inout Int) {
    var known: [ExactText: Int32] = [:]
    known.reserveCapacity(ranges.count)
    fields.reserveCapacity(ranges.count)
    fieldsOfKeys.reserveCapacity(ranges.count)
    for range in ranges {
      let key = String(tileText: bytes.extracting(range), repaired: &repaired)
      let exact = ExactText(key)
      let field = known[exact] ?? Int32(truncatingIfNeeded: fields.count)
      if Int(field) == fields.count {
        fields.append(key)
        known[exact] = field
      }
      fieldsOfKeys.append(field)
    }
    lastRows = [Int32](repeating: -1, count: fields.count)
  }

  /// Returns the field of a key in a row; nil for a key that the layer does not have.
  ///
  /// - Parameters:
  ///   - seen: the bits of the row's fields below 64; those of other fields are kept here, which takes longer.
  ///   - isRepeated: becomes true if the row has the field already.
  @inline(__always)
  mutating func field(
    ofKey key: Int, inRow row: Int32, _ seen: inout UInt64, _ isRepeated: inout Bool
  ) -> Int32? {
    guard key < fieldsOfKeys.count else { return nil }
    let field = fieldsOfKeys[key]
    if field < 64 {
      let bit = UInt64(1) &<< UInt64(field)
      if seen & bit != 0 { isRepeated = true }
      seen |= bit
    } else {
      if lastRows[Int(field)] == row { isRepeated = true }
      lastRows[Int(field)] = row
    }
    return field
  }
}
