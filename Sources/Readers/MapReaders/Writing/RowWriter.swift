package import MapFeatures
import MapSystem

/// A writer of a format in which each feature is written by itself: a start, the features in order, and an end.
///
/// The features may come in parts that are tables of their own, with the same fields.
package protocol RowWriter: Sendable {
  /// The features that the writer was created for.
  var features: FeatureRows { get }
  /// The bytes before the first feature.
  var start: [UInt8] { get }
  /// The bytes between features.
  var separator: [UInt8] { get }
  /// The bytes after the last feature.
  var end: [UInt8] { get }

  /// Returns the bytes of some features, with the separator between them.
  func rows(_ features: FeatureRows) -> [UInt8]
}

extension RowWriter {
  /// Returns the bytes of the features, as one document.
  package func document() -> [UInt8] {
    let parts = self.parts
    let document = concurrentPipeline(
      0, next: { $0.next(below: parts.count) }, work: { rows(features.part(parts[$0])) }, into: start,
      take: { document, bytes in
        if document.count > start.count { document += separator }
        document += bytes
      })
    return document + end
  }

  /// Writes the features, and passes the bytes on in order.
  package func write(to add: @Sendable ([UInt8]) throws -> Void) throws {
    let parts = self.parts
    try write(partCount: parts.count, { features.part(parts[$0]) }, to: add)
  }

  /// Writes features that are read or selected in parts, on all cores, and passes the bytes on in order.
  ///
  /// - Parameter part: returns the features of a part, possibly none.
  /// - Returns: the number of features.
  @discardableResult
  package func write(
    partCount: Int, _ part: @Sendable (Int) throws -> FeatureRows,
    to add: @Sendable ([UInt8]) throws -> Void
  ) throws -> Int {
    try add(start)
    let count = try concurrentPipeline(
      0, inFlight: FilePieces.inFlight, next: { next throws in next.next(below: partCount) },
      work: { index throws -> (bytes: [UInt8], count: Int) in
        let features = try part(index)
        return (rows(features), features.rows.count)
      },
      into: 0,
      take: { count, part throws in
        guard part.count > 0 else { return }
        if count > 0, !separator.isEmpty { try add(separator) }
        try add(part.bytes)
        count += part.count
      })
    try add(end)
    return count
  }

  /// The features that one core writes at a time.
  private var parts: [Range<Int>] { features.rows.indices.pieces(of: 1 << 12) }
}

extension Int {
  /// Returns the number and counts on; nil if it is not below a limit.
  fileprivate mutating func next(below limit: Int) -> Int? {
    guard self < limit else { return nil }
    defer { self += 1 }
    return self
  }
}
