package import MapFeatures
package import MapGeometry

/// A GeoJSON text whose rows are read in pieces, for programs that pass rows on without keeping them.
///
/// A first reading of the text finds out what depends on all rows: fields and their types, warnings and the extent. Each
/// piece then has the same rows, values and ids as in the whole table.
///
/// - Cost: two passes over the text. Memory for some pieces, and 8 bytes per row whose feature has a number as its id.
package struct PiecewiseGeoJSON: PiecewiseTable {
  /// The name of the table.
  package let name: String
  private let all: @Sendable () throws -> InMemorySource
  private let pieces: GeoJSONPieces
  /// The reading of the whole text, without its rows.
  private let outline: GeoJSONParser
  /// For each piece the number of rows before it, and at the end the number of all rows.
  private let firstRows: [Int]
  /// The fields, geometry kind and spatial reference.
  package let schema: FeatureSchema
  /// The envelope of all rows, in their spatial reference; empty without rows.
  package let extent: Envelope
  /// The warnings about all rows.
  package let warnings: [String]

  /// The number of rows.
  package var rowCount: Int { firstRows.last ?? 0 }
  /// The number of pieces.
  package var pieceCount: Int { pieces.ranges.count }
  /// The number of rows that lie beyond the latitudes of Web Mercator as a whole.
  package var polarRowCount: Int { outline.forgotten.polarCount }

  /// Reads a text; nil for a text that must be read as a whole.
  ///
  /// These are a short text, one with an error, one whose features are incomplete or of several kinds of geometry, and one
  /// with a field whose type depends on all its values.
  ///
  /// - Parameters:
  ///   - name: the name of the table.
  ///   - all: reads the whole table, for questions about all rows.
  /// - Throws: `FileError`.
  package init?(
    _ text: TextBytes, name: String = "", fields: FieldSelection = .all, pieceSize: Int = FilePieces.size,
    all: @escaping @Sendable () throws -> InMemorySource
  ) throws {
    (self.name, self.all) = (name, all)
    var (fields, texts) = (fields, TextFields())
    while true {
      let fresh = { [fields, texts] in GeoJSONParser($0, fields: fields, texts: texts) }
      guard var pieces = try GeoJSONPieces(text, fresh, size: pieceSize),
        case (var outline, let firstRows)? = try Self.outline(pieces)
      else { return nil }
      if let mixed = outline.mixedTexts {
        texts = mixed
        continue
      }
      guard outline.hasFieldsWanted else {
        fields = .all
        continue
      }
      outline.forgetIDs()
      // Whether ids are left out is known only with the values of the property.
      guard !outline.hasIDs || !outline.hasIDProperty || outline.forgotten.canBeID == true else { return nil }
      let table = try outline.table(text)
      guard table.isComplete, table.otherGeometries.isEmpty, !outline.hasOpenColumns else { return nil }
      pieces.start.holdTexts(of: outline)
      outline.forgetWarnings()
      (self.pieces, self.outline, self.firstRows) = (pieces, outline, firstRows)
      (schema, warnings) = (table.schema, table.warnings)
      extent = outline.forgotten.extent.with(spatialReference: table.schema.spatialReference)
      return
    }
  }

  private static func outline(_ pieces: GeoJSONPieces) throws -> (GeoJSONParser, firstRows: [Int])? {
    try pieces.rows(into: (pieces.start, [0])) { whole, part, index in
      let (start, isLast) = (pieces.ranges[index].lowerBound, index + 1 == pieces.ranges.count)
      guard whole.0.append(part, startingAt: start, isLast: isLast) else { return false }
      whole.0.forgetRows()
      whole.1.append(whole.0.forgotten.rowCount)
      return true
    }
  }

  /// Nil: there is no index.
  package func rows(meeting boxes: [Envelope]) -> FeatureColumns? { nil }
  /// Nil: there is no index.
  package func count(meeting box: Envelope) -> Int? { nil }
  /// Returns all rows.
  package func whole() throws -> InMemorySource { try all() }

  /// Returns the rows of a piece, with their ids in the whole table.
  ///
  /// - Throws: ``FeatureReadError`` if the text has changed since the first reading; `FileError`.
  package func rows(ofPiece index: Int) throws -> FeatureColumns {
    var whole = outline
    guard let part = try pieces.piece(index), whole.appendRows(of: part),
      case let table = try whole.table(pieces.text), table.schema == schema,
      table.rowCount == firstRows[index + 1] - firstRows[index]
    else {
      throw FeatureReadError(.content("changed while it was read"), line: 1, column: 1)
    }
    guard table.objectIDs == nil, !schema.fields.contains(where: { $0.type == .oid }) else { return table }
    return FeatureColumns(
      schema: schema, columns: table.columns, geometry: table.geometry, rowCount: table.rowCount,
      objectIDs: (firstRows[index]..<firstRows[index + 1]).map { Int64($0) + 1 })
  }
}

/// Facts about the rows that a parser had.
struct ForgottenRows: Sendable {
  var rowCount = 0
  /// The extent of their geometries.
  var extent = Envelope.empty
  /// Whether some coordinates cannot be degrees.
  var areBeyondDegrees = false
  /// The number of rows that lie beyond the latitudes of Web Mercator as a whole, if they are in degrees.
  var polarCount = 0
  /// Whether the ids of all features can be object ids; nil as long as the ids are kept.
  var canBeID: Bool?
}

extension GeoJSONParser {
  /// Removes all rows; the fields and their types, and what warnings count, stay.
  fileprivate mutating func forgetRows() {
    for buffer in geometry.results {
      let envelopes = EnvelopeColumns(of: buffer)
      let (extent, limit) = (envelopes.union(of: 0..<envelopes.count), WebMercator.latitudeLimit)
      forgotten.extent = forgotten.extent.union(extent)
      if extent.yMin < -limit || extent.yMax > limit {
        forgotten.polarCount += (0..<buffer.rowCount).count { row in
          let box = buffer.envelope(ofRow: row)
          return box.yMin > limit || box.yMax < -limit
        }
      }
      if buffer.hasPlacesBeyondDegrees { forgotten.areBeyondDegrees = true }
    }
    geometry.forgetRows()
    properties.forgetRows()
    // Only integers can be object ids, which must differ in all rows.
    if ids.kind != .integer, ids.kind != .unknown { ids.forgetRows() }
    forgotten.rowCount += rowCount
    rowCount = 0
  }

  /// Removes the ids of all rows.
  fileprivate mutating func forgetIDs() {
    forgotten.canBeID = ids.kind == .integer && ObjectIDs.canBe(ids.finished(name: "").column)
    ids.forgetRows()
  }

  /// Removes what warnings say about all rows.
  fileprivate mutating func forgetWarnings() {
    partial = PartialAnswer()
    (longPositions, openRings) = (FirstSight(), FirstSight())
    (collections, joinedCollections) = (FirstSight(), FirstSight())
  }

  /// Whether the type of a column depends on the values of all rows.
  fileprivate var hasOpenColumns: Bool { properties.hasOpenColumns || ids.isOpen }

  /// Makes the columns text from the start that are text in all rows.
  fileprivate mutating func holdTexts(of outline: GeoJSONParser) {
    properties.texts.mixed.formUnion(outline.properties.namesOfTexts)
    properties.texts.hasMixedIDs = outline.ids.kind == .text
  }
}
