import MapGeometry
import MapJSON
import MapSystem

extension GeoJSONParser {
  /// Reads the features of the open array in pieces on all cores; stops before the closing bracket.
  ///
  /// Nil for a short file, if a piece has an error, or if a piece starts inside a feature. The features must then be
  /// read sequentially.
  func readPieces() -> GeoJSONParser? {
    let ranges = FilePieces.ranges(scanner.offset..<bytes.count, size: pieceSize) { featureStart(after: $0) }
    guard ranges.count > 1 else { return nil }
    let parts = concurrentMap(ranges.count) { index -> (rows: GeoJSONParser, end: Int)? in
      // Each piece copies its bytes: with reference counting of shared bytes, two cores were slower than one (Swift
      // 6.3.1).
      var part = GeoJSONParser(Array(bytes[ranges[index]]), elementsOf: self)
      guard let hasMore = try? part.features(upTo: ranges[index].count), hasMore == (index + 1 < ranges.count)
      else { return nil }
      let end = ranges[index].lowerBound + part.scanner.offset - 1
      // Not all copies are held until the pieces are joined.
      part.scanner = JSONScanner([])
      return (part, end)
    }.compactMap { $0 }
    guard parts.count == ranges.count, let end = parts.last?.end else { return nil }
    return joined(parts.map(\.rows), starts: ranges.map(\.lowerBound), end: end)
  }

  private func joined(_ parts: [GeoJSONParser], starts: [Int], end: Int) -> GeoJSONParser? {
    let ids = zip(parts, starts).map { ($0.ids, $0.rowCount, $1) }
    guard let properties = PropertyTable.joined(parts.map(\.properties), starts: starts, in: bytes),
      let ids = ColumnBuilder.joined(ids, untyped: false, in: bytes)
    else { return nil }
    var whole = self
    (whole.properties, whole.ids) = (properties, ids)
    for (part, start) in zip(parts, starts) {
      guard whole.geometry.append(part.geometry),
        whole.reference == nil || part.reference == nil || whole.reference == part.reference
      else { return nil }
      whole.reference = whole.reference ?? part.reference
      whole.hasIDs = whole.hasIDs || part.hasIDs
      whole.longPositions.append(part.longPositions, from: start)
      whole.openRings.append(part.openRings, from: start)
      whole.collections.append(part.collections, from: start)
      whole.joinedCollections.append(part.joinedCollections, from: start)
      whole.rowCount += part.rowCount
    }
    whole.scanner.move(to: scanner.mark(beforeElementAt: end))
    return whole
  }

  /// Returns the likely start of a feature after `place`, one whose first member is its type; nil if none is near.
  private func featureStart(after place: Int) -> Int? {
    // Not a scanner: its errors would count lines from the start of the file.
    func skip(_ word: StaticString, _ offset: inout Int) -> Bool {
      while offset < bytes.count, bytes[offset] <= 0x20 { offset += 1 }
      for byte in word.description.utf8 {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
      }
      return true
    }
    for start in place..<min(place + 1 << 20, bytes.count) where bytes[start] == UInt8(ascii: "{") {
      var offset = start + 1
      if skip("\"type\"", &offset), skip(":", &offset), skip("\"Feature\"", &offset) { return start }
    }
    return nil
  }
}
