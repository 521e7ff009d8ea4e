import MapJSON
public import MapState

/// A self-check before each run: unchanged images must pass, and planted changes must be found and named.
public enum SnapshotSelfCheck {
  /// Draws a small map, plants changes one by one, and checks that each is found and named.
  ///
  /// - Throws: `MapStateError` of kind expectation if a check fails.
  public static func run() async throws(MapStateError) {
    let reference = try await SnapshotReference(drawn())
    let same = try await snapshot().judge(drawn(), against: reference)
    guard same.outcome.isPass else { throw failure("an unchanged image does not pass: \(same.headline)") }
    let slight = try await snapshot(map(red: 201)).judge(drawn(map(red: 201)), against: reference)
    guard slight.outcome.word == "style-differs" else {
      throw failure("a colour changed by 1 of 255 was not detected: \(slight.headline)")
    }
    for (what, changed) in [
      ("a colour changed by 3 of 255", map(red: 203)), ("a feature moved by half a pixel", map(x: 10.5)),
      ("a feature dropped", map(hasSecond: false)),
    ] {
      let result = try await snapshot(changed).judge(drawn(changed), against: reference)
      guard result.outcome.isFailure, result.changes.first?.layer == "planted",
        result.changes.first?.className == "first", result.changes.first?.features.isEmpty == false
      else { throw failure("\(what) was not detected and named: \(result.headline)") }
    }
  }

  private static func failure(_ text: String) -> MapStateError {
    MapStateError(.expectation, "self-check: \(text); results of this run are not reliable")
  }

  private static func snapshot(_ map: JSONValue = map()) throws(MapStateError) -> SnapshotCase {
    try SnapshotCase(
      [
        "map": map, "size": [40, 20],
        "viewpoint": [
          "bounds": [
            "xmin": 0, "ymin": 0, "xmax": 40, "ymax": 20, "spatialReference": ["wkid": 3857],
          ]
        ],
      ],
      folder: ".", name: "self-check")
  }

  private static func drawn(_ map: JSONValue = map()) async throws(MapStateError) -> DrawnSnapshot {
    try await snapshot(map).draw()
  }

  /// Returns a web map of one layer with one class and up to two square markers.
  private static func map(red: Int = 200, x: Double = 10, hasSecond: Bool = true) -> JSONValue {
    func feature(_ x: Double) -> JSONValue {
      ["attributes": ["kind": "a"], "geometry": ["x": .number(x), "y": 10]]
    }
    let renderer: JSONValue = [
      "type": "uniqueValue", "field1": "kind",
      "uniqueValueInfos": [
        [
          "value": "a", "label": "first",
          "symbol": [
            "type": "esriSMS", "style": "esriSMSSquare", "color": [.number(red), 60, 40], "size": 7.5,
          ],
        ]
      ],
    ]
    let layer: JSONValue = [
      "layerDefinition": [
        "geometryType": "esriGeometryPoint", "spatialReference": ["wkid": 3857],
        "fields": [["name": "kind", "type": "esriFieldTypeString"]], "drawingInfo": ["renderer": renderer],
      ],
      "featureSet": ["features": .array([feature(x)] + (hasSecond ? [feature(30)] : []))],
    ]
    return [
      "operationalLayers": [["id": "planted", "title": "planted", "featureCollection": ["layers": [layer]]]]
    ]
  }
}
