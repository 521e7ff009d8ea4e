package import MapGeometry

/// A table outside memory whose spatial index finds the rows near an extent.
package protocol IndexedTable: Sendable {
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
  /// Nil if all rows should be read instead: because of their number, or because the index is wrong.
  func rows(meeting boxes: [Envelope]) throws -> FeatureColumns?
  /// Returns the number of rows that meet a box, if the index alone tells it.
  func count(meeting box: Envelope) throws -> Int?
  /// Returns all rows.
  func whole() throws -> InMemorySource
}
