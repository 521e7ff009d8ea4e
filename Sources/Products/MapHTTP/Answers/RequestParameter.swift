import MapJSON
import MapScript
import MapState

/// A parameter of a path: its name, the form of its value and its description in the OpenAPI document.
struct RequestParameter: Sendable {
  /// The form of a value.
  enum Form: Sendable {
    /// A text.
    case text
    /// A text; the parameter may be repeated.
    case texts
    /// A text, or several if the parameter is repeated.
    case textOrTexts
    case number
    case integer
    case boolean
    /// Text from a fixed list.
    case choice([String])
    /// Text from a fixed list, or true for the usual one and false for none.
    case choiceOrFlag([String])
    /// A text, or true for the usual one and false for none.
    case textOrFlag
    /// An object in JSON.
    case object
    /// A text, or an object in JSON.
    case textOrObject
    /// A text or an object in JSON, or several if the parameter is repeated.
    case textsOrObjects
  }

  let name: String
  let form: Form
  let description: String
  /// Whether the path refuses to answer without it.
  let isRequired: Bool

  init(_ name: String, _ form: Form, _ description: String, isRequired: Bool = false) {
    (self.name, self.form, self.description, self.isRequired) = (name, form, description, isRequired)
  }

  /// Whether the parameter has several values if it is repeated, and one alone otherwise.
  private var mayRepeat: Bool {
    switch form {
    case .textOrTexts, .textsOrObjects: true
    default: false
    }
  }

  /// Returns the value in JSON, which the decoders of requests read.
  ///
  /// - Throws: ``HTTPFault`` with the name of the parameter.
  private func json(_ text: String) throws(HTTPFault) -> JSONValue {
    switch form {
    case .text, .texts, .textOrTexts: return .string(text)
    case .choiceOrFlag where ["true", "false"].contains(text),
      .textOrFlag where ["true", "false"].contains(text):
      return .boolean(text == "true")
    case .textOrFlag: return .string(text)
    case .choice(let known), .choiceOrFlag(let known):
      guard known.contains(text) else {
        let nearest = NearestName.of(text, among: known)
        throw HTTPFault(
          400, "\(name): \"\(text)\" is not one of \(known.joined(separator: ", "))", suggestion: nearest)
      }
      return .string(text)
    case .number:
      guard let number = DecimalNumbers.read(text, counts: 1...1)?.first else {
        throw HTTPFault(400, "\(name): \"\(text)\" is not a decimal number")
      }
      return .number(number)
    case .integer:
      guard let number = Int(text) else { throw HTTPFault(400, "\(name): \"\(text)\" is not a whole number") }
      return .number(number)
    case .boolean:
      guard ["true", "false"].contains(text) else {
        throw HTTPFault(400, "\(name): \"\(text)\" is not true or false")
      }
      return .boolean(text == "true")
    case .textOrObject where !text.hasPrefix("{"), .textsOrObjects where !text.hasPrefix("{"):
      return .string(text)
    case .object, .textOrObject, .textsOrObjects:
      guard let value = try? JSONValue(parsing: Array(text.utf8)), value.object != nil else {
        throw HTTPFault(400, "\(name): expected an object in JSON")
      }
      return value
    }
  }

  /// The names that other servers have for parameters, in lower case.
  private static let otherNames: [String: [String]] = [
    "bbox": ["bounds"], "extent": ["bounds"], "width": ["size"], "height": ["size"], "crs": ["reference"],
    "srs": ["reference"], "where": ["definition", "filter"], "filter": ["where", "definition"],
    "cql": ["cql2"], "layers": ["only", "layer"], "limit": ["maxFeatures", "resultRecordCount"],
    "maxfeatures": ["limit"], "f": ["format"], "datetime": ["time"], "properties": ["outFields"],
    "colormap_name": ["ramp"], "colormap": ["ramp"], "scale": ["pixelRatio"], "dpr": ["pixelRatio"],
    "transparent": ["background"], "basemaps": ["basemap"],
  ]

  /// Returns the parameters of a query as an object.
  ///
  /// - Throws: ``HTTPFault`` for an unknown name, with the nearest one, for a repeated name, and for a malformed value.
  static func decode(
    _ query: [HTTPRequest.Parameter], _ known: [RequestParameter]
  ) throws(HTTPFault) -> JSONObject {
    var object = JSONObject()
    for item in query {
      guard let parameter = known.first(where: { $0.name == item.name }) else {
        let names = known.map(\.name)
        let nearest =
          otherNames[item.name.lowercased()]?.first { names.contains($0) }
          ?? NearestName.of(item.name, among: names)
        throw HTTPFault(
          400,
          "unknown parameter \"\(item.name)\"; \(nearest.map { "did you mean \"\($0)\"? " } ?? "")"
            + "available: \(names.isEmpty ? "none" : names.sorted().joined(separator: ", "))",
          suggestion: nearest)
      }
      let value = try parameter.json(item.value)
      if case .texts = parameter.form {
        object[item.name] = .array((object[item.name]?.array ?? []) + [value])
      } else if parameter.mayRepeat, let before = object[item.name] {
        object[item.name] = .array((before.array ?? [before]) + [value])
      } else {
        guard object[item.name] == nil else { throw HTTPFault(400, "\(item.name): is given twice") }
        object[item.name] = value
      }
    }
    return object
  }

  /// The schema in the OpenAPI document.
  ///
  /// - Parameter allowsEmpty: whether an empty value is the same as none, as for the paths of ArcGIS REST.
  func schema(allowsEmpty: Bool) -> JSONValue {
    switch form {
    case .text, .textOrFlag, .textOrObject: ["type": "string"]
    case .object: ["type": "string", "contentMediaType": "application/json"]
    case .texts, .textOrTexts, .textsOrObjects: ["type": "array", "items": ["type": "string"]]
    case .number: ["type": "number"]
    case .integer: ["type": "integer"]
    case .boolean: ["type": "boolean"]
    case .choiceOrFlag(let known):
      ["type": "string", "enum": .array((known + ["true", "false"]).map { .string($0) })]
    case .choice(let known):
      ["type": "string", "enum": .array((known + (allowsEmpty ? [""] : [])).map { .string($0) })]
    }
  }
}
