import MapJSON
import MapScript

/// Documents for tests of `lint`: ten without a fault, and each with one fault.
///
/// The number of a document chooses its geometry type, number of classes, field types, scales, groups, and whether a
/// default symbol is present.
struct LintedDocument {
  let number: Int
  let fault: LintRule?

  static let count = 10
  private var classCount: Int { 3 + number % 4 }
  private var hasGroup: Bool { number % 2 == 1 }
  private var hasDefault: Bool { number % 3 == 2 }
  private var kind: String { ["Point", "Polyline", "Polygon"][number % 3] }
  /// The class that has the fault, which is neither the first nor always the last.
  private var faulty: Int { 1 + number % (classCount - 1) }

  var json: JSONValue {
    let layers: [JSONValue] = [values, breaks]
    let outer: JSONValue = [
      "layerType": "GroupLayer", "title": .string("Group \(number)"), "minScale": 5_000_000, "maxScale": 0,
      "layers": .array(layers),
    ]
    return [
      "operationalLayers": hasGroup ? [outer] : .array(layers),
      "background": ["color": [255, 255, 255, 255]], "spatialReference": ["wkid": 3857],
    ]
  }

  // MARK: Layers

  private var values: JSONValue {
    var infos: [JSONValue] = (0..<classCount).map { index in
      ["value": .string("kind \(index)"), "label": .string("Kind \(index)"), "symbol": symbol(color(index))]
    }
    switch fault {
    case .duplicateValue: infos[faulty] = Self.with(infos[faulty], "value", "kind 0")
    case .valueWithoutClass: infos.remove(at: faulty)
    case .classWithoutRows:
      infos.append(["value": "nothing", "label": "Nothing", "symbol": symbol([0, 0, 0, 255])])
    case .classVisibility:
      infos[faulty] = Self.with(infos[faulty], "symbol", symbol([254, 254, 252, 255]))
    case .colorConfusion:
      infos[0] = Self.with(infos[0], "symbol", symbol(confused[0]))
      infos[faulty] = Self.with(infos[faulty], "symbol", symbol(confused[1]))
    default: break
    }
    var renderer: JSONObject = ["type": "uniqueValue", "field1": "kind", "uniqueValueInfos": .array(infos)]
    // A default symbol without a label does not say what its rows are.
    if hasDefault { renderer["defaultSymbol"] = symbol([255, 128, 0, 255]) }
    return layer("values", .object(renderer), labels: false)
  }

  private var breaks: JSONValue {
    var infos: [JSONValue] = (0..<classCount).map { index in
      [
        "classMinValue": .number(index * 10), "classMaxValue": .number(index * 10 + 10),
        "label": .string("\(index * 10) to \(index * 10 + 10)"), "symbol": symbol(color(index)),
      ]
    }
    switch fault {
    case .classGap:
      infos[faulty] = Self.with(infos[faulty], "classMinValue", .number(faulty * 10 + 1 + number % 5))
    case .classOverlap:
      infos[faulty] = Self.with(infos[faulty], "classMinValue", .number(faulty * 10 - 1 - number % 5))
    case .unreachableClass:
      // Empty, with exchanged bounds, or behind a class that contains it.
      let bounds =
        [(faulty * 10, faulty * 10), (faulty * 10, faulty * 10 - 2), (faulty * 10 - 8, faulty * 10 - 4)][
          number % 3]
      infos.append([
        "classMinValue": .number(bounds.0), "classMaxValue": .number(bounds.1), "label": "Extra",
        "symbol": symbol([0, 0, 0, 255]),
      ])
    default: break
    }
    let renderer: JSONValue = [
      "type": "classBreaks", "field": "size", "minValue": 0, "classBreakInfos": .array(infos),
    ]
    return layer("breaks", renderer, labels: true)
  }

  private func layer(_ id: String, _ renderer: JSONValue, labels: Bool) -> JSONValue {
    var drawing: JSONObject = ["renderer": renderer]
    if labels { drawing["labelingInfo"] = [labelClass] }
    var definition: JSONObject = [
      "geometryType": .string("esriGeometry\(kind)"), "spatialReference": ["wkid": 3857],
      "minScale": 4_000_000, "maxScale": .number(1000 * (number + 1)),
      "fields": [
        ["name": "id", "type": "esriFieldTypeOID"], ["name": "kind", "type": "esriFieldTypeString"],
        ["name": "size", "type": number % 2 == 0 ? "esriFieldTypeInteger" : "esriFieldTypeDouble"],
      ],
      "drawingInfo": .object(drawing),
    ]
    if labels, fault == .scaleRange {
      // Above the group's range, or with exchanged bounds.
      (definition["minScale"], definition["maxScale"]) =
        hasGroup ? (0, .number(6_000_000 + number)) : (.number(1000 + number), 50_000)
    }
    return [
      "id": .string(id), "title": .string(id), "showLabels": .boolean(labels),
      "featureCollection": [
        "layers": [["layerDefinition": .object(definition), "featureSet": ["features": .array(features)]]]
      ],
    ]
  }

  private var labelClass: JSONValue {
    var labels: JSONObject = [
      "name": .string("Names \(number)"), "labelExpressionInfo": ["expression": "$feature.kind"],
      "where": "size > 0", "minScale": 3_000_000,
    ]
    var symbol: JSONObject = [
      "type": "esriTS", "color": [20, 20, 20, 255], "haloColor": [255, 255, 255, 230], "haloSize": 1,
      "font": ["size": 9],
    ]
    if fault == .textContrast {
      // Too near to the halo, or without a halo too near to the background or area.
      symbol["color"] = .array(
        ([[150, 150, 150, 255], [255, 220, 0, 255], [255, 255, 255, 90]][number % 3]).map { .number($0) })
    }
    if fault == .labelNeverPlaced {
      switch number % 3 {
      case 0: labels["where"] = "size < 0"
      case 1: labels["maxScale"] = .number(4_000_001)
      default: (labels["minScale"], labels["maxScale"]) = (2000, 3000)
      }
      if number % 3 == 1 { labels["minScale"] = 0 }
    }
    labels["symbol"] = .object(symbol)
    return .object(labels)
  }

  // MARK: Parts

  /// Greys and blues, each much lighter than the one before.
  private func color(_ index: Int) -> [Int] {
    let step = 215 / (classCount - 1) * index
    return [10 + step, 10 + step, min(255, 40 + step), 255]
  }

  /// Colours that readers with protanopia, deuteranopia or tritanopia confuse.
  private var confused: [[Int]] {
    [
      [[192, 0, 0, 255], [96, 96, 0, 255]], [[228, 26, 28, 255], [77, 175, 74, 255]],
      [[0, 160, 160, 255], [160, 160, 160, 255]],
    ][number % 3]
  }

  private func symbol(_ channels: [Int]) -> JSONValue {
    let color = JSONValue.array(channels.map { .number($0) })
    switch kind {
    case "Point": return ["type": "esriSMS", "style": "esriSMSCircle", "size": 6, "color": color]
    case "Polyline": return ["type": "esriSLS", "style": "esriSLSSolid", "width": 2, "color": color]
    default: return ["type": "esriSFS", "style": "esriSFSSolid", "color": color]
    }
  }

  /// Two rows for each class.
  private var features: [JSONValue] {
    (0..<classCount * 2).map { row in
      let (x, y) = (Double(row) * 100 + Double(number), Double(number) * 50)
      let geometry: JSONValue
      switch kind {
      case "Point": geometry = ["x": .number(x), "y": .number(y)]
      case "Polyline":
        geometry = ["paths": [[[.number(x), .number(y)], [.number(x + 50), .number(y + 20)]]]]
      default:
        geometry = [
          "rings": [
            [
              [.number(x), .number(y)], [.number(x), .number(y + 40)], [.number(x + 40), .number(y + 40)],
              [.number(x), .number(y)],
            ]
          ]
        ]
      }
      let size = row / 2 * 10 + (row % 2 == 0 ? 3 : 10)
      return [
        "attributes": [
          "id": .number(row + 1), "kind": .string("kind \(row / 2)"), "size": .number(size),
        ],
        "geometry": geometry,
      ]
    }
  }

  private static func with(_ json: JSONValue, _ name: String, _ value: JSONValue) -> JSONValue {
    var object = json.object ?? JSONObject()
    object[name] = value
    return .object(object)
  }
}
