package import MapJSON

/// The JSON Schema of web maps, made from the members of ``DocumentObject``.
///
/// A document that it accepts is read without an error about the kind of a value. Unknown members and unknown words are
/// accepted, because they are warnings; those of display filters are errors.
///
/// - Source: JSON Schema, draft 2020-12.
package enum DocumentSchema {
  /// The schema.
  package static var json: JSONValue {
    var definitions = JSONObject()
    for object in DocumentObject.allCases { definitions[object.rawValue] = definition(of: object) }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Web map of MapState",
      "description": "The members of Esri web maps, and what MapState does with each.",
      "type": "object", "$ref": reference(to: .map), "$defs": .object(definitions),
    ]
  }

  private static func reference(to object: DocumentObject) -> JSONValue {
    .string("#/$defs/\(object.rawValue)")
  }

  private static func definition(of object: DocumentObject) -> JSONValue {
    switch object {
    case .layer: return layer
    case .renderer: return choice(of: "type", DocumentObject.renderers)
    case .visualVariable: return choice(of: "type", DocumentObject.visualVariables)
    case .symbol: return choice(of: "type", DocumentObject.symbols)
    default: break
    }
    var properties = JSONObject()
    for member in object.members { properties[member.name] = schema(of: member, isStrict: object.isStrict) }
    var definition: JSONObject = ["properties": .object(properties)]
    if object.isStrict { definition["additionalProperties"] = false }
    return .object(definition)
  }

  /// The type of a layer, or its features, decide about its members.
  private static var layer: JSONValue {
    func isOf(_ types: [String]) -> JSONValue {
      let words: JSONValue = ["enum": .array(types.map { .string($0) })]
      return [
        "anyOf": [
          ["properties": ["layerType": words], "required": ["layerType"]],
          ["properties": ["type": words], "required": ["type"], "not": ["required": ["layerType"]]],
        ]
      ]
    }
    let (ogc, subtypes) = (DocumentObject.ogcFeatureLayers, DocumentObject.subtypeGroups)
    let (kml, subtypeTables) = (DocumentObject.kmlLayers, DocumentObject.subtypeTables)
    let features = DocumentObject.featureLayers.sorted()
    let types = (features + ["GroupLayer", subtypes, kml, subtypeTables, "ArcGISMapServiceLayer"]).map {
      JSONValue.string($0)
    }
    let wfs = DocumentObject.wfsLayers
    let plain = features.filter { $0 != ogc && $0 != wfs }
    return [
      "properties": ["layerType": ["anyOf": [["enum": .array(types)], ["type": ["string", "null"]]]]],
      "if": isOf(["GroupLayer"]), "then": ["$ref": reference(to: .groupLayer)],
      "else": [
        "if": isOf([ogc]), "then": ["$ref": reference(to: .ogcFeatureLayer)],
        "else": [
          "if": isOf([wfs]), "then": ["$ref": reference(to: .wfsLayer)],
          "else": [
            "if": isOf([subtypes]), "then": ["$ref": reference(to: .subtypeGroupLayer)],
            "else": [
              "if": ["anyOf": [["required": ["featureCollection"]], isOf(plain)]],
              "then": ["$ref": reference(to: .featureLayer)],
              "else": [
                "if": isOf(["ArcGISMapServiceLayer"]), "then": ["$ref": reference(to: .mapServiceLayer)],
                "else": [
                  "if": isOf([kml]), "then": ["$ref": reference(to: .kmlLayer)],
                  "else": [
                    "if": isOf([subtypeTables]), "then": ["$ref": reference(to: .subtypeGroupTable)],
                    "else": ["$ref": reference(to: .otherLayer)],
                  ],
                ],
              ],
            ],
          ],
        ],
      ],
    ]
  }

  /// An object whose members depend on a word; those of other words are not checked.
  private static func choice(of name: String, _ variants: [String: DocumentObject]) -> JSONValue {
    let words = variants.keys.sorted()
    let known: JSONValue = ["enum": .array(words.map { .string($0) })]
    return [
      "properties": .object([name: ["anyOf": [known, ["type": ["string", "null"]]]]]),
      "allOf": .array(
        words.compactMap { word in
          variants[word].map { variant in
            [
              "if": [
                "properties": .object([name: ["const": .string(word)]]), "required": [.string(name)],
              ],
              "then": ["$ref": reference(to: variant)],
            ]
          }
        }),
    ]
  }

  private static func schema(of member: DocumentMember, isStrict: Bool) -> JSONValue {
    var schema: JSONObject = ["description": .string(text(about: member.treatment))]
    let shape =
      member.treatment.isRead ? read(member.shape, isStrict: isStrict) : ignored(member.shape)
    for item in shape.members { schema[item.name] = item.value }
    return .object(schema)
  }

  private static func text(about treatment: DocumentMember.Treatment) -> String {
    switch treatment {
    case .read: "Read."
    case .partly(let reason, _): "Read; some values are not drawn as written: \(reason)."
    case .aside: "Read; it has no effect on the image."
    case .noEffect: "It has no effect on the image."
    case .notDrawn(let reason, _): "Not drawn, with a warning: \(reason)."
    }
  }

  /// The schema of a value whose wrong kind is an error.
  private static func read(_ shape: DocumentShape, isStrict: Bool) -> JSONObject {
    let number = "-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?"
    switch shape {
    case .boolean: return ["type": ["boolean", "null"]]
    // A number may be written as text.
    case .number: return ["type": ["number", "string", "null"], "pattern": .string("^\(number)$")]
    case .coordinate: return ["type": ["number", "string", "null"], "pattern": .string("^(NaN|\(number))$")]
    case .text: return ["type": ["string", "null"]]
    case .label, .value: return ["type": ["string", "number", "boolean", "null"]]
    case .word(let words):
      let known = words.map { JSONValue.string($0) }
      guard !isStrict else { return ["enum": .array(known + [.null])] }
      return ["anyOf": [["enum": .array(known)], ["type": ["string", "null"]]]]
    case .object: return ["type": ["object", "null"]]
    case .array: return ["type": ["array", "null"]]
    case .members(let object): return ["type": ["object", "null"], "$ref": reference(to: object)]
    case .list(.members(let object)):
      return ["type": ["array", "null"], "items": ["type": "object", "$ref": reference(to: object)]]
    case .list(let shape):
      return ["type": ["array", "null"], "items": .object(read(shape, isStrict: isStrict))]
    case .either(let first, let second):
      return [
        "anyOf": .array([first, second].map { .object(read($0, isStrict: isStrict)) })
      ]
    case .anything: return [:]
    }
  }

  /// The schema of a value whose wrong kind is at most a warning: it helps to write the value.
  private static func ignored(_ shape: DocumentShape) -> JSONObject {
    switch shape {
    case .word(let words): return ["anyOf": [["enum": .array(words.map { .string($0) })], [:]]]
    case .members(let object): return ["$ref": reference(to: object)]
    case .list(let shape):
      let items = ignored(shape)
      return items.members.isEmpty ? [:] : ["items": .object(items)]
    case .either(let first, let second):
      let schemas = [first, second].map(ignored)
      return schemas.allSatisfy(\.members.isEmpty)
        ? [:] : ["anyOf": .array((schemas + [[:]]).map { .object($0) })]
    case .boolean, .number, .coordinate, .text, .label, .value, .object, .array, .anything: return [:]
    }
  }
}
