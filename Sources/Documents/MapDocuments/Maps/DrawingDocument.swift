import MapGeometry
package import MapJSON
import MapModel

/// A document that describes the drawing of layers without being a web map.
///
/// It is a layer resource, a layer definition, a `drawingInfo`, a renderer, item data with `layers`, or an object of
/// any of them by name.
///
/// - Source: design decision. ArcGIS REST API for the resources.
package enum DrawingDocument {
  /// The largest number of drawings in one document.
  private static let largestCount = 1000

  /// Returns the web map that shows a drawing document; nil for other JSON.
  ///
  /// - Parameter data: the path or address that gives features to layers that bring none; nil leaves them empty.
  package static func webMap(_ json: JSONValue, data: String?) -> JSONValue? {
    let layers = entries(json, name: "drawing", depth: 0).prefix(largestCount)
    guard !layers.isEmpty else { return nil }
    return ["operationalLayers": .array(layers.enumerated().map { layer($1, index: $0, data: data) })]
  }

  /// A layer to be made.
  private struct Entry {
    var title: String
    /// A layer definition.
    var definition: JSONObject
    /// The members of the layer itself, such as its features.
    var own: JSONObject = [:]
  }

  private static func entries(_ json: JSONValue, name: String, depth: Int) -> [Entry] {
    guard depth <= 2, let object = json.object else { return [] }
    let title =
      [object["title"], object["name"]].lazy.compactMap { $0?.string }.first { !$0.isEmpty } ?? name
    if isRenderer(json) { return [Entry(title: name, definition: ["drawingInfo": ["renderer": json]])] }
    if object["renderer"].map(isRenderer) ?? false {
      return [Entry(title: name, definition: ["drawingInfo": json])]
    }
    if object["layerDefinition"]?.object != nil || object["featureSet"]?.object != nil {
      var definition = object["layerDefinition"]?.object ?? [:]
      var own = JSONObject()
      for member in object.members where member.name != "layerDefinition" { own[member.name] = member.value }
      if let drawing = object["drawingInfo"], definition["drawingInfo"] == nil {
        definition["drawingInfo"] = drawing
      }
      return [Entry(title: definition["name"]?.string ?? title, definition: definition, own: own)]
    }
    if object["drawingInfo"]?.object != nil
      || object["geometryType"]?.string != nil && object["fields"]?.array != nil && object["features"] == nil
    {
      return [Entry(title: title, definition: object)]
    }
    if let layers = object["layers"]?.array {
      return layers.prefix(largestCount).enumerated().flatMap { index, layer in
        entries(layer, name: "layer \(index)", depth: depth + 1)
      }
    }
    guard depth == 0 else { return [] }
    return object.members.prefix(largestCount).flatMap { member in
      isRenderer(member.value) || member.value["renderer"].map(isRenderer) ?? false
        || member.value["drawingInfo"]?.object != nil
        ? entries(member.value, name: member.name, depth: depth + 1) : []
    }
  }

  private static func isRenderer(_ json: JSONValue) -> Bool {
    guard let type = json["type"]?.string else { return false }
    return DocumentObject.renderers[type] != nil
  }

  private static func layer(_ entry: Entry, index: Int, data: String?) -> JSONValue {
    var definition = entry.definition
    var layer: JSONObject = ["id": .string("layer_\(index)"), "title": .string(entry.title)]
    for name in ["popupInfo", "visibility", "opacity", "showLabels"] {
      if let value = entry.own[name] { layer[name] = value }
    }
    if layer["showLabels"] == nil {
      layer["showLabels"] = .boolean(definition["drawingInfo"]?["showLabels"]?.boolean ?? true)
    }
    let hasLabels = definition["drawingInfo"]?["labelingInfo"]?.array?.isEmpty == false
    if !hasLabels { layer["showLabels"] = false }
    if let features = entry.own["featureSet"] {
      if definition["geometryType"] == nil, let kind = features["geometryType"] {
        definition["geometryType"] = kind
      }
      layer["featureCollection"] = [
        "layers": [["layerDefinition": .object(definition), "featureSet": features]]
      ]
    } else if let url = data ?? entry.own["url"]?.string {
      (layer["layerType"], layer["url"]) = ("ArcGISFeatureLayer", .string(url))
      layer["layerDefinition"] = .object(definition)
    } else {
      if definition["geometryType"] == nil { definition["geometryType"] = .string(geometryType(definition)) }
      layer["featureCollection"] = [
        "layers": [["layerDefinition": .object(definition), "featureSet": ["features": []]]]
      ]
    }
    return .object(layer)
  }

  /// Returns the geometry type that suits the first symbol of a definition.
  private static func geometryType(_ definition: JSONObject) -> String {
    var rest = [definition["drawingInfo"]?["renderer"] ?? .null]
    var count = 0
    while let next = rest.popLast(), count < 1000 {
      count += 1
      switch next["type"]?.string {
      case "esriSLS", "CIMLineSymbol": return "esriGeometryPolyline"
      case "esriSFS", "esriPFS", "CIMPolygonSymbol": return "esriGeometryPolygon"
      case "esriSMS", "esriPMS", "esriTS", "CIMPointSymbol": return "esriGeometryPoint"
      default:
        for name in ["defaultSymbol", "symbol"] { if let inner = next[name] { rest.append(inner) } }
        for name in ["uniqueValueInfos", "classBreakInfos"] {
          if let inner = next[name]?.array?.first { rest.append(inner) }
        }
      }
    }
    return "esriGeometryPoint"
  }
}
