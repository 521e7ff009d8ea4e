public import MapFeatures
public import MapGeometry

/// A table on the map: what is drawn of it, and how.
///
/// An object with identity that may change from any thread; everything that computes takes its frozen
/// ``LayerState``.
public final class FeatureLayer: Sendable {
  /// The table.
  public let source: any FeatureSource
  private let state: ModelState<LayerState>

  /// A layer over a table, with the renderer given or the default of the geometry's kind.
  public init(source: any FeatureSource, id: String = "", title: String = "", renderer: (any Renderer)? = nil)
  {
    self.source = source
    state = ModelState(
      LayerState(
        id: id, title: title, source: source,
        renderer: renderer?.form ?? .standard(for: source.schema.geometryKind)))
  }

  package init(state: LayerState) {
    source = state.source
    self.state = ModelState(state)
  }

  /// What tells the layer from others in a document.
  public var id: String { state.snapshot.id }
  /// The name for people.
  public var title: String {
    get { state.snapshot.title }
    set { state.update { $0.title = newValue } }
  }
  /// SQL that limits data and drawing; blank is none.
  public var definitionExpression: String {
    get { state.snapshot.definitionExpression }
    set { state.update { $0.definitionExpression = newValue } }
  }
  /// Display filters, which limit drawing only.
  public var displayFilterDefinition: (any DisplayFilterDefinition)? {
    get { state.snapshot.displayFilter?.definition }
    set { state.update { $0.displayFilter = newValue?.form } }
  }
  /// Which symbol a feature gets.
  public var renderer: any Renderer {
    get {
      switch state.snapshot.renderer {
      case .simple(let renderer): renderer
      case .uniqueValue(let renderer): renderer
      case .classBreaks(let renderer): renderer
      }
    }
    set { state.update { $0.renderer = newValue.form } }
  }
  /// False hides the layer from drawing, not from queries.
  public var isVisible: Bool {
    get { state.snapshot.isVisible }
    set { state.update { $0.isVisible = newValue } }
  }
  /// 0 is clear, 1 opaque, for the layer as a whole.
  public var opacity: Double {
    get { state.snapshot.opacity }
    set { state.update { $0.opacity = newValue } }
  }
  /// The smallest map scale, as the N of 1:N, at which the layer is drawn, itself included; 0 is open.
  public var minScale: Double {
    get { state.snapshot.minScale }
    set { state.update { $0.minScale = newValue } }
  }
  /// The largest map scale, as the N of 1:N, at which the layer is drawn, itself included; 0 is open.
  public var maxScale: Double {
    get { state.snapshot.maxScale }
    set { state.update { $0.maxScale = newValue } }
  }
  /// By which fields features lie above each other, by weight; none is the order of the rows, later on top.
  public var drawingOrder: [DrawingOrder] {
    get { state.snapshot.drawingOrder }
    set { state.update { $0.drawingOrder = newValue } }
  }
  /// True draws the labels of ``labelDefinitions``.
  public var labelsAreEnabled: Bool {
    get { state.snapshot.labelsAreEnabled }
    set { state.update { $0.labelsAreEnabled = newValue } }
  }
  /// The classes of labels; a feature gets one of each class whose conditions it meets.
  public var labelDefinitions: [LabelDefinition] {
    get { state.snapshot.labelDefinitions }
    set { state.update { $0.labelDefinitions = newValue } }
  }
  /// Adds a class of labels.
  public func addLabelDefinition(_ definition: LabelDefinition) {
    state.update { $0.labelDefinitions.append(definition) }
  }
  /// The envelope of all rows of the table.
  public var fullExtent: Envelope { source.extent }

  /// The layer as it is now, as a value.
  package var frozen: LayerState { state.snapshot }
  /// How often the layer was changed.
  package var changes: UInt64 { state.changes }
}

/// A layer as a value, at one moment.
public struct LayerState: Sendable {
  /// What tells the layer from others in a document; may be empty.
  public var id: String
  /// The name for people; may be empty.
  public var title: String
  /// The table.
  public var source: any FeatureSource
  /// Which symbol a feature gets.
  public var renderer: RendererForm
  /// SQL that limits data and drawing; blank is none.
  public var definitionExpression = ""
  /// Display filters, which limit drawing only.
  public var displayFilter: DisplayFilterForm?
  /// False hides the layer from drawing.
  public var isVisible = true
  /// 0 is clear, 1 opaque.
  public var opacity = 1.0
  /// Not drawn when the view's scale is a larger N; 0 is open.
  public var minScale = 0.0
  /// Not drawn when the view's scale is a smaller N; 0 is open.
  public var maxScale = 0.0
  /// By which fields features lie above each other, by weight; none is the order of the rows.
  public var drawingOrder: [DrawingOrder] = []
  /// Where the table keeps time.
  public var timeInfo: TimeInfo?
  /// True draws the labels of ``labelDefinitions``.
  public var labelsAreEnabled = false
  /// The classes of labels.
  public var labelDefinitions: [LabelDefinition] = []

  package init(id: String, title: String, source: any FeatureSource, renderer: RendererForm) {
    (self.id, self.title, self.source, self.renderer) = (id, title, source, renderer)
  }

  /// Title, else id: what outputs call the layer.
  public var name: String { title.isEmpty ? id : title }

  /// True when the layer is visible at a scale.
  ///
  /// - Source: web map `layerDefinition`, both bounds included.
  public func isShown(atScale scale: Double) -> Bool {
    isVisible && (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale >= maxScale)
  }
}

extension RendererForm {
  /// The renderer of a layer that brings none.
  public static func standard(for kind: GeometryKind?) -> RendererForm {
    .simple(SimpleRenderer(form: .standard(for: kind ?? .point)))
  }
}
