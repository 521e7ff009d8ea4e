package import MapFeatures
package import MapGeometry
import MapSystem

/// A FlatGeobuf file with an index, by which only the rows near an extent are read.
package struct IndexedFlatGeobuf: IndexedTable {
  private let header: FlatGeobufHeader
  private let index: FlatGeobufIndex
  private let bytes: @Sendable (Range<Int>) throws -> [UInt8]
  private let announce: @Sendable ([Range<Int>]) throws -> Void
  private let largestPart: Int
  private let all: @Sendable () throws -> InMemorySource
  package let schema: FeatureSchema
  package let extent: Envelope

  /// The part of the rows that is read by the index at most, one sixteenth; reading all of them in order is faster for
  /// more.
  ///
  /// - Source: design decision.
  package static let largestPart = 16
  /// The number of rows that one core reads at a time.
  private static let pieceRows = 4096

  /// Opens a file; nil for one without an index, and for one whose schema its header does not state.
  ///
  /// - Parameters:
  ///   - largestPart: The part of the rows that is read by the index at most; 1 for all of them.
  ///   - all: Reads the whole file.
  ///   - announce: Gets the ranges that are read next, which may then be fetched together.
  ///   - bytes: Returns a range of the file.
  package init?(
    size: Int, fields: FieldSelection, largestPart: Int = IndexedFlatGeobuf.largestPart,
    all: @escaping @Sendable () throws -> InMemorySource,
    announce: @escaping @Sendable ([Range<Int>]) throws -> Void = { _ in },
    bytes: @escaping @Sendable (Range<Int>) throws -> [UInt8]
  ) throws {
    do {
      let header = try FlatGeobufReader.header(size: size, fields: fields, bytes: bytes)
      guard let kind = header.kind, let reference = header.reference,
        let index = FlatGeobufIndex(header, fileSize: size, announce: announce, bytes: bytes),
        let box = try index.extent()
      else { return nil }
      (self.header, self.index, self.bytes, self.all) = (header, index, bytes, all)
      (self.announce, self.largestPart) = (announce, largestPart)
      schema = FeatureSchema(
        fields: header.columns.map(\.field), geometryKind: kind, spatialReference: reference)
      extent = Envelope(
        xMin: box.xMin, yMin: box.yMin, xMax: box.xMax, yMax: box.yMax, spatialReference: reference)
    } catch is FlatGeobufFault { return nil }
  }

  /// The name of the layer in the file.
  package var name: String { header.name }
  package var rowCount: Int { header.featureCount }
  package var warnings: [String] { header.warnings }
  package func whole() throws -> InMemorySource { try all() }

  package func count(meeting box: Envelope) throws -> Int? {
    guard schema.geometryKind == .point else { return nil }
    return try index.count(ofPointsIn: FlatGeobufIndex.Box(box))
  }

  package func rows(meeting boxes: [Envelope]) throws -> FeatureColumns? {
    let limit = max(1000, rowCount / largestPart)
    guard
      let candidates = try index.candidates(meeting: boxes.map { FlatGeobufIndex.Box($0) }, limit: limit)
    else { return nil }
    try announce(candidates.map(\.bytes))
    do {
      let rows = try concurrentPipeline(
        candidates.indices.pieces(of: Self.pieceRows)[...], next: { $0.popFirst() },
        work: { try FlatGeobufRows(header, candidates[$0], bytes) },
        into: FlatGeobufRows(header, reserving: candidates.count), take: { try $0.append($1) })
      let table = rows.table()
      guard let geometry = table.geometry, geometry.lies(in: candidates.map(\.box)) else {
        throw IndexFault()
      }
      return FeatureColumns(
        schema: table.schema, columns: table.columns, geometry: geometry, rowCount: table.rowCount,
        warnings: table.warnings, objectIDs: candidates.map { Int64($0.row) + 1 })
    } catch let fault as FlatGeobufFault {
      if case .notCovered = fault { return nil }
      // If the features are damaged and not the index, the whole file cannot be read.
      throw IndexFault()
    }
  }
}

extension FlatGeobufIndex.Box {
  init(_ envelope: Envelope) {
    self.init(xMin: envelope.xMin, yMin: envelope.yMin, xMax: envelope.xMax, yMax: envelope.yMax)
  }
}

extension FlatGeobufRows {
  /// The number of bytes that are read at a time, except for a longer feature.
  private static let runSize = 512 << 10

  /// Reads candidates, those that follow each other in the file together.
  fileprivate init(
    _ header: FlatGeobufHeader, _ candidates: ArraySlice<FlatGeobufIndex.Candidate>,
    _ read: (Range<Int>) throws -> [UInt8]
  ) throws {
    self.init(header, reserving: candidates.count)
    var rest = candidates
    while let first = rest.first?.bytes {
      var end = first.upperBound
      let run = rest.prefix { candidate in
        guard candidate.bytes == first || candidate.bytes.lowerBound == end,
          candidate.bytes.upperBound - first.lowerBound <= max(first.count, Self.runSize)
        else { return false }
        end = candidate.bytes.upperBound
        return true
      }
      let bytes = try read(first.lowerBound..<end)
      for candidate in run { try add(candidate, in: bytes, at: first.lowerBound) }
      rest = rest.dropFirst(run.count)
    }
  }

  /// Reads a candidate from bytes that begin at an offset of the file.
  private mutating func add(
    _ candidate: FlatGeobufIndex.Candidate, in bytes: [UInt8], at start: Int
  ) throws(FlatGeobufFault) {
    let place = candidate.bytes.lowerBound - start
    // The size of a feature must be the one that the index leads to.
    guard Int(try bytes.span.word32(at: place)) == candidate.bytes.count - 4 else { throw .outside }
    do { try add(place + 4..<place + candidate.bytes.count, of: bytes) } catch {
      throw error.inFeature(candidate.row + 1)
    }
  }
}

extension CoordinateBuffer {
  /// Whether each row lies in its box; rows without geometry lie in any.
  fileprivate func lies(in boxes: [FlatGeobufIndex.Box]) -> Bool {
    boxes.indices.allSatisfy { row in
      isEmpty(row: row) || boxes[row].contains(FlatGeobufIndex.Box(envelope(ofRow: row)))
    }
  }
}
