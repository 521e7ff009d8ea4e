public import MapFeatures
package import MapFilter
public import MapGeometry

/// A layer that draws the features of one table.
///
/// A reference type that is safe to change from any thread. Counting and drawing use its frozen ``LayerState``.
/// Loading the layer loads its table; until then the layer draws nothing.
public final class FeatureLayer: Layer {
  struct Settings: Sendable {
    /// All values except the source, the renderer and the time, which are determined when the layer is frozen.
    var layer: LayerState
    /// Whether the layer filters by the table's own time fields.
    var takesTableTime = false
    /// Whether the drawing information of the table's source applies to properties that are not set.
    var takesTableDrawing = false
    /// The description of the layer in its document; nil for a layer made in code.
    var origin: LayerOrigin?
    var renderingMode = RenderingMode.automatic
    var reduction: FeatureReduction?
  }

  /// The way a map on a screen draws a layer while the map moves.
  public enum RenderingMode: String, Hashable, CaseIterable, Sendable {
    /// The mode that suits the geometries.
    case automatic
    /// A new drawing of the layer with every movement.
    case dynamic
    /// An image of the layer that moves with the map.
    case `static`
  }

  /// The properties of a layer that choose its symbols and labels.
  package struct Appearance: Sendable {
    /// The renderer; nil for that of the table, or else the standard one.
    package var renderer: RendererForm?
    /// The renderer on dark ground where the other one is a default; nil for the same.
    package var darkRenderer: RendererForm?
    /// The clusters or cells of the layer; nil for none.
    package var aggregation: FeatureAggregation?
    /// The fields that order overlapping features.
    package var drawingOrder: [DrawingOrder]
    /// Whether the labels are drawn.
    package var labelsAreEnabled: Bool
    /// The label classes.
    package var labelDefinitions: [LabelDefinition]
  }

  /// The table; never nil, optional only as in the ArcGIS Maps SDK.
  public let featureTable: (any FeatureTable)?
  /// The load state of the layer.
  public let loader: Loader
  /// The group, map or basemap that the layer belongs to.
  public let home = LayerHome()
  package let table: any FeatureTable
  let state: ModelState<Settings>
  /// Whether the layer owns its table; false when the table belongs to another layer.
  private let ownsTable: Bool

  /// Creates a layer over a table, with the standard renderer of the geometry type.
  ///
  /// A table that already belongs to a layer stays there. The new layer then fails to load with
  /// a ``MapStateError`` and draws nothing.
  public convenience init(featureTable: any FeatureTable) {
    self.init(
      table: featureTable,
      Settings(
        layer: LayerState(source: InMemorySource(.nothing)), takesTableTime: true, takesTableDrawing: true))
  }

  /// Creates a layer over rows, with the given renderer or the standard one of the geometry type.
  package convenience init(
    source: any FeatureSource, id: String = "", title: String = "", renderer: (any Renderer)? = nil
  ) {
    var definition = LayerDefinition(id: id, title: title)
    definition.renderer = renderer?.form
    self.init(definition, source: source)
  }

  /// Creates a layer over rows with a definition.
  ///
  /// - Parameter origin: The description of the layer in its document; nil for a layer made in code.
  package convenience init(
    _ definition: LayerDefinition, source: any FeatureSource, readFrom origin: LayerOrigin? = nil
  ) {
    let kind = source.schema.geometryKind
    var layer = LayerState(
      definition, source: source, renderer: definition.renderer ?? .standard(for: kind))
    // A layer of a document keeps the renderer that it is opened with, so that later changes can be found.
    var origin = origin
    if origin != nil {
      if layer.definition.renderer == nil { layer.definition.takeStandardRenderer(for: kind) }
      origin?.definition = layer.definition
    }
    var settings = Settings(layer: layer, origin: origin)
    settings.reduction = definition.featureReduction.map {
      FeatureReduction($0, isEnabled: definition.reducesFeatures)
    }
    self.init(table: LocalFeatureTable(source: source, tableName: definition.title), settings)
  }

  private init(table: any FeatureTable, _ settings: Settings) {
    (self.table, featureTable) = (table, table)
    state = ModelState(settings)
    // `self` is not available before all properties are set, so the state claims the table for it.
    ownsTable = table.table.claim(by: state)
    let name = table.tableName
    loader = Loader(isLoaded: ownsTable && table.loadStatus == .loaded) { [ownsTable] in
      guard ownsTable else { throw MappingError.alreadyOwned(name) }
      try await table.load()
    }
    if ownsTable { table.table.content.update { $0.layer = self } }
    state.join(home.held)
    settings.reduction?.enabled.join(state)
  }

  /// The current rows of the table; empty before the table is loaded.
  package var source: any FeatureSource {
    ownsTable ? table.table.source : InMemorySource(.nothing)
  }

  /// The identifier of the layer in a document.
  public var id: String { state.read { $0.layer.id } }
  /// The display name.
  public var title: String {
    get { state.read { $0.layer.title } }
    set { state.update { ($0.layer.title, $0.layer.isNamedByFile) = (newValue, false) } }
  }
  /// The SQL condition that limits data and drawing; blank for none.
  public var definitionExpression: String {
    get { definitionFilter.text }
    set { definitionFilter = ParsedFilter(newValue) }
  }
  /// The definition expression, parsed.
  package var definitionFilter: ParsedFilter {
    get { state.read { $0.layer.definition.$definitionExpression } }
    set {
      state.update {
        $0.layer.definition.$definitionExpression = newValue
        $0.layer.hasFilterOfCaller = true
      }
    }
  }
  /// Sets the definition expression to that of the layer's document.
  package func setDefinitionFilter(ofDocument filter: ParsedFilter) {
    state.update {
      $0.layer.definition.$definitionExpression = filter
      $0.layer.hasFilterOfCaller = false
    }
  }
  /// The display filters, which limit drawing only.
  public var displayFilterDefinition: (any DisplayFilterDefinition)? {
    get { state.read { $0.layer.displayFilter?.definition } }
    set { state.update { $0.layer.displayFilter = newValue?.form } }
  }
  /// The renderer, which chooses the symbol of each feature.
  ///
  /// The default is the renderer of the table's service, or else the standard one of the geometry type.
  public var renderer: any Renderer {
    get {
      ModelGate.withLock {
        let form = state.read { $0.layer.definition.renderer } ?? tableDrawing.renderer
        return (form ?? .standard(for: source.schema.geometryKind)).renderer
      }
    }
    set {
      state.update { settings in
        settings.layer.definition.renderer = newValue.form
        if settings.layer.definition.aggregation?.isOfRenderer == true {
          settings.layer.definition.aggregation = nil
        }
      }
    }
  }
  /// The renderer on dark ground where ``renderer`` is a default; a new renderer removes it.
  package var darkRenderer: RendererForm? {
    get { state.read { $0.layer.definition.darkRenderer } }
    set { state.update { $0.layer.definition.darkRenderer = newValue } }
  }
  /// The renderer, the order and the labels as they are set, so that they can be changed and restored at once.
  package var appearance: Appearance {
    get {
      state.read {
        Appearance(
          renderer: $0.layer.definition.renderer, darkRenderer: $0.layer.definition.darkRenderer,
          aggregation: $0.layer.definition.aggregation,
          drawingOrder: $0.layer.drawingOrder, labelsAreEnabled: $0.layer.labelsAreEnabled,
          labelDefinitions: $0.layer.labelDefinitions)
      }
    }
    set {
      state.update {
        $0.layer.definition.renderer = newValue.renderer
        $0.layer.definition.darkRenderer = newValue.darkRenderer
        $0.layer.definition.aggregation = newValue.aggregation
        $0.layer.drawingOrder = newValue.drawingOrder
        $0.layer.labelsAreEnabled = newValue.labelsAreEnabled
        $0.layer.labelDefinitions = newValue.labelDefinitions
      }
    }
  }
  /// Whether the layer is drawn; queries ignore it.
  public var isVisible: Bool {
    get { state.read { $0.layer.isVisible } }
    set {
      ModelGate.withLock {
        state.update { $0.layer.isVisible = newValue }
        if newValue { home.owner?.wasSwitchedOn(self) }
      }
    }
  }
  /// The opacity of the layer as a whole, from 0 (transparent) to 1 (opaque).
  public var opacity: Double {
    get { state.read { $0.layer.opacity } }
    set {
      state.update { state in
        state.layer.opacity = newValue
        // The new opacity is that in the image, as documents write it.
        for index in state.layer.groups.indices { state.layer.groups[index].opacity = 1 }
      }
    }
  }
  /// The scale denominator of the smallest scale at which the layer is drawn, inclusive; 0 means no limit.
  public var minScale: Double {
    get { state.read { $0.layer.minScale } }
    set { state.update { $0.layer.minScale = newValue } }
  }
  /// The scale denominator of the largest scale at which the layer is drawn, inclusive; 0 means no limit.
  public var maxScale: Double {
    get { state.read { $0.layer.maxScale } }
    set { state.update { $0.layer.maxScale = newValue } }
  }
  /// The fields that order overlapping features, the most significant first.
  ///
  /// Without fields the rows are drawn in order, later ones on top.
  public var drawingOrder: [DrawingOrder] {
    get { state.read { $0.layer.drawingOrder } }
    set { state.update { $0.layer.drawingOrder = newValue } }
  }
  /// Whether the labels of ``labelDefinitions`` are drawn.
  public var labelsAreEnabled: Bool {
    get { state.read { $0.layer.labelsAreEnabled } }
    set { state.update { $0.layer.labelsAreEnabled = newValue } }
  }
  /// The label classes; a feature gets one label from each class whose conditions it meets.
  public var labelDefinitions: [LabelDefinition] {
    get { state.read { $0.layer.labelDefinitions } }
    set { state.update { $0.layer.labelDefinitions = newValue } }
  }
  /// Adds a label class.
  public func addLabelDefinition(_ definition: LabelDefinition) {
    state.update { $0.layer.labelDefinitions.append(definition) }
  }
  /// Adds label classes.
  public func addLabelDefinitions(_ definitions: [LabelDefinition]) {
    state.update { $0.layer.labelDefinitions += definitions }
  }
  /// Restores the default renderer.
  public func resetRenderer() { state.update { $0.layer.definition.renderer = nil } }
  /// The display name, the same as ``title``.
  public var name: String {
    get { title }
    set { title = newValue }
  }
  /// Whether symbols and labels keep their size on the ground when the map has a ``Map/referenceScale``; default
  /// true.
  ///
  /// - Source: ArcGIS Maps SDK. The default is a design decision.
  public var scalesSymbols: Bool {
    get { state.read { $0.layer.scalesSymbols } }
    set { state.update { $0.layer.scalesSymbols = newValue } }
  }
  /// Whether a view's time filters the layer.
  public var timeFilteringIsEnabled: Bool {
    get { state.read { $0.layer.filtersByTime } }
    set { state.update { $0.layer.filtersByTime = newValue } }
  }
  /// The offset that is subtracted from a view's time before it filters the layer; nil for none.
  ///
  /// With an offset of 10 days, a view of today shows data from 10 days ago.
  public var timeOffset: TimeValue? {
    get { state.read { $0.layer.timeOffset } }
    set { state.update { $0.layer.timeOffset = newValue } }
  }
  /// The time fields that a view's time filters by; nil draws the layer at any time.
  public var timeInfo: TimeInfo? {
    get {
      ModelGate.withLock {
        state.read { $0.takesTableTime }
          ? table.table.content.read { $0.timeInfo } : state.read { $0.layer.timeInfo }
      }
    }
    set { state.update { ($0.layer.timeInfo, $0.takesTableTime) = (newValue, false) } }
  }
  /// The envelope of all rows of the table.
  public var fullExtent: Envelope { source.extent }
  /// The spatial reference of the table; nil for a table without geometry.
  public var spatialReference: SpatialReference? { source.schema.spatialReference }

  /// The attribution text that the document, or else the source, requires; empty for none.
  public var attribution: String {
    let own = state.read { $0.layer.definition.attribution }
    return own.isEmpty ? source.metadata.attribution : own
  }
  /// Adds a text to the attribution of the layer.
  package func addAttribution(_ text: String) {
    let all = [attribution, text].joinedOnce
    state.update { $0.layer.definition.attribution = all }
  }
  /// Whether a legend lists the layer.
  public var showsInLegend: Bool {
    get { state.read { $0.layer.showsInLegend } }
    set { state.update { $0.layer.showsInLegend = newValue } }
  }
  /// The way a map on a screen draws the layer while it moves.
  ///
  /// The value is stored only: a view without a screen draws each layer once.
  public var renderingMode: RenderingMode {
    get { state.read { $0.renderingMode } }
    set { state.update { $0.renderingMode = newValue } }
  }
  /// The feature reduction, such as clusters, that the document requests; nil for none.
  public var featureReduction: FeatureReduction? {
    get { state.read { $0.reduction } }
    set {
      ModelGate.withLock {
        featureReduction?.enabled.leave(state)
        state.update { $0.reduction = newValue }
        newValue?.enabled.join(state)
      }
    }
  }

  /// Returns a copy of the layer, including selection and hidden features, that belongs to no map.
  ///
  /// The copy has its own table with the same rows, because a table belongs to one layer.
  ///
  /// - Cost: No rows are copied.
  public func clone() -> FeatureLayer {
    ModelGate.withLock {
      var copy = state.snapshot
      copy.origin?.document = DocumentMark()
      copy.reduction = copy.reduction?.clone()
      return FeatureLayer(table: table.clone(), copy)
    }
  }

  /// The layer as a case of ``LayerForm``.
  public var layerForm: LayerForm { .features(self) }

  /// The object ids of the selected features, drawn on top in the view's selection colour.
  ///
  /// An id that is not in the table takes effect when such a feature appears.
  package var selectedIDs: Set<Int64> {
    get { state.read { $0.layer.selectedIDs } }
    set { state.update { $0.layer.selectedIDs = newValue } }
  }

  /// The object ids of the hidden features.
  ///
  /// An id that is not in the table takes effect when such a feature appears.
  package var hiddenIDs: Set<Int64> {
    get { state.read { $0.layer.hiddenIDs } }
    set { state.update { $0.layer.hiddenIDs = newValue } }
  }

  /// The state of the layer as an immutable value.
  package var frozen: LayerState {
    ModelGate.withLock {
      let settings = state.snapshot
      var layer = settings.layer
      let content = table.table.content.snapshot
      if ownsTable { layer.source = content.source }
      layer.unloadedReason = unloadedReason
      if settings.takesTableTime { layer.timeInfo = content.timeInfo }
      let drawing = tableDrawing
      let kind = layer.source.schema.geometryKind
      if layer.definition.renderer == nil, drawing.renderer == nil {
        layer.definition.darkRenderer = .standard(for: kind, on: .dark)
      }
      layer.renderer = layer.definition.renderer ?? drawing.renderer ?? .standard(for: kind)
      layer.opacity *= drawing.opacity
      if layer.minScale == 0, layer.maxScale == 0 {
        (layer.minScale, layer.maxScale) = (drawing.minScale, drawing.maxScale)
      }
      if layer.labelDefinitions.isEmpty { layer.labelDefinitions = drawing.labelDefinitions }
      if settings.reduction == nil, layer.definition.aggregation?.isOfRenderer == true {
        layer.aggregation = layer.definition.aggregation
      }
      if let reduction = settings.reduction, reduction.isEnabled {
        layer.aggregation = layer.definition.aggregation
        if layer.aggregation == nil || layer.source.schema.geometryKind != .point {
          layer.undrawnReduction = reduction.kind
        }
      }
      return layer
    }
  }
  /// The definition of the layer with all changes since it was read.
  package var definition: LayerDefinition {
    ModelGate.withLock {
      let settings = state.snapshot
      var definition = settings.layer.definition
      definition.featureReduction = settings.reduction?.json
      if settings.reduction == nil, definition.aggregation?.isOfRenderer != true {
        definition.aggregation = nil
      }
      definition.reducesFeatures = settings.reduction?.isEnabled ?? true
      return definition
    }
  }

  /// The description of the layer in its document; nil for a layer made in code.
  package var origin: LayerOrigin? { state.read { $0.origin } }

  /// The drawing information of the table's source, if it applies.
  private var tableDrawing: SourceDrawing {
    state.read { $0.takesTableDrawing } ? table.table.content.read { $0.drawing } : SourceDrawing()
  }
  private var unloadedReason: String? {
    guard ownsTable else { return "\(MappingError.alreadyOwned(table.tableName))" }
    guard !table.table.isLoaded else { return nil }
    return table.loadError.map { "the table could not be loaded: \($0)" }
      ?? "the table is not loaded; await load() of the map view first"
  }

}
