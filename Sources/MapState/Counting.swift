import MapDrawing
import MapFeatures
public import MapGeometry
public import MapJSON
public import MapModel

/// What is counted.
public struct CountOptions: Sendable {
  /// Which features are meant, beside the layers' own expressions.
  public var question = FeatureQuestion()
  /// With all stages of the filter funnel.
  public var funnel = false
  /// The places of the layers to count; nil is all.
  public var layers: [Int]?

  /// All layers in the view.
  public init() {}
}

/// The features of each layer that a query returns.
public struct CountAnswer: Sendable {
  /// One layer's count.
  public struct Layer: Sendable {
    /// Title or id.
    public let name: String
    /// The features.
    public let count: Int
    /// True where every feature was counted by the rules of this project as far as was seen; false where features
    /// are missing, such as in a saved page of a service's answer, and where a service's filter let through others.
    public let isExact: Bool
    /// The stages, when they were asked for.
    public let funnel: FilterFunnel?
  }

  /// The reference of the map.
  let spatialReference: SpatialReference
  /// What was counted in; nil everywhere.
  public let extent: Envelope?
  /// The N of the view's 1:N.
  public let scale: Double
  /// The layers, first at the bottom.
  public let layers: [Layer]

  /// The answer as JSON, keys in a fixed order; every count is complete, or there is an error.
  public var json: JSONValue { json(warnings: nil) }

  /// The answer as JSON with warnings.
  public func json(warnings: [String]?) -> JSONValue {
    let layers: [JSONValue] = layers.map { layer in
      var object: JSONObject = [
        "layer": .string(layer.name), "count": .number(layer.count), "exact": .boolean(layer.isExact),
      ]
      if let funnel = layer.funnel { object["funnel"] = funnel.json }
      return .object(object)
    }
    var object: JSONObject = [
      "extent": extent?.json ?? .null, "wkid": .number((extent?.spatialReference ?? spatialReference).wkid),
      "scale": .number(scale), "layers": .array(layers),
    ]
    if let warnings { object["warnings"] = .array(warnings.map { .string($0) }) }
    return .object(object)
  }
}

extension ViewState {
  /// Counts layers.
  ///
  /// The definition expression holds, the display filter does not; with a funnel the count is its stage `extent`.
  /// - Throws: ``MapError``.
  public func counts(_ options: CountOptions) async throws(MapError) -> CountAnswer {
    var answers: [CountAnswer.Layer] = []
    for (index, layer) in layers.enumerated() where options.layers?.contains(index) ?? true {
      do {
        guard !options.funnel else {
          var layer = layer
          let funnel: FilterFunnel
          if options.question.looksInView {
            layer = try await fetched(layer)
            let drawing = try await drawing(of: layer, index: index)
            funnel = try await self.funnel(of: layer, drawing: drawing, options.question)
          } else {
            funnel = try await self.funnel(of: layer, options.question)
          }
          answers.append(
            CountAnswer.Layer(
              name: layer.name, count: funnel.extent, isExact: layer.source.isExact, funnel: funnel))
          continue
        }
        let count = try await count(of: layer) { options.question.apply(to: &$0, in: self) }
        answers.append(
          CountAnswer.Layer(name: layer.name, count: count, isExact: layer.source.isExact, funnel: nil))
      } catch {
        throw MapError(error)
      }
    }
    return CountAnswer(
      spatialReference: spatialReference, extent: options.question.extent(in: self), scale: viewpoint.scale,
      layers: answers)
  }
}
