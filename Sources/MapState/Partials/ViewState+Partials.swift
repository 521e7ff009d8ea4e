package import MapFeatures
import MapGeometry
package import MapModel

/// The number of rows of a layer's table, and how far east and west they reach.
package struct PartialRows: Hashable, Sendable {
  /// How far rows reach to one side, compared with ±180°.
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
  /// How far rows reach to the west and to the east.
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

extension ViewState {
  /// Returns the number of rows of each layer, and how far they reach.
  package var partialRows: [PartialRows] { layers.map { PartialRows(of: $0.source) } }

  /// Returns statistics of the features of a layer that a question is about, to be joined with those of other parts.
  ///
  /// - Throws: ``MapStateError``.
  package func partialStatistics(
    of layer: LayerState, _ statistics: StatisticsQuery, _ question: FeatureQuestion
  ) async throws(MapStateError) -> PartialStatistics {
    do {
      return try await naming(layer) {
        try layer.requireRows()
        let query = try conditions(for: layer, asking: question).query(for: .query)
        let fetched = try await layer.source.fetch(query)
        return try PartialStatistics(statistics, of: fetched.columns(), rows: fetched.rows(query))
      }
    } catch {
      throw MapStateError(error)
    }
  }

  /// Refuses filters of layers and of a question whose results depend on the current time.
  package func refuseCurrentTime(in question: FeatureQuestion?) throws(MapStateError) {
    var filters = [question?.$whereClause, question?.$cql2].compactMap { $0 }
    for layer in layers {
      filters.append(layer.definition.$definitionExpression)
      if let filter = layer.displayFilter?.activeFilter(atScale: viewpoint.scale) {
        filters.append(filter.$whereClause)
      }
    }
    for filter in filters where (try? filter.read())?.needsCurrentTime ?? false {
      throw MapStateError(
        .input,
        "\"\(filter.text)\" depends on the current time, so partial answers cannot be merged; write the time as a literal"
      )
    }
  }
}
