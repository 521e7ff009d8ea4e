public import MapFeatures
public import MapGeometry

/// A map: its layers in drawing order, what lies under them, and where a view of it starts.
///
/// An object with identity that may change from any thread; views freeze it into a ``ViewState``.
public final class Map: Loadable {
  struct State: Sendable {
    var layers: [any Layer] = []
    var tables: [any FeatureTable] = []
    var bookmarks: [Bookmark] = []
    var initialViewpoint: Viewpoint?
    var initialTimeExtent: TimeExtent?
    var backgroundColor: Color? = .white
    var minScale = 0.0
    var maxScale = 0.0
    var referenceScale = 0.0
    var maxExtent: Envelope?
    var basemap: Basemap?
    /// The reference that was asked for; nil where the layers decide.
    var spatialReference: SpatialReference?
    var warnings: [DocumentWarning] = []
    /// What it was read from.
    var document: WebMap?
    /// False for a document whose layers are read when the map loads.
    var isOpened = true
  }

  let state: ModelState<State>
  /// Where loading stands; a map that was not read from somewhere has nothing to load but its layers, which a view
  /// loads.
  public let loader: Loader
  /// True for a map that is read when it loads.
  package let isReadLater: Bool

  /// An empty map on white, in the reference of what will be in it.
  public init() {
    (state, loader, isReadLater) = (ModelState(State()), Loader(), false)
  }

  /// An empty map on white in a reference.
  ///
  /// Layers and basemap are brought to it: their vertices are projected, and edges between them are straight there. A
  /// view of a map in a reference that is not known, or needs a library that is not there, is an error.
  public convenience init(spatialReference: SpatialReference) {
    self.init()
    state.update { $0.spatialReference = spatialReference }
  }

  /// A map that is read when it is first asked to load: its layers, tables and bookmarks below those added before, all
  /// else as it says where nothing was set.
  ///
  /// - Parameter document: what it will be read from, where that is known.
  package init(document: WebMap? = nil, open: @escaping @Sendable () async throws -> Map) {
    var start = State()
    (start.document, start.isOpened) = (document, document == nil)
    let state = ModelState(start)
    (self.state, isReadLater) = (state, true)
    loader = Loader {
      let read = try await open().state.snapshot
      state.update { $0 = read.under($0) }
    }
  }

  /// A map of a document, without its layers and tables, which have to be opened.
  package init(document: WebMap) {
    (state, loader, isReadLater) = (ModelState(State(of: document)), Loader(), false)
  }

  /// A map over a basemap.
  public convenience init(basemap: Basemap) {
    self.init()
    self.basemap = basemap
  }

  /// A map over a basemap in a style.
  public convenience init(basemapStyle: Basemap.Style) {
    self.init(basemap: Basemap(style: basemapStyle))
  }

  /// What lies below the layers, over the background; nil is nothing.
  public var basemap: Basemap? {
    get { state.snapshot.basemap }
    set { state.update { $0.basemap = newValue } }
  }

  /// The reference that the map is drawn in: the one that it was made in, else that of the basemap's style, which is
  /// Web Mercator, or of its lowest layer that has one, else of the first layer that has one, else Web Mercator; that of a
  /// document too unless it says another.
  ///
  /// It follows what is in the map, so that equal maps are drawn alike; a layer has one when it is loaded.
  ///
  /// - Source: ArcGIS Maps SDK; ours: it is not fixed by what was loaded first.
  public var spatialReference: SpatialReference {
    ModelGate.withLock {
      let now = state.snapshot
      if let given = now.spatialReference { return given }
      if now.basemap?.style != nil { return .webMercator }
      let layers = (now.basemap?.baseLayers ?? []) + now.layers
      return layers.lazy.compactMap(\.spatialReference).first ?? .webMercator
    }
  }

  /// Where a view starts; nil shows the extent of the layers.
  public var initialViewpoint: Viewpoint? {
    get { state.snapshot.initialViewpoint }
    set { state.update { $0.initialViewpoint = newValue } }
  }

  /// The time that a view starts with; nil is any.
  public var initialTimeExtent: TimeExtent? {
    get { state.snapshot.initialTimeExtent }
    set { state.update { $0.initialTimeExtent = newValue } }
  }

  /// What lies under everything, so also under a basemap, whose water covers it; nil is transparent.
  public var backgroundColor: Color? {
    get { state.snapshot.backgroundColor }
    set { state.update { $0.backgroundColor = newValue } }
  }

  /// The smallest scale of a view, as the N of 1:N; 0 is open.
  public var minScale: Double {
    get { state.snapshot.minScale }
    set { state.update { $0.minScale = newValue } }
  }

  /// The largest scale of a view, as the N of 1:N; 0 is open.
  ///
  /// Where it contradicts ``minScale`` it holds.
  public var maxScale: Double {
    get { state.snapshot.maxScale }
    set { state.update { $0.maxScale = newValue } }
  }

  /// The scale at which symbols and labels have the size that they say, as the N of 1:N; 0 keeps their size at every
  /// scale.
  ///
  /// Nearer they grow, farther they shrink, so that they keep their size on the ground: those of layers with
  /// ``FeatureLayer/scalesSymbols``.
  public var referenceScale: Double {
    get { state.snapshot.referenceScale }
    set { state.update { $0.referenceScale = newValue } }
  }

  /// Where the centre of a view may lie; nil is everywhere.
  ///
  /// Web map documents have no place for it. One that is empty, or has no place in the map's reference, limits nothing.
  public var maxExtent: Envelope? {
    get { state.snapshot.maxExtent }
    set { state.update { $0.maxExtent = newValue } }
  }

  /// Places to come back to, by name.
  public var bookmarks: [Bookmark] {
    get { state.snapshot.bookmarks }
    set { state.update { $0.bookmarks = newValue } }
  }
  /// Adds a place to come back to.
  public func addBookmark(_ bookmark: Bookmark) { addBookmarks([bookmark]) }
  /// Adds places to come back to.
  public func addBookmarks(_ bookmarks: [Bookmark]) { state.update { $0.bookmarks += bookmarks } }
  /// Takes a place out of the list; one that is not in it changes nothing.
  public func removeBookmark(_ bookmark: Bookmark) {
    state.update { $0.bookmarks.removeAll { $0 == bookmark } }
  }

  /// Tables that belong to the map and are not drawn.
  public var tables: [any FeatureTable] { state.snapshot.tables }
  /// Adds a table that is not drawn.
  public func addTable(_ table: any FeatureTable) { addTables([table]) }
  /// Adds tables that are not drawn.
  public func addTables(_ tables: [any FeatureTable]) { state.update { $0.tables += tables } }
  /// Takes a table out; one that is not there changes nothing.
  public func removeTable(_ table: any FeatureTable) { state.update { $0.tables.removeAll { $0 === table } } }

  /// What of its document is not drawn as written, once it is loaded.
  public var warnings: [DocumentWarning] { state.snapshot.warnings }

  /// Makes several changes one: no view sees some of them without the others.
  public func update<Failure: Error>(_ changes: () throws(Failure) -> Void) throws(Failure) {
    try ModelGate.withLock(changes)
  }
}

extension Map {
  /// A place within the limits of the map: its scales first, then its extent.
  package func clamped(_ viewpoint: ResolvedViewpoint, on plane: MapPlane) -> ResolvedViewpoint {
    viewpoint.clamped(minScale: minScale, maxScale: maxScale).centered(in: maxExtent, on: plane)
  }

  /// Goes over to a reference.
  package func draw(in reference: SpatialReference) { state.update { $0.spatialReference = reference } }

  /// Adds to what ``warnings`` tells.
  package func add(_ warnings: [DocumentWarning]) { state.update { $0.warnings += warnings } }

  /// The changes of the map and of each layer so far: equal lists stand for the same picture.
  package var changes: [UInt64] {
    ModelGate.withLock {
      [state.changes] + operationalLayers.flatMap(\.allChanges) + (basemap?.allChanges ?? [])
    }
  }

  /// The map as it is now: what lies under, and its layers of features.
  package var frozen: (background: Color?, basemap: Basemap?, layers: [LayerState]) {
    ModelGate.withLock { (backgroundColor, basemap, operationalLayers.flatMap(\.frozenLayers)) }
  }
}
