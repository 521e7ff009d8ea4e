package import MapJSON

/// The contents of the popups of a layer.
///
/// It contains the whole `popupInfo` of a web map: members without a property here stay as written.
///
/// - Source: Esri web map specification, `popupInfo`. The names are those of the ArcGIS Maps SDK.
public struct PopupDefinition: Hashable, Sendable {
  package private(set) var json: JSONObject

  /// Creates an empty definition.
  public init() { json = JSONObject() }

  package init(_ json: JSONObject) { self.json = json }

  /// The title, with field names in braces: `{NAME}`.
  public var title: String {
    get { json["title"]?.string ?? "" }
    set { json["title"] = .string(newValue) }
  }

  /// The text, with field names in braces; may be HTML.
  public var description: String {
    get { json["description"]?.string ?? "" }
    set { json["description"] = .string(newValue) }
  }

  /// The fields, in display order.
  public var fields: [PopupField] {
    get { json["fieldInfos"]?.array?.compactMap { $0.object.map { PopupField($0) } } ?? [] }
    set { json["fieldInfos"] = .array(newValue.map { .object($0.json) }) }
  }
}

/// The display of a field in a popup.
///
/// - Source: Esri web map specification, `fieldInfo`.
public struct PopupField: Hashable, Sendable {
  private(set) var json: JSONObject

  /// Creates a visible field, labelled with its name.
  public init(fieldName: String) { json = ["fieldName": .string(fieldName), "visible": true] }

  init(_ json: JSONObject) { self.json = json }

  /// The name of the field, or of an expression or related record of the document, such as `expression/expr0`.
  public var fieldName: String { json["fieldName"]?.string ?? "" }

  /// The display name; by default the name of the field.
  public var label: String {
    get { json["label"]?.string ?? fieldName }
    set { json["label"] = .string(newValue) }
  }

  /// Whether the field is listed.
  ///
  /// - Source: the default, false, is a design decision.
  public var isVisible: Bool {
    get { json["visible"]?.boolean ?? false }
    set { json["visible"] = .boolean(newValue) }
  }
}
