import MapFeatures
public import MapGeometry

/// Graphics over the layers of a map, which belong to a view and not to the map.
///
/// A reference type that is safe to change from any thread.
public final class GraphicsOverlay: Sendable {
  package struct State: Sendable {
    package var graphics: [Graphic]
    package var renderer: RendererForm?
    package var isVisible = true
    package var opacity = 1.0
    package var minScale = 0.0
    package var maxScale = 0.0
    package var scalesSymbols = false
    var popupDefinition: PopupDefinition?
    var isPopupEnabled = true
  }

  /// The view that shows an overlay.
  package struct Home: Sendable {
    package weak var view: (any MapHolder)?
  }

  package let state: ModelState<State>
  package let home = ModelState(Home())

  /// Creates an overlay with graphics.
  public init(graphics: [Graphic] = []) {
    state = ModelState(State(graphics: graphics))
    for graphic in graphics { graphic.state.join(state) }
  }

  /// The graphics, starting at the bottom.
  public var graphics: [Graphic] { state.read { $0.graphics } }
  /// Adds a graphic on top.
  public func addGraphic(_ graphic: Graphic) { addGraphics([graphic]) }
  /// Adds graphics on top, the last one uppermost.
  public func addGraphics(_ graphics: [Graphic]) {
    ModelGate.withLock {
      state.update { $0.graphics += graphics }
      for graphic in graphics { graphic.state.join(state) }
    }
  }
  /// Removes a graphic; does nothing when it is not in the overlay.
  public func removeGraphic(_ graphic: Graphic) {
    ModelGate.withLock {
      state.update { $0.graphics.removeAll { $0 === graphic } }
      graphic.state.leave(state)
    }
  }
  /// Removes all graphics.
  public func removeAllGraphics() {
    ModelGate.withLock {
      for graphic in graphics { graphic.state.leave(state) }
      state.update { $0.graphics = [] }
    }
  }
  /// The renderer for graphics without a symbol of their own; nil if these are not drawn.
  public var renderer: (any Renderer)? {
    get { state.read { $0.renderer?.renderer } }
    set { state.update { $0.renderer = newValue?.form } }
  }
  /// Whether the graphics are drawn.
  public var isVisible: Bool {
    get { state.read { $0.isVisible } }
    set { state.update { $0.isVisible = newValue } }
  }
  /// The opacity of the overlay as a whole, from 0 (transparent) to 1 (opaque).
  public var opacity: Double {
    get { state.read { $0.opacity } }
    set { state.update { $0.opacity = newValue } }
  }
  /// The scale denominator of the smallest scale at which the overlay is drawn, inclusive; 0 means no limit.
  public var minScale: Double {
    get { state.read { $0.minScale } }
    set { state.update { $0.minScale = newValue } }
  }
  /// The scale denominator of the largest scale at which the overlay is drawn, inclusive; 0 means no limit.
  public var maxScale: Double {
    get { state.read { $0.maxScale } }
    set { state.update { $0.maxScale = newValue } }
  }
  /// Whether symbols keep their size on the ground when the map has a ``Map/referenceScale``; default false.
  ///
  /// - Source: ArcGIS Maps SDK. The default is a design decision.
  public var scalesSymbols: Bool {
    get { state.read { $0.scalesSymbols } }
    set { state.update { $0.scalesSymbols = newValue } }
  }
  /// The selected graphics, in the order of ``graphics``.
  public var selectedGraphics: [Graphic] { graphics.filter(\.isSelected) }
  /// Clears the selection.
  public func clearSelection() {
    ModelGate.withLock { for graphic in graphics { graphic.isSelected = false } }
  }
  /// The envelope of the graphics; nil for no geometry.
  ///
  /// Graphics in several spatial references have an envelope in that of the view's map; without a view, in that of the
  /// first graphic.
  public var extent: Envelope? {
    graphics.compactMap(\.geometry?.extent).combined(on: home.read { $0.view }?.map.mapProjection)
  }

  /// The number of changes of the overlay and its graphics.
  package var changes: UInt64 { state.changes }
}

/// An object that shows a map.
package protocol MapHolder: AnyObject, Sendable {
  /// The map.
  var map: Map { get }
}

/// A geometry with attributes and an optional symbol of its own.
///
/// A reference type that is safe to change from any thread.
public final class Graphic: GeoElement {
  package struct State: Sendable {
    package var geometry: GeometryForm?
    package var symbol: SymbolForm?
    package var attributes: [String: any Sendable]
    package var isVisible = true
    package var isSelected = false
  }

  package let state: ModelState<State>

  /// Creates a graphic; without a symbol the overlay's renderer provides one.
  public init(
    geometry: (any Geometry)? = nil, attributes: [String: any Sendable] = [:], symbol: (any Symbol)? = nil
  ) {
    state = ModelState(
      State(geometry: geometry?.form, symbol: symbol?.form, attributes: attributes))
  }

  /// The geometry; nil for none.
  public var geometry: (any Geometry)? {
    get { state.read { $0.geometry?.geometry } }
    set { state.update { $0.geometry = newValue?.form } }
  }
  /// The symbol; nil uses the overlay's renderer.
  public var symbol: (any Symbol)? {
    get { state.read { $0.symbol?.symbol } }
    set { state.update { $0.symbol = newValue?.form } }
  }
  /// The attributes that a renderer reads.
  public var attributes: [String: any Sendable] { state.read { $0.attributes } }
  /// Sets an attribute; nil sets null.
  public func setAttributeValue(_ value: (any Sendable)?, forKey key: String) {
    state.update { $0.attributes[key] = value }
  }
  /// Whether the graphic is drawn.
  public var isVisible: Bool {
    get { state.read { $0.isVisible } }
    set { state.update { $0.isVisible = newValue } }
  }
  /// Whether the graphic is drawn in the view's selection colour.
  public var isSelected: Bool {
    get { state.read { $0.isSelected } }
    set { state.update { $0.isSelected = newValue } }
  }
}
