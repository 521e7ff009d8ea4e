public import MapReaders
public import MapFeatures
public import MapGeometry
public import MapModel

/// The features of a layer that a question is about, in addition to the layer's own definition expression.
///
/// All conditions are combined with AND.
public struct FeatureQuestion: Sendable {
  /// The area of a question.
  public enum Area: Hashable, Sendable {
    /// In the view: its extent, or the bounding box of a rotated view.
    case view
    /// In the whole table, including features without geometry.
    case everywhere
    /// In an envelope, including its sides.
    case envelope(Envelope)
  }

  /// The area that is searched.
  public var area = Area.view
  /// A spatial relation that features must have to a geometry; nil for none.
  public var geometry: SpatialCondition?
  /// An SQL condition; blank for none.
  public var whereClause = ""
  /// A CQL2 condition as text or JSON; blank for none.
  public var cql2 = ""
  /// Whether the names in ``cql2`` are case-sensitive.
  public var cql2NamesHaveCase = true
  /// The time span of the features; nil for any time.
  ///
  /// It does not apply to a layer without time.
  public var time: TimeExtent?

  /// Creates a question about the features in the view.
  public init() {}

  /// Whether the question searches the view, so that its results can be compared with the image.
  package var looksInView: Bool { area == .view }

  /// Whether the question adds no condition of its own.
  var addsNothing: Bool {
    geometry == nil && whereClause.isEmpty && cql2.isEmpty && time == nil
  }

  /// Returns the requested extent as given, or the geometry's extent if only the geometry limits the area; nil for
  /// everywhere.
  package func extent(in view: ViewState) -> Envelope? {
    switch area {
    case .view: view.extent
    case .envelope(let envelope): envelope
    case .everywhere: geometry?.geometry.geometry.extent
    }
  }

  /// Adds the question's conditions to those of a layer.
  ///
  /// All stages of a funnel use the question's area.
  package func apply(to conditions: inout QueryConditions, in view: ViewState) {
    let envelopes: [Envelope]? =
      switch area {
      case .view: view.extent.splitAtAntimeridian()
      case .envelope(let envelope): envelope.splitAtAntimeridian()
      case .everywhere: nil
      }
    (conditions.parameterEnvelopes, conditions.viewEnvelopes) = (envelopes, envelopes)
    conditions.parameterGeometry = geometry
    conditions.parameterWhere = whereClause
    conditions.parameterCQL2 = cql2
    conditions.parameterCQL2NamesHaveCase = cql2NamesHaveCase
    // As in the image, which draws all features of a layer without time.
    conditions.parameterTime = conditions.timeInfo == nil ? nil : time
  }
}

extension LayerState {
  /// Refuses a question about a table that is not loaded, which would be answered with no rows.
  func requireRows() throws(SourceError) {
    if let unloadedReason { throw SourceError(unloadedReason) }
  }
}

extension ViewState {
  /// Returns statistics of the features of a layer that a question is about.
  ///
  /// - Throws: ``MapError``.
  public func statistics(
    of layer: LayerState, _ statistics: StatisticsQuery, _ question: FeatureQuestion
  ) async throws(MapError) -> StatisticsTable {
    do {
      return try await naming(layer) {
        try await layer.source.statistics(statistics, of: try query(for: question, of: layer))
      }
    } catch {
      throw MapError(error)
    }
  }

  /// Counts the features of a layer that a question is about in each of several envelopes, which replace its area.
  ///
  /// - Cost: the layer's filters are evaluated once, and the envelopes are counted on all cores.
  /// - Throws: ``MapError``.
  public func counts(
    of layer: LayerState, _ question: FeatureQuestion = FeatureQuestion(), inEach extents: [Envelope]
  ) async throws(MapError) -> [Int] {
    var question = question
    question.area = .everywhere
    do {
      return try await naming(layer) { [question] in
        let query = try query(for: question, of: layer)
        return try await layer.source.counts(extents.map { query.asked(in: $0.splitAtAntimeridian()) })
      }
    } catch {
      throw MapError(error)
    }
  }

  /// Returns one page of the features of a layer that a question is about, with the named fields.
  ///
  /// - Parameter output: the form of the geometries; nil returns them as the map shows them.
  /// - Throws: ``MapError``.
  public func features(
    of layer: LayerState, _ question: FeatureQuestion, page: FeaturePage = FeaturePage(),
    fieldNames: [String] = [], hasGeometry: Bool = true, output: GeometryOutput? = nil
  ) async throws(MapError) -> FeatureRows {
    do {
      return try await naming(layer) {
        let query = try query(for: question, of: layer)
        guard let output else {
          return try await layer.source.features(
            query, page: page, fieldNames: fieldNames, hasGeometry: hasGeometry)
        }
        return try await layer.source.features(
          query, page: page, fieldNames: fieldNames, hasGeometry: hasGeometry, output: output)
      }
    } catch {
      throw MapError(error)
    }
  }

  private func query(for question: FeatureQuestion, of layer: LayerState) throws -> FeatureQuery {
    try layer.requireRows()
    var conditions = conditions(for: layer)
    question.apply(to: &conditions, in: self)
    return try conditions.query(for: .query)
  }
}
