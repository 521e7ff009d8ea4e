package import MapFeatures
import MapGeometry

/// The number of rows of a layer's table, and their extent compared with ±180°.
package struct PartialRows: Hashable, Sendable {
  /// The position of the outermost row on one side, compared with ±180°.
  package enum Reach: Int, Sendable {
    /// All rows are inside.
    case inside
    /// A row is exactly there.
    case rim
    /// A row is beyond.
    case beyond
  }

  /// The number of rows.
  package let count: Int
  /// The positions of the outermost rows in the west and in the east.
  package let reach: [Reach]

  /// Creates the properties of a table.
  init(of source: any FeatureSource) {
    let extent = source.shownExtent
    count = source.rowCount
    guard !extent.isEmpty, let half = Envelope.worldWidth(of: extent.spatialReference).map({ $0 / 2 }) else {
      reach = [.inside, .inside]
      return
    }
    reach = [-extent.xMin, extent.xMax].map { $0 < half ? .inside : $0 == half ? .rim : .beyond }
  }

  /// Writes the properties.
  package func write(to writer: inout StateWriter) {
    writer.append(count)
    for reach in reach { writer.append(reach.rawValue) }
  }

  /// Reads the properties.
  package init(from reader: inout StateReader) throws(StateBytesError) {
    count = try reader.count()
    let numbers = [try reader.integer(), try reader.integer()]
    reach = numbers.compactMap { Reach(rawValue: $0) }
    guard reach.count == 2 else { throw .value("a reach that does not exist") }
  }
}
