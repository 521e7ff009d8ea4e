package import MapJSON
package import MapState

/// The symbols and labels that a request asks for one layer.
public struct LayerStyle: Hashable, Sendable {
  /// The title, id or index of the layer.
  public var name: String
  /// The style; its own list of layers is ignored.
  public var style: StyleRequest

  /// Creates a style for a layer.
  public init(name: String, style: StyleRequest) { (self.name, self.style) = (name, style) }
}

extension StyleRequest {
  /// A property with two values for one layer.
  struct Repeated: Hashable, Sendable {
    /// The name in JSON.
    let name: String
    /// The layer; nil for values without one.
    let layer: String?
  }

  /// Sets a property of the request, or of the layers that the values name; ``check()`` refuses a second value for one
  /// layer.
  ///
  /// - Parameter name: the name of the property in JSON.
  package mutating func set<Value>(
    _ property: WritableKeyPath<StyleRequest, Value?>, _ values: [LayerValue<Value>], of name: String
  ) {
    for item in values {
      guard let layer = item.layer else {
        if self[keyPath: property] != nil { repeated = repeated ?? Repeated(name: name, layer: nil) }
        self[keyPath: property] = item.value
        continue
      }
      let index = ofLayers.firstIndex { $0.name == layer } ?? ofLayers.endIndex
      if index == ofLayers.endIndex { ofLayers.append(LayerStyle(name: layer, style: StyleRequest())) }
      if ofLayers[index].style[keyPath: property] != nil {
        repeated = repeated ?? Repeated(name: name, layer: layer)
      }
      ofLayers[index].style[keyPath: property] = item.value
    }
  }

  /// The option that chooses symbols or labels by itself; nil if all values need another one.
  package var mainOption: String? {
    if style != nil { return "--style" }
    if colorBy != nil { return "--color-by" }
    if sizeBy != nil { return "--size-by" }
    if symbol != nil { return "--symbol" }
    if hatch != nil { return "--hatch" }
    return changes.first ?? (label == nil ? nil : "--label")
  }

  /// The options that change one property of all symbols.
  var changes: [String] {
    [
      ("--opacity", opacity != nil), ("--outline", outline != nil), ("--outline-width", outlineWidth != nil),
      ("--marker", marker != nil), ("--symbol-size", symbolSize != nil),
    ].filter(\.1).map(\.0)
  }

  /// The first field that labels features, of any layer; nil for no labels.
  package var anyLabel: String? { label ?? ofLayers.lazy.compactMap(\.style.label).first }

  /// The symbols in JSON.
  package var symbolDefinitions: [JSONValue] {
    ([symbol] + ofLayers.map(\.style.symbol)).compactMap { $0?.json }
  }

  /// Whether a style is read from a file.
  package var readsFiles: Bool { style != nil || ofLayers.contains { $0.style.style != nil } }

  /// Returns the request with the files of styles looked for in folders first.
  package func reading(in folders: [String]) -> StyleRequest {
    var request = self
    request.style = style?.reading(in: folders)
    for index in request.ofLayers.indices {
      request.ofLayers[index].style = request.ofLayers[index].style.reading(in: folders)
    }
    return request
  }

  /// Whether a layer is coloured by a field.
  package var hasColorBy: Bool { colorBy != nil || ofLayers.contains { $0.style.colorBy != nil } }

  /// The styles of the named layers, with the values without a name where a layer has none of its own.
  var namedStyles: [LayerStyle] {
    ofLayers.map { item in
      var style = item.style
      let named = style
      // The values of a field go with their field, which decides whether they have an effect.
      if style.colorBy != nil {
        style.normalizeBy = style.normalizeBy ?? normalizeBy
        style.edges = style.edges ?? edges
        style.crossBy = style.crossBy ?? crossBy
        style.midpoint = style.midpoint ?? midpoint
        style.noDataColor = style.noDataColor ?? noDataColor
        if named.breaks == nil, named.classes == nil, named.method == nil {
          (style.breaks, style.classes, style.method) = (breaks, classes, method)
        }
        if named.ramp == nil, named.colors == nil, named.hatch == nil {
          (style.ramp, style.colors, style.hatch) = (ramp, colors, hatch)
        }
      }
      if style.sizeBy != nil {
        style.sizeRange = style.sizeRange ?? sizeRange
        style.sizeScaling = style.sizeScaling ?? sizeScaling
      }
      if style.label != nil {
        style.labelShort = style.labelShort ?? labelShort
        style.labelPriority = style.labelPriority ?? labelPriority
      }
      style.heading = heading
      return LayerStyle(name: item.name, style: style)
    }
  }

  /// Returns the style with the values of another one where it has none.
  func filled(from other: StyleRequest) -> StyleRequest {
    var style = self
    style.style = self.style ?? other.style
    style.symbol = symbol ?? other.symbol
    style.hatch = hatch ?? other.hatch
    style.opacity = opacity ?? other.opacity
    style.outline = outline ?? other.outline
    style.outlineWidth = outlineWidth ?? other.outlineWidth
    style.marker = marker ?? other.marker
    if sizeBy == nil { style.symbolSize = symbolSize ?? other.symbolSize }
    if colorBy == nil, other.colorBy != nil {
      (style.colorBy, style.normalizeBy, style.edges) = (other.colorBy, other.normalizeBy, other.edges)
      (style.classes, style.method, style.breaks) = (other.classes, other.method, other.breaks)
      if ramp == nil, colors == nil { (style.ramp, style.colors) = (other.ramp, other.colors) }
      (style.midpoint, style.crossBy, style.noDataColor) = (other.midpoint, other.crossBy, other.noDataColor)
    }
    if sizeBy == nil, symbolSize == nil, other.sizeBy != nil {
      (style.sizeBy, style.sizeRange, style.sizeScaling) = (other.sizeBy, other.sizeRange, other.sizeScaling)
    }
    if label == nil, other.label != nil {
      (style.label, style.labelShort) = (other.label, other.labelShort)
      style.labelPriority = other.labelPriority
    }
    return style
  }

  /// The fields that the request names.
  package var fieldNames: [String] {
    let labels = [label, labelShort, labelPriority?.fieldName]
    let own = ([colorBy, normalizeBy, crossBy, sizeBy] + labels).compactMap { $0 }
    // The name of a field may have a colon and a blank, too.
    return own + ofLayers.flatMap { item in item.style.fieldNames.flatMap { [$0, "\(item.name): \($0)"] } }
  }

  /// Whether a field is looked for among all fields of the data: the one that ranks the features for their labels, or those
  /// of a renderer in JSON.
  package var readsAllFields: Bool {
    label != nil && labelPriority == nil && sizeBy == nil || symbol?.isRenderer == true || style != nil
      || namedStyles.contains { $0.style.readsAllFields }
  }

  /// Checks that the values go together.
  ///
  /// - Throws: `MapStateError` of kind usage.
  package func check() throws(MapStateError) {
    if let repeated {
      let option = Self.fields.first { $0.name == repeated.name }?.option ?? repeated.name
      let place = repeated.layer.map { "twice for the layer \"\($0)\"" }
      throw MapStateError(
        .usage, "\(option) is given \(place ?? "twice; name the layers, as in \"NAME: VALUE\"")")
    }
    let named = namedStyles.map(\.style)
    try checkPresence(
      colors: colorBy != nil || named.contains { $0.colorBy != nil },
      sizes: sizeBy != nil || named.contains { $0.sizeBy != nil },
      labels: label != nil || named.contains { $0.label != nil })
    try checkContradictions()
    for style in named {
      // Colours alone are for the classes that the layer has.
      let recolors = style.colorBy == nil && (style.ramp != nil || style.colors != nil)
      try style.checkPresence(
        colors: style.colorBy != nil, sizes: style.sizeBy != nil, labels: style.label != nil,
        recolors: recolors)
      try style.checkContradictions()
    }
  }

  private func checkPresence(
    colors hasColors: Bool, sizes: Bool, labels: Bool, recolors: Bool = false
  ) throws(MapStateError) {
    let dependents = [
      ("--normalize-by", normalizeBy != nil), ("--cross-by", crossBy != nil), ("--classes", classes != nil),
      ("--method", method != nil),
      ("--breaks", breaks != nil), ("--edges", edges != nil), ("--midpoint", midpoint != nil),
      ("--ramp", ramp != nil && !recolors),
      ("--colors", colors != nil && !recolors), ("--no-data-color", noDataColor != nil),
    ]
    if !hasColors, let (name, _) = dependents.first(where: { $0.1 }) {
      throw MapStateError(.usage, "\(name) needs --color-by")
    }
    if !sizes, sizeRange != nil || sizeScaling != nil {
      throw MapStateError(.usage, "\(sizeRange == nil ? "--size-scaling" : "--size-range") needs --size-by")
    }
    if !labels, labelShort != nil || labelPriority != nil {
      throw MapStateError(
        .usage, "\(labelShort == nil ? "--label-priority" : "--label-short") needs --label")
    }
  }

  private func checkContradictions() throws(MapStateError) {
    if style != nil,
      let other = [
        ("--color-by", colorBy != nil), ("--size-by", sizeBy != nil), ("--symbol", symbol != nil),
      ].first(where: \.1)?.0
    {
      throw MapStateError(.usage, "--style contradicts \(other); give one of them")
    }
    if colors != nil, ramp != nil {
      throw MapStateError(.usage, "--colors contradicts --ramp; give one of them")
    }
    try checkMidpoint()
    try checkCrossedClasses()
    if hatch != nil, let other = [("--ramp", ramp != nil), ("--colors", colors != nil)].first(where: \.1)?.0 {
      throw MapStateError(.usage, "--hatch contradicts \(other); give one of them")
    }
    if symbolSize != nil, sizeBy != nil {
      throw MapStateError(.usage, "--symbol-size contradicts --size-by, whose sizes --size-range limits")
    }
    if breaks != nil, classes != nil || method != nil {
      throw MapStateError(
        .usage, "--breaks contradicts \(classes == nil ? "--method" : "--classes"); give one of them")
    }
  }
}
