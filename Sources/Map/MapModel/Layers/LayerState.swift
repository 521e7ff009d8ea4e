package import MapFeatures
public import MapGeometry

/// An immutable snapshot of a layer: its definition, with the rows and the symbols that it is drawn with.
@dynamicMemberLookup
public struct LayerState: Sendable {
  /// The definition, as changed since it was read; the members are also those of the state.
  public var definition: LayerDefinition
  /// The rows of the table.
  package var source: any FeatureSource
  /// The reason why the layer has no rows: the table is not loaded, or loading it failed; nil for a loaded table.
  public var unloadedReason: String?
  /// The renderer, which chooses the symbol of each feature.
  public var renderer: RendererForm
  /// The feature reduction requested by the document but not drawn; nil for none.
  public var undrawnReduction: String?
  /// The clusters that replace features that lie close together; nil for none.
  package var aggregation: FeatureAggregation?
  /// The cells in which points are counted instead of drawing their symbols; nil for symbols.
  package var cells: CountingCells?
  /// The object ids of the selected features, drawn on top in the view's selection colour.
  public var selectedIDs: Set<Int64> = []
  /// The object ids of the hidden features.
  public var hiddenIDs: Set<Int64> = []
  /// Whether the definition expression was set after the layer was made or read from a document.
  package var hasFilterOfCaller = false

  /// A property of the definition.
  public subscript<Value>(dynamicMember property: WritableKeyPath<LayerDefinition, Value>) -> Value {
    get { definition[keyPath: property] }
    set { definition[keyPath: property] = newValue }
  }

  package init(id: String, title: String, source: any FeatureSource, renderer: RendererForm) {
    self.init(LayerDefinition(id: id, title: title), source: source, renderer: renderer)
  }

  package init(_ definition: LayerDefinition, source: any FeatureSource, renderer: RendererForm) {
    (self.definition, self.source, self.renderer) = (definition, source, renderer)
  }

  /// Creates a layer without a name, with the standard renderer.
  init(source: any FeatureSource) {
    self.init(id: "", title: "", source: source, renderer: .standard(for: source.schema.geometryKind))
  }

  /// The attribution text of the document, or else of the source; empty for none.
  public var attribution: String {
    definition.attribution.isEmpty ? source.metadata.attribution : definition.attribution
  }

  /// The name of the layer in outputs: the title, or else the id.
  public var name: String { definition.name }

  /// Returns whether the layer is visible at a scale denominator.
  ///
  /// - Source: web map `layerDefinition`, both bounds inclusive.
  public func isShown(atScale scale: Double) -> Bool { definition.showing.isShown(atScale: scale) }

  /// Returns the layer with the default colours for the colour of the ground, as its definition.
  package func colored(on ground: Color?) -> LayerState {
    var layer = self
    if GroundTone(of: ground) == .dark { layer.renderer = definition.darkRenderer ?? renderer }
    layer.definition = definition.colored(on: ground)
    return layer
  }

  /// Returns the layer with a map's projections, if its table has none.
  func projected(with operations: SpatialOperations) -> LayerState {
    guard let table = source.inMemory else { return self }
    var layer = self
    layer.source = table.using(operations)
    return layer
  }
}

extension RendererForm {
  /// Returns the renderer of a layer without one of its own.
  public static func standard(for kind: GeometryKind?) -> RendererForm { standard(for: kind, on: .light) }

  /// Returns the renderer of a layer without one of its own, for a ground.
  package static func standard(for kind: GeometryKind?, on ground: GroundTone) -> RendererForm {
    .simple(SimpleRenderer(form: .standard(for: kind ?? .point, on: ground)))
  }
}

extension LayerState {
  /// Returns the opacity with which the features of the layer are shown at a scale denominator, 0 to 1.
  ///
  /// It includes the opacity of the groups around the layer, and that of the effects on layer and groups.
  package func visibleOpacity(atScale scale: Double) -> Double {
    let effects = [definition.effect] + definition.groups.map(\.effect)
    return effects.reduce(definition.opacity) { opacity, effect in
      opacity * (effect?.functions(atScale: scale).opacity ?? 1)
    }
  }
}

extension [EffectFunction] {
  /// The factor by which the functions change the opacity of an image, 0 to 1.
  package var opacity: Double {
    reduce(1) { opacity, function in
      guard case .amount(.opacity, let amount) = function else { return opacity }
      return opacity * Swift.min(Swift.max(amount, 0), 1)
    }
  }
}
