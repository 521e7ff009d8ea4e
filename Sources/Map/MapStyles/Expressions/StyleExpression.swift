package import MapJSON

/// The errors of an expression that could not be read.
package struct StyleExpressionErrors: Error, Hashable {
  /// The errors in the order of reading; at least one.
  package let errors: [StyleExpressionError]
}

/// An expression for a property, read and checked.
package struct StyleExpression: Sendable {
  /// The type of the value.
  package var type: StyleType { root.type }
  /// Whether features do not decide the value.
  package var isFeatureConstant: Bool { !root.needs.contains(.feature) }
  /// Whether the zoom does not decide the value.
  package var isZoomConstant: Bool { !root.needs.contains(.zoom) }
  /// The names of the feature's properties that are written as texts.
  package let names: [String]

  /// Whether the expression reads the states of features, which programs set in an open map.
  var readsFeatureState: Bool { root.readsFeatureState || bindings.contains(where: \.readsFeatureState) }

  let root: StyleNode
  let bindings: [StyleNode]
  /// The curve of values between whole zooms; nil when they are not interpolated.
  let zoomCurve: StyleCurve?

  /// Reads an expression, or an old function of stops.
  package init(_ json: JSONValue, for property: StyleProperty) throws(StyleExpressionErrors) {
    let json = try StopFunction.expression(json, for: property)
    var reader = StyleReader()
    let place = StyleReader.Place(
      expected: property.type.expressionType, annotation: property.type == .string ? .coerce : .automatic)
    try self.init(&reader, json, place)
    if let message = try Self.limit(root, property) {
      throw StyleExpressionErrors(errors: [StyleExpressionError(message, at: .root)])
    }
  }

  /// Reads an expression of any type.
  package init(_ json: JSONValue, decidedBy decision: StyleProperty.Decision) throws(StyleExpressionErrors) {
    var reader = StyleReader()
    try self.init(&reader, json, StyleReader.Place())
    let property = StyleProperty("", .paint, .null, by: decision, isInterpolated: true)
    if let message = try Self.limit(root, property) {
      throw StyleExpressionErrors(errors: [StyleExpressionError(message, at: .root)])
    }
  }

  /// Reads a filter, old or new.
  package init(filter json: JSONValue) throws(StyleExpressionErrors) {
    var reader = StyleReader()
    try self.init(&reader, LegacyFilter.expression(json), StyleReader.Place(expected: .boolean))
  }

  private init(
    _ reader: inout StyleReader, _ json: JSONValue, _ place: StyleReader.Place
  ) throws(StyleExpressionErrors) {
    guard let root = reader.read(json, place) else {
      let errors = reader.errors
      throw StyleExpressionErrors(
        errors: errors.isEmpty ? [StyleExpressionError("The expression has an error.", at: .root)] : errors)
    }
    (self.root, names, bindings) = (root, reader.names, reader.bindings)
    if case .curve(let node) = ZoomCurve(root), case .interpolate(_, let curve) = node.form {
      zoomCurve = curve
    } else {
      zoomCurve = nil
    }
  }

  /// Returns why an expression may not decide a property; nil when it may.
  private static func limit(_ root: StyleNode, _ property: StyleProperty) throws(StyleExpressionErrors)
    -> String?
  {
    if root.needs.contains(.feature), !property.decision.allowsFeatures {
      return "data expressions not supported"
    }
    let usesZoom = root.needs.contains(.zoom)
    if usesZoom, !property.decision.allowsZoom { return "zoom expressions not supported" }
    switch ZoomCurve(root) {
    case .none: return usesZoom ? ZoomCurve.nested : nil
    case .invalid(let message): return message
    case .curve(let node):
      if case .interpolate = node.form, !property.isInterpolated {
        return "\"interpolate\" expressions cannot be used with this property"
      }
      return nil
    }
  }

  /// Returns the value for a feature.
  ///
  /// - Throws: ``StyleExpressionError`` where the evaluation fails.
  package func value(
    _ context: StyleContext, feature: StyleFeature? = nil
  ) throws(StyleExpressionError) -> StyleValue {
    let machine = StyleMachine(bindings: bindings, context: context)
    machine.take(feature, names: names)
    return try machine.value(root)
  }
}

/// The place of the zoom in an expression: it may only be the input of one outermost `step` or `interpolate`.
///
/// - Source: MapLibre Style Specification, "Expressions: Camera expressions".
enum ZoomCurve {
  case none
  case curve(StyleNode)
  case invalid(String)

  static let nested =
    "\"zoom\" expression may only be used as input to a top-level \"step\" or \"interpolate\" expression."
  static let repeated =
    "Only one zoom-based \"step\" or \"interpolate\" subexpression may be used in an expression."

  /// Finds the part whose input is the zoom.
  init(_ node: StyleNode) {
    guard node.needs.contains(.zoom) else {
      self = .none
      return
    }
    self = .none
    let children = node.children.map { ZoomCurve($0) }
    switch node.form {
    case .let: self = children.last ?? ZoomCurve.none
    case .coalesce:
      self = children.first { if case .none = $0 { false } else { true } } ?? ZoomCurve.none
    case .step(let input, _), .interpolate(let input, _):
      if case .call(.zoom, _) = input.form { self = .curve(node) }
    default: break
    }
    if case .invalid = self { return }
    for child in children {
      switch (self, child) {
      case (_, .none): break
      case (_, .invalid): self = child
      case (.none, .curve): self = .invalid(Self.nested)
      case (.curve(let own), .curve(let other)) where own.key != other.key: self = .invalid(Self.repeated)
      default: break
      }
    }
  }
}
