import MapDrawing
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapStyleDrawing
import MapStyles
import Testing

@Suite struct PointTests {
  @Test("Every vertex of any kind in the tile has a circle, and those in its buffer have none")
  func vertices() throws {
    var scene = Scene()
    scene.add(.multipoint, [[(10, 10)], [(-1, 10)], [(100, 10)], [(0, 99)]])
    scene.add(.polyline, [[(50, 50), (60, 50), (150, 50)]])
    let drawing = try scene.drawing("circle", paint: ["circle-radius": 4, "circle-color": "red"])
    let batch = try #require(drawing.markers.first)
    #expect(batch.x == [10, 0, 50, 60])
    #expect(batch.row == [0, 0, 1, 1])
    #expect(drawing.featureCount == 2)
    #expect(batch.styles.map(\.fill) == [.red])
    // The edge fades inwards over one pixel.
    #expect(batch.styles.map(\.size) == [7])
  }

  @Test("A circle with a radius of less than a pixel is a smaller dot", arguments: [0.25, 0.5, 1])
  func smallCircles(radius: Double) throws {
    var scene = Scene()
    scene.add(.multipoint, [[(10, 10)]])
    let drawing = try scene.drawing("circle", paint: ["circle-radius": .number(radius)])
    #expect(drawing.markers.first?.styles.map(\.size) == [radius * radius])
  }

  @Test("Blurred circles that are too large for images are reported")
  func largeBlurredStrokes() throws {
    func problems(_ radii: [Double]) throws -> [String] {
      var scene = Scene()
      for radius in radii { scene.add(.multipoint, [[(50, 50)]], ["radius": .number(radius)]) }
      return try scene.drawing(
        "circle",
        paint: ["circle-radius": ["get", "radius"], "circle-stroke-width": 10, "circle-blur": 0.25]
      ).problems
    }
    let text = "circle-stroke-width: strokes of blurred circles so large or so many are not drawn blurred"
    #expect(try problems([100, 100]) == [])
    #expect(try problems([995]) == ["\(text) (1 feature)"])
  }

  @Test("The stroke of a circle surrounds it")
  func strokes() throws {
    var scene = Scene()
    scene.add(.multipoint, [[(10, 10)]])
    let opaque = try scene.drawing(
      "circle",
      paint: [
        "circle-radius": 4, "circle-color": "red", "circle-stroke-width": 2, "circle-stroke-color": "blue",
      ])
    let style = try #require(opaque.markers.first?.styles.first)
    #expect(style.size == 9 && style.outline?.width == 2 && style.fill == .red)
    let translucent = try scene.drawing(
      "circle",
      paint: [
        "circle-radius": 4, "circle-color": "red", "circle-stroke-width": 2, "circle-stroke-opacity": 0.5,
      ])
    let batch = try #require(translucent.markers.first)
    #expect(batch.styles.map(\.size) == [7, 9])
    #expect(batch.styles.map(\.fill) == [.red, nil])
  }

  @Test("A blurred circle fades from its edge inwards, as discs over each other")
  func blur() throws {
    var scene = Scene()
    scene.add(.multipoint, [[(50, 50)]])
    let drawing = try scene.drawing(
      "circle", paint: ["circle-radius": 20, "circle-color": "red", "circle-blur": 0.5])
    let batch = try #require(drawing.markers.first)
    #expect(batch.styles.count == 10 && batch.row == Array(repeating: 0, count: 10))
    #expect(batch.styles.map(\.size) == batch.styles.map(\.size).sorted(by: >))
    // Half of the opacity is reached in the middle of the blur, 15 pixels from the centre.
    let sizes = batch.styles.map(\.size)
    #expect(abs((sizes[4] + sizes[5]) / 4 - 15) < 0.01)
    #expect(batch.styles.last?.fill == .red)
  }

  @Test("A faint blurred circle has the opacity of its colour in the middle", arguments: [2, 10, 100])
  func faintBlur(alpha: Int) throws {
    var scene = Scene()
    scene.add(.multipoint, [[(50, 50)]])
    let drawing = try scene.drawing(
      "circle",
      paint: ["circle-radius": 40, "circle-opacity": .number(Double(alpha) / 255), "circle-blur": 1])
    let batch = try #require(drawing.markers.first)
    var sum = 0.0
    for style in batch.styles { sum += (1 - sum) * Double(style.fill?.alpha ?? 0) / 255 }
    #expect(abs(sum * 255 - Double(alpha)) <= 0.5)
  }

  @Test("A blurred circle with a stroke is an image in which the fill becomes the stroke")
  func blurredStroke() throws {
    var scene = Scene()
    scene.add(.multipoint, [[(50, 50)]])
    let drawing = try scene.drawing(
      "circle",
      paint: [
        "circle-radius": 10, "circle-color": "red", "circle-stroke-width": 10, "circle-stroke-color": "blue",
        "circle-blur": 0.25,
      ])
    guard case .picture(let picture, _)? = drawing.markers.first?.styles.first?.block?.content else {
      Issue.record("no image")
      return
    }
    let bitmap = try picture.bitmap()
    #expect(bitmap.width == 42)
    #expect(bitmap[20, 21] == PixelColor(red: 255, green: 0, blue: 0, alpha: 255))
    #expect(bitmap[34, 21] == PixelColor(red: 0, green: 0, blue: 255, alpha: 255))
    let (middle, edge) = (bitmap[28, 21], bitmap[38, 21])
    #expect(abs(Int(middle.red) - Int(middle.blue)) < 30 && middle.alpha == 255)
    #expect(edge.blue == 255 && abs(Int(edge.alpha) - 128) < 30)
  }

  @Test("A heat map is one image whose density is greatest at its points")
  func heatmap() throws {
    var scene = Scene()
    scene.add(.multipoint, [[(30, 40)]], ["weight": .number(1)])
    scene.add(.multipoint, [[(70, 40)]], ["weight": .number(0)])
    let drawing = try scene.drawing(
      "heatmap",
      paint: [
        "heatmap-radius": 10, "heatmap-weight": ["get", "weight"], "heatmap-opacity": 0.5,
        "heatmap-color": [
          "interpolate", ["linear"], ["heatmap-density"], 0, "rgba(255,0,0,0)", 1, "rgb(255,0,0)",
        ],
      ])
    guard case .image(let image)? = drawing.batches.first else {
      Issue.record("no image")
      return
    }
    func alpha(_ x: Int, _ y: Int) -> Int { Int(image.pixels[y * 100 + x] >> 24) }
    #expect(drawing.opacity == 0.5)
    #expect(drawing.featureCount == 1)
    // The normal distribution is 0.399 at the point, and exp(-4.5 d²) of it at a share d of the radius.
    #expect(abs(alpha(30, 40) - 99) <= 1)
    #expect(abs(alpha(35, 40) - 26) <= 1)
    #expect(alpha(70, 40) == 0 && alpha(30, 60) == 0)
  }
}
