public import MapExpressions

/// A number of each feature with a colour and a label.
public struct RendererAttribute: Hashable, Sendable {
  /// The field with the number; empty where an expression computes it.
  public var fieldName: String
  /// The expression that computes the number instead of the field; nil for none.
  public var valueExpression: ArcadeExpression?
  /// The display name.
  public var label: String
  /// The colour.
  public var color: Color

  /// Creates an attribute of a field.
  public init(fieldName: String, label: String = "", color: Color) {
    (self.fieldName, self.label, self.color) = (fieldName, label, color)
  }

  /// The names of the fields that are read.
  package var fieldNames: [String] { valueExpression?.fieldNames ?? [fieldName] }
}

/// A renderer that fills areas with dots, one for each multiple of a number.
///
/// The number of an area's dots is its value divided by ``dotValue``, rounded. Dots lie at random positions inside the
/// area, in the map's spatial reference. The positions depend on the seed, the feature and the attribute only: the
/// same dots are drawn in every view, and a larger value adds dots.
///
/// - Source: web map specification, `dotDensity`; ArcGIS Maps SDK for JavaScript for the dot value at other scales.
public struct DotDensityRenderer: Renderer, Hashable {
  /// The numbers, one for each colour of dots.
  public var attributes: [RendererAttribute]
  /// The number that one dot stands for, at the reference scale if there is one.
  public var dotValue: Double
  /// The diameter of a dot, in pixels of 1/96 inch.
  public var dotSize: Double
  /// The outline of the areas; nil for none.
  public var outline: SimpleLineSymbol?
  /// The fill below the dots; nil for none.
  public var backgroundColor: Color?
  /// The scale denominator at which the dot value applies; 0 for the same value at all scales.
  ///
  /// At other scales the value is proportional to the scale denominator.
  public var referenceScale: Double
  /// The seed of the random positions.
  public var seed: Int
  /// The texts in a legend.
  public var legendOptions = LegendOptions()

  /// Creates a renderer.
  public init(
    attributes: [RendererAttribute], dotValue: Double, dotSize: Double = 4.0 / 3,
    outline: SimpleLineSymbol? = nil, backgroundColor: Color? = nil, referenceScale: Double = 0,
    seed: Int = 1
  ) {
    (self.attributes, self.dotValue, self.dotSize) = (attributes, dotValue, dotSize)
    (self.outline, self.backgroundColor) = (outline, backgroundColor)
    (self.referenceScale, self.seed) = (referenceScale, seed)
  }

  /// The renderer as a case of ``RendererForm``.
  public var form: RendererForm { .dotDensity(self) }

  /// Returns the renderer for one scale, without a reference scale.
  func resolved(atScale scale: Double) -> DotDensityRenderer {
    guard referenceScale > 0, scale > 0 else { return self }
    var resolved = self
    resolved.dotValue = max(1, dotValue * scale / referenceScale)
    resolved.referenceScale = 0
    return resolved
  }

  /// The symbol of the areas below the dots.
  package var symbol: SymbolForm {
    .fill(SimpleFillSymbol(style: .solid, color: backgroundColor, outline: outline))
  }

  /// Returns the symbol of an attribute's dots.
  package func dot(of attribute: RendererAttribute) -> SimpleMarkerSymbol {
    SimpleMarkerSymbol(style: .circle, color: attribute.color, size: dotSize)
  }
}
