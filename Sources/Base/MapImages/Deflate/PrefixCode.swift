/// A prefix code of deflate: the bits of each symbol, fewer for symbols that occur more often.
///
/// - Source: D. A. Huffman, "A Method for the Construction of Minimum-Redundancy Codes", 1952; RFC 1951, 3.2.2, for
///   the assignment of bits to symbols.
package struct PrefixCode {
  /// The code length of each symbol in bits; 0 for a symbol that does not occur.
  package let lengths: [UInt8]
  /// The code of each symbol, first bit lowest, with its length above bit 16.
  let entries: [UInt32]

  /// Creates a code from the number of occurrences of each symbol.
  ///
  /// - Parameter limit: the maximum code length in bits; it must suffice for the number of symbols.
  package init(counts: some Sequence<UInt32>, limit: Int) {
    var weights = Array(counts)
    var lengths = Self.lengths(of: weights)
    while lengths.contains(where: { $0 > limit }) {
      // Halving the weights brings them closer together, which flattens the tree; once all are 1 it is as flat as
      // possible.
      for index in weights.indices { weights[index] = weights[index] / 2 + weights[index] % 2 }
      lengths = Self.lengths(of: weights)
    }
    self.lengths = lengths
    entries = Self.entries(of: lengths)
  }

  /// Returns the depth of each symbol in the tree that joins the two lightest nodes until one is left.
  private static func lengths(of weights: [UInt32]) -> [UInt8] {
    var lengths = [UInt8](repeating: 0, count: weights.count)
    let symbols = weights.indices.filter { weights[$0] > 0 }.sorted {
      (weights[$0], $0) < (weights[$1], $1)
    }
    guard symbols.count > 1 else {
      // A single symbol takes one bit, because a code of no bits cannot be read.
      for symbol in symbols { lengths[symbol] = 1 }
      return lengths
    }
    // The leaves by weight, then the joined nodes, which are created in order of weight too.
    var nodes = symbols.map { Int(weights[$0]) }
    var parents = [Int](repeating: 0, count: 2 * symbols.count - 1)
    var (leaf, joined) = (0, symbols.count)
    while nodes.count < parents.count {
      var weight = 0
      for _ in 0..<2 {
        let takesLeaf = leaf < symbols.count && (joined == nodes.count || nodes[leaf] <= nodes[joined])
        let lightest = takesLeaf ? leaf : joined
        if takesLeaf { leaf += 1 } else { joined += 1 }
        weight += nodes[lightest]
        parents[lightest] = nodes.count
      }
      nodes.append(weight)
    }
    var depths = [UInt8](repeating: 0, count: nodes.count)
    for node in nodes.indices.dropLast().reversed() { depths[node] = depths[parents[node]] + 1 }
    for (node, symbol) in symbols.enumerated() { lengths[symbol] = depths[node] }
    return lengths
  }

  /// Assigns codes in the order of lengths, then of symbols.
  private static func entries(of lengths: [UInt8]) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: 17)
    for length in lengths where length > 0 { counts[Int(length) + 1] += 1 }
    var next = [UInt32](repeating: 0, count: 17)
    for length in 1..<17 { next[length] = (next[length - 1] + counts[length]) << 1 }
    return lengths.map { length in
      guard length > 0 else { return 0 }
      var (code, reversed) = (next[Int(length)], UInt32(0))
      next[Int(length)] += 1
      for _ in 0..<length { (reversed, code) = (reversed << 1 | code & 1, code >> 1) }
      return reversed | UInt32(length) << 16
    }
  }
}
