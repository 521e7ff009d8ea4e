/// A class of labels: which features get one, what it says, how it looks and where it lies.
///
/// - Source: Esri web map specification, `labelingInfo`; the names are the ArcGIS Maps SDK's.
public struct LabelDefinition: Hashable, Sendable {
  /// What happens where labels would overlap.
  public enum DeconflictionStrategy: String, Hashable, Sendable {
    /// Labels go to their place or are left out.
    case `static`
    /// All labels are drawn.
    case none
    /// Taken as static: places are not varied.
    case dynamic
    /// All labels are drawn, none where it could go.
    case dynamicNeverRemove
  }

  /// Whether a label may lie over others.
  public enum OverlapStrategy: String, Hashable, Sendable {
    case allow
    /// Taken as exclude.
    case avoid
    case exclude
  }

  /// Among which labels one of the same text is left out.
  public enum DuplicateRemoval: String, Hashable, Sendable {
    case none, labelClass, featureType, all
  }

  /// What people call the class; may be empty.
  public var name = ""
  /// What a label says.
  public var expression: LabelExpressionForm
  /// How it looks.
  public var textSymbol: TextSymbol
  /// Where it lies; nil, or a placement for other geometries, is above right of points and inside areas.
  public var placement: LabelingPlacement?
  /// SQL that a feature must meet on top of being drawn; blank is none.
  public var whereClause = ""
  /// Not drawn when the view's scale is a larger N; 0 is open.
  public var minScale = 0.0
  /// Not drawn when the view's scale is a smaller N; 0 is open.
  public var maxScale = 0.0
  /// Writes the names of coded values; tables bring none yet.
  public var usesCodedValues = false
  /// What happens where labels would overlap.
  public var deconflictionStrategy = DeconflictionStrategy.static
  /// Who goes first, 0 before all others; nil is 12 for points and 18 for areas.
  public var priority: Int?
  /// How far a label lies from its symbol, in pixels of 1/96 inch.
  ///
  /// - Source: the specification's 1 point.
  public var offsetDistance = EsriSymbolCodec.pixelsPerPoint
  /// Whether a label may lie over labels placed before.
  public var labelOverlapStrategy = OverlapStrategy.exclude
  /// False leaves out a label that would reach beyond its area.
  public var allowsOverrun = true
  /// Among which labels one of the same text is left out.
  public var duplicateRemoval = DuplicateRemoval.none
  /// Up to which distance between their middles, in pixels of 1/96 inch; 0 is the whole picture.
  public var duplicateRemovalDistance = 0.0
  /// How labels break into lines; nil breaks them at line feeds alone.
  public var stacking: LabelStacking? = LabelStacking()

  /// A class for all features, placed where is usual for their geometry.
  public init(labelExpression: any LabelExpression, textSymbol: TextSymbol = TextSymbol()) {
    self.init(expression: labelExpression.form, textSymbol: textSymbol)
  }

  init(expression: LabelExpressionForm, textSymbol: TextSymbol) {
    (self.expression, self.textSymbol) = (expression, textSymbol)
  }

  /// True when the class is drawn at a scale.
  ///
  /// - Source: as for layers, both bounds included.
  public func isShown(atScale scale: Double) -> Bool {
    (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale >= maxScale)
  }
}
