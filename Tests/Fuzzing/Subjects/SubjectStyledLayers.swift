import MapScript
import MapState
import MapSystem

/// Styled Layer Descriptors, drawn for features of each kind of geometry.
enum SubjectStyledLayers {
  private static let geometries = [
    #"{"type": "Point", "coordinates": [1, 2]}"#,
    #"{"type": "LineString", "coordinates": [[-20, -5], [0, 5], [20, -5], [22, 8]]}"#,
    #"{"type": "Polygon", "coordinates": [[[-15, -8], [15, -8], [15, 8], [-15, 8], [-15, -8]]]}"#,
  ]

  static func style(_ bytes: [UInt8], folder: String) async -> Bool {
    let path = "\(folder)/fuzz.sld"
    try? FileAccess.write(bytes, to: path)
    var read = false
    for geometry in geometries {
      let features = [#"{"n": 2.5, "t": "a"}"#, #"{"n": 1e-25, "t": "b c"}"#, #"{"n": null, "t": null}"#].map
      {
        #"{"type": "Feature", "properties": \#($0), "geometry": \#(geometry)}"#
      }
      let data = #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
      let source = "\(folder)/styled.geojson"
      try? FileAccess.write(Array(data.utf8), to: source)
      var style = StyleRequest()
      style.style = RequestedStyle(path: path)
      guard let document = try? await MapDocument.open(source).styled(style) else { continue }
      var options = ViewRequest()
      options.size = ViewSize(width: 96, height: 64)
      guard let state = try? await document.view(options).freeze() else { continue }
      _ = try? await state.counts(CountOptions())
      if (try? await state.render()) != nil { read = true }
    }
    return read
  }
}
