import MapSystem

extension TextTable {
  /// The most pieces into which texts are divided, and the most shares by hash of each: a million lists of codes.
  private static let (mostPieces, mostShares) = (1 << 10, 1 << 10)

  /// Whether tables with a number of texts in total are joined on all cores: dividing fewer would cost more than it saves.
  package static func joinsOnAllCores(_ count: Int) -> Bool { count > piece && count <= Int(Int32.max) }

  /// Joins tables; returns their distinct texts in order of first appearance, and for each table the codes of its texts.
  ///
  /// - Cost: a lookup per text of each table; on all cores if there are many.
  package static func joined(_ tables: [TextTable]) -> (texts: TextTable, codes: [[Int32]]) {
    guard joinsOnAllCores(tables.reduce(0) { $0 + $1.count }) else {
      var texts = TextTable()
      let codes = tables.map { texts.codes(of: $0) }
      return (texts, codes)
    }
    let (texts, codes) = TextTable(unsearched: tables).distinct()
    var start = 0
    let codesOfTables = tables.map { table in
      defer { start += table.count }
      return Array(codes[start..<start + table.count])
    }
    return (texts, codesOfTables)
  }

  /// Returns the distinct texts in order of first appearance, and for each text its code among them.
  private func distinct() -> (texts: TextTable, codes: [Int32]) {
    let pieces = (0..<count).pieces(of: max(Self.piece, count / Self.mostPieces + 1))
    let firsts = firstWithSameHash(pieces)
    let parts = concurrentMap(pieces.count) { piece -> TextTable? in
      var texts = TextTable()
      for code in pieces[piece] {
        let first = Int(firsts[code])
        if first == code {
          texts.append(code, of: self)
        } else if !isEqual(first, bytes, range(of: code)) {
          return nil
        }
      }
      return texts
    }.compactMap { $0 }
    guard parts.count == pieces.count else {
      // Two different texts have the same hash of 64 bits.
      var texts = TextTable()
      let codes = texts.codes(of: self)
      return (texts, codes)
    }
    var (codes, next) = ([Int32](), Int32(0))
    codes.reserveCapacity(count)
    for (code, first) in firsts.enumerated() {
      let isNew = first == code
      codes.append(isNew ? next : codes[Int(first)])
      if isNew { next += 1 }
    }
    return (next == count ? self : TextTable(unsearched: parts), codes)
  }

  /// Returns for each text the first one with the same hash.
  ///
  /// The texts are divided by their hashes, so that each core finds its own in memory that its cache holds.
  private func firstWithSameHash(_ pieces: [Range<Int>]) -> [Int32] {
    let shareCount = min(1 << (Int.bitWidth - (count / Self.piece).leadingZeroBitCount), Self.mostShares)
    let shares = concurrentMap(pieces.count) { piece in
      var shares: [[Int32]] = Array(repeating: [], count: shareCount)
      for code in pieces[piece] {
        // The slots of a share use the low bits.
        let share = Int(truncatingIfNeeded: hashes[code] >> 24) & (shareCount - 1)
        shares[share].append(Int32(truncatingIfNeeded: code))
      }
      return shares
    }
    let firsts = concurrentMap(shareCount) { share in
      var slots = TextSlots(for: shares.reduce(0) { $0 + $1[share].count })
      return shares.map { $0[share].map { slots.first(like: $0, hashes) } }
    }
    let parts = concurrentMap(pieces.count) { piece in
      let start = pieces[piece].lowerBound
      var part: [Int32] = Array(repeating: 0, count: pieces[piece].count)
      for share in 0..<shareCount {
        for (code, first) in zip(shares[piece][share], firsts[share][piece]) {
          part[Int(code) - start] = first
        }
      }
      return part
    }
    return parts.reduce(into: []) { $0 += $1 }
  }
}

extension TextSlots {
  /// Returns the first code with the same hash: the code itself if there was none, which then takes a slot.
  fileprivate mutating func first(like code: Int32, _ hashes: [UInt64]) -> Int32 {
    let hash = hashes[Int(code)]
    var slot = first(hash)
    while let other = next(&slot, hash) {
      if hashes[other] == hash { return Int32(truncatingIfNeeded: other) }
      slot = after(slot)
    }
    fill(slot, hash, code)
    return code
  }
}
