package import MapFeatures
public import MapFilter
package import MapGeometry

/// A label class: its features, text, symbol and placement.
///
/// - Source: Esri web map specification, `labelingInfo`. The names are those of the ArcGIS Maps SDK.
public struct LabelDefinition: Hashable, Sendable {
  /// The treatment of labels that would overlap.
  public enum DeconflictionStrategy: String, Hashable, Sendable {
    /// A label is drawn at its preferred position or omitted.
    case `static`
    /// All labels are drawn at their preferred positions.
    case none
    /// A label is drawn at the best free position or omitted.
    case dynamic
    /// All labels are drawn, each at the best position.
    case dynamicNeverRemove
  }

  /// The treatment of a label that would cover labels placed before it, or features.
  public enum OverlapStrategy: String, Hashable, Sendable {
    /// The label may cover them.
    case allow
    /// The label moves to another position where it can; over labels the same as `exclude`.
    case avoid
    /// The label is omitted.
    case exclude
  }

  /// The scope within which labels with the same text are removed.
  public enum DuplicateRemoval: String, Hashable, Sendable {
    /// No removal, the same class, the same geometry type, or all labels.
    case none, labelClass, featureType, all
  }

  /// The parts of a feature that get a label.
  public enum MultipartLabeling: String, Hashable, Sendable {
    /// The roomiest part gets a label, and so does every other area that has room for the whole label.
    case labelPerPart
    /// Labels one part of the feature: the widest part of an area, and the longest part of a line.
    case labelPerFeature, labelLargest
    /// Every straight segment of a line that has room for the label; for areas as `labelPerPart`.
    case labelPerSegment
  }

  /// The direction of the letters.
  public enum TextLayout: String, Hashable, Sendable {
    /// Along lines, and horizontal for points and areas.
    case standard
    /// Horizontal.
    case horizontal
    /// On a straight line: along the longest axis of an area.
    case straight
    /// As for `straight`, because areas have no line to follow.
    case followFeature
    /// Across the line, across the longest axis of an area, or a quarter turn from the angle of a point.
    case perpendicular
  }

  /// The direction in which letters at an angle or along a line are read.
  public enum TextOrientation: String, Hashable, Sendable {
    /// Never upside down on the page.
    case page
    /// In the direction of the angle or of the line, even upside down.
    case direction
  }

  /// The meaning of above and below for labels of lines.
  public enum LineOrientation: String, Hashable, Sendable {
    /// Towards the top or the bottom of the page.
    case page
    /// To the left or the right of the line, in the order of its vertices.
    case direction
    /// On either side: above on the page, and below where only that is free.
    case unconstrained
  }

  /// The display name; may be empty.
  public var name = ""
  /// The expression that gives the text of a label.
  public var expression: LabelExpressionForm
  /// The symbol of the text.
  public var textSymbol: TextSymbol
  /// The position of a label relative to its feature.
  ///
  /// Nil, or a placement for another geometry type, places labels above and to the right of points, above and along
  /// lines, and inside polygons.
  public var placement: LabelingPlacement?
  /// An additional SQL condition for features of this class; blank for none.
  @ParsedFilter public var whereClause = ""
  /// The scale denominator above which the class is not drawn; 0 means no limit.
  public var minScale = 0.0
  /// The scale denominator below which the class is not drawn; 0 means no limit.
  public var maxScale = 0.0
  /// Whether labels show the names of coded values instead of their codes.
  public var usesCodedValues = false
  /// The domains that the document states for fields, by their names in lower case; those of the table come first.
  package var domains: [String: FieldDomain] = [:]
  /// The domains of fields by the subtype of a row, which come before those of the table; nil for none.
  package var subtypes: SubtypeDomains?
  /// The treatment of labels that would overlap.
  public var deconflictionStrategy = DeconflictionStrategy.static
  /// The placement priority, 0 first; nil is 12 for points, 15 for lines and 18 for polygons.
  public var priority: Int?
  /// The field whose values order the labels of the class; nil for the drawing order of the features.
  ///
  /// The label of an important feature may cover a few markers of less important ones of the class. Documents have it as
  /// `orderBy`, a member of MapState that other programs ignore.
  public var featurePriority: FeaturePriority?
  /// The distance of a label from its symbol, in pixels of 1/96 inch.
  ///
  /// - Source: web map specification, 1 point.
  public var offsetDistance = 96.0 / 72
  /// The treatment of a label that would cover labels placed before it.
  public var labelOverlapStrategy = OverlapStrategy.exclude
  /// Whether a label may extend beyond its line or polygon; false omits such labels.
  ///
  /// Nil is true for polygons and false for lines.
  public var allowsOverrun: Bool?
  /// Whether long lines get several labels.
  public var repeatsAlongLines = true
  /// The distance between the labels of a line, in pixels of 1/96 inch.
  ///
  /// - Source: web map specification, 216 points.
  public var repeatDistance = 288.0
  /// Whether lines with the same text are joined at shared ends, so that they share their labels.
  public var joinsLines = true
  /// Whether joined lines continue where more than two of them meet; otherwise each gets its own labels from there.
  public var joinsLinesAtJunctions = true
  /// The parts of a feature that get a label.
  public var multipartLabeling = MultipartLabeling.labelPerPart
  /// The direction of the letters.
  public var textLayout = TextLayout.standard
  /// The direction in which letters at an angle or along a line are read.
  public var textOrientation = TextOrientation.page
  /// The meaning of above and below for labels of lines.
  public var lineOrientation = LineOrientation.page
  /// The angle of point labels; nil for horizontal ones.
  public var angle: LabelAngle?
  /// Whether labels of other features may lie inside the features of this class.
  ///
  /// The interior of a line or point is its symbol.
  public var featureInteriorOverlapStrategy = OverlapStrategy.allow
  /// Whether labels of other features may lie over the edges of areas of this class.
  public var featureBoundaryOverlapStrategy = OverlapStrategy.allow
  /// The scope within which labels with the same text are removed.
  public var duplicateRemoval = DuplicateRemoval.none
  /// The maximum distance between the label points of duplicates, in pixels of 1/96 inch; 0 is the whole image.
  public var duplicateRemovalDistance = 0.0
  /// The field with shorter texts, for `dynamic` labels of areas that have no room for the whole text; nil for none.
  ///
  /// Documents have it as `shortField`, a member of MapState that other programs ignore.
  public var shortField: String?
  /// The rules for breaking a label into lines; nil breaks it only at line feeds.
  public var stacking: LabelStacking? = LabelStacking()

  /// Whether the text is light with a dark halo over dark ground, instead of the colours of ``textSymbol``; over areas, that of
  /// each one.
  ///
  /// Documents have it for areas as `followsGround`, a member of MapState that other programs ignore.
  package var followsGround = false
  /// Whether the labels also cover no marker of layers without labels, as names in the background.
  package var avoidsAllMarkers = false
  /// Whether labels at positions on water lie over no land of the bundled basemap.
  package var avoidsLand = false

  /// Creates a class for all features, with the default placement for their geometry type.
  public init(labelExpression: any LabelExpression, textSymbol: TextSymbol = TextSymbol()) {
    self.init(expression: labelExpression.form, textSymbol: textSymbol)
  }

  package init(expression: LabelExpressionForm, textSymbol: TextSymbol) {
    (self.expression, self.textSymbol) = (expression, textSymbol)
  }

  /// Returns the class with the colours that it has over a colour; nil is transparent.
  package func colored(on ground: Color?) -> LabelDefinition {
    guard followsGround, let ground, GroundTone(of: ground) == .dark else { return self }
    var definition = self
    definition.textSymbol.color = .white
    definition.textSymbol.haloColor = ground.withAlphaComponent(1)
    return definition
  }

  /// Whether labels may take other positions than the preferred one.
  package var triesPositions: Bool {
    deconflictionStrategy == .dynamic || deconflictionStrategy == .dynamicNeverRemove
  }

  /// Whether labels of areas follow the longest axis of their area.
  package var followsAxis: Bool {
    textLayout == .straight || textLayout == .followFeature || textLayout == .perpendicular
  }

  /// Whether only one part of a feature gets a label.
  package var labelsOnePart: Bool {
    multipartLabeling == .labelPerFeature || multipartLabeling == .labelLargest
  }

  /// The parsed expressions of the text and the angle, without invalid ones.
  package var templates: [LabelTemplate] {
    [expression, angle?.expression].compactMap { form in form.flatMap { try? $0.parsed() } }
  }

  /// Returns the priority of classes without one.
  ///
  /// - Source: Esri web map specification: points before lines before areas.
  package static func priority(of kind: GeometryKind?) -> Int {
    switch kind {
    case .polyline: 15
    case .polygon: 18
    case .point, .multipoint, nil: 12
    }
  }

  /// Returns whether the class is drawn at a scale denominator.
  ///
  /// - Source: as for layers, both bounds inclusive.
  public func isShown(atScale scale: Double) -> Bool {
    (minScale == 0 || scale <= minScale) && (maxScale == 0 || scale >= maxScale)
  }
}
