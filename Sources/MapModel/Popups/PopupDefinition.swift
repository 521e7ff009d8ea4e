import MapJSON

/// What popups over the features of a layer say.
///
/// It holds the whole `popupInfo` of a web map: what has no name here stays as it was written.
/// - Source: Esri web map specification, `popupInfo`; the names are the ArcGIS Maps SDK's.
public struct PopupDefinition: Hashable, Sendable {
  private(set) var json: JSONObject

  /// Popups that say nothing.
  public init() { json = JSONObject() }

  init(_ json: JSONObject) { self.json = json }

  /// The title, with names of fields in braces: `{NAME}`.
  public var title: String {
    get { json["title"]?.string ?? "" }
    set { json["title"] = .string(newValue) }
  }

  /// The text, with names of fields in braces; may be HTML.
  public var description: String {
    get { json["description"]?.string ?? "" }
    set { json["description"] = .string(newValue) }
  }

  /// The fields, in the order in which they are listed.
  public var fields: [PopupField] {
    get { json["fieldInfos"]?.array?.compactMap { $0.object.map { PopupField($0) } } ?? [] }
    set { json["fieldInfos"] = .array(newValue.map { .object($0.json) }) }
  }
}

/// How a popup shows a field.
///
/// - Source: Esri web map specification, `fieldInfo`.
public struct PopupField: Hashable, Sendable {
  private(set) var json: JSONObject

  /// A field that is shown by its name.
  public init(fieldName: String) { json = ["fieldName": .string(fieldName), "visible": true] }

  init(_ json: JSONObject) { self.json = json }

  /// The name of the field, or of what a document works out, such as `expression/expr0`.
  public var fieldName: String { json["fieldName"]?.string ?? "" }

  /// The name for people; the name of the field where the document gives none.
  public var label: String {
    get { json["label"]?.string ?? fieldName }
    set { json["label"] = .string(newValue) }
  }

  /// True lists the field.
  ///
  /// - Source: ours where a document does not say: false.
  public var isVisible: Bool {
    get { json["visible"]?.boolean ?? false }
    set { json["visible"] = .boolean(newValue) }
  }
}
