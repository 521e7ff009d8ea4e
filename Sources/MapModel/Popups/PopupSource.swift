/// What has popups: a ``FeatureLayer`` over its features, a ``GraphicsOverlay`` over its graphics.
public protocol PopupSource: AnyObject, Sendable {
  /// What the popups say; nil for none.
  var popupDefinition: PopupDefinition? { get set }
  /// False shows none on purpose; true unless it is set or read.
  var isPopupEnabled: Bool { get set }
}

struct PopupSettings: Sendable {
  var definition: PopupDefinition?
  var areEnabled = true
}

extension PopupSource {
  /// The popups of elements, in their order; none where there is no definition, or where they are off.
  package func popups(of elements: [any GeoElement]) -> [Popup] {
    guard isPopupEnabled, let definition = popupDefinition else { return [] }
    return elements.map { Popup(geoElement: $0, definition: definition) }
  }

  /// True when elements have popups.
  package var hasPopups: Bool { isPopupEnabled && popupDefinition != nil }
}

extension FeatureLayer: PopupSource {
  /// What popups over its features say; nil for none.
  public var popupDefinition: PopupDefinition? {
    get { state.snapshot.popups.definition }
    set { state.update { $0.popups.definition = newValue } }
  }
  /// False shows no popups on purpose; true unless it is set or its document says so.
  public var isPopupEnabled: Bool {
    get { state.snapshot.popups.areEnabled }
    set { state.update { $0.popups.areEnabled = newValue } }
  }
}

extension GraphicsOverlay: PopupSource {
  /// What popups over its graphics say; nil for none.
  public var popupDefinition: PopupDefinition? {
    get { state.snapshot.popups.definition }
    set { state.update { $0.popups.definition = newValue } }
  }
  /// False shows no popups on purpose; true unless it is set.
  public var isPopupEnabled: Bool {
    get { state.snapshot.popups.areEnabled }
    set { state.update { $0.popups.areEnabled = newValue } }
  }
}
