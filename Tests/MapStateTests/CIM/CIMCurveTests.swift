import Foundation
import MapCairo
import MapState
import Testing

/// Curves of marker graphics, and color ramps around the color wheel, against forms computed from the specification.
///
/// - Source: Esri CIM specification 3, https://github.com/Esri/cim-spec/blob/main/docs/v3/ExternalReferences.md, curves.
@Suite struct CIMCurveTests {
  private static let red: CIMScene.Ink = (255, 0, 0)

  /// A marker of 100 by 100 pixels whose frame has a unit for each pixel.
  private static func scene(_ geometry: String) async throws -> CIMScene {
    try await CIMScene(
      CIMScene.symbol(
        "CIMPointSymbol",
        #"""
        {"type":"CIMVectorMarker","size":75,"frame":{"xmin":-50,"ymin":-50,"xmax":50,"ymax":50},
         "anchor3D":"Center","height3D":1,
         "markerGraphics":[{"type":"CIMMarkerGraphic","geometry":\#(geometry),"symbol":{"type":"CIMPolygonSymbol",
          "symbolLayers":[{"type":"CIMSolidFill","color":{"type":"CIMRGBColor","values":[255,0,0,100]}}]}}]}
        """#), "Point", [#"{"x":0,"y":0}"#])
  }

  /// Returns the painted area of an image in square pixels.
  private static func area(of scene: CIMScene) async throws -> Double {
    let image = try await scene.image()
    var area = 0.0
    for row in 0..<128 { for column in 0..<128 { area += Double(255 - image[column, row].green) / 255 } }
    return area
  }

  @Test(
    "A circle is the same from one arc around its center, two through points, and two halves",
    arguments: [
      #"{"curveRings":[[[0,50],{"a":[[0,50],[0,0],0,1]}]]}"#,
      #"{"curveRings":[[[0,50],{"a":[[0,50],[0,0],0,0]}]]}"#,
      #"{"curveRings":[[[0,50],{"c":[[0,-50],[50,0]]},{"c":[[0,50],[-50,0]]}]]}"#,
      #"{"curveRings":[[[0,50],{"a":[[50,0],[0,0],1,1]},{"a":[[0,50],[0,0],0,1]}]]}"#,
    ])
  func circle(_ geometry: String) async throws {
    let scene = try await Self.scene(geometry)
    try await scene.expect { x, y in hypot(x, y) < 50 ? Self.red : CIMScene.white }
    #expect(abs(try await Self.area(of: scene) - 2500 * .pi) < 8)
  }

  @Test("An elliptic arc has a rotation in radians, half an axis and the ratio of the other")
  func ellipse() async throws {
    let turn = Double.pi / 6
    let (x, y) = (50 * cos(turn), 50 * sin(turn))
    let geometry = #"{"curveRings":[[[\#(x),\#(y)],{"a":[[\#(x),\#(y)],[0,0],0,1,\#(turn),50,0.8]}]]}"#
    let scene = try await Self.scene(geometry)
    #expect(abs(try await Self.area(of: scene) - 2000 * .pi) < 7)
    try await scene.expect { x, y in
      let (along, across) = (x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn))
      return hypot(along / 50, across / 40) < 1 ? Self.red : CIMScene.white
    }
  }

  @Test("A Bézier curve lies between its ends and its control points")
  func bezier() async throws {
    // The height of the curve is 3 · 60 · s · (1 - s), at x = 100 s - 50 because the control points are at thirds.
    let third = 100.0 / 3
    let curve = #"{"b":[[50,-40],[\#(third - 50),80],[\#(2 * third - 50),80]]}"#
    let scene = try await Self.scene(#"{"curveRings":[[[-50,-40],\#(curve),[-50,-40]]]}"#)
    // The integral of the height.
    #expect(abs(try await Self.area(of: scene) - 6000) < 7)
    try await scene.expect { x, y in
      let share = (x + 50) / 100
      return abs(x) < 50 && y > -40 && y < -40 + 360 * share * (1 - share) ? Self.red : CIMScene.white
    }
  }

  @Test("A ramp from yellow to red passes orange, and the shorter way around the wheel is taken")
  func polarRamp() async throws {
    func scene(_ from: Double, _ to: Double) async throws -> CIMScene {
      try await CIMScene(
        CIMScene.symbol(
          "CIMPolygonSymbol",
          #"""
          {"type":"CIMGradientFill","gradientMethod":"Linear","angle":180,"gradientSize":100,
           "colorRamp":{"type":"CIMPolarContinuousColorRamp","polarDirection":"Auto","interpolationSpace":"HSV",
            "fromColor":{"type":"CIMHSVColor","values":[\#(from),100,100,100]},
            "toColor":{"type":"CIMHSVColor","values":[\#(to),100,100,100]}}}
          """#), "Polygon", [CIMScene.square])
    }
    let image = try await scene(60, 0).image()
    #expect([15, 64, 112].map { image[$0, 64].green / 10 } == [25, 12, 0])
    try await scene(60, 0).expect { x, y in
      max(abs(x), abs(y)) < 50 ? (255, 255 * (1 - (x + 50) / 100), 0) : CIMScene.white
    }
    // From 330 over 0 to 30 degrees: magenta fades, then yellow grows.
    try await scene(330, 30).expect { x, y in
      let share = (x + 50) / 100
      return max(abs(x), abs(y)) < 50
        ? (255, 255 * max(share - 0.5, 0), 255 * max(0.5 - share, 0)) : CIMScene.white
    }
  }
}
