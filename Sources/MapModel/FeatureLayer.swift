public import MapFeatures
public import MapGeometry

/// A table on the map: what is drawn of it, and how.
///
/// An object with identity that may change from any thread; everything that computes takes its frozen
/// ``LayerState``. Loading it loads its table; until then nothing is drawn.
public final class FeatureLayer: Layer {
  struct Settings: Sendable {
    /// All but the source, the renderer and the time, which are found when the layer is frozen.
    var layer: LayerState
    /// Nil is the standard one of the geometry's kind.
    var renderer: RendererForm?
    /// True filters by the table's own time.
    var takesTableTime = false
    /// True draws as the table's source says, where nothing else is set.
    var takesTableDrawing = false
    /// What its document said of it.
    var origin: WebMapLayer?
    var showsInLegend = true
    var renderingMode = RenderingMode.automatic
    var reduction: FeatureReduction?
    var popups = PopupSettings()
  }

  /// How a map on a screen draws a layer while it moves.
  public enum RenderingMode: String, Hashable, CaseIterable, Sendable {
    /// As fits the geometries.
    case automatic
    /// Again with every movement.
    case dynamic
    /// As a picture that moves along.
    case `static`
  }

  /// The table; nil never, as in the map SDK for layers of features.
  public let featureTable: (any FeatureTable)?
  /// Where loading stands.
  public let loader: Loader
  /// Which group it is in.
  public let home = LayerHome()
  let table: any FeatureTable
  let state: ModelState<Settings>
  /// False for a layer over a table that is in another layer.
  private let ownsTable: Bool

  /// A layer over a table, with the standard renderer of the geometry's kind.
  ///
  /// A table that is in a layer already stays there: this one then fails to load with
  /// ``MappingError/alreadyOwned(_:)`` and draws nothing.
  public convenience init(featureTable: any FeatureTable) {
    self.init(
      table: featureTable,
      Settings(
        layer: LayerState(source: InMemorySource(.nothing)), takesTableTime: true, takesTableDrawing: true))
  }

  /// A layer over rows, with the renderer given or the standard one of the geometry's kind.
  public convenience init(
    source: any FeatureSource, id: String = "", title: String = "", renderer: (any Renderer)? = nil
  ) {
    var layer = LayerState(source: source)
    (layer.id, layer.title) = (id, title)
    self.init(
      table: LocalFeatureTable(source: source, tableName: title),
      Settings(layer: layer, renderer: renderer?.form))
  }

  package convenience init(state: LayerState) {
    self.init(
      table: LocalFeatureTable(source: state.source, tableName: state.title),
      Settings(layer: state, renderer: state.renderer))
  }

  private init(table: any FeatureTable, _ settings: Settings) {
    (self.table, featureTable) = (table, table)
    state = ModelState(settings)
    // A layer that is not fully made cannot be given to the table: its state stands for it until then.
    ownsTable = table.table.claim(by: state)
    let name = table.tableName
    loader = Loader(isLoaded: ownsTable && table.loadStatus == .loaded) { [ownsTable] in
      guard ownsTable else { throw MappingError.alreadyOwned(name) }
      try await table.load()
    }
    if ownsTable { table.table.content.update { $0.layer = self } }
  }

  /// The rows of the table as they are now; none before the table is loaded.
  public var source: any FeatureSource {
    ownsTable ? table.table.source : InMemorySource(.nothing)
  }

  /// What tells the layer from others in a document.
  public var id: String { state.snapshot.layer.id }
  /// The name for people.
  public var title: String {
    get { state.snapshot.layer.title }
    set { state.update { $0.layer.title = newValue } }
  }
  /// SQL that limits data and drawing; blank is none.
  public var definitionExpression: String {
    get { state.snapshot.layer.definitionExpression }
    set { state.update { $0.layer.definitionExpression = newValue } }
  }
  /// Display filters, which limit drawing only.
  public var displayFilterDefinition: (any DisplayFilterDefinition)? {
    get { state.snapshot.layer.displayFilter?.definition }
    set { state.update { $0.layer.displayFilter = newValue?.form } }
  }
  /// Which symbol a feature gets; until it is set as the table's service says, else the standard one of the geometry.
  public var renderer: any Renderer {
    get { frozen.renderer.renderer }
    set { state.update { $0.renderer = newValue.form } }
  }
  /// False hides the layer from drawing, not from queries.
  public var isVisible: Bool {
    get { state.snapshot.layer.isVisible }
    set {
      ModelGate.withLock {
        state.update { $0.layer.isVisible = newValue }
        if newValue { home.group?.wasSwitchedOn(self) }
      }
    }
  }
  /// 0 is clear, 1 opaque, for the layer as a whole.
  public var opacity: Double {
    get { state.snapshot.layer.opacity }
    set { state.update { $0.layer.opacity = newValue } }
  }
  /// The smallest map scale, as the N of 1:N, at which the layer is drawn, itself included; 0 is open.
  public var minScale: Double {
    get { state.snapshot.layer.minScale }
    set { state.update { $0.layer.minScale = newValue } }
  }
  /// The largest map scale, as the N of 1:N, at which the layer is drawn, itself included; 0 is open.
  public var maxScale: Double {
    get { state.snapshot.layer.maxScale }
    set { state.update { $0.layer.maxScale = newValue } }
  }
  /// By which fields features lie above each other, by weight; none is the order of the rows, later on top.
  public var drawingOrder: [DrawingOrder] {
    get { state.snapshot.layer.drawingOrder }
    set { state.update { $0.layer.drawingOrder = newValue } }
  }
  /// True draws the labels of ``labelDefinitions``.
  public var labelsAreEnabled: Bool {
    get { state.snapshot.layer.labelsAreEnabled }
    set { state.update { $0.layer.labelsAreEnabled = newValue } }
  }
  /// The classes of labels; a feature gets one of each class whose conditions it meets.
  public var labelDefinitions: [LabelDefinition] {
    get { state.snapshot.layer.labelDefinitions }
    set { state.update { $0.layer.labelDefinitions = newValue } }
  }
  /// Adds a class of labels.
  public func addLabelDefinition(_ definition: LabelDefinition) {
    state.update { $0.layer.labelDefinitions.append(definition) }
  }
  /// Adds classes of labels.
  public func addLabelDefinitions(_ definitions: [LabelDefinition]) {
    state.update { $0.layer.labelDefinitions += definitions }
  }
  /// Puts the renderer in force that holds where none is set.
  public func resetRenderer() { state.update { $0.renderer = nil } }
  /// The name for people, the same as ``title``.
  public var name: String {
    get { title }
    set { title = newValue }
  }
  /// True lets symbols and labels grow and shrink with the view where the map has a ``Map/referenceScale``; true
  /// unless set.
  ///
  /// - Source: ArcGIS Maps SDK; ours: the default.
  public var scalesSymbols: Bool {
    get { state.snapshot.layer.scalesSymbols }
    set { state.update { $0.layer.scalesSymbols = newValue } }
  }
  /// True lets a view's time filter the layer.
  public var timeFilteringIsEnabled: Bool {
    get { state.snapshot.layer.filtersByTime }
    set { state.update { $0.layer.filtersByTime = newValue } }
  }
  /// How far back a view's time is moved before it filters the layer: data of 10 days ago show now with an offset of 10
  /// days; nil is not at all.
  public var timeOffset: TimeValue? {
    get { state.snapshot.layer.timeOffset }
    set { state.update { $0.layer.timeOffset = newValue } }
  }
  /// Where the table keeps time, so that a view's time filters the layer; nil draws it at any time.
  public var timeInfo: TimeInfo? {
    get { frozen.timeInfo }
    set { state.update { ($0.layer.timeInfo, $0.takesTableTime) = (newValue, false) } }
  }
  /// The envelope of all rows of the table.
  public var fullExtent: Envelope { source.extent }
  /// The reference of the table; nil for one without geometry.
  public var spatialReference: SpatialReference? { source.schema.spatialReference }

  /// Attribution required by its document, else by its source; empty for none.
  public var attribution: String { frozen.attribution }
  /// False asks a legend to leave the layer out.
  public var showsInLegend: Bool {
    get { state.snapshot.showsInLegend }
    set { state.update { $0.showsInLegend = newValue } }
  }
  /// How a map on a screen draws the layer while it moves; taken and kept, a view without a screen draws it once.
  public var renderingMode: RenderingMode {
    get { state.snapshot.renderingMode }
    set { state.update { $0.renderingMode = newValue } }
  }
  /// What its document asks for in the place of features that lie close together; nil for nothing.
  public var featureReduction: FeatureReduction? {
    get { state.snapshot.reduction }
    set { state.update { $0.reduction = newValue } }
  }

  /// A layer that is as this one, selection and hidden features too, in no map: over a table of its own with the same
  /// rows, since a table belongs to one layer.
  ///
  /// - Cost: no row is copied.
  public func clone() -> FeatureLayer {
    ModelGate.withLock {
      var copy = state.snapshot
      copy.origin?.mark = DocumentMark()
      copy.reduction = copy.reduction?.clone()
      return FeatureLayer(table: table.clone(), copy)
    }
  }

  /// Itself, in the closed family.
  public var layerForm: LayerForm { .features(self) }

  /// The ids of the selected features, which are drawn on top in the view's colour; those that are not there wait.
  package var selectedIDs: Set<Int64> {
    get { state.snapshot.layer.selectedIDs }
    set { state.update { $0.layer.selectedIDs = newValue } }
  }

  /// The ids of the features that are hidden one by one; those that are not there wait.
  package var hiddenIDs: Set<Int64> {
    get { state.snapshot.layer.hiddenIDs }
    set { state.update { $0.layer.hiddenIDs = newValue } }
  }

  /// The layer as it is now, as a value.
  package var frozen: LayerState {
    ModelGate.withLock {
      let settings = state.snapshot
      var layer = settings.layer
      let content = table.table.content.snapshot
      if ownsTable { layer.source = content.source }
      if settings.takesTableTime { layer.timeInfo = content.timeInfo }
      let drawing = settings.takesTableDrawing ? content.drawing : SourceDrawing()
      layer.renderer =
        settings.renderer ?? drawing.renderer ?? .standard(for: layer.source.schema.geometryKind)
      layer.opacity *= drawing.opacity
      if layer.minScale == 0, layer.maxScale == 0 {
        (layer.minScale, layer.maxScale) = (drawing.minScale, drawing.maxScale)
      }
      if layer.labelDefinitions.isEmpty { layer.labelDefinitions = drawing.labelDefinitions }
      if let reduction = settings.reduction, reduction.isEnabled { layer.undrawnReduction = reduction.kind }
      return layer
    }
  }
  /// How often the layer or its table was changed.
  package var changes: UInt64 {
    ModelGate.withLock {
      state.changes &+ table.table.content.changes &+ (state.snapshot.reduction?.changes ?? 0)
    }
  }
}
