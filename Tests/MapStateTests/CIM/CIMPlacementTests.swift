import Foundation
import MapCairo
import MapJSON
import MapState
import Testing

/// Effects of CIM strokes, and the places of CIM markers, against forms computed from the words of the specification.
///
/// - Source: as for ``CIMDrawingTests``.
@Suite struct CIMPlacementTests {
  private static let red: CIMScene.Ink = (255, 0, 0)
  private static let fill = #"{"type":"CIMSolidFill","color":{"type":"CIMRGBColor","values":[255,0,0,100]}}"#

  // MARK: Effects

  private static func stroke(_ width: Double, _ effects: String, cap: String = "Butt", join: String = "Miter")
    -> String
  {
    #"{"type":"CIMSolidStroke","width":\#(width),"color":[255,0,0,255],"capStyle":"\#(cap)","#
      + #""joinStyle":"\#(join)","effects":[\#(effects)]}"#
  }

  @Test("An offset moves a line to the left, and an area's edge outwards")
  func offsets() async throws {
    let effect = #"{"type":"CIMGeometricEffectOffset","method":"Mitered","offset":15}"#
    let line = CIMScene.symbol("CIMLineSymbol", Self.stroke(30, effect))
    try await CIMScene(line, "Polyline", [#"{"paths":[[[-64,0],[64,0]]]}"#]).expect { _, y in
      y > 0 && y < 40 ? Self.red : CIMScene.white
    }
    // A corner to the right is sharp; the line is 20 pixels outside.
    try await CIMScene(line, "Polyline", [#"{"paths":[[[-30,-60],[-30,20],[60,20]]]}"#]).expect { x, y in
      let isUp = abs(x + 50) < 20 && y > -60 && y < 60
      let isAcross = abs(y - 40) < 20 && x > -70 && x < 60
      return isUp || isAcross ? Self.red : CIMScene.white
    }
    let area = CIMScene.symbol("CIMPolygonSymbol", Self.stroke(15, effect))
    for (ring, side) in [
      (#"{"rings":[[[-40,-40],[-40,40],[40,40],[40,-40],[-40,-40]]]}"#, 40.0),
      (#"{"rings":[[[-30,-30],[30,-30],[30,30],[-30,30],[-30,-30]]]}"#, 30),
    ] {
      // The rings run both ways.
      try await CIMScene(area, "Polygon", [ring]).expect { x, y in
        abs(max(abs(x), abs(y)) - side - 20) < 10 ? Self.red : CIMScene.white
      }
    }
  }

  @Test("An arrow is an outline of its width, and ends at the last vertex")
  func arrows() async throws {
    // 30 points are 40 pixels, the stroke is 20 pixels wide.
    func symbol(_ type: String) -> String {
      CIMScene.symbol(
        "CIMLineSymbol",
        Self.stroke(
          15, #"{"type":"CIMGeometricEffectArrow","geometricEffectArrowType":"\#(type)","width":30}"#,
          cap: "Round", join: "Round"))
    }
    let line = #"{"paths":[[[-50,0],[50,0]]]}"#
    // The head is as long as the arrow is wide, and half as wide again.
    let open: [(Double, Double)] = [
      (-50, 20), (10, 20), (10, 30), (50, 0), (10, -30), (10, -20), (-50, -20),
    ]
    try await CIMScene(symbol("OpenEnded"), "Polyline", [line]).expect { x, y in
      CIMScene.distance(open, x, y) < 10 ? Self.red : CIMScene.white
    }
    try await CIMScene(symbol("Block"), "Polyline", [line]).expect { x, y in
      CIMScene.distance(open + [open[0]], x, y) < 10 ? Self.red : CIMScene.white
    }
  }

  // MARK: Places

  /// A marker whose shape is a rectangle, in points.
  private static func marker(
    _ left: Double, _ bottom: Double, _ right: Double, _ top: Double, _ place: String
  )
    -> String
  {
    #"{"type":"CIMVectorMarker","size":96,"frame":{"xmin":-48,"ymin":-48,"xmax":48,"ymax":48},"#
      + #""markerPlacement":{\#(place)},"markerGraphics":[{"type":"CIMMarkerGraphic","geometry":{"rings":"#
      + "[[[\(left),\(bottom)],[\(left),\(top)],[\(right),\(top)],[\(right),\(bottom)],[\(left),\(bottom)]]]},"
      + #""symbol":{"type":"CIMPolygonSymbol","symbolLayers":[\#(fill)]}}]}"#
  }

  private static func isNear(_ value: Double, _ places: [Double], _ half: Double) -> Bool {
    places.contains { abs(value - $0) < half }
  }

  @Test("Markers along a line are at the distances of the template, stretched to fit unless unconstrained")
  func alongLine() async throws {
    let lines = [-40, 0, 40].map { #"{"paths":[[[-60,\#($0)],[60,\#($0)]]]}"# }
    for (ending, places) in [
      // 27 points are 36 pixels; three times that fits best into 120 pixels, as 40 each.
      ("NoConstraint", [-60.0, -24, 12, 48]), ("WithMarkers", [-60, -20, 20, 60]),
      ("WithHalfGap", [-40, 0, 40]), ("WithFullGap", [-20, 20]),
    ] {
      let marker = Self.marker(
        -12, -12, 12, 12,
        #""type":"CIMMarkerPlacementAlongLineSameSize","placementTemplate":[27],"endings":"\#(ending)""#)
      let scene = try await CIMScene(CIMScene.symbol("CIMLineSymbol", marker), "Polyline", lines)
      // With the full gap at both ends, one pattern of 48 pixels is between the markers.
      let places = ending == "WithFullGap" ? [-20.0, 20] : places
      try await scene.expect { x, y in
        Self.isNear(x, places, 16) && Self.isNear(y, [-40, 0, 40], 16) ? Self.red : CIMScene.white
      }
    }
  }

  @Test("Markers at the ends point out of the line")
  func extremities() async throws {
    // 30 points along the line and 24 to each side are 40 and 32 pixels.
    let both = Self.marker(
      0, -24, 30, 24, #""type":"CIMMarkerPlacementAtExtremities","extremityPlacement":"Both""#)
    let line = #"{"paths":[[[-20,0],[20,0]]]}"#
    try await CIMScene(CIMScene.symbol("CIMLineSymbol", both), "Polyline", [line]).expect { x, y in
      abs(y) < 32 && abs(x) > 20 && abs(x) < 60 ? Self.red : CIMScene.white
    }
    // Up a line that ends at the top, without rotation.
    let end = Self.marker(
      -42, -36, 42, 0,
      #""type":"CIMMarkerPlacementAtExtremities","extremityPlacement":"JustEnd","offsetAlongLine":15,"angleToLine":false"#
    )
    try await CIMScene(
      CIMScene.symbol("CIMLineSymbol", end), "Polyline", [#"{"paths":[[[0,-60],[0,60]]]}"#]
    ).expect { x, y in abs(x) < 56 && y > -8 && y < 40 ? Self.red : CIMScene.white }
  }

  @Test("Markers at ratios of a line leave out its begin and its end")
  func ratios() async throws {
    let marker = Self.marker(
      -15, -30, 15, 30,
      #""type":"CIMMarkerPlacementAtRatioPositions","positionArray":[0,0.5,1],"beginPosition":7.5,"endPosition":15"#
    )
    // The line has 120 pixels; 10 and 20 of them are left out.
    let line = #"{"paths":[[[-60,0],[60,0]]]}"#
    try await CIMScene(CIMScene.symbol("CIMLineSymbol", marker), "Polyline", [line]).expect { x, y in
      let isInside = [-50.0, -5, 40].contains { abs(x - $0) < 20 }
      return isInside && abs(y) < 40 ? Self.red : CIMScene.white
    }
  }

  @Test(
    "Dashes fit a line by their ending",
    arguments: [
      // Of dashes of 20 and gaps of 12 pixels on 110 pixels: the number of repetitions, and what both ends have.
      ("HalfPattern", 3.0, 0.0, 10.0), ("HalfGap", 3, 0, 26), ("FullPattern", 3, 20, 0),
      ("FullGap", 3, 12, 20),
    ])
  func dashEndings(_ ending: String, _ count: Double, _ more: Double, _ start: Double) async throws {
    let stroke = """
      {"type":"CIMSolidStroke","width":60,"capStyle":"Butt","joinStyle":"Miter","color":[255,0,0,255],
       "effects":[{"type":"CIMGeometricEffectDashes","dashTemplate":[15,9],"lineDashEnding":"\(ending)"}]}
      """
    let line = #"{"paths":[[[-55,0],[55,0]]]}"#
    let factor = 110 / (count * 32 + more)
    try await CIMScene(CIMScene.symbol("CIMLineSymbol", stroke), "Polyline", [line]).expect { x, y in
      guard abs(x) < 55, abs(y) < 40 else { return CIMScene.white }
      let place = ((x + 55) / factor + start).truncatingRemainder(dividingBy: 32)
      return place < 20 ? (255, 0, 0) : CIMScene.white
    }
  }

  @Test("Dashes may start within their pattern")
  func dashOffset() async throws {
    let stroke = """
      {"type":"CIMSolidStroke","width":60,"capStyle":"Butt","joinStyle":"Miter","color":[255,0,0,255],
       "effects":[{"type":"CIMGeometricEffectDashes","dashTemplate":[15,9],"lineDashEnding":"NoConstraint",
       "offsetAlongLine":-6}]}
      """
    let line = #"{"paths":[[[-55,0],[55,0]]]}"#
    try await CIMScene(CIMScene.symbol("CIMLineSymbol", stroke), "Polyline", [line]).expect { x, y in
      guard abs(x) < 55, abs(y) < 40 else { return CIMScene.white }
      return (x + 55 - 8 + 32).truncatingRemainder(dividingBy: 32) < 20 ? (255, 0, 0) : CIMScene.white
    }
  }

  @Test("Markers on vertices have the mean direction of the line")
  func vertices() async throws {
    let marker = Self.marker(
      -15, -15, 15, 15, #""type":"CIMMarkerPlacementOnVertices","placeOnEndPoints":false"#)
    let line = #"{"paths":[[[-60,-60],[-40,-40],[-40,40],[40,40],[40,-40],[60,-60]]]}"#
    try await CIMScene(CIMScene.symbol("CIMLineSymbol", marker), "Polyline", [line]).expect { x, y in
      let corners = [(-40.0, -40.0, 67.5), (-40, 40, 45), (40, 40, -45), (40, -40, -67.5)]
      let isInside = corners.contains { cx, cy, turn in
        let (cosine, sine) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
        let (dx, dy) = (x - cx, y - cy)
        return max(abs(dx * cosine + dy * sine), abs(dy * cosine - dx * sine)) < 20
      }
      return isInside ? Self.red : CIMScene.white
    }
  }

  @Test("Markers inside a polygon are on a grid, and cut at the edge")
  func insidePolygon() async throws {
    // 18 points are 24 pixels; a marker is 18 pixels wide.
    let marker = Self.marker(
      -6.75, -6.75, 6.75, 6.75,
      #""type":"CIMMarkerPlacementInsidePolygon","gridType":"Fixed","stepX":18,"stepY":18,"clipping":"ClipAtBoundary""#
    )
    try await CIMScene(CIMScene.symbol("CIMPolygonSymbol", marker), "Polygon", [CIMScene.square]).expect {
      x, y in
      func isInk(_ place: Double) -> Bool { abs(place.truncatingRemainder(dividingBy: 24) - 12) < 9 }
      return max(abs(x), abs(y)) < 50 && isInk(x + 64) && isInk(64 - y) ? Self.red : CIMScene.white
    }
  }

  @Test("A marker is at the centre of mass, of the extent, or inside the polygon")
  func polygonCenter() async throws {
    // An L: its mass is at -15, -15, and its extent at 0, 0.
    let shape = #"{"rings":[[[-60,-60],[-60,60],[-20,60],[-20,-20],[60,-20],[60,-60],[-60,-60]]]}"#
    // The bars of 40 by 120 and 80 by 40 pixels have their centres at -40, 0 and 20, -40.
    let mass = ((-40.0 * 4800 + 20 * 3200) / 8000, (0 * 4800 - 40.0 * 3200) / 8000)
    for (method, center) in [("CenterOfMass", mass), ("BoundingBoxCenter", (0.0, 0.0))] {
      let marker = Self.marker(
        -24, -27, 24, 27,
        #""type":"CIMMarkerPlacementPolygonCenter","method":"\#(method)","offsetY":3"#)
      let scene = try await CIMScene(CIMScene.symbol("CIMPolygonSymbol", marker), "Polygon", [shape])
      try await scene.expect { x, y in
        abs(x - center.0) < 32 && abs(y - center.1 - 4) < 36 ? Self.red : CIMScene.white
      }
    }
    // The same without a placement, and for a marker of web maps, in a square.
    let web = #"{"type":"esriSMS","style":"esriSMSSquare","color":[255,0,0,255],"size":60}"#
    try await CIMScene(web, "Polygon", [CIMScene.square]).expect { x, y in
      max(abs(x), abs(y)) < 40 ? Self.red : CIMScene.white
    }
  }
}
