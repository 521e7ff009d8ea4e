/// An evaluation of an expression for one feature after the other.
final class StyleMachine {
  /// The greatest number of parts that are evaluated for one feature.
  ///
  /// - Source: design decision; the longest expressions of public styles have some hundred parts.
  static let stepLimit = 1 << 22

  var context: StyleContext
  /// The feature; nil for none, or for a row of ``features``.
  var feature: StyleFeature?
  /// The values of the properties that the expression names, in its order; nil for a missing one.
  var properties: [StyleValue?] = []
  /// The tile whose rows are evaluated, bound to the names of the expression.
  var features: BoundFeatures?
  /// The row of ``features``.
  var row = 0
  private let bindings: [StyleNode]
  /// The values of variables that have been computed for the feature.
  private var variables: [StyleValue?]
  private var steps = 0

  init(bindings: [StyleNode], context: StyleContext = StyleContext(zoom: 0)) {
    (self.bindings, self.context) = (bindings, context)
    variables = Array(repeating: nil, count: bindings.count)
  }

  /// Sets the feature and looks up the properties that the expression names.
  func take(_ feature: StyleFeature?, names: [String]) {
    self.feature = feature
    properties = names.map { feature?.properties[$0] }
  }

  /// Returns the value of a whole expression.
  func value(_ node: StyleNode) throws(StyleExpressionError) -> StyleValue {
    steps = 0
    for index in variables.indices { variables[index] = nil }
    return try evaluate(node)
  }

  private func charge(_ count: Int, _ node: StyleNode) throws(StyleExpressionError) {
    steps = count > Self.stepLimit ? count : steps + count
    if steps > Self.stepLimit {
      throw StyleExpressionError("The expression needs more than \(Self.stepLimit) steps.", at: node.key)
    }
  }

  private func property(_ index: Int) -> StyleValue? {
    features.map { $0.value(index, row: row) } ?? (index < properties.count ? properties[index] : nil)
  }

  private var id: StyleValue { features.map { $0.id(row: row) } ?? feature?.id ?? .null }
  private var kind: StyleGeometryKind? { features.map { $0.kind(row: row) } ?? feature?.kind }

  /// Returns the value of a part.
  func evaluate(_ node: StyleNode) throws(StyleExpressionError) -> StyleValue {
    steps += 1
    if steps > Self.stepLimit { try charge(0, node) }
    switch node.form {
    case .literal(let value): return value
    case .property(let index): return property(index) ?? .null
    case .hasProperty(let index): return .boolean(property(index) != nil)
    case .propertyTest(let test): return .boolean(passes(test))
    case .variable(let index):
      if let value = variables[index] { return value }
      let value = try evaluate(bindings[index])
      variables[index] = value
      return value
    case .globalState(let name): return context.state[name] ?? .null
    case .call(.all, let nodes):
      for node in nodes {
        if !(try evaluate(node)).isTrue { return .boolean(false) }
      }
      return .boolean(true)
    case .call(.any, let nodes):
      for node in nodes {
        if try evaluate(node).isTrue { return .boolean(true) }
      }
      return .boolean(false)
    case .call(let function, let nodes): return try call(function, nodes, node)
    case .assertion(let nodes): return try asserted(nodes, node)
    case .coercion(let nodes): return try converted(nodes, node)
    case .coalesce(let nodes): return try coalesced(nodes)
    case .case(let branches, let otherwise):
      for branch in branches {
        if try evaluate(branch.condition).isTrue { return try evaluate(branch.value) }
      }
      return try evaluate(otherwise)
    case .match(let input, let match): return try evaluate(match.output(for: try evaluate(input)))
    case .step(let input, let stops):
      let number = try evaluate(input).number ?? .nan
      if number.isNaN { throw StyleExpressionError("Input is not a number.", at: node.key) }
      return try evaluate(stops.outputs[stops.index(below: number)])
    case .interpolate(let input, let curve): return try interpolated(input, curve, node)
    case .let(_, let result): return try evaluate(result)
    case .format(let sections): return try formatted(sections)
    case .collator(let options):
      let locale = try options.locale.first.map { node throws(StyleExpressionError) in try evaluate(node) }
      return .collator(
        StyleCollator(
          isCaseSensitive: try evaluate(options.isCaseSensitive).isTrue,
          isAccentSensitive: try evaluate(options.isAccentSensitive).isTrue,
          locale: locale.map(StyleText.text) ?? ""))
    case .numberFormat(let format): return try formatted(format, node)
    case .within(let polygons): return .boolean(try isWithin(polygons, node))
    case .distance(let shapes): return .number(try distance(to: shapes, node))
    }
  }

  private func passes(_ test: StyleTest) -> Bool {
    switch test.subject {
    case .property(let index): test.passes(property(index))
    case .id: id.isNull && test.relation == .exists ? false : test.passes(id)
    case .kind: test.passes(kind.map { .string($0.name) } ?? .null)
    }
  }

  private func call(
    _ function: StyleFunction, _ nodes: [StyleNode], _ node: StyleNode
  ) throws(StyleExpressionError) -> StyleValue {
    switch function {
    case .zoom: return .number(context.zoom)
    case .heatmapDensity: return .number(context.heatmapDensity)
    case .elevation: return .number(context.elevation)
    case .lineProgress: return .number(context.lineProgress)
    case .accumulated: return context.accumulated
    case .geometryType: return kind.map { .string($0.name) } ?? .null
    case .id: return id
    case .properties:
      return .object(features.map { $0.properties(row: row) } ?? feature?.properties ?? StyleObject())
    default: break
    }
    var values: [StyleValue] = []
    values.reserveCapacity(nodes.count)
    for node in nodes { values.append(try evaluate(node)) }
    switch function {
    case .propertyNamed: return named(values[0]) ?? .null
    case .hasPropertyNamed: return .boolean(named(values[0]) != nil)
    case .featureState: return feature?.state[StyleText.text(values[0])] ?? .null
    // HarfBuzz shapes every script.
    case .isSupportedScript: return .boolean(true)
    case .image:
      guard case .image(var image) = values[0].converted(to: .resolvedImage) else { return .null }
      image.isAvailable = context.images?.contains(image.name) ?? false
      return .image(image)
    default: break
    }
    do throws(StyleFault) {
      return try function.value(values)
    } catch {
      throw StyleExpressionError(error.message, at: node.key)
    }
  }

  private func named(_ name: StyleValue) -> StyleValue? {
    let name = StyleText.text(name)
    return features.map { $0.value(named: name, row: row) } ?? feature?.properties[name]
  }

  // MARK: Shapes

  private func parts(_ node: StyleNode) -> (parts: [[StylePoint]], kind: StyleGeometryKind, tile: StyleTile)?
  {
    if let features {
      guard let tile = features.tile, let parts = features.parts(row: row) else { return nil }
      return (parts, features.kind(row: row), tile)
    }
    guard let feature, let parts = feature.parts, let kind = feature.kind, let tile = feature.tile else {
      return nil
    }
    return (parts, kind, tile)
  }

  private func isWithin(_ polygons: StylePolygons, _ node: StyleNode) throws(StyleExpressionError) -> Bool {
    guard let (parts, kind, tile) = parts(node), kind == .point || kind == .line else { return false }
    let count = polygons.polygons.joined().reduce(0) { $0 + $1.count }
    let (steps, isTooMuch) = count.multipliedReportingOverflow(by: parts.reduce(0) { $0 + $1.count })
    try charge(isTooMuch ? .max : steps, node)
    return polygons.contain(parts, ofLines: kind == .line, in: tile)
  }

  private func distance(to shapes: StyleShapes, _ node: StyleNode) throws(StyleExpressionError) -> Double {
    guard let (parts, kind, tile) = parts(node) else { return .nan }
    try charge(shapes.steps(with: parts.reduce(0) { $0 + $1.count }), node)
    return shapes.distance(to: parts, kind: kind, in: tile)
  }
}
