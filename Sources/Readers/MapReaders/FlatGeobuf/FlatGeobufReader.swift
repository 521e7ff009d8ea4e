package import MapFeatures
package import MapGeometry
import MapSystem

/// Reads FlatGeobuf into columns: points, lines and polygons, single and multipart.
///
/// The table equals the one from GDAL's reader. Left to GDAL are curves, collections, spatial references without an
/// EPSG code, and date-times that are not ISO 8601.
///
/// - Source: FlatGeobuf 3, flatgeobuf.org.
/// - Cost: one pass in pieces on all cores; at most one piece of the file per core is in memory.
package enum FlatGeobufReader {
  /// A layer of a file.
  package struct Layer: Sendable {
    /// The name in the file.
    package let name: String
    /// The rows.
    package let table: FeatureColumns
  }

  /// Whether the bytes start a file of version 3, with any patch number.
  package static func looksLikeFlatGeobuf(_ head: [UInt8]) -> Bool {
    head.count >= 8 && head[0..<7].elementsEqual(Array("fgb\u{3}fgb".utf8))
  }

  /// Reads a file; returns nil if it has content that is left to GDAL.
  ///
  /// - Parameters:
  ///   - size: The size of the file in bytes.
  ///   - fields: The fields to read.
  ///   - bytes: Returns a range of the file; called on several threads, one at a time.
  /// - Throws: ``FlatGeobufError``, and the errors of `bytes`.
  package static func read(
    size: Int, fields: FieldSelection = .all, bytes: @Sendable (Range<Int>) throws -> [UInt8]
  ) throws -> Layer? {
    // A piece that fits in a core's cache is divided into features and read without waiting for memory.
    try read(size: size, fields: fields, pieceSize: 512 << 10, bytes: bytes)
  }

  /// Reads a file in pieces of about `pieceSize` bytes, which does not change the result.
  package static func read(
    size: Int, fields: FieldSelection = .all, pieceSize: Int,
    bytes: @Sendable (Range<Int>) throws -> [UInt8]
  ) throws -> Layer? {
    do {
      let header = try header(size: size, fields: fields, bytes: bytes)
      let rows = try concurrentPipeline(
        FlatGeobufFeed(header, fileSize: size, pieceSize: pieceSize),
        next: { try $0.next(bytes) }, work: { try FlatGeobufRows(header, $0) },
        into: FlatGeobufRows(header, reserving: header.featureCount), take: { try $0.append($1) })
      return Layer(name: header.name, table: rows.table())
    } catch let fault as FlatGeobufFault {
      guard case .content(let text) = fault else { return nil }
      throw FlatGeobufError(description: text)
    }
  }

  /// Returns the number of boxes in a file's index that do not fit the geometries of the file; 0 without an index.
  ///
  /// - Cost: one pass over the index on all cores.
  package static func indexFaults(
    _ geometry: CoordinateBuffer, size: Int, bytes: @escaping @Sendable (Range<Int>) throws -> [UInt8]
  ) throws -> Int {
    let header = try header(size: size, fields: .all, bytes: bytes)
    return try FlatGeobufIndex(header, fileSize: size, bytes: bytes)?.faults(in: geometry) ?? 0
  }

  /// Reads the header of a file.
  static func header(
    size: Int, fields: FieldSelection, bytes: (Range<Int>) throws -> [UInt8]
  ) throws -> FlatGeobufHeader {
    let prefix = try bytes(0..<min(size, FlatGeobufHeader.prefixSize))
    let start = FlatGeobufHeader.prefixSize
    let headerSize = try FlatGeobufHeader.size(prefix, fileSize: size)
    return try FlatGeobufHeader(try bytes(start..<start + headerSize), fileSize: size, wanted: fields)
  }
}

/// The error for a FlatGeobuf file that cannot be read.
package struct FlatGeobufError: Error, Hashable, CustomStringConvertible {
  /// The reason, in lower case, without a full stop.
  package let description: String
}

/// Consecutive complete features of a file, each preceded by its size.
struct FlatGeobufPiece: Sendable {
  let firstRow: Int
  let rowCount: Int
  let bytes: [UInt8]
}

/// Divides the features of a file into pieces.
struct FlatGeobufFeed: Sendable {
  private let fileSize: Int
  private let pieceSize: Int
  /// The number of features that the file states; 0 if it states none.
  private let featureCount: Int
  private var offset: Int
  private var rows = 0

  init(_ header: FlatGeobufHeader, fileSize: Int, pieceSize: Int) {
    (self.fileSize, self.pieceSize) = (fileSize, max(4, pieceSize))
    (featureCount, offset) = (header.featureCount, header.firstFeature)
  }

  /// Returns the next piece; nil after the last feature.
  mutating func next(_ read: (Range<Int>) throws -> [UInt8]) throws -> FlatGeobufPiece? {
    let limit = featureCount == 0 ? .max : featureCount - rows
    guard limit > 0 else { return nil }
    guard offset < fileSize else {
      guard featureCount == 0 else {
        throw FlatGeobufFault.content(
          "after \(rows) features: the file ends, but it states \(featureCount)")
      }
      return nil
    }
    var bytes = try read(offset..<min(fileSize, offset + pieceSize))
    var (end, count) = try Self.features(in: bytes, limit: limit)
    if count == 0 {
      // A feature that is longer than a piece.
      bytes = try read(offset..<offset + longFeature(read))
      (end, count) = (bytes.count, 1)
    }
    let piece = FlatGeobufPiece(firstRow: rows, rowCount: count, bytes: bytes)
    offset += end
    rows += count
    return piece
  }

  /// Returns the length of the next feature in bytes, including its size word.
  private func longFeature(_ read: (Range<Int>) throws -> [UInt8]) throws -> Int {
    if fileSize - offset >= 4 {
      let prefix = try read(offset..<offset + 4)
      let size = Int(try prefix.span.word32(at: 0))
      if size <= fileSize - offset - 4 { return 4 + size }
    }
    throw FlatGeobufFault.content("after \(rows) features: the file ends in the middle of one")
  }

  /// Returns the end of the last complete feature, and the number of complete features.
  private static func features(
    in bytes: [UInt8], limit: Int
  ) throws(FlatGeobufFault) -> (end: Int, count: Int) {
    let span = bytes.span
    var (end, count) = (0, 0)
    while count < limit, end <= span.count - 4 {
      let size = Int(try span.word32(at: end))
      guard size <= span.count - end - 4 else { break }
      end += 4 + size
      count += 1
    }
    return (end, count)
  }
}

extension FlatGeobufRows {
  /// Reads the features of a piece.
  init(_ header: FlatGeobufHeader, _ piece: FlatGeobufPiece) throws(FlatGeobufFault) {
    self.init(header, reserving: piece.rowCount)
    var place = 0
    while rowCount < piece.rowCount {
      let size = Int(try piece.bytes.span.word32(at: place))
      do { try add(place + 4..<place + 4 + size, of: piece.bytes) } catch {
        throw error.inFeature(piece.firstRow + rowCount + 1)
      }
      place += 4 + size
    }
  }
}
