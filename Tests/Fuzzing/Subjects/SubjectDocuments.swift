import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapScript
import MapSnapshots
import MapState
import MapSystem

/// Documents, symbols, cases and steps: any JSON is opened, queried, drawn and written, or is refused.
enum SubjectDocuments {
  static func webMap(_ bytes: [UInt8], folder: String) async -> Bool {
    guard let json = try? JSONValue(parsing: bytes) else { return false }
    writeData("a.geojson", in: folder)
    writeData("a.kml", kml, in: folder)
    return await draw(json, folder: folder)
  }

  /// A symbol, a renderer or a list of label classes, drawn for features of each kind of geometry.
  static func symbols(_ bytes: [UInt8], folder: String) async -> Bool {
    guard let json = try? JSONValue(parsing: bytes) else { return false }
    var drawing: JSONObject = [:]
    if json.array != nil {
      drawing["labelingInfo"] = json
    } else if json["type"]?.string?.hasPrefix("esri") ?? false {
      drawing["renderer"] = ["type": "simple", "symbol": json]
    } else {
      drawing["renderer"] = json
    }
    let features: [JSONValue] = [
      ["x": -10, "y": 5], ["points": [[1, 2], [3, 4]]],
      ["paths": [[[-20, -5], [0, 5], [20, -5], [22, 8]]]],
      [
        "rings": [
          [[-15, -8], [-15, 8], [15, 8], [15, -8], [-15, -8]], [[-5, -2], [5, -2], [0, 3], [-5, -2]],
        ]
      ],
    ]
    let kinds = ["Point", "Multipoint", "Polyline", "Polygon"]
    let symbols: [JSONValue] = [
      ["type": "esriSMS", "size": 4], ["type": "esriSMS", "size": 4], ["type": "esriSLS", "width": 1],
      ["type": "esriSFS", "color": [1, 2, 3, 255]],
    ]
    let layers: [JSONValue] = kinds.indices.map { index in
      let (kind, geometry) = (kinds[index], features[index])
      var drawing = drawing
      if drawing["renderer"] == nil { drawing["renderer"] = ["type": "simple", "symbol": symbols[index]] }
      return [
        "id": .string(kind), "title": .string(kind), "showLabels": true,
        "featureCollection": [
          "layers": [
            [
              "layerDefinition": [
                "geometryType": .string("esriGeometry\(kind)"), "drawingInfo": .object(drawing),
                "fields": [
                  ["name": "id", "type": "esriFieldTypeOID"], ["name": "n", "type": "esriFieldTypeDouble"],
                  ["name": "t", "type": "esriFieldTypeString"],
                ],
              ],
              "featureSet": [
                "geometryType": .string("esriGeometry\(kind)"),
                "features": [
                  ["attributes": ["id": 1, "n": 2.5, "t": "a"], "geometry": geometry],
                  ["attributes": ["id": 2, "n": 1e-25, "t": "b c"], "geometry": geometry],
                  ["attributes": ["id": 3, "n": .null, "t": .null], "geometry": geometry],
                ],
                "spatialReference": ["wkid": 4326],
              ],
            ]
          ]
        ],
      ]
    }
    let document: JSONValue = [
      "operationalLayers": .array(layers),
      "initialState": [
        "viewpoint": [
          "targetGeometry": [
            "xmin": -25, "ymin": -10, "xmax": 25, "ymax": 10, "spatialReference": ["wkid": 4326],
          ]
        ]
      ],
    ]
    return await draw(document, folder: folder)
  }

  private static func draw(_ json: JSONValue, folder: String) async -> Bool {
    let catalog = SourceCatalog(services: SubjectServices.unreachable)
    var choice = LayerChoice()
    choice.skipsUnavailable = true
    guard
      let document = try? await MapDocument.open(
        json: json, name: "fuzz", folder: folder, catalog: catalog, choice: choice)
    else { return false }
    _ = try? await Inspection(document).json.text()
    // The written document is read again.
    if let written = try? JSONValue(parsing: document.map.toJSON()) {
      _ = try? await MapDocument.open(json: written, name: "written", folder: folder, catalog: catalog)
    }
    var options = ViewRequest()
    options.size = ViewSize(width: 96, height: 64)
    guard let view = try? await document.view(options) else { return false }
    let state = view.freeze()
    var counting = CountOptions()
    counting.funnel = true
    _ = try? await state.counts(counting)
    return (try? await state.render()) != nil
  }

  /// A case beside a reference, so that a drawn case is compared.
  static func snapshot(_ bytes: [UInt8], folder: String) async -> Bool {
    guard let json = try? JSONValue(parsing: bytes), !isLarge(json) else { return false }
    if !FileAccess.exists("\(folder)/reference.png") {
      do {
        let map: JSONValue = ["operationalLayers": [], "background": ["color": [200, 100, 50, 255]]]
        let known: JSONValue = ["map": map, "size": [48, 32], "blank": true]
        try await SnapshotCase(known, folder: folder, name: "known").record()
      } catch { fatalError("\(error)") }
    }
    guard let read = try? SnapshotCase(json, folder: folder, name: "fuzz") else { return false }
    if case .error = await read.verify().outcome { return false }
    return true
  }

  /// One step per line, at most forty.
  static func steps(_ bytes: [UInt8], folder: String) async -> Bool {
    writeData("data.geojson", in: folder)
    var answered = false
    var session = MapSession(folder: folder, catalog: SourceCatalog(services: SubjectServices.unreachable))
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(40) {
      guard var step = (try? JSONValue(parsing: String(line)))?.object, !isLarge(.object(step)) else {
        _ = await session.answer(toLine: String(line))
        continue
      }
      keepInside(folder, &step)
      let answer = await session.answer(to: .object(step))
      answered = answered || answer.failure == nil
      precondition((try? JSONValue(parsing: answer.json.text())) != nil)
    }
    return answered
  }

  /// Changes the paths of a step so that it reads and writes only files in the folder.
  static func keepInside(_ folder: String, _ step: inout JSONObject) {
    if let output = step["output"]?.string, output.lowercased().hasSuffix(".png") {
      step["output"] = .string("\(folder)/image.png")
    }
    for name in ["source", "image"] {
      if let path = step[name]?.string, path.contains("/") || path.hasPrefix(".") {
        step[name] = "data.geojson"
      }
    }
  }

  static func writeData(_ name: String, _ text: String = data, in folder: String) {
    guard !FileAccess.exists("\(folder)/\(name)") else { return }
    do { try FileAccess.write(Array(text.utf8), to: "\(folder)/\(name)") } catch { fatalError("\(error)") }
  }

  /// Placemarks of each kind, with a style, names, and a hidden folder.
  private static let kml = """
    <kml><Document><Style id="s"><IconStyle><color>ff0000ff</color></IconStyle><LabelStyle><scale>2</scale></LabelStyle></Style>
    <Placemark><name>a</name><styleUrl>#s</styleUrl><Point><coordinates>1,2</coordinates></Point></Placemark>
    <Folder><name>f</name><Placemark><name>b</name><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>
    <Placemark><visibility>0</visibility><Point><coordinates>5,5</coordinates></Point></Placemark></Folder>
    <Folder><visibility>0</visibility><Placemark><Point><coordinates>9,9</coordinates></Point></Placemark></Folder>
    </Document></kml>
    """

  static let data = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"a":1,"t":"x","d":"2024-02-29"},"geometry":{"type":"Point","coordinates":[1,2]}},
    {"type":"Feature","properties":{"a":2.5,"t":"y","d":null},"geometry":{"type":"Point","coordinates":[10,60]}},
    {"type":"Feature","properties":{"a":null,"t":null,"d":null},"geometry":null}]}
    """

  /// Whether the requested image is large, which may take long.
  static func isLarge(_ json: JSONValue) -> Bool {
    let ratio = json["pixelRatio"]?.double ?? 1
    let (width, height) = (json["size"]?[0]?.double ?? 800, json["size"]?[1]?.double ?? 600)
    return width * height * max(1, ratio * ratio) > 1e6
  }
}
