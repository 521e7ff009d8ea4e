public import MapFeatures
public import MapFilter
import MapGeometry
package import MapJSON

/// Everything that a document can say about a layer, besides where its features come from.
///
/// ``FeatureLayer``, its frozen ``LayerState`` and the layer of a document each hold one, so a new property is added
/// here, in the codec and where it takes effect.
public struct LayerDefinition: Sendable, Equatable {
  /// The identifier of the layer in a document; may be empty.
  public var id: String
  /// The display name; may be empty.
  public var title: String
  /// The titles of the groups around the layer, the outermost first.
  package var groupTitles: [String] = []
  /// The groups around the layer, the outermost first.
  package var groups: [LayerGroup] = []
  /// The SQL condition that limits data and drawing; blank for none.
  @ParsedFilter public var definitionExpression = ""
  /// The display filters, which limit drawing only; nil for none.
  public var displayFilter: DisplayFilterForm?
  /// The field that is 0 for features that are not drawn; nil for none.
  package var visibilityField: String?
  /// The renderer; nil for that of the source, or else the standard one of the geometry type.
  public var renderer: RendererForm? { didSet { darkRenderer = nil } }
  /// The renderer on dark ground where ``renderer`` is a default for light ground; nil for that of a document or a caller.
  ///
  /// A new value of ``renderer`` removes it.
  package var darkRenderer: RendererForm?
  /// Whether the layer is drawn.
  public var isVisible = true
  /// The opacity, from 0 (transparent) to 1 (opaque).
  public var opacity = 1.0
  /// The way in which the colours are mixed with those below the layer.
  package var blendMode = BlendMode.normal
  /// The effect on the image of the layer; nil for none.
  package var effect: LayerEffect?
  /// The effects on the features that a filter selects and on all others; nil for none.
  package var featureEffect: FeatureEffect?
  /// The scale denominator of the smallest scale, inclusive; 0 means no limit.
  public var minScale = 0.0
  /// The scale denominator of the largest scale, inclusive; 0 means no limit.
  public var maxScale = 0.0
  /// The fields that order overlapping features, the most significant first; empty for row order.
  public var drawingOrder: [DrawingOrder] = []
  /// The time fields of the table; nil for none.
  public var timeInfo: TimeInfo?
  /// Whether the view's time filters the layer; otherwise it is drawn at any time.
  public var filtersByTime = true
  /// The offset that is subtracted from the view's time before it filters the layer; nil for none.
  public var timeOffset: TimeValue?
  /// Whether statistics read texts as numbers, as the filters and renderers of a document do.
  package var readsTextsAsNumbers = false
  /// Whether symbols and labels keep their size on the ground when the map has a reference scale.
  public var scalesSymbols = true
  /// Whether the labels of ``labelDefinitions`` are drawn.
  public var labelsAreEnabled = false
  /// The label classes.
  public var labelDefinitions: [LabelDefinition] = []
  /// Whether a legend lists the layer.
  public var showsInLegend = true
  /// Whether the title is that of a data file, which a legend replaces by the names of fields.
  package var isNamedByFile = false
  /// The attribution text that the document requires; empty to use that of the source.
  public var attribution = ""
  /// The contents of popups; nil for none.
  public var popupDefinition: PopupDefinition?
  /// Whether popups are shown.
  public var isPopupEnabled = true
  /// The feature reduction that the document requests, as written; nil for none.
  package var featureReduction: JSONValue?
  /// The clusters that ``featureReduction`` describes; nil for another kind.
  package var aggregation: FeatureAggregation?
  /// Whether the feature reduction is enabled.
  package var reducesFeatures = true

  /// Creates a visible layer without filters.
  public init(id: String = "", title: String = "") { (self.id, self.title) = (id, title) }

  /// The name of the layer in outputs: the title, or else the id.
  public var name: String { title.isEmpty ? id : title }

  /// The visibility, opacity and scale limits.
  package var showing: LayerShowing {
    get { LayerShowing(isVisible: isVisible, opacity: opacity, minScale: minScale, maxScale: maxScale) }
    set {
      (isVisible, opacity) = (newValue.isVisible, newValue.opacity)
      (minScale, maxScale) = (newValue.minScale, newValue.maxScale)
    }
  }

  /// Returns the definition with the default colours for the colour of the ground; nil is transparent.
  ///
  /// Renderers and labels of documents and callers stay as they are. The ground of labels is the mean colour of the areas
  /// that they lie on, if there are any.
  package func colored(on ground: Color?) -> LayerDefinition {
    var definition = self
    if GroundTone(of: ground) == .dark, let darkRenderer { definition.renderer = darkRenderer }
    guard labelDefinitions.contains(where: \.followsGround) else { return definition }
    let mean = Color(mean: definition.renderer?.areaColors ?? [])
    definition.labelDefinitions = labelDefinitions.map { $0.colored(on: mean ?? ground) }
    return definition
  }

  /// Sets the standard renderers of a kind of geometries.
  mutating func takeStandardRenderer(for kind: GeometryKind?) {
    renderer = .standard(for: kind)
    darkRenderer = .standard(for: kind, on: .dark)
  }

  /// Applies the drawing and time information of the source where the document specifies none.
  package mutating func take(_ drawing: SourceDrawing, timeInfo: TimeInfo?) {
    if renderer == nil {
      renderer = drawing.renderer
      aggregation = aggregation ?? drawing.aggregation
      opacity *= drawing.opacity
    }
    if minScale == 0, maxScale == 0 { (minScale, maxScale) = (drawing.minScale, drawing.maxScale) }
    if labelDefinitions.isEmpty { labelDefinitions = drawing.labelDefinitions }
    self.timeInfo = self.timeInfo ?? timeInfo
  }
}

/// The visibility, opacity and scale limits of a layer.
package struct LayerShowing: Hashable, Sendable {
  package var isVisible = true
  /// The opacity, from 0 (transparent) to 1 (opaque).
  package var opacity = 1.0
  /// The scale denominator of the smallest scale, inclusive; 0 means no limit.
  package var minScale = 0.0
  /// The scale denominator of the largest scale, inclusive; 0 means no limit.
  package var maxScale = 0.0

  package init(isVisible: Bool = true, opacity: Double = 1, minScale: Double = 0, maxScale: Double = 0) {
    (self.isVisible, self.opacity, self.minScale, self.maxScale) = (isVisible, opacity, minScale, maxScale)
  }

  /// Returns whether the layer is drawn at a scale denominator.
  ///
  /// - Source: web map `layerDefinition`, both bounds inclusive.
  package func isShown(atScale scale: Double) -> Bool {
    isVisible && (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale >= maxScale)
  }

  /// Returns the visibility, opacity and scale limits that result in a group.
  ///
  /// A hidden group hides the layer, opacities multiply, and the layer is drawn at the scales of both.
  ///
  /// - Parameter isInherited: Whether the layer is visible whenever the group is.
  /// - Source: web map specification.
  package func inside(_ group: LayerShowing, isInherited: Bool) -> LayerShowing {
    var shown = self
    shown.isVisible = group.isVisible && (isVisible || isInherited)
    shown.opacity *= group.opacity
    if group.minScale > 0 { shown.minScale = minScale > 0 ? min(minScale, group.minScale) : group.minScale }
    shown.maxScale = max(maxScale, group.maxScale)
    return shown
  }
}

/// The place of a layer or table in the document that it was read from, and its definition there.
package struct LayerOrigin: Sendable {
  /// The document.
  package var document: DocumentMark
  /// The path in the document.
  package let path: JSONPath
  /// The path or address of the features; nil for features in the document itself.
  package let url: String?
  /// The definition that the layer had after it was read.
  package var definition: LayerDefinition

  package init(document: DocumentMark, path: JSONPath, url: String?, definition: LayerDefinition) {
    (self.document, self.path, self.url, self.definition) = (document, path, url, definition)
  }
}

/// The identity of a document, shared with its layers.
package final class DocumentMark: Sendable {
  package init() {}
}
