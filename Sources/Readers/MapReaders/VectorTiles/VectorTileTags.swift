/// The values of a layer's features, by feature: pairs of a field and a value of the layer's table.
///
/// - Cost: 8 bytes per pair and 4 per feature, however many fields the layer has.
package struct VectorTileTags: Sendable {
  /// For every feature the index after its last pair.
  package private(set) var ends: [Int32] = []
  /// The field of every pair.
  package private(set) var fields: [Int32] = []
  /// The index of every pair's value.
  package private(set) var values: [Int32] = []
  /// For every field the last feature that has it, to find fields that a feature has twice.
  private var lastRows: [Int32]

  init(fieldCount: Int) { lastRows = [Int32](repeating: -1, count: fieldCount) }

  /// Returns the pairs of a feature.
  package func pairs(ofRow row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
  }

  /// Adds a feature from its packed tags.
  ///
  /// - Parameter fieldsOfKeys: the field of each key of the layer.
  /// - Returns: whether a field occurs twice.
  /// - Throws: ``VectorTileError`` for an odd number of tags, and for keys and values that the layer does not have.
  mutating func append(
    _ bytes: Span<UInt8>, fieldsOfKeys: Span<Int32>, valueCount: Int
  ) throws(VectorTileError) -> Bool {
    var (numbers, isRepeated) = (VectorTileCommands(), false)
    let row = Int32(truncatingIfNeeded: ends.count)
    while numbers.offset < bytes.count {
      guard let key = numbers.number(bytes) else { throw VectorTileError("its tags end within a number") }
      guard numbers.offset < bytes.count else { throw VectorTileError("the number of its tags is odd") }
      guard let value = numbers.number(bytes) else { throw VectorTileError("its tags end within a number") }
      guard Int(key) < fieldsOfKeys.count else {
        throw VectorTileError("its tags name key \(key), but the layer has \(fieldsOfKeys.count)")
      }
      guard Int(value) < valueCount else {
        throw VectorTileError("its tags name value \(value), but the layer has \(valueCount)")
      }
      let field = fieldsOfKeys[Int(key)]
      if lastRows[Int(field)] == row { isRepeated = true }
      lastRows[Int(field)] = row
      fields.append(field)
      values.append(Int32(truncatingIfNeeded: value))
    }
    ends.append(Int32(truncatingIfNeeded: fields.count))
    return isRepeated
  }

  /// Frees the memory that only reading needs.
  mutating func finish() { lastRows = [] }
}
