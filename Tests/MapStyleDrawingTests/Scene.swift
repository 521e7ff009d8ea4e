import MapDrawing
import MapFeatures
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapReaders
import MapStyleDrawing
import MapStyles
import MapTiles
import Testing

/// Features of a made-up tile whose units are `scale` pixels.
struct Scene {
  /// The features: kind, parts in units of the tile, and properties.
  var features: [(kind: GeometryKind, parts: [[(Double, Double)]], properties: [String: StyleValue])] = []
  var extent = 100.0
  var scale = 1.0
  var bearing = 0.0
  var zoom = 14.0
  var pixelRatio = 1.0
  var images = StyleImages()
  /// The largest number of vertices of dashes; nil for the painter's own.
  var dashLimit: Int?

  /// The tile with all features in a layer `things`.
  var tile: StyledTile {
    let names = Set(features.flatMap(\.properties.keys)).sorted()
    let columns = names.map { name in
      (
        name: name, codes: features.indices.map { features[$0].properties[name] == nil ? -1 : Int32($0) },
        values: features.map { $0.properties[name] ?? .null }
      )
    }
    let kinds = features.map { feature -> StyleGeometryKind in
      switch feature.kind {
      case .polygon: .polygon
      case .polyline: .line
      case .point, .multipoint: .point
      }
    }
    let geometries = [GeometryKind.polygon, .polyline, .multipoint].filter { kind in
      features.contains { $0.kind == kind }
    }.map { kind in
      var buffer = CoordinateBuffer(kind: kind)
      for feature in features {
        for part in feature.kind == kind ? feature.parts : [] {
          for (x, y) in part { buffer.appendVertex(x: x, y: y) }
          buffer.endPart()
        }
        buffer.endRow()
      }
      return buffer
    }
    let pixels = geometries.map { buffer in
      var buffer = buffer
      buffer.moveVertices { x, y in
        for index in x.indices {
          x[index] *= scale
          y[index] *= scale
        }
      }
      return buffer
    }
    return StyledTile(
      index: StyleTile(zoom: 14, x: 0, y: 0), corner: (0, 0),
      region: PixelRegion(columns: 0..<100, rows: 0..<100),
      unitsPerPixel: 4096 / (extent * scale), bearing: bearing,
      layers: [
        "things": StyledTileLayer(
          features: StyleFeatures(kinds: kinds, coded: columns), geometries: geometries, extent: extent,
          pixels: pixels, ids: features.indices.map { Int32($0) })
      ])
  }

  /// Returns the drawing of a layer with a type, paint and layout.
  func drawing(
    _ type: String, paint: JSONObject = [:], layout: JSONObject = [:], members: JSONObject = [:]
  ) throws -> StyleLayerDrawing {
    var layer: JSONObject = ["id": "a", "type": .string(type)]
    if type != "background" {
      layer["source"] = "s"
      layer["source-layer"] = "things"
    }
    layer["paint"] = .object(paint)
    layer["layout"] = .object(layout)
    for member in members.members { layer[member.name] = member.value }
    let style = try StyleDocument([
      "version": 8, "sources": ["s": ["type": "vector", "url": "x"]], "layers": [.object(layer)],
    ])
    // Gradients are for GeoJSON, whose tiles have no sides.
    let problems = style.problems.filter { !$0.path.hasSuffix("['line-gradient']") }
    #expect(problems.allSatisfy { $0.kind == .undrawn }, "\(problems)")
    var painter = StylePainter(
      context: StyleContext(zoom: zoom), pixelRatio: pixelRatio, width: 100, height: 100, images: images)
    if let dashLimit { painter.dashLimit = dashLimit }
    return painter.drawing(of: try #require(style.layers.first), tiles: [tile])
  }

  mutating func add(
    _ kind: GeometryKind, _ parts: [[(Double, Double)]], _ properties: [String: StyleValue] = [:]
  ) { features.append((kind, parts, properties)) }
}

extension StyleLayerDrawing {
  /// The paths of all batches.
  var paths: [PathBatch] { batches.compactMap { if case .paths(let paths) = $0 { paths } else { nil } } }
  /// The markers of all batches.
  var markers: [MarkerBatch] {
    batches.compactMap { if case .markers(let markers) = $0 { markers } else { nil } }
  }
}

extension CoordinateBuffer {
  /// The vertices of each part of a row as text, such as `10 10, 20 10`.
  func texts(row: Int) -> [String] {
    parts(ofRow: row).map { part in
      vertices(ofPart: part).map { "\(Self.text(x[$0])) \(Self.text(y[$0]))" }.joined(separator: ", ")
    }
  }

  private static func text(_ number: Double) -> String {
    let rounded = (number * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}
