extension StyleNode {
  /// Returns the part with everything computed that no feature decides.
  ///
  /// A part that fails is left as it is, so that it fails for the features that reach it.
  func specialised(_ machine: StyleMachine) -> StyleNode {
    if literal != nil || !needs.isDisjoint(with: .position) && children.isEmpty { return self }
    if needs.isDisjoint(with: [.feature, .position]) {
      guard let value = try? machine.value(self) else { return self }
      return StyleNode(.literal(value), type, at: key)
    }
    func inner(_ node: StyleNode) -> StyleNode { node.specialised(machine) }
    switch form {
    case .literal, .property, .hasProperty, .propertyTest, .variable, .within, .distance, .globalState:
      return self
    case .call(let function, let nodes):
      return StyleNode(
        .call(function, nodes.map(inner)), type, at: key, needs: function.needs, fields: function.fields)
    case .assertion(let nodes): return StyleNode(.assertion(nodes.map(inner)), type, at: key)
    case .coercion(let nodes): return StyleNode(.coercion(nodes.map(inner)), type, at: key)
    case .coalesce(let nodes): return StyleNode(.coalesce(nodes.map(inner)), type, at: key)
    case .case(let branches, let otherwise):
      let branches = branches.map { StyleBranch(condition: inner($0.condition), value: inner($0.value)) }
      return StyleNode(.case(branches, inner(otherwise)), type, at: key)
    case .match(let input, var match):
      match.outputs = match.outputs.map(inner)
      match.otherwise = inner(match.otherwise)
      let input = inner(input)
      if let value = input.literal { return match.output(for: value) }
      return StyleNode(.match(input, match), type, at: key)
    case .step(let input, var stops):
      let input = inner(input)
      if let number = input.literal?.number, !number.isNaN {
        return inner(stops.outputs[stops.index(below: number)])
      }
      stops.outputs = stops.outputs.map(inner)
      return StyleNode(.step(input, stops), type, at: key)
    case .interpolate(let input, var curve):
      let input = inner(input)
      if let number = input.literal?.number, !number.isNaN { curve.keepStops(around: number) }
      curve.stops.outputs = curve.stops.outputs.map(inner)
      return StyleNode(.interpolate(input, curve), type, at: key)
    case .let(let bindings, let result):
      return StyleNode(.let(bindings.map(inner), inner(result)), type, at: key)
    case .format(let sections):
      let sections = sections.map { section in
        StyleSection(
          content: inner(section.content), scale: section.scale.map(inner), fonts: section.fonts.map(inner),
          color: section.color.map(inner), verticalAlign: section.verticalAlign.map(inner))
      }
      return StyleNode(.format(sections), type, at: key)
    case .collator(let options):
      let options = StyleCollatorOptions(
        isCaseSensitive: inner(options.isCaseSensitive), isAccentSensitive: inner(options.isAccentSensitive),
        locale: options.locale.map(inner))
      return StyleNode(.collator(options), type, at: key)
    case .numberFormat(let format):
      let format = StyleNumberFormat(number: inner(format.number), options: format.options.mapValues(inner))
      return StyleNode(.numberFormat(format), type, at: key)
    }
  }
}

extension StyleCurve {
  /// Drops the stops that do not matter for an input.
  mutating func keepStops(around input: Double) {
    let index = stops.index(below: input)
    let last = min(stops.labels.count - 1, index + 1)
    stops.labels = Array(stops.labels[index...last])
    stops.outputs = Array(stops.outputs[index...last])
  }
}
