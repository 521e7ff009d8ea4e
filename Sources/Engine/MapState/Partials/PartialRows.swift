package import MapFeatures
import MapGeometry

/// The number of rows of a layer's table, the types of its fields, and the extent compared with ±180°.
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
  /// The type of each field by its name; it decides how filters compare.
  package let types: [String: String]
  /// The positions of the outermost rows in the west and in the east.
  package let reach: [Reach]

  /// Creates the properties of a table.
  init(of source: any FeatureSource) {
    let extent = source.shownExtent
    count = source.rowCount
    types = Dictionary(
      source.schema.fields.map { ($0.name, $0.fieldType.rawValue) }, uniquingKeysWith: { first, _ in first })
    guard !extent.isEmpty, let half = Envelope.worldWidth(of: extent.spatialReference).map({ $0 / 2 }) else {
      reach = [.inside, .inside]
      return
    }
    reach = [-extent.xMin, extent.xMax].map { $0 < half ? .inside : $0 == half ? .rim : .beyond }
  }

  /// Writes the properties.
  package func write(to writer: inout StateWriter) {
    writer.append(count)
    writer.append(types.sorted { $0.key < $1.key }) { field, writer in
      writer.append(field.key)
      writer.append(field.value)
    }
    for reach in reach { writer.append(reach.rawValue) }
  }

  /// Reads the properties.
  package init(from reader: inout StateReader) throws(StateBytesError) {
    count = try reader.count()
    let fields = try reader.list { reader throws(StateBytesError) in
      (try reader.text(), try reader.text())
    }
    types = Dictionary(fields, uniquingKeysWith: { first, _ in first })
    let numbers = [try reader.integer(), try reader.integer()]
    reach = numbers.compactMap { Reach(rawValue: $0) }
    guard reach.count == 2 else { throw .value("a reach that does not exist") }
  }
}
