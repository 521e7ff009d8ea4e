import MapDrawing
import MapGeometry
import MapJSON
import MapStyleDrawing
import MapStyles
import Testing

/// Extreme values of properties: drawings end in time, without a fault and within limits.
@Suite struct HostileSymbolTests {
  private static let extremes: [JSONValue] = [0, 1e-300, 1e300, -1e300]
  private static let layoutNames = [
    "symbol-spacing", "text-size", "text-max-width", "text-line-height", "text-letter-spacing",
    "text-max-angle",
    "text-rotate", "text-padding", "text-radial-offset", "symbol-sort-key", "icon-size", "icon-rotate",
    "icon-padding",
  ]
  private static let pairNames = ["text-offset", "icon-offset"]
  private static let paintNames = [
    "text-halo-width", "text-halo-blur", "text-opacity", "icon-opacity", "icon-halo-width", "icon-halo-blur",
  ]
  private static let paintPairNames = ["text-translate", "icon-translate"]

  private static func scene() throws -> SymbolScene {
    var scene = SymbolScene()
    scene.images = try SymbolScene.images(["dot"])
    scene.addRandom(points: 30, lines: 10, seed: 7)
    return scene
  }

  /// Draws with a property for points and for lines; a value may be refused.
  private func draw(
    _ scene: SymbolScene, _ tiles: [StyledTile], _ name: String, _ value: JSONValue, isPaint: Bool
  ) throws {
    // An expression is not checked when the style is read.
    let computed: JSONValue =
      if case .array = value { ["literal", value] } else {
        ["+", value, ["*", 0, ["length", ["get", "name"]]]]
      }
    for placement in ["point", "line", "line-center"] {
      for value in [value, computed] {
        var layout: JSONObject = [
          "symbol-placement": .string(placement), "text-allow-overlap": true, "icon-allow-overlap": true,
          "icon-image": "dot",
        ]
        var paint: JSONObject = ["text-halo-color": "#fff", "text-halo-width": 1]
        if isPaint { paint[name] = value } else { layout[name] = value }
        guard let drawing = try? scene.drawing(layout, paint: paint, tiles: tiles) else { continue }
        for text in drawing.texts {
          #expect(!text.box.isEmpty, "\(name) \(value)")
        }
        let isFinite = drawing.markers.allSatisfy { $0.x.allSatisfy(\.isFinite) }
        #expect(isFinite, "\(name) \(value)")
      }
    }
  }

  @Test("Numbers of any size", arguments: layoutNames + paintNames)
  func numbers(name: String) throws {
    let scene = try Self.scene()
    let tiles = scene.tiles
    for value in Self.extremes {
      try draw(scene, tiles, name, value, isPaint: Self.paintNames.contains(name))
    }
  }

  @Test("Pairs of numbers of any size", arguments: pairNames + paintPairNames)
  func pairs(name: String) throws {
    let scene = try Self.scene()
    let tiles = scene.tiles
    for value in Self.extremes {
      try draw(scene, tiles, name, [value, value], isPaint: Self.paintPairNames.contains(name))
    }
  }

  @Test("Views of any zoom and direction")
  func views() throws {
    for (zoom, bearing, ratio) in [(14.0, 1e9, 1.0), (14.999_999, -720, 4), (14.5, 1e-300, 0.25)] {
      var scene = try Self.scene()
      (scene.zoom, scene.bearing, scene.pixelRatio) = (zoom, bearing, ratio)
      for placement in ["point", "line"] {
        _ = try scene.drawing([
          "symbol-placement": .string(placement), "text-rotation-alignment": "map", "icon-image": "dot",
        ])
      }
    }
  }
}
