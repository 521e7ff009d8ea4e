/// An object with popups: a ``FeatureLayer`` for its features, a ``GraphicsOverlay`` for its graphics.
public protocol PopupSource: AnyObject, Sendable {
  /// The contents of the popups; nil for none.
  var popupDefinition: PopupDefinition? { get set }
  /// Whether popups are shown; true unless set or read otherwise.
  var isPopupEnabled: Bool { get set }
}

extension PopupSource {
  /// Returns the popups of elements, in order; empty without a definition or when popups are disabled.
  package func popups(of elements: [any GeoElement]) -> [Popup] {
    guard isPopupEnabled, let definition = popupDefinition else { return [] }
    return elements.map { Popup(geoElement: $0, definition: definition) }
  }

  /// Whether the elements have popups.
  package var hasPopups: Bool { isPopupEnabled && popupDefinition != nil }
}

extension FeatureLayer: PopupSource {
  /// The contents of popups for the features; nil for none.
  public var popupDefinition: PopupDefinition? {
    get { state.read { $0.layer.popupDefinition } }
    set { state.update { $0.layer.popupDefinition = newValue } }
  }
  /// Whether popups are shown; true unless set otherwise here or in the document.
  public var isPopupEnabled: Bool {
    get { state.read { $0.layer.isPopupEnabled } }
    set { state.update { $0.layer.isPopupEnabled = newValue } }
  }
}

extension GraphicsOverlay: PopupSource {
  /// The contents of popups for the graphics; nil for none.
  public var popupDefinition: PopupDefinition? {
    get { state.read { $0.popupDefinition } }
    set { state.update { $0.popupDefinition = newValue } }
  }
  /// Whether popups are shown; true unless set otherwise.
  public var isPopupEnabled: Bool {
    get { state.read { $0.isPopupEnabled } }
    set { state.update { $0.isPopupEnabled = newValue } }
  }
}
