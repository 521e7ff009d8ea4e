import MapGeometry
import MapJSON
import MapModel
import MapState

/// Findings about classes whose symbols differ only in colours that colour-blind readers confuse.
extension LintedLayer {
  /// The largest number of classes that are compared, and of findings for a layer.
  private static let (classLimit, findingLimit) = (1000, 100)

  /// A class with the colours and the shape of its symbol.
  private struct Appearance {
    let index: Int
    let label: String
    /// The symbol without its colours and sizes.
    let shape: SymbolForm
    let sizes: [Double]
    let normal: [PerceivedColor]
    let seen: [ColorVisionDeficiency: [PerceivedColor]]
  }

  /// Returns a finding for each pair of classes that readers with a colour vision deficiency confuse.
  ///
  /// Classes with other shapes, patterns or clearly other sizes are no pair.
  func confusionFindings(_ warnings: inout [String]) -> [LintFinding] {
    guard state.renderer.visualVariables.color == nil else { return [] }
    var classes = appearances()
    if classes.count > Self.classLimit {
      warnings.append(
        "layer \"\(name)\": of \(classes.count) classes, the colours of the first \(Self.classLimit) are compared"
      )
      classes = Array(classes.prefix(Self.classLimit))
    }
    var found: [(difference: Double, finding: LintFinding)] = []
    for (place, second) in classes.enumerated() {
      for first in classes[..<place]
      where first.shape == second.shape && hasSizes(first, like: second)
        && areAlternatives(first.index, second.index)
      {
        let pair = compare(first, second)
        guard pair.margin(areNeighbours: areNeighbours(first, second)) < 0 else { continue }
        // One class of the legend, whose values the document lists apart.
        if first.label == second.label, pair.normal == 0, first.sizes == second.sizes { continue }
        let normal = LintText.tenths(pair.normal)
        let pairName = "\"\(first.label)\" and \"\(second.label)\""
        let message =
          pair.normal < ColorPair.confusedDifference
          ? "all readers confuse \(pairName): the colours differ by \(normal) (CIEDE2000)"
          : "readers with \(pair.deficiency.rawValue) confuse \(pairName): the colours differ by "
            + "\(LintText.tenths(pair.least)) (CIEDE2000), and by \(normal) for other readers"
        let finding = LintFinding(
          .colorConfusion, at: path(ofClass: second.index), layer: name, message,
          suggestion: "make one of the classes clearly lighter, or give it another shape or size",
          numbers: [("difference", pair.least), ("normal", pair.normal)])
        found.append((pair.least, finding))
      }
    }
    guard found.count > Self.findingLimit else { return found.map(\.finding) }
    warnings.append(
      "layer \"\(name)\": of \(found.count) pairs of confused classes, the \(Self.findingLimit) closest are listed"
    )
    return found.sorted { $0.difference < $1.difference }.prefix(Self.findingLimit).map(\.finding)
  }

  /// Compares the colours of two classes: the part that differs most.
  private func compare(_ first: Appearance, _ second: Appearance) -> ColorPair {
    func difference(_ a: [PerceivedColor], _ b: [PerceivedColor]) -> Double {
      zip(a, b).map { $0.difference(to: $1) }.max() ?? 0
    }
    return ColorPair(normal: difference(first.normal, second.normal)) { deficiency in
      difference(first.seen[deficiency] ?? [], second.seen[deficiency] ?? [])
    }
  }

  /// Returns whether two classes are neighbouring classes of numbers.
  private func areNeighbours(_ first: Appearance, _ second: Appearance) -> Bool {
    guard case .classBreaks = state.renderer else { return false }
    return first.index >= 0 && second.index >= 0 && abs(first.index - second.index) == 1
  }

  /// Returns whether no size differs by a fifth or more.
  private func hasSizes(_ first: Appearance, like second: Appearance) -> Bool {
    first.sizes.count == second.sizes.count
      && zip(first.sizes, second.sizes).allSatisfy { max($0, $1) < 1.2 * min($0, $1) || $0 == $1 }
  }

  private func appearances() -> [Appearance] {
    let canvas = (view.groundColor ?? .white).over(.white)
    let renderer = state.renderer
    var symbols = renderer.classSymbols.enumerated().map { ($0, $1) }
    var labels = renderer.countedLabels
    if let symbol = renderer.defaultSymbol {
      symbols.append((-1, symbol))
      labels.append(renderer.defaultLabel.isEmpty ? "(other)" : renderer.defaultLabel)
    }
    guard symbols.count > 1 else { return [] }
    return zip(symbols, labels).compactMap { item, label in
      var parts = SymbolParts()
      let shape = parts.taken(from: item.1)
      // The colours of images are not known, and an empty symbol is not seen.
      guard !parts.hasImage, !parts.colors.isEmpty else { return nil }
      let light = parts.colors.map { LinearColor($0.withOpacity(state.opacity).over(canvas)) }
      return Appearance(
        index: item.0, label: label, shape: shape, sizes: parts.sizes,
        normal: light.map { PerceivedColor($0) },
        seen: Dictionary(
          uniqueKeysWithValues: ColorVisionDeficiency.allCases.map { deficiency in
            (deficiency, light.map { PerceivedColor($0.seen(with: deficiency)) })
          }))
    }
  }
}

/// The colours and sizes of a symbol, in the order of its parts.
private struct SymbolParts {
  private(set) var colors: [Color] = []
  private(set) var sizes: [Double] = []
  private(set) var hasImage = false

  /// Takes the colours and sizes of a symbol, and returns the symbol without them.
  mutating func taken(from symbol: SymbolForm) -> SymbolForm {
    switch symbol {
    case .marker(var marker):
      take(&marker.color)
      take(&marker.size)
      take(&marker.outline)
      return .marker(marker)
    case .text(var text):
      take(&text.color)
      take(&text.size)
      take(&text.haloColor)
      take(&text.backgroundColor)
      return .text(text)
    case .line(let line):
      var outline: SimpleLineSymbol? = line
      take(&outline)
      return .line(outline ?? line)
    case .fill(var fill):
      take(&fill.color)
      take(&fill.outline)
      return .fill(fill)
    case .vector(let vector):
      let plain = vector.recolored { color in
        colors.append(color)
        return .black
      }
      return .vector(plain)
    case .pattern(let pattern):
      let plain = pattern.recolored { color in
        colors.append(color)
        return .black
      }
      if case .picture = pattern.pattern { hasImage = true }
      return .pattern(plain)
    case .placed(let placed):
      var plain = placed
      for index in plain.parts.indices { plain.parts[index] = taken(from: plain.parts[index]) }
      return .placed(plain)
    case .composite(var composite):
      for index in composite.parts.indices { composite.parts[index] = taken(from: composite.parts[index]) }
      return .composite(composite)
    case .picture:
      hasImage = true
      return symbol
    }
  }

  private mutating func take(_ color: inout Color?) {
    guard let own = color, own.alpha > 0 else { return color = nil }
    colors.append(own)
    color = .black
  }

  private mutating func take(_ size: inout Double) {
    sizes.append(size)
    size = 1
  }

  private mutating func take(_ line: inout SimpleLineSymbol?) {
    guard var own = line, own.width > 0, own.color.map({ $0.alpha > 0 }) ?? false else { return line = nil }
    take(&own.color)
    take(&own.width)
    line = own
  }
}
