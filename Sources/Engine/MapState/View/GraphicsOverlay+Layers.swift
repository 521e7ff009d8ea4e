import MapFeatures
import MapFilter
import MapGeometry
import MapModel

extension GraphicsOverlay {
  /// The graphics to draw, from the bottom, in runs that are drawn as one layer each.
  ///
  /// A run has consecutive graphics with the same geometry kind, spatial reference and symbol source.
  ///
  /// - Cost: a copy of all graphics.
  var runs: [GraphicRun] {
    ModelGate.withLock {
      let overlay = state.snapshot
      guard overlay.isVisible else { return [] }
      var runs: [GraphicRun] = []
      for graphic in overlay.graphics {
        let copy = graphic.state.snapshot
        guard let key = GraphicRun.Key(copy, hasRenderer: overlay.renderer != nil) else { continue }
        if runs.last?.key != key { runs.append(GraphicRun(key: key, overlay: overlay)) }
        runs[runs.count - 1].graphics.append(graphic)
        runs[runs.count - 1].copies.append(copy)
      }
      return runs
    }
  }
}

/// Graphics that are drawn as one layer, copied with the lock held.
struct GraphicRun {
  /// The properties that the graphics share.
  struct Key: Hashable {
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
  }

  let key: Key
  let overlay: GraphicsOverlay.State
  var graphics: [Graphic] = []
  var copies: [Graphic.State] = []

  /// Returns the layer of the graphics, in row order; nil if their spatial reference is unknown.
  ///
  /// - Cost: builds the table and its index.
  func layer(_ operations: SpatialOperations) -> LayerState? {
    let (fields, columns, renderer) =
      key.hasSymbol ? symbols(of: copies) : attributes(of: copies, overlay.renderer)
    var geometry = CoordinateBuffer(kind: key.kind)
    for graphic in copies { geometry.append(graphic.geometry) }
    let table = FeatureColumns(
      schema: FeatureSchema(fields: fields, geometryKind: key.kind, spatialReference: key.reference),
      columns: columns, geometry: geometry, rowCount: copies.count)
    if let reference = key.reference {
      // Without PROJ the reference may be right; drawing reports the missing library.
      do { try operations.check(reference) } catch {
        guard error.isMissingLibrary else { return nil }
      }
    }
    let source = InMemorySource(table).using(operations)
    var layer = LayerState(id: "", title: "", source: source, renderer: renderer)
    layer.scalesSymbols = overlay.scalesSymbols
    (layer.opacity, layer.minScale, layer.maxScale) = (overlay.opacity, overlay.minScale, overlay.maxScale)
    layer.selectedIDs = Set(copies.indices.filter { copies[$0].isSelected }.map { Int64($0) + 1 })
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
    return (fields, columns, renderer ?? .standard(for: key.kind))
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
