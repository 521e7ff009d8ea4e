public import MapFeatures
public import MapGeometry

/// A map: its layers in drawing order, its basemap, and the initial viewpoint of its views.
///
/// A reference type that is safe to change from any thread. Views freeze it into a ``ViewState``.
public final class Map: Loadable {
  package struct State: Sendable {
    package var layers: [any Layer] = []
    package var tables: [any FeatureTable] = []
    package var bookmarks: [Bookmark] = []
    package var initialViewpoint: Viewpoint?
    package var initialTimeExtent: TimeExtent?
    package var backgroundColor: Color? = .white
    package var minScale = 0.0
    package var maxScale = 0.0
    package var referenceScale = 0.0
    package var maxExtent: Envelope?
    package var basemap: Basemap?
    /// The spatial reference that was requested; nil to derive it from the layers.
    package var spatialReference: SpatialReference?
    package var warnings: [DocumentWarning] = []
    package var fonts: [FontFile] = []
    /// The document that the map was read from, as the module that reads documents knows it; nil for none.
    package var document: (any Sendable)?
    /// Whether the layers of the document are open; false until the map loads them.
    package var isOpened = true

    package init() {}
  }

  package let state: ModelState<State>
  /// The projections with which the map is drawn: the built-in ones, until a view shows the map.
  package let projections = ModelState(SpatialOperations.builtIn)
  /// The load state of the map.
  ///
  /// A map that is not read from a document has nothing to load itself; a view loads its layers.
  public let loader: Loader
  /// Whether the map reads its document when it loads.
  package let isReadLater: Bool

  /// Creates an empty map with a white background, in the spatial reference of its later content.
  public init() {
    (state, loader, isReadLater) = (ModelState(State()), Loader(), false)
  }

  /// Creates an empty map with a white background, in a spatial reference.
  ///
  /// Layers and basemap are projected to it: vertices are projected, and edges between them are straight there. A
  /// view of the map reports an error when the spatial reference is unknown or needs a library that is not installed.
  public convenience init(spatialReference: SpatialReference) {
    self.init()
    state.update { $0.spatialReference = spatialReference }
  }

  /// Creates a map that reads its document when it is first loaded.
  ///
  /// The layers, tables and bookmarks of the document come before those added earlier. Other properties keep a value
  /// that was already set, except the background colour.
  ///
  /// - Parameter document: The document that will be read, if known.
  package init(document: (any Sendable)? = nil, open: @escaping @Sendable () async throws -> Map) {
    var start = State()
    (start.document, start.isOpened) = (document, document == nil)
    let state = ModelState(start)
    (self.state, isReadLater) = (state, true)
    loader = Loader {
      let read = try await open().state.snapshot
      state.update { $0 = read.under($0) }
      Self.joinParts(of: state)
    }
  }

  /// Creates a map with properties that were read from a document, without its layers and tables, which must be
  /// opened.
  package init(_ start: State) {
    (state, loader, isReadLater) = (ModelState(start), Loader(), false)
    Self.joinParts(of: state)
  }

  /// Counts changes of the layers and the basemap as changes of the map.
  private static func joinParts(of state: ModelState<State>) {
    ModelGate.withLock {
      for layer in state.read({ $0.layers }) { layer.home.held.join(state) }
      state.read { $0.basemap }?.state.join(state)
    }
  }

  /// Creates a map with a basemap.
  public convenience init(basemap: Basemap) {
    self.init()
    self.basemap = basemap
  }

  /// Creates a map with a basemap in a style.
  public convenience init(basemapStyle: Basemap.Style) {
    self.init(basemap: Basemap(style: basemapStyle))
  }

  /// The basemap, drawn below the layers and over the background; nil for none.
  public var basemap: Basemap? {
    get { state.read { $0.basemap } }
    set {
      ModelGate.withLock {
        basemap?.state.leave(state)
        state.update { $0.basemap = newValue }
        newValue?.state.join(state)
      }
    }
  }

  /// The spatial reference that the map is drawn in.
  ///
  /// It is the first of these that exists:
  ///
  /// 1. the spatial reference that the map was created with; a document without one has Web Mercator
  /// 2. Web Mercator, if the basemap has a style
  /// 3. the spatial reference of the lowest base layer that has one
  /// 4. the spatial reference of the first layer that has one
  /// 5. Web Mercator.
  ///
  /// It follows the content of the map, so equal maps are drawn alike. A layer has a spatial reference once it is
  /// loaded.
  ///
  /// - Source: ArcGIS Maps SDK. Design decision: the layer that loads first does not fix it.
  public var spatialReference: SpatialReference {
    ModelGate.withLock {
      let now = state.snapshot
      if let given = now.spatialReference { return given }
      if now.basemap?.style != nil { return .webMercator }
      let layers = (now.basemap?.baseLayers ?? []) + now.layers
      return layers.lazy.compactMap(\.spatialReference).first ?? .webMercator
    }
  }

  /// The viewpoint at which a view starts; nil shows the extent of the layers.
  public var initialViewpoint: Viewpoint? {
    get { state.read { $0.initialViewpoint } }
    set { state.update { $0.initialViewpoint = newValue } }
  }

  /// The time with which a view starts; nil for any time.
  public var initialTimeExtent: TimeExtent? {
    get { state.read { $0.initialTimeExtent } }
    set { state.update { $0.initialTimeExtent = newValue } }
  }

  /// The colour below the basemap and the layers; nil is transparent.
  ///
  /// The water of a basemap style covers it.
  public var backgroundColor: Color? {
    get { state.read { $0.backgroundColor } }
    set { state.update { $0.backgroundColor = newValue } }
  }

  /// The scale denominator of the smallest scale of a view; 0 means no limit.
  public var minScale: Double {
    get { state.read { $0.minScale } }
    set { state.update { $0.minScale = newValue } }
  }

  /// The scale denominator of the largest scale of a view; 0 means no limit.
  ///
  /// It takes precedence when it contradicts ``minScale``.
  public var maxScale: Double {
    get { state.read { $0.maxScale } }
    set { state.update { $0.maxScale = newValue } }
  }

  /// The scale denominator at which symbols and labels have their nominal size; 0 keeps that size at every scale.
  ///
  /// At larger scales they grow, at smaller scales they shrink, so they keep their size on the ground. This applies
  /// to layers with ``FeatureLayer/scalesSymbols``.
  public var referenceScale: Double {
    get { state.read { $0.referenceScale } }
    set { state.update { $0.referenceScale = newValue } }
  }

  /// The envelope that limits the centre of a view; nil for no limit.
  ///
  /// Web map documents cannot store it. An envelope that is empty, or has no position in the map's spatial reference,
  /// limits nothing.
  public var maxExtent: Envelope? {
    get { state.read { $0.maxExtent } }
    set { state.update { $0.maxExtent = newValue } }
  }

  /// The named viewpoints of the map.
  public var bookmarks: [Bookmark] {
    get { state.read { $0.bookmarks } }
    set { state.update { $0.bookmarks = newValue } }
  }
  /// Adds a bookmark.
  public func addBookmark(_ bookmark: Bookmark) { addBookmarks([bookmark]) }
  /// Adds bookmarks.
  public func addBookmarks(_ bookmarks: [Bookmark]) { state.update { $0.bookmarks += bookmarks } }
  /// Removes a bookmark; does nothing when it is not in the list.
  public func removeBookmark(_ bookmark: Bookmark) {
    state.update { $0.bookmarks.removeAll { $0 == bookmark } }
  }

  /// The tables of the map, which are not drawn.
  public var tables: [any FeatureTable] { state.read { $0.tables } }
  /// Adds a table, which is not drawn.
  public func addTable(_ table: any FeatureTable) { addTables([table]) }
  /// Adds tables, which are not drawn.
  public func addTables(_ tables: [any FeatureTable]) { state.update { $0.tables += tables } }
  /// Removes a table; does nothing when it is not in the list.
  public func removeTable(_ table: any FeatureTable) { state.update { $0.tables.removeAll { $0 === table } } }

  /// The fonts of the user for labels and text symbols; at most 32 are used.
  ///
  /// A text is set in the font of its family, if there is one, else in Noto Sans. Characters that this font lacks come
  /// from Noto Sans, then from the other fonts in order. Fonts of the machine are never used. Web map documents cannot
  /// store fonts.
  public var fonts: [FontFile] {
    get { state.read { $0.fonts } }
    set { state.update { $0.fonts = newValue } }
  }

  /// The warnings about parts of the document that are not drawn as written, once the map is loaded.
  public var warnings: [DocumentWarning] {
    state.read { state in state.warnings.filter { !$0.isSolved(by: state.fonts) } }
  }

  /// Performs several changes as one: no view sees only some of them.
  public func update<Failure: Error>(_ changes: () throws(Failure) -> Void) throws(Failure) {
    try ModelGate.withLock(changes)
  }
}

extension Map {
  /// Returns a viewpoint limited by the map: first to its scales, then to its maximum extent.
  package func clamped(_ viewpoint: ResolvedViewpoint, on plane: MapPlane) -> ResolvedViewpoint {
    viewpoint.clamped(minScale: minScale, maxScale: maxScale).centered(in: maxExtent, on: plane)
  }

  /// Sets the spatial reference that the map is drawn in.
  package func draw(in reference: SpatialReference) { state.update { $0.spatialReference = reference } }

  /// Adds warnings to ``warnings``.
  package func add(_ warnings: [DocumentWarning]) { state.update { $0.warnings += warnings } }

  /// The number of changes of the map, its layers and its basemap; equal numbers mean the same image.
  package var changes: UInt64 { state.changes }

  /// Notifies an observer of every change of the map, its layers and its basemap; once at the start.
  package func add(_ observer: any ModelObserver) { state.add(observer) }
  /// Notifies an observer no more.
  package func remove(_ observer: any ModelObserver) { state.remove(observer) }

  /// The current background, the basemap's style and the states of its layers, and the states of the feature layers
  /// and of the layers of tiles.
  package var frozen:
    (
      background: Color?, basemap: (parts: BasemapParts, base: [LayerState], reference: [LayerState])?,
      layers: [LayerState], tiles: [TileLayerState]
    )
  {
    ModelGate.withLock {
      var tiles: [TileLayerState] = []
      func frozen(_ layers: [any Layer], _ section: TileLayerState.Section) -> [LayerState] {
        let forms = layers.flatMap(\.frozenForms)
        tiles += forms.tiles(in: section)
        return forms.features.map { $0.projected(with: projections.snapshot) }
      }
      let below = basemap.map {
        ($0.parts, frozen($0.baseLayers, .base), frozen($0.referenceLayers, .reference))
      }
      let layers = frozen(operationalLayers, .operational)
      return (backgroundColor, below, layers, tiles)
    }
  }
}
