/// The positions of a tree's parts in the text that the tree was read from, and the language of that text.
///
/// They are valid only for the tree that the parser returned with them. Parts are numbered in the order in which a
/// parser completes them: from left to right, each part after the parts below it.
package struct FilterPlaces: Hashable, Sendable {
  /// The language of the text, in which error messages give advice.
  package let language: FilterLanguage
  private var offsets: [Int32] = []

  init(_ language: FilterLanguage) { self.language = language }

  /// The number of parts that have a position.
  package var count: Int { offsets.count }

  /// Returns the UTF-8 offset at which a part begins; nil for a part that is not in this tree.
  subscript(part: Int) -> Int? { offsets.indices.contains(part) ? Int(offsets[part]) : nil }

  /// Records the offset of the next part.
  mutating func append(_ offset: Int) { offsets.append(Int32(clamping: offset)) }

  /// Records the offset of a part that precedes parts already recorded.
  mutating func insert(_ offset: Int, at part: Int) { offsets.insert(Int32(clamping: offset), at: part) }
}
