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
    /// The statistic; nil for a field that is not computed, whose values are null.
    package let statistic: Statistic?

    package init(name: String, onField: String?, statistic: Statistic?) {
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
  /// Without one, clusters have the symbols of the layer, as ``inheriting(_:)`` says, or else a grey circle. Bins are grey.
  package var renderer: RendererForm?
  /// The label classes of the clusters.
  package var labelDefinitions: [LabelDefinition] = []
  /// The fields besides the number of features.
  package var fields: [Field] = []
  /// The scale denominator below which features are drawn one by one; 0 means no limit.
  package var maxScale = 0.0

  /// Creates clusters of a standard size.
  package init() {}

  /// Returns the clusters with the classes and colours of a layer, if they have no renderer of their own.
  ///
  /// A cluster then has the symbol of the value that most of its features have, or of the mean of their numbers. Classes
  /// of expressions, of several fields and of rates are not inherited.
  ///
  /// - Source: Esri, samples of clustering of the ArcGIS API for JavaScript: clusters show the predominant value of unique
  ///   values, and the average of numbers.
  package func inheriting(_ layer: RendererForm) -> FeatureAggregation {
    guard bins == nil, renderer == nil, var own = layer.ofOneField else { return self }
    var result = self
    func name(_ field: String, _ statistic: Statistic) -> String {
      let name = "cluster_\(statistic == .mode ? "type" : statistic.rawValue)_\(field)"
      if !result.fields.contains(where: { $0.name == name }) {
        result.fields.append(Field(name: name, onField: field, statistic: statistic))
      }
      return name
    }
    switch own {
    case .uniqueValue(var classes):
      classes.fieldNames = classes.fieldNames.map { name($0, .mode) }
      own = .uniqueValue(classes)
    case .classBreaks(var classes):
      classes.fieldName = name(classes.fieldName, .avg)
      own = .classBreaks(classes)
    default: break
    }
    var variables = VisualVariables()
    if let color = layer.visualVariables.color, case .field(let field, nil) = color.input {
      variables.color = ColorVariable(input: .field(name(field, .avg)), stops: color.stops)
    }
    if let other = layer.visualVariables.transparency, case .field(let field, nil) = other.input {
      variables.transparency = TransparencyVariable(input: .field(name(field, .avg)), stops: other.stops)
    }
    // The symbol alone is that of ``renderer(over:)``.
    if case .simple = own, variables.isEmpty { return self }
    result.renderer = own.with(variables)
    return result
  }

  /// Whether clusters are grey circles, because they inherit no symbol of a layer.
  package func isGrey(over layer: RendererForm) -> Bool {
    bins == nil && renderer == nil && layer.ofOneField == nil
  }

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

extension RendererForm {
  /// The renderer, if a statistic of its one field can decide the class of a group of features; else nil.
  fileprivate var ofOneField: RendererForm? {
    switch self {
    case .simple: return self
    case .uniqueValue(let classes):
      return classes.fieldNames.count == 1 && classes.valueExpression == nil ? self : nil
    case .classBreaks(let classes):
      return classes.normalization == nil && classes.valueExpression == nil ? self : nil
    case .heatmap, .dotDensity, .pieChart, .rules: return nil
    }
  }
}
