package import MapGeometry

/// A table outside memory whose spatial index finds the rows near an extent.
package protocol IndexedTable: Sendable {
  /// The name of the table in its file.
  var name: String { get }
  /// The fields, geometry kind and spatial reference.
  var schema: FeatureSchema { get }
  /// The number of rows.
  var rowCount: Int { get }
  /// The envelope of all rows, in the table's spatial reference.
  var extent: Envelope { get }
  /// Warnings that hold for all rows.
  var warnings: [String] { get }

  /// Returns the rows that may meet one of some boxes, with their ids in the whole table.
  ///
  /// Nil if all rows should be read instead, for example because of their number.
  /// - Throws: ``IndexFault`` for an index that does not fit the rows, and errors of the file.
  func rows(meeting boxes: [Envelope]) throws -> FeatureColumns?
  /// Returns the rows that may meet one of some boxes and may satisfy conditions; nil for boxes means no boxes.
  ///
  /// Nil as above, and without boxes for a table that excludes rows by boxes alone.
  /// - Throws: ``IndexFault`` for an index that does not fit the rows, and errors of the file.
  func rows(meeting boxes: [Envelope]?, where conditions: [FieldCondition]) throws -> FeatureColumns?
  /// Returns the number of rows that meet a box, if the index alone tells it.
  func count(meeting box: Envelope) throws -> Int?
  /// Returns the number of rows that meet one of some boxes, with those whose geometries must be looked at.
  ///
  /// Nil if all rows should be read instead.
  /// - Throws: ``IndexFault`` for an index that does not fit the rows, and errors of the file.
  func count(meeting boxes: [Envelope]) throws -> IndexedCount?
  /// Returns all rows.
  func whole() throws -> InMemorySource
}

/// A table outside memory whose rows are read in pieces, in order.
package protocol PiecewiseTable: IndexedTable {
  /// The number of pieces.
  var pieceCount: Int { get }
  /// The number of rows that lie beyond the latitudes of Web Mercator as a whole.
  var polarRowCount: Int { get }

  /// Returns the rows of a piece, with their ids in the whole table.
  func rows(ofPiece index: Int) throws -> FeatureColumns
}

extension IndexedTable {
  package func rows(
    meeting boxes: [Envelope]?, where conditions: [FieldCondition]
  ) throws -> FeatureColumns? {
    guard let boxes else { return nil }
    return try rows(meeting: boxes)
  }

  package func count(meeting boxes: [Envelope]) throws -> IndexedCount? {
    var sum = 0
    for (index, box) in boxes.enumerated() {
      // A row could be in two boxes that meet.
      guard !boxes[..<index].contains(where: { $0.meets(box) }), let count = try count(meeting: box) else {
        return nil
      }
      sum += count
    }
    return IndexedCount(decided: sum, undecided: nil)
  }

  /// Whether features in degrees lie beyond the latitudes of Web Mercator.
  package var reachesPoles: Bool {
    schema.spatialReference == .wgs84
      && !(extent.yMin >= -WebMercator.latitudeLimit && extent.yMax <= WebMercator.latitudeLimit)
  }
}

/// The number of rows that meet boxes, as far as an index tells it.
package struct IndexedCount: Sendable {
  /// The number of rows that the index decides.
  package let decided: Int
  /// The rows whose geometries decide, with their ids; nil for none.
  package let undecided: FeatureColumns?

  /// Creates a number.
  package init(decided: Int, undecided: FeatureColumns?) {
    (self.decided, self.undecided) = (decided, undecided)
  }
}

/// A spatial index that does not fit the rows of its table.
package struct IndexFault: Error {
  /// Creates an error.
  package init() {}
}
