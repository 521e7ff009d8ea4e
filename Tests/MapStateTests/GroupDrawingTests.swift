import MapFeatures
import MapGeometry
import MapImages
import MapJSON
import MapModel
import MapState
import Testing

/// Groups of documents and of maps made in code, compared with colours that are computed here.
@Suite struct GroupDrawingTests {
  private static func layer(_ id: String, _ color: String, _ boxes: [[Int]], _ members: String = "") -> String
  {
    let features = boxes.enumerated().map { index, box in
      let (a, b, c, d) = (box[0], box[1], box[2], box[3])
      return """
        {"attributes":{"OBJECTID":\(index + 1)},"geometry":{"rings":[[[\(a),\(b)],[\(a),\(d)],[\(c),\(d)],[\(c),\(b)],
        [\(a),\(b)]]]}}
        """
    }
    return """
      {"id":"\(id)","title":"\(id)",\(members)"featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPolygon","spatialReference":{"wkid":3857},
      "drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSFS","style":"esriSFSSolid","color":\(color)}}},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[\(features.joined(separator: ","))]}}]}}
      """
  }

  private static func group(_ members: String, _ layers: [String]) -> String {
    "{\"id\":\"g\",\"title\":\"G\",\"layerType\":\"GroupLayer\",\(members)\"layers\":[\(layers.joined(separator: ","))]}"
  }

  private static let red = "[255,0,0,255]"
  private static let green = "[0,200,0,255]"
  private static let blue = "[0,0,255,255]"

  /// Returns the view of 100 by 100 pixels around (50, 50), in which a pixel is a metre and y points up.
  private static func view(
    _ layers: [String], scale: Double = 1, warnings: Int = 0
  ) async throws -> ViewState {
    let json = "{\"operationalLayers\":[\(layers.joined(separator: ","))]}"
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    #expect(document.warnings.count == warnings, "\(document.warnings)")
    return view(of: document.map, scale: scale)
  }

  private static func view(of map: Map, scale: Double = 1) -> ViewState {
    ViewState(
      width: 100, height: 100, pixelRatio: 1,
      viewpoint: ResolvedViewpoint(
        center: Point(x: 50, y: 50, spatialReference: .webMercator), resolution: scale, rotation: 0),
      background: Color(red: 240, green: 240, blue: 200), timeExtent: nil, layers: map.frozen.layers,
      tileLayers: map.frozen.tiles)
  }

  private static func color(_ image: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
    Array(image.pixels[((99 - y) * 100 + x) * 4..<((99 - y) * 100 + x) * 4 + 3])
  }

  private static func isNear(_ color: [UInt8], _ expected: [Int]) -> Bool {
    zip(color, expected).allSatisfy { abs(Int($0) - $1) <= 1 }
  }

  @Test("Overlapping layers of a group with an opacity do not show through each other")
  func opacity() async throws {
    let view = try await Self.view([
      Self.group(
        #""opacity":0.5,"#,
        [Self.layer("a", Self.red, [[0, 0, 60, 100]]), Self.layer("b", Self.green, [[40, 0, 100, 100]])])
    ])
    let image = try await view.render().bitmap
    #expect(Self.isNear(Self.color(image, 20, 50), [248, 120, 100]))
    #expect(Self.isNear(Self.color(image, 50, 50), [120, 220, 100]))
    #expect(Self.color(image, 50, 50) == Self.color(image, 80, 50))
    // The layers keep the whole opacity, which legends show.
    #expect(view.layers.allSatisfy { $0.opacity == 0.5 })
  }

  @Test("An opacity set on a layer of a document's group is its opacity in the image")
  func setOpacity() async throws {
    let json =
      "{\"operationalLayers\":["
      + Self.group(
        #""opacity":0.5,"#,
        [Self.layer("a", Self.red, [[0, 0, 60, 100]]), Self.layer("b", Self.green, [[40, 0, 100, 100]])])
      + "]}"
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    for layer in document.map.featureLayers { layer.opacity = 1 }
    let image = try await Self.view(of: document.map).render().bitmap
    #expect(Self.color(image, 20, 50) == [255, 0, 0] && Self.color(image, 80, 50) == [0, 200, 0])
  }

  @Test(
    "A cutting layer cuts its group only; without a group it cuts the layers below it, and not the background"
  )
  func cutting() async throws {
    let (base, area) = (
      Self.layer("base", Self.blue, [[0, 0, 50, 100]]), Self.layer("a", Self.red, [[20, 20, 70, 70]])
    )
    let mask = Self.layer("m", Self.green, [[40, 40, 90, 90]], #""blendMode":"destination-in","#)
    let inside = try await Self.view([base, Self.group("", [area, mask])]).render().bitmap
    #expect(Self.color(inside, 10, 10) == [0, 0, 255] && Self.color(inside, 30, 30) == [0, 0, 255])
    #expect(Self.color(inside, 60, 60) == [255, 0, 0] && Self.color(inside, 80, 80) == [240, 240, 200])
    let outside = try await Self.view([base, area, mask]).render().bitmap
    #expect(
      Self.color(outside, 10, 10) == [240, 240, 200] && Self.color(outside, 30, 30) == [240, 240, 200])
    #expect(Self.color(outside, 60, 60) == [255, 0, 0] && Self.color(outside, 45, 80) == [0, 0, 255])
    // A hidden layer cuts nothing.
    let hidden = Self.layer(
      "m", Self.green, [[40, 40, 90, 90]], #""visibility":false,"blendMode":"source-in","#)
    let whole = try await Self.view([base, area, hidden]).render().bitmap
    #expect(Self.color(whole, 10, 10) == [0, 0, 255] && Self.color(whole, 60, 60) == [255, 0, 0])
  }

  @Test("The blend mode and the effect of a group apply to its image")
  func mode() async throws {
    let view = try await Self.view([
      Self.layer("base", "[255,255,0,255]", [[0, 0, 100, 100]]),
      Self.group(
        #""blendMode":"multiply","effect":"invert(1)","#,
        [Self.layer("a", Self.red, [[0, 0, 60, 100]]), Self.layer("b", Self.blue, [[40, 0, 100, 100]])]),
    ])
    let image = try await view.render().bitmap
    #expect(Self.isNear(Self.color(image, 20, 50), [0, 255, 0]))
    #expect(Self.isNear(Self.color(image, 50, 50), [255, 255, 0]))
    #expect(try await view.displayList().layers.map(\.groups.count) == [0, 1, 1])
  }

  @Test("The shadow of a group's layer beside the view reaches into it, also through nested groups")
  func margin() async throws {
    let shadow =
      #""effect":[{"type":"drop-shadow","xoffset":15,"yoffset":0,"blurRadius":0,"color":[0,0,0,255]}],"#
    let far = Self.layer("far", Self.red, [[-60, 30, -5, 60]])
    for inner in [[far], [Self.group(#""effect":"opacity(1)","#, [far])]] {
      let image = try await Self.view([Self.group(shadow, inner)]).render().bitmap
      // The offset is 20 pixels.
      #expect(Self.color(image, 13, 45) == [0, 0, 0] && Self.color(image, 16, 45) == [240, 240, 200])
      #expect(Self.color(image, 5, 20) == [240, 240, 200])
    }
  }

  @Test("Groups change no count, and the image is the same for every number of threads")
  func answers() async throws {
    let layers = [
      Self.layer("a", Self.red, [[0, 0, 60, 100]]),
      Self.layer("b", Self.green, [[40, 0, 100, 100]], #""blendMode":"xor","effect":"blur(2px)","#),
    ]
    let view = try await Self.view([Self.group(#""effect":"blur(3px)","#, layers)])
    let (one, three) = (try await view.render(threads: 1), try await view.render(threads: 3))
    #expect(one.bitmap == three.bitmap)
    #expect(one.report.layers.map { $0.funnel?.drawn } == [1, 1])
    #expect(try await view.displayList().layers.map(\.groups.count) == [1, 1])
  }

  @Test("A deep nesting of groups with effects is drawn with a bounded number of images and reported")
  func deep() async throws {
    var text = Self.layer("a", Self.red, [[0, 0, 60, 100]])
    for _ in 0..<30 { text = Self.group(#""effect":"opacity(0.99) blur(4px)","#, [text]) }
    let report = try await Self.view([text]).render().report
    #expect(report.allWarnings.contains { $0.contains("only 16 nested groups") })
    #expect(try await Self.view([text]).displayList().layers[0].groups.count == 16)
  }

  @Test("Groups made in code with an opacity are drawn as one image")
  func groupsInCode() async throws {
    let json =
      "{\"operationalLayers\":[" + Self.layer("a", Self.red, [[0, 0, 60, 100]]) + ","
      + Self.layer("b", Self.green, [[40, 0, 100, 100]]) + "]}"
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    let copies = document.map.featureLayers.map { $0.clone() }
    for copy in copies { try await copy.load() }
    let group = GroupLayer(layers: copies, name: "G")
    group.opacity = 0.5
    let map = Map()
    map.addOperationalLayer(group)
    let image = try await Self.view(of: map).render().bitmap
    #expect(Self.isNear(Self.color(image, 50, 50), [120, 220, 100]))
  }
}
