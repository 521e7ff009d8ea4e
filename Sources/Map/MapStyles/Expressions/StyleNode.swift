/// A part of an expression, with its type and its place.
struct StyleNode: Sendable {
  var form: StyleForm
  var type: StyleType
  var key: StyleKey
  /// The inputs that the value depends on.
  var needs: StyleNeeds
  /// The properties of the feature that the value needs.
  var fields: StyleFields

  init(
    _ form: StyleForm, _ type: StyleType, at key: StyleKey, needs: StyleNeeds = [],
    fields: StyleFields = .none
  ) {
    (self.form, self.type, self.key, self.needs, self.fields) = (form, type, key, needs, fields)
    for child in children {
      self.needs.formUnion(child.needs)
      self.fields.join(child.fields)
    }
  }

  /// The value of a literal; nil for another part.
  var literal: StyleValue? { if case .literal(let value) = form { value } else { nil } }

  /// Whether the part reads the states of features.
  var readsFeatureState: Bool {
    if case .call(.featureState, _) = form { true } else { children.contains(where: \.readsFeatureState) }
  }

  /// The parts below, except what a variable stands for.
  var children: [StyleNode] {
    switch form {
    case .literal, .property, .hasProperty, .propertyTest, .variable, .within, .distance, .globalState:
      return []
    case .call(_, let nodes), .assertion(let nodes), .coercion(let nodes), .coalesce(let nodes): return nodes
    case .case(let branches, let otherwise):
      var nodes: [StyleNode] = []
      for branch in branches { nodes += [branch.condition, branch.value] }
      return nodes + [otherwise]
    case .match(let input, let match): return [input] + match.outputs + [match.otherwise]
    case .step(let input, let stops): return [input] + stops.outputs
    case .interpolate(let input, let curve): return [input] + curve.stops.outputs
    case .let(let bindings, let result): return bindings + [result]
    case .format(let sections):
      var nodes: [StyleNode] = []
      for section in sections {
        nodes.append(section.content)
        for option in [section.scale, section.fonts, section.color, section.verticalAlign] {
          if let option { nodes.append(option) }
        }
      }
      return nodes
    case .collator(let options): return [options.isCaseSensitive, options.isAccentSensitive] + options.locale
    case .numberFormat(let format): return [format.number] + format.options.values
    }
  }
}

/// The inputs that the value of a part depends on.
struct StyleNeeds: OptionSet, Sendable {
  let rawValue: Int

  /// The properties of the feature, its id, or its kind or coordinates.
  static let feature = StyleNeeds(rawValue: 1)
  /// The zoom of the view.
  static let zoom = StyleNeeds(rawValue: 2)
  /// The density of a heat map, the height, the progress along a line or the value so far of a cluster.
  static let position = StyleNeeds(rawValue: 4)
  /// The style's state, or the images that are there.
  static let view = StyleNeeds(rawValue: 8)
}

/// The properties of the feature that a part needs.
enum StyleFields: Hashable, Sendable {
  case none
  /// A single property, by its index among the names of the expression.
  case property(Int)
  /// The kind of the geometry.
  case kind
  /// More than one of them, or anything else.
  case many

  mutating func join(_ other: StyleFields) {
    if self == .none { self = other } else if other != .none, other != self { self = .many }
  }
}

/// The forms of parts.
indirect enum StyleForm: Sendable {
  case literal(StyleValue)
  /// The property of the feature with a name, by its index among the names of the expression.
  case property(Int)
  case hasProperty(Int)
  /// A test of an old filter.
  case propertyTest(StyleTest)
  case variable(Int)
  case globalState(String)
  /// A function of the values of its arguments.
  case call(StyleFunction, [StyleNode])
  /// The first value of the type, else an error.
  case assertion([StyleNode])
  /// The first value that can be converted to the type, else an error.
  case coercion([StyleNode])
  case coalesce([StyleNode])
  case `case`([StyleBranch], StyleNode)
  case match(StyleNode, StyleMatch)
  case step(StyleNode, StyleStops)
  case interpolate(StyleNode, StyleCurve)
  case `let`([StyleNode], StyleNode)
  case format([StyleSection])
  case collator(StyleCollatorOptions)
  case numberFormat(StyleNumberFormat)
  case within(StylePolygons)
  case distance(StyleShapes)
}

/// A condition and the value when it is true.
struct StyleBranch: Sendable {
  var condition: StyleNode
  var value: StyleNode
}

/// The outputs of `match` by label.
struct StyleMatch: Sendable {
  /// The index of the output for each text.
  var texts: [String: Int] = [:]
  /// The index of the output for each number.
  var numbers: [Double: Int] = [:]
  var outputs: [StyleNode] = []
  var otherwise: StyleNode

  /// Returns the output for an input.
  func output(for input: StyleValue) -> StyleNode {
    switch input {
    case .string(let text): texts[text].map { outputs[$0] } ?? otherwise
    case .number(let number): numbers[number].map { outputs[$0] } ?? otherwise
    default: otherwise
    }
  }
}

/// Outputs by rising numbers.
struct StyleStops: Sendable {
  var labels: [Double] = []
  var outputs: [StyleNode] = []

  /// The index of the last stop at or below a number; 0 when there is none.
  func index(below number: Double) -> Int {
    var (low, high) = (0, labels.count)
    while low < high {
      let middle = (low + high) / 2
      if labels[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}

/// The curve of values between stops.
struct StyleCurve: Sendable {
  enum Interpolation: Hashable, Sendable {
    case linear
    case exponential(base: Double)
    case cubicBezier(Double, Double, Double, Double)
  }

  var interpolation: Interpolation
  var space: StyleColorSpace
  var stops: StyleStops

  /// Returns the share of the upper of two stops for an input between them.
  func share(of input: Double, from lower: Double, to upper: Double) -> Double {
    let (difference, progress) = (upper - lower, input - lower)
    guard difference != 0 else { return 0 }
    switch interpolation {
    case .exponential(let base) where base != 1:
      return (power(base, progress) - 1) / (power(base, difference) - 1)
    case .cubicBezier(let x1, let y1, let x2, let y2):
      return UnitBezier(x1, y1, x2, y2).y(at: progress / difference)
    default: return progress / difference
    }
  }

  private func power(_ base: Double, _ exponent: Double) -> Double { StyleArithmetic.power(base, exponent) }
}

/// A section of `format`.
struct StyleSection: Sendable {
  var content: StyleNode
  var scale: StyleNode?
  var fonts: StyleNode?
  var color: StyleNode?
  var verticalAlign: StyleNode?
}

/// The arguments of `collator`; the locale is one part or none.
struct StyleCollatorOptions: Sendable {
  var isCaseSensitive: StyleNode
  var isAccentSensitive: StyleNode
  var locale: [StyleNode]
}

/// The arguments of `number-format`.
struct StyleNumberFormat: Sendable {
  var number: StyleNode
  var options: [String: StyleNode]
}

/// A test of an old filter: the value of a subject against values.
struct StyleTest: Sendable {
  enum Subject: Hashable, Sendable {
    case property(Int)
    case id
    case kind
  }

  enum Relation: Hashable, Sendable {
    case equal, less, greater, lessOrEqual, greaterOrEqual, isIn, exists
  }

  var subject: Subject
  var relation: Relation
  var values: [StyleValue]

  /// Returns whether a value, nil for none, passes.
  func passes(_ value: StyleValue?) -> Bool {
    guard let value else { return false }
    func isOrdered(_ numbers: (Double, Double) -> Bool, _ texts: (String, String) -> Bool) -> Bool {
      switch (value, values[0]) {
      case (.number(let a), .number(let b)): numbers(a, b)
      case (.string(let a), .string(let b)): texts(a, b)
      default: false
      }
    }
    switch relation {
    case .equal: return StyleValue.areSame(value, values[0])
    case .less: return isOrdered(<) { StyleText.isLess($0, $1) }
    case .greater: return isOrdered(>) { StyleText.isLess($1, $0) }
    case .lessOrEqual: return isOrdered(<=) { !StyleText.isLess($1, $0) }
    case .greaterOrEqual: return isOrdered(>=) { !StyleText.isLess($0, $1) }
    case .isIn: return values.contains { StyleValue.areSame(value, $0) }
    case .exists: return true
    }
  }
}
