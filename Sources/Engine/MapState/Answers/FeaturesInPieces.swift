import MapDrawing
package import MapFeatures
import MapGeometry
package import MapModel

/// The features of a layer that answer a question, read in pieces.
///
/// Only some pieces are in memory at a time.
///
/// The features of all pieces, one after the other, are those of
/// ``ViewState/features(of:_:page:fieldNames:hasGeometry:output:)``.
package struct FeaturesInPieces: Sendable {
  private let layerName: String
  private let source: PartlyReadSource
  private let pieces: any PiecewiseTable
  private let query: FeatureQuery
  private let fieldNames: [String]
  private let output: GeometryOutput?
  /// No features, with the fields and the spatial reference of those of each piece.
  package let none: FeatureRows

  /// The number of pieces.
  package var count: Int { pieces.pieceCount }

  fileprivate init?(
    of layer: LayerState, _ query: FeatureQuery, fieldNames: [String], hasGeometry: Bool,
    output: GeometryOutput?
  ) throws {
    guard let source = layer.source as? PartlyReadSource, let pieces = source.pieces else { return nil }
    // Warnings of a projection count the geometries of all rows.
    let reference = pieces.schema.spatialReference
    guard !hasGeometry || (output?.reference ?? reference) == reference else { return nil }
    (layerName, self.source, self.pieces) = (layer.name, source, pieces)
    (self.query, self.fieldNames, self.output) = (query, fieldNames, output)
    none = try FeatureRows(
      FeatureColumns(joining: [], schema: pieces.schema), rows: [], fieldNames: fieldNames,
      hasGeometry: hasGeometry)
  }

  /// Returns the features in a piece.
  ///
  /// - Throws: ``MapStateError``.
  package func features(ofPiece index: Int) throws(MapStateError) -> FeatureRows {
    do {
      return try FetchedFeatures(try source.rows(ofPiece: index, in: pieces)).chosen(
        query, page: FeaturePage(), fieldNames: fieldNames, hasGeometry: none.hasGeometry, output: output)
    } catch {
      throw MapStateError(error, ofLayer: layerName)
    }
  }
}

extension LayerState {
  /// Whether all rows are read, into memory or in pieces, and not only those that a service or an index returns.
  package var readsAllRows: Bool {
    source.inMemory != nil || (source as? PartlyReadSource)?.pieces != nil
  }
}

extension ViewState {
  /// Returns the features of a layer that a question is about, in pieces; nil if the rows of the layer's source are not
  /// read in pieces.
  ///
  /// - Throws: ``MapStateError``.
  package func featuresInPieces(
    of layer: LayerState, _ question: FeatureQuestion, fieldNames: [String], hasGeometry: Bool,
    output: GeometryOutput?
  ) async throws(MapStateError) -> FeaturesInPieces? {
    try await naming(layer) {
      try FeaturesInPieces(
        of: layer, try query(for: question, of: layer), fieldNames: fieldNames, hasGeometry: hasGeometry,
        output: output)
    }
  }
}
