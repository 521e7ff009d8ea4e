public import MapFeatures
public import MapGeometry
public import MapModel

/// Which features of a layer a question is about, beside the layer's own definition expression.
///
/// All conditions hold together.
public struct FeatureQuestion: Sendable {
  /// The area of a question.
  public enum Area: Hashable, Sendable {
    /// In the view: its extent, or the upright box around it when the view is rotated.
    case view
    /// In the whole table, features without geometry included.
    case everywhere
    /// In an envelope, sides included.
    case envelope(Envelope)
  }

  /// The area in which features are asked.
  public var area = Area.view
  /// A relation that features must have to a geometry; nil asks for none.
  public var geometry: SpatialCondition?
  /// SQL that must hold; blank is none.
  public var whereClause = ""
  /// CQL2 that must hold, as text or as JSON; blank is none.
  public var cql2 = ""
  /// True where the case of the names in ``cql2`` counts.
  public var cql2NamesHaveCase = true
  /// Only features in this span of time.
  public var time: TimeExtent?

  /// The features in the view.
  public init() {}

  /// True when the question looks in the view, so that what it finds can be compared with the image.
  package var looksInView: Bool { area == .view }

  /// True when the question adds no condition of its own.
  var addsNothing: Bool {
    geometry == nil && whereClause.isEmpty && cql2.isEmpty && time == nil
  }

  /// The extent that is asked for, as it was given; the geometry's where that alone says where to look; nil everywhere.
  package func extent(in view: ViewState) -> Envelope? {
    switch area {
    case .view: view.extent
    case .envelope(let envelope): envelope
    case .everywhere: geometry?.geometry.geometry.extent
    }
  }

  /// Sets what the question adds to a layer's conditions; the stages of a funnel look where the question looks.
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
    conditions.parameterTime = time
  }
}

extension ViewState {
  /// Statistics of the features of a layer that a question is about.
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

  /// Counts the features of a layer that a question is about, in each of some envelopes instead of where it looks.
  ///
  /// - Cost: the layer's filters are worked out once, and the envelopes counted on all cores.
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

  /// The features of a layer that a question is about: a page of them, with some fields.
  ///
  /// - Parameter output: how geometries come out; nil is as they are shown.
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
    var conditions = conditions(for: layer)
    question.apply(to: &conditions, in: self)
    return try conditions.query(for: .query)
  }
}
