import MapFeatures
import MapGeometry
import MapModel

/// A drawing of rows with one symbol each: that of its class, or those of its rules in a pass.
struct SymbolPass {
  /// The renderer that has a symbol for each class.
  let renderer: RendererForm
  /// The class of every row of the table, as in ``RowClassifier``.
  let classes: [Int32]
  /// The fields that order overlapping features instead of those of the layer; empty for the order of the layer.
  var drawingOrder: [DrawingOrder] = []
  /// For each class, the rules to which the parts of its symbol belong; empty for renderers without rules.
  var partRules: [[Int]] = []

  /// Returns the passes of a renderer for one scale and one kind of geometries, the first at the bottom.
  static func all(of renderer: RendererForm, _ classifier: RowClassifier) -> [SymbolPass] {
    guard case .rules(let rules) = renderer, let matches = classifier.matches else {
      return [SymbolPass(renderer: renderer, classes: classifier.classes)]
    }
    var first = 0
    return rules.passes.map { pass in
      defer { first += pass.rules.count }
      var own = SymbolPass(first..<first + pass.rules.count, of: rules, matches)
      own.drawingOrder = pass.drawingOrder
      return own
    }
  }

  /// Returns the passes of a renderer as one, for reading the symbols of each row at once.
  static func joined(of renderer: RendererForm, _ classifier: RowClassifier) -> SymbolPass {
    guard case .rules(let rules) = renderer, let matches = classifier.matches else {
      return SymbolPass(renderer: renderer, classes: classifier.classes)
    }
    return SymbolPass(0..<rules.rules.count, of: rules, matches)
  }

  private init(renderer: RendererForm, classes: [Int32]) {
    (self.renderer, self.classes) = (renderer, classes)
  }

  /// Creates a pass with a class for each distinct set of some rules that rows match.
  private init(_ range: Range<Int>, of renderer: RuleRenderer, _ matches: RuleMatches) {
    let rules = renderer.rules
    var used = [Bool](repeating: false, count: matches.setCount)
    for set in matches.sets { used[Int(set)] = true }
    var classOfSet = [Int32](repeating: RowClassifier.notDrawn, count: used.count)
    var known: [[Int]: Int32] = [:]
    var classes: [RuleRenderer.Rule] = []
    var partRules: [[Int]] = []
    for set in used.indices where used[set] {
      let own = matches.rules(ofSet: Int32(clamping: set)).filter(range.contains)
      guard !own.isEmpty else { continue }
      if let index = known[own] {
        classOfSet[set] = index
        continue
      }
      let index = Int32(clamping: classes.count)
      (known[own], classOfSet[set]) = (index, index)
      var (symbol, owners) = (CompositeSymbol(), [Int]())
      for rule in own {
        symbol.add(rules[rule].symbol)
        owners += Array(repeating: rule, count: symbol.parts.count - owners.count)
      }
      classes.append(RuleRenderer.Rule(symbol: symbol))
      partRules.append(owners)
    }
    self.renderer = .rules(RuleRenderer(rules: classes))
    self.classes = matches.sets.map { classOfSet[Int($0)] }
    self.partRules = partRules
  }
}

extension CompositeSymbol {
  /// Adds a symbol above the others, with its overrides.
  fileprivate mutating func add(_ symbol: SymbolForm) {
    guard case .composite(let more) = symbol else {
      parts.append(symbol)
      return
    }
    for var override in more.overrides {
      override.part += parts.count
      overrides.append(override)
    }
    parts += more.parts
  }
}

extension RendererForm {
  /// Returns the renderer with the symbols that rules have on geometries of a kind.
  ///
  /// A rule none of whose symbols suits the geometries has the standard symbol, as a class has.
  func suited(to kind: GeometryKind) -> RendererForm {
    guard case .rules(let renderer) = self else { return self }
    return .rules(renderer.mapRules { $0.symbol = $0.symbol.ofRule(on: kind) ?? .standard(for: kind) })
  }
}
