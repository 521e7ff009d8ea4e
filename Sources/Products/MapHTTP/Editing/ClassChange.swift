import MapJSON
import MapModel
import MapScript
import MapState

/// A change of a class of a layer's renderer, for one request.
struct ClassChange: Hashable, Sendable {
  /// The changed property.
  enum Value: Hashable, Sendable {
    case color(Color)
    /// The upper bound of a class of numbers; the next class begins there.
    case maximum(Double)
    case label(String)
  }

  /// The index of the layer in the document.
  let layer: Int
  /// The index of the class; -1 for the features without a class.
  let index: Int
  let value: Value

  /// Reads `[NAME: ]CLASS=VALUE`.
  ///
  /// - Throws: `MapStateError` for another form and for an unknown layer.
  init(
    _ text: String, parameter: String, _ document: MapDocument, value: (String) -> Value?
  ) throws(MapStateError) {
    var starts = [text.startIndex]
    while let colon = text[starts[starts.count - 1]...].firstRange(of: ": ") {
      starts.append(colon.upperBound)
    }
    for start in starts {
      // The first text that begins with a number and an equals sign; the name of the layer is before it.
      let parts = text[start...].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let index = Int(parts[0]), index >= -1 else { continue }
      let name = start == text.startIndex ? nil : String(text[..<start].dropLast(2))
      layer = try document.layerIndex(named: name)
      guard let value = value(String(parts[1])) else {
        throw MapStateError(.usage, "\(parameter): \"\(parts[1])\" is not a value of this property")
      }
      (self.index, self.value) = (index, value)
      return
    }
    throw MapStateError(.usage, "\(parameter): write [NAME: ]CLASS=VALUE, such as Counties: 2=#d7301f")
  }
}

extension MapRequest {
  /// Returns the changes of classes that the parameters ask for.
  ///
  /// - Throws: `MapStateError`.
  func classChanges() throws(MapStateError) -> [ClassChange] {
    var changes: [ClassChange] = []
    for text in texts("classColor") {
      changes.append(
        try ClassChange(text, parameter: "classColor", map.document) { Color(text: $0).map { .color($0) } })
    }
    for text in texts("classBreak") {
      changes.append(
        try ClassChange(text, parameter: "classBreak", map.document) {
          DecimalNumbers.read($0, counts: 1...1).map { .maximum($0[0]) }
        })
    }
    for text in texts("classLabel") {
      changes.append(try ClassChange(text, parameter: "classLabel", map.document) { .label($0) })
    }
    return changes
  }
}

extension RendererForm {
  /// Returns the renderer with changed classes.
  ///
  /// - Throws: `MapStateError` for a class or property that it does not have, and for bounds that do not ascend.
  func changed(_ changes: [ClassChange], of layer: String) throws(MapStateError) -> RendererForm {
    var form = self
    for change in changes { try form.apply(change, of: layer) }
    let bounds = changes.compactMap { change in
      if case .maximum(let value) = change.value { (change.index, value) } else { nil }
    }
    guard !bounds.isEmpty else { return form }
    guard case .classBreaks(var renderer) = form, case .classBreaks(let before) = self else {
      throw MapStateError(.usage, "classBreak: layer \"\(layer)\" has no classes of numbers")
    }
    for (index, value) in bounds {
      guard renderer.classBreaks.indices.contains(index) else { throw Self.noClass(index, layer, self) }
      renderer.classBreaks[index].maximum = value
      for next in before.classBreaks.indices
      where before.classBreaks[next].minimum == before.classBreaks[index].maximum && next != index {
        renderer.classBreaks[next].minimum = value
      }
    }
    for (now, before) in zip(renderer.classBreaks, before.classBreaks)
    where (now.minimum, now.maximum) != (before.minimum, before.maximum) && now.minimum >= now.maximum {
      throw MapStateError(
        .usage, "classBreak: a class of layer \"\(layer)\" would go from \(now.minimum) to \(now.maximum)")
    }
    return .classBreaks(renderer)
  }

  private mutating func apply(_ change: ClassChange, of layer: String) throws(MapStateError) {
    switch change.value {
    case .maximum: return
    case .color(let color):
      guard let symbol = symbol(change.index) else { throw Self.noClass(change.index, layer, self) }
      guard let changed = symbol.changed(to: color) else {
        throw MapStateError(
          .usage,
          "classColor: class \(change.index) of layer \"\(layer)\" has no symbol of a single colour")
      }
      set(changed, change.index)
    case .label(let label):
      guard symbol(change.index) != nil else { throw Self.noClass(change.index, layer, self) }
      set(label, change.index)
    }
  }

  private static func noClass(_ index: Int, _ layer: String, _ form: RendererForm) -> MapStateError {
    MapStateError(
      .usage,
      "no class \(index) in layer \"\(layer)\"; it has \(form.classSymbols.count), and -1 is the others")
  }

  /// Returns the symbol of a class; nil without such a class, and for heat maps, dots and pie charts.
  func symbol(_ index: Int) -> SymbolForm? {
    switch self {
    case .heatmap, .dotDensity, .pieChart: nil
    case _ where index == -1: defaultSymbol
    default: classSymbols.indices.contains(index) ? classSymbols[index] : nil
    }
  }

  private mutating func set(_ symbol: SymbolForm, _ index: Int) {
    switch self {
    case .simple(var renderer):
      renderer.symbol = symbol
      self = .simple(renderer)
    case .uniqueValue(var renderer):
      if index == -1 { renderer.defaultSymbol = symbol } else { renderer.uniqueValues[index].symbol = symbol }
      self = .uniqueValue(renderer)
    case .classBreaks(var renderer):
      if index == -1 { renderer.defaultSymbol = symbol } else { renderer.classBreaks[index].symbol = symbol }
      self = .classBreaks(renderer)
    case .rules(var renderer):
      renderer.changeRule(index) { $0.symbol = symbol }
      self = .rules(renderer)
    case .heatmap, .dotDensity, .pieChart: return
    }
  }

  private mutating func set(_ label: String, _ index: Int) {
    switch self {
    case .simple(var renderer):
      renderer.label = label
      self = .simple(renderer)
    case .uniqueValue(var renderer):
      if index == -1 { renderer.defaultLabel = label } else { renderer.uniqueValues[index].label = label }
      self = .uniqueValue(renderer)
    case .classBreaks(var renderer):
      if index == -1 { renderer.defaultLabel = label } else { renderer.classBreaks[index].label = label }
      self = .classBreaks(renderer)
    case .rules(var renderer):
      renderer.changeRule(index) { $0.label = label }
      self = .rules(renderer)
    case .heatmap, .dotDensity, .pieChart: return
    }
  }

  /// The classes that requests can change, as JSON; the others have the index -1.
  var classesJSON: JSONValue {
    guard symbol(0) != nil || symbol(-1) != nil else { return .array([]) }
    var classes: [JSONValue] = classSymbols.indices.map { index in
      var object: JSONObject = [
        "class": .number(index), "label": .string(classLabels[index]),
        "color": classSymbols[index].onlyColor.map { .string($0.hexadecimal) } ?? .null,
      ]
      if case .classBreaks(let renderer) = self {
        object["minimum"] = .number(renderer.classBreaks[index].minimum)
        object["maximum"] = .number(renderer.classBreaks[index].maximum)
      }
      return .object(object)
    }
    if let symbol = defaultSymbol {
      classes.append([
        "class": -1, "label": .string(defaultLabel),
        "color": symbol.onlyColor.map { .string($0.hexadecimal) } ?? .null,
      ])
    }
    return .array(classes)
  }
}

extension SymbolForm {
  /// The colour of a marker, line, fill or text, or the only one of a composite symbol's fills, or else of its other parts;
  /// nil for symbols without a single colour.
  fileprivate var onlyColor: Color? {
    switch self {
    case .marker(let marker): marker.color
    case .line(let line): line.color
    case .fill(let fill): fill.color
    case .text(let text): text.color
    case .composite(let composite):
      composite.coloredParts.first.flatMap { first in
        let colors = composite.coloredParts.map { composite.parts[$0].onlyColor }
        return colors.allSatisfy { $0 == colors[0] } ? composite.parts[first].onlyColor : nil
      }
    case .picture, .vector, .pattern, .placed: nil
    }
  }

  /// Returns the symbol in another colour; nil if it has no single colour.
  fileprivate func changed(to color: Color) -> SymbolForm? {
    guard onlyColor != nil else { return nil }
    switch self {
    case .text(var text):
      text.color = color
      return .text(text)
    case .composite(var composite):
      for part in composite.coloredParts {
        composite.parts[part] = composite.parts[part].changed(to: color) ?? composite.parts[part]
      }
      return .composite(composite)
    default: return colored(color)
    }
  }
}

extension CompositeSymbol {
  /// The indexes of the parts that give the symbol its colour: its fills, because lines beside them are outlines, or else all
  /// parts.
  fileprivate var coloredParts: [Int] {
    let fills = parts.indices.filter { if case .fill = parts[$0] { true } else { false } }
    return fills.isEmpty ? Array(parts.indices) : fills
  }
}
