import MapFeatures
public import MapGeometry

/// Graphics over the layers of a map, kept by a view and not by the map.
///
/// An object with identity that may change from any thread.
public final class GraphicsOverlay: Sendable {
  package struct State: Sendable {
    package var graphics: [Graphic]
    package var renderer: RendererForm?
    package var isVisible = true
    package var opacity = 1.0
    package var minScale = 0.0
    package var maxScale = 0.0
    package var scalesSymbols = false
    var popups = PopupSettings()
  }

  package let state: ModelState<State>

  /// An overlay of graphics.
  public init(graphics: [Graphic] = []) {
    state = ModelState(State(graphics: graphics))
    for graphic in graphics { graphic.owner.update { $0.overlay = self } }
  }

  /// The graphics, first at the bottom.
  public var graphics: [Graphic] { state.snapshot.graphics }
  /// Puts a graphic on top.
  public func addGraphic(_ graphic: Graphic) { addGraphics([graphic]) }
  /// Puts graphics on top, the last uppermost.
  public func addGraphics(_ graphics: [Graphic]) {
    ModelGate.withLock {
      state.update { $0.graphics += graphics }
      for graphic in graphics { graphic.owner.update { $0.overlay = self } }
    }
  }
  /// Takes a graphic out; one that is not there changes nothing.
  public func removeGraphic(_ graphic: Graphic) { state.update { $0.graphics.removeAll { $0 === graphic } } }
  /// Takes all graphics out.
  public func removeAllGraphics() { state.update { $0.graphics = [] } }
  /// Which symbol a graphic without one of its own gets; nil draws it not at all.
  public var renderer: (any Renderer)? {
    get { state.snapshot.renderer?.renderer }
    set { state.update { $0.renderer = newValue?.form } }
  }
  /// False hides the graphics.
  public var isVisible: Bool {
    get { state.snapshot.isVisible }
    set { state.update { $0.isVisible = newValue } }
  }
  /// 0 is clear, 1 opaque, for the overlay as a whole.
  public var opacity: Double {
    get { state.snapshot.opacity }
    set { state.update { $0.opacity = newValue } }
  }
  /// The smallest map scale, as the N of 1:N, at which it is drawn, itself included; 0 is open.
  public var minScale: Double {
    get { state.snapshot.minScale }
    set { state.update { $0.minScale = newValue } }
  }
  /// The largest map scale, as the N of 1:N, at which it is drawn, itself included; 0 is open.
  public var maxScale: Double {
    get { state.snapshot.maxScale }
    set { state.update { $0.maxScale = newValue } }
  }
  /// True lets symbols grow and shrink with the view where the map has a ``Map/referenceScale``; false unless set.
  ///
  /// - Source: ArcGIS Maps SDK; ours: the default.
  public var scalesSymbols: Bool {
    get { state.snapshot.scalesSymbols }
    set { state.update { $0.scalesSymbols = newValue } }
  }
  /// The selected graphics, in their order.
  public var selectedGraphics: [Graphic] { graphics.filter(\.isSelected) }
  /// Selects no graphic any more.
  public func clearSelection() {
    ModelGate.withLock { for graphic in graphics { graphic.isSelected = false } }
  }
  /// The envelope of the graphics, in the reference of the first that has one; nil when none has a place.
  public var extent: Envelope? { graphics.compactMap(\.geometry?.extent).combined }

  /// How often the overlay or one of its graphics was changed.
  package var changes: UInt64 { state.changes }
}

/// A geometry with a symbol of its own.
///
/// An object with identity that may change from any thread.
public final class Graphic: GeoElement {
  package struct State: Sendable {
    package var geometry: GeometryForm?
    package var symbol: SymbolForm?
    package var attributes: [String: any Sendable]
    package var isVisible = true
    package var isSelected = false
  }

  struct Owner: Sendable {
    weak var overlay: GraphicsOverlay?
  }

  package let state: ModelState<State>
  let owner = ModelState(Owner())

  /// A graphic; without a symbol the overlay's renderer gives one.
  public init(
    geometry: (any Geometry)? = nil, attributes: [String: any Sendable] = [:], symbol: (any Symbol)? = nil
  ) {
    state = ModelState(
      State(geometry: geometry?.form, symbol: symbol?.form, attributes: attributes))
  }

  private func change(_ body: (inout State) -> Void) {
    ModelGate.withLock {
      state.update(body)
      // So that nobody has to ask each graphic whether it changed.
      owner.snapshot.overlay?.state.update { _ in }
    }
  }

  /// The place; nil for none.
  public var geometry: (any Geometry)? {
    get { state.snapshot.geometry?.geometry }
    set { change { $0.geometry = newValue?.form } }
  }
  /// The symbol; nil leaves it to the overlay's renderer.
  public var symbol: (any Symbol)? {
    get { state.snapshot.symbol?.symbol }
    set { change { $0.symbol = newValue?.form } }
  }
  /// The attributes that a renderer reads.
  public var attributes: [String: any Sendable] { state.snapshot.attributes }
  /// Changes an attribute; nil is null.
  public func setAttributeValue(_ value: (any Sendable)?, forKey key: String) {
    change { $0.attributes[key] = value }
  }
  /// False hides it.
  public var isVisible: Bool {
    get { state.snapshot.isVisible }
    set { change { $0.isVisible = newValue } }
  }
  /// True draws it in the view's selection colour.
  public var isSelected: Bool {
    get { state.snapshot.isSelected }
    set { change { $0.isSelected = newValue } }
  }
}

extension SymbolForm {
  /// The symbol as the protocol's value.
  public var symbol: any Symbol {
    switch self {
    case .marker(let marker): marker
    case .picture(let picture): picture
    case .text(let text): text
    case .line(let line): line
    case .fill(let fill): fill
    case .composite(let composite): composite
    }
  }
}

extension RendererForm {
  /// The renderer as the protocol's value.
  public var renderer: any Renderer {
    switch self {
    case .simple(let renderer): renderer
    case .uniqueValue(let renderer): renderer
    case .classBreaks(let renderer): renderer
    }
  }
}
