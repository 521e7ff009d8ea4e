/// The angle of a point label, by feature.
///
/// - Source: Esri web map specification, `labelAngleInfo`. The names are those of the ArcGIS Maps SDK.
public struct LabelAngle: Hashable, Sendable {
  /// The direction in which angles are measured.
  public enum RotationType: String, Hashable, Sendable {
    /// Counter-clockwise from the east.
    case arithmetic
    /// Clockwise from the north.
    case geographic
  }

  /// The expression that gives the angle in degrees on the map; a result that is not a number is 0.
  public var expression: LabelExpressionForm
  /// The direction in which the angle is measured.
  public var rotationType: RotationType

  /// Creates an angle from an expression.
  public init(angleExpression: any LabelExpression, rotationType: RotationType = .arithmetic) {
    (expression, self.rotationType) = (angleExpression.form, rotationType)
  }

  package init(expression: LabelExpressionForm, rotationType: RotationType) {
    (self.expression, self.rotationType) = (expression, rotationType)
  }
}
