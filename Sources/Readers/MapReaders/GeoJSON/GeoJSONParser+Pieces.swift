import MapFeatures
import MapGeometry
import MapJSON
import MapSystem

/// The division of a GeoJSON text into pieces with whole rows: features of a collection, or single records.
///
/// Pieces are read independently, on all cores. Each is confirmed by the one before it, which must end where it starts.
struct GeoJSONPieces: Sendable {
  let text: TextBytes
  /// A parser in the state before the first row, without rows.
  var start: GeoJSONParser
  /// Whether the rows are features of a collection, and not single records.
  let isCollection: Bool
  let ranges: [Range<Int>]

  /// Divides a text; nil for a short text, and for one that shows no starts of rows.
  init?(_ text: TextBytes, _ fresh: (_ head: [UInt8]) -> GeoJSONParser, size: Int) throws {
    guard text.count > size else { return nil }
    var start = fresh(try text.bytes(0..<min(text.count, Self.headSize)))
    // A document that does not begin in its first bytes has an error, or must be read as a whole.
    guard let isCollection = try? start.beginDocument() else { return nil }
    guard !isCollection || (try? start.moveToFeatures()) == true else { return nil }
    let mark = try RowMark(&start, isCollection: isCollection)
    guard let mark else { return nil }
    var failure: (any Error)?
    let ranges = FilePieces.ranges(start.scanner.offset..<text.count, size: size) { place in
      do { return try mark.rowStart(in: text, after: place) } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    guard ranges.count > 1 else { return nil }
    (self.text, self.start, self.isCollection, self.ranges) = (text, start, isCollection, ranges)
  }

  /// The number of first bytes that must contain all before the first row, and for records the first row itself.
  private static let headSize = 1 << 20

  /// Reads the rows of a piece; nil for a piece with an error, and for one that does not end with a row.
  func piece(_ index: Int) throws -> GeoJSONParser? {
    let isLast = index + 1 == ranges.count
    var part = GeoJSONParser(try text.bytes(ranges[index]), ofRowsOf: start)
    do {
      if isCollection {
        guard try part.features(upTo: ranges[index].count) != isLast else { return nil }
        if isLast {
          part.partial = start.partial
          try part.endCollection()
        }
      } else {
        try part.records()
      }
    } catch { return nil }
    // The bytes are not kept until the pieces are joined.
    part.scanner = JSONScanner([])
    return part
  }

  /// Reads the rows of all pieces, in order; nil if the text must be read as a whole.
  ///
  /// - Parameter take: takes the rows so far, and the rows of the next piece, which it may add and forget.
  func rows<Sink: Sendable>(
    into sink: Sink, _ take: @Sendable (inout Sink, GeoJSONParser, _ index: Int) -> Bool
  ) throws -> Sink? {
    do {
      return try concurrentPipeline(
        0, inFlight: FilePieces.inFlight,
        next: { next -> Int? in
          defer { next += 1 }
          return next < ranges.count ? next : nil
        },
        work: { index -> (index: Int, rows: GeoJSONParser) in
          guard let rows = try piece(index) else { throw NoPiece() }
          return (index, rows)
        },
        into: sink,
        take: { sink, part in guard take(&sink, part.rows, part.index) else { throw NoPiece() } })
    } catch is NoPiece {
      return nil
    }
  }

  /// Reads all rows; nil if the text must be read as a whole.
  func whole() throws -> GeoJSONParser? {
    try rows(into: start) { whole, part, index in
      if index == 0 { whole.properties.reserve(rows: part.rowCount * ranges.count / 16 * 17) }
      return whole.append(part, startingAt: ranges[index].lowerBound, isLast: index + 1 == ranges.count)
    }
  }

  /// A piece that cannot be read by itself, or cannot be joined with those before it.
  private struct NoPiece: Error {}
}

/// The bytes at the start of a row that distinguish it from other objects.
private struct RowMark {
  /// The first member of the first feature; nil for records, which start a line.
  private let name: [UInt8]?

  /// Looks at the first row; nil if no other row can be recognised.
  init?(_ start: inout GeoJSONParser, isCollection: Bool) throws {
    guard isCollection else {
      name = nil
      return
    }
    let mark = start.scanner.mark
    defer { start.scanner.move(to: mark) }
    guard (try? start.scanner.nextElement()) == true, (try? start.scanner.beginObject()) != nil,
      let first = try? start.scanner.nextMember()
    else { return nil }
    name = Array(start.bytes[first.start - 1..<first.end + 1])
  }

  /// The number of bytes that are searched for a row, first and then.
  private static let windows = [1 << 12, 1 << 20]

  /// Returns the likely start of a row after a place; nil if none is near.
  func rowStart(in text: TextBytes, after place: Int) throws -> Int? {
    for window in Self.windows {
      let bytes = try text.bytes(place..<min(place + window, text.count))
      if let start = rowStart(in: bytes) { return place + start }
    }
    return nil
  }

  private func rowStart(in bytes: [UInt8]) -> Int? {
    func skip(_ word: some Sequence<UInt8>, _ offset: inout Int) -> Bool {
      while offset < bytes.count, bytes[offset] <= 0x20 { offset += 1 }
      for byte in word {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
      }
      return true
    }
    guard let name else {
      return bytes.indices.dropFirst().first {
        (bytes[$0] == 0x7B || bytes[$0] == 0x1E) && bytes[$0 - 1] == 0x0A
      }
    }
    let isType = name.dropFirst().dropLast().elementsEqual(GeoJSONName.type)
    for start in bytes.indices where bytes[start] == 0x7B {
      var offset = start + 1
      guard skip(name, &offset), skip(":".utf8, &offset) else { continue }
      // Geometries have a type, too; objects with other members are rarely elements of an array.
      if isType ? skip("\"Feature\"".utf8, &offset) : isElement(start, bytes) { return start }
    }
    return nil
  }

  /// Whether a comma precedes a value.
  private func isElement(_ start: Int, _ bytes: [UInt8]) -> Bool {
    bytes[..<start].last { $0 > 0x20 } == 0x2C
  }
}

extension GeoJSONParser {
  /// Adds the rows of the next piece; returns false if the result is uncertain.
  mutating func append(_ part: GeoJSONParser, startingAt start: Int, isLast: Bool) -> Bool {
    guard reference == nil || part.reference == nil || reference == part.reference, appendRows(of: part)
    else { return false }
    reference = reference ?? part.reference
    if isLast { partial = part.partial }
    longPositions.append(part.longPositions, from: start)
    openRings.append(part.openRings, from: start)
    collections.append(part.collections, from: start)
    joinedCollections.append(part.joinedCollections, from: start)
    return true
  }

  /// Adds the rows of a piece, without what warnings say about them.
  mutating func appendRows(of part: GeoJSONParser) -> Bool {
    guard properties.append(part.properties), (try? geometry.appendRows(of: part.geometry)) != nil else {
      return false
    }
    if !hasMixedIDs, !ids.append(part.ids) { hasMixedIDs = true }
    hasIDs = hasIDs || part.hasIDs
    rowCount += part.rowCount
    return true
  }
}
