/// The drawing of points that lie close together as clusters, or of all points as bins.
///
/// - Source: web map specification, `featureReduction`. Design decision: a fixed grid of squares for clusters, so that
///   panning changes no number.
package struct FeatureAggregation: Sendable, Equatable {
  /// A statistic of the features of a cluster.
  package enum Statistic: String, Sendable, CaseIterable {
    case avg, count, max, min, mode, stddev, sum
    case variance = "var"
  }

  /// A field of the clusters.
  package struct Field: Sendable, Equatable {
    package let name: String
    /// The field of the features; nil for the number of features.
    package let onField: String?
    package let statistic: Statistic

    package init(name: String, onField: String?, statistic: Statistic) {
      (self.name, self.onField, self.statistic) = (name, onField, statistic)
    }
  }

  /// The field with the number of features.
  package static let countField = "cluster_count"

  /// The cells of bins; nil for clusters.
  package var bins: BinCells?
  /// Whether the bins are those of the layer's renderer in the document, and not its feature reduction.
  package var isOfRenderer = false
  /// The colours of bins by their number of features; nil for those of ``renderer``.
  package var ramp: BinRamp?
  /// The number of features in the view up to which they are drawn one by one, instead of as bins.
  package var threshold = 0
  /// Half the side of a cell, in pixels of 1/96 inch.
  package var radius = 80.0
  /// The size of the smallest cluster, in pixels of 1/96 inch.
  package var minSize = 16.0
  /// The size of the largest cluster, in pixels of 1/96 inch.
  package var maxSize = 50.0
  /// The renderer of the clusters or bins.
  ///
  /// Without one, clusters have the symbol of the layer's simple renderer, or else a grey circle. Bins are grey.
  package var renderer: RendererForm?
  /// The label classes of the clusters.
  package var labelDefinitions: [LabelDefinition] = []
  /// The fields besides the number of features.
  package var fields: [Field] = []
  /// The scale denominator below which features are drawn one by one; 0 means no limit.
  package var maxScale = 0.0

  /// Creates clusters of a standard size.
  package init() {}

  /// Returns the renderer of the clusters, with sizes by the number of features.
  ///
  /// Without a size variable of its own, sizes are evenly spaced for 2, 10, 100, 1000 and 10,000 features.
  package func renderer(over layer: RendererForm) -> RendererForm {
    if bins != nil {
      if let ramp { return ramp.renderer }
      return renderer ?? .simple(SimpleRenderer(symbol: SimpleFillSymbol(color: .gray)))
    }
    var form = renderer ?? layer
    if renderer == nil {
      guard case .simple(let simple) = layer else {
        return Self.sized(
          .simple(SimpleRenderer(symbol: SimpleMarkerSymbol(color: .gray))), from: minSize, to: maxSize)
      }
      form = .simple(SimpleRenderer(form: simple.symbol))
    }
    return Self.sized(form, from: minSize, to: maxSize)
  }

  private static func sized(_ form: RendererForm, from low: Double, to high: Double) -> RendererForm {
    var variables = form.visualVariables
    guard variables.size == nil else { return form }
    let stops = [2.0, 10, 100, 1000, 10_000].enumerated().map { index, count in
      VariableStop(count, low + (high - low) * Double(index) / 4)
    }
    variables.size = SizeVariable(input: .field(countField), rule: .stops(stops))
    return form.with(variables)
  }
}
