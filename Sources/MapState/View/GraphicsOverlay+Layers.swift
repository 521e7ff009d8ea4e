import MapFeatures
import MapFilter
import MapGeometry
import MapModel

extension GraphicsOverlay {
  /// The overlay as drawable layers, each with its graphics in row order.
  ///
  /// Each run of consecutive graphics with the same geometry kind, spatial reference and symbol source is one
  /// layer.
  ///
  /// - Cost: a copy of all graphics.
  var runs: [(layer: LayerState, graphics: [Graphic])] {
    ModelGate.withLock {
      let overlay = state.snapshot
      guard overlay.isVisible else { return [] }
      var runs: [(key: GraphicRun, graphics: [Graphic])] = []
      for graphic in overlay.graphics {
        let key = GraphicRun(graphic.state.snapshot, hasRenderer: overlay.renderer != nil)
        guard let key else { continue }
        if runs.last?.key == key {
          runs[runs.count - 1].graphics.append(graphic)
        } else {
          runs.append((key, [graphic]))
        }
      }
      return runs.compactMap { run in
        run.key.layer(of: run.graphics.map(\.state.snapshot), in: overlay).map { ($0, run.graphics) }
      }
    }
  }
}

/// The properties that graphics share if they are drawn as one layer.
private struct GraphicRun: Hashable {
  let kind: GeometryKind
  let reference: SpatialReference?
  let hasSymbol: Bool

  /// Creates the key of a graphic; nil if the graphic is not drawn.
  init?(_ graphic: Graphic.State, hasRenderer: Bool) {
    guard graphic.isVisible, let geometry = graphic.geometry, graphic.symbol != nil || hasRenderer else {
      return nil
    }
    (kind, hasSymbol) = (geometry.kind, graphic.symbol != nil)
    reference = geometry.geometry.spatialReference
  }

  /// Returns the layer of a run of graphics; nil if their spatial reference is unknown.
  func layer(of graphics: [Graphic.State], in overlay: GraphicsOverlay.State) -> LayerState? {
    let (fields, columns, renderer) =
      hasSymbol ? symbols(of: graphics) : attributes(of: graphics, overlay.renderer)
    var geometry = CoordinateBuffer(kind: kind)
    for graphic in graphics { geometry.append(graphic.geometry) }
    let table = FeatureColumns(
      schema: FeatureSchema(fields: fields, geometryKind: kind, spatialReference: reference),
      columns: columns, geometry: geometry, rowCount: graphics.count)
    if let reference {
      // Without PROJ the reference may be right; drawing reports the missing library.
      do { try SpatialOperations.installed.check(reference) } catch {
        guard error.isMissingLibrary else { return nil }
      }
    }
    let source = InMemorySource(table).using(.installed)
    var layer = LayerState(id: "", title: "", source: source, renderer: renderer)
    layer.scalesSymbols = overlay.scalesSymbols
    (layer.opacity, layer.minScale, layer.maxScale) = (overlay.opacity, overlay.minScale, overlay.maxScale)
    layer.selectedIDs = Set(graphics.indices.filter { graphics[$0].isSelected }.map { Int64($0) + 1 })
    return layer
  }

  /// Returns one class per symbol, selected by the symbol's number in a column.
  private func symbols(of graphics: [Graphic.State]) -> ([Field], [Column], RendererForm) {
    var known: [SymbolForm: Int] = [:]
    var classes: [UniqueValueRenderer.UniqueValue] = []
    var numbers: [Int64] = []
    for symbol in graphics.compactMap(\.symbol) {
      let number = known[symbol] ?? classes.count
      if number == classes.count {
        known[symbol] = number
        classes.append(UniqueValueRenderer.UniqueValue(values: ["\(number)"], label: "", symbol: symbol))
      }
      numbers.append(Int64(number))
    }
    return (
      [Field(name: "symbol", type: .int64)], [Column(.integers(numbers))],
      .uniqueValue(UniqueValueRenderer(fieldNames: ["symbol"], uniqueValues: classes))
    )
  }

  /// Returns one column per attribute, with the type of its first value.
  private func attributes(
    of graphics: [Graphic.State], _ renderer: RendererForm?
  ) -> ([Field], [Column], RendererForm) {
    let values = graphics.map { $0.attributes.compactMapValues { AttributeValue(attribute: $0) } }
    let names = Set(values.flatMap(\.keys)).sorted()
    let fields = names.map { name in
      Field(name: name, type: values.lazy.compactMap { $0[name]?.fieldType }.first ?? .text)
    }
    let columns = fields.map { field in
      Column(of: values.map { $0[field.name]?.stored(as: field.fieldType) ?? .null }, type: field.fieldType)
    }
    return (fields, columns, renderer ?? .standard(for: kind))
  }
}

extension AttributeValue {
  /// The field type that stores the value; nil if there is none.
  fileprivate var fieldType: FieldType? {
    switch self {
    case .integer: .int64
    case .real: .float64
    case .text: .text
    case .instant: .date
    case .date: .dateOnly
    case .null, .boolean, .duration: nil
    }
  }
}
