import MapCairo
import MapDocuments
import MapDrawing
import MapFeatures
import MapGeometry
import MapJSON
import MapLayout
import MapModel
import MapState
import MapVector
import Testing

/// Effects of layers in views.
@Suite struct EffectDrawingTests {
  private static func view(
    _ members: String, x: Double = 0, y: Double = 0, width: Double = 120, height: Double = 90,
    rotation: Double = 0, ratio: Double = 1, reduction: String = ""
  ) async throws -> ViewState {
    let features = (0..<60).map { index in
      let (x, y) = (Double(index % 10 - 5) * 31, Double(index / 10 - 3) * 37)
      return
        "{\"attributes\":{\"OBJECTID\":\(index + 1),\"n\":\(index % 7)},\"geometry\":{\"x\":\(x),\"y\":\(y)}}"
    }
    let json = """
      {"operationalLayers":[{"id":"a","title":"A",\(members)"featureCollection":{"layers":[{"layerDefinition":{
      "geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},\(reduction)
      "drawingInfo":{"renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSSquare","size":9,
      "color":[200,40,40,255],"outline":{"type":"esriSLS","style":"esriSLSSolid","color":[0,0,90,255],"width":1}}}},
      "fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"},{"name":"n","type":"esriFieldTypeInteger"}]},
      "featureSet":{"spatialReference":{"wkid":3857},"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    let document = try await MapDocument.withoutWarnings(json)
    return document.view(width: width, height: height, pixelRatio: ratio, x: x, y: y, rotation: rotation)
  }

  @Test(
    "Blurs and shadows of features outside the view reach into it",
    arguments: [(0.0, 1.0), (0, 2), (30, 1)])
  func margin(rotation: Double, ratio: Double) async throws {
    let effect = #""effect":"blur(3px) drop-shadow(9px 4px 2px black)","#
    let small = try await Self.view(effect, rotation: rotation, ratio: ratio)
    let large = try await Self.view(effect, width: 320, height: 290, rotation: rotation, ratio: ratio)
    let (inner, outer) = (try await small.render().bitmap, try await large.render().bitmap)
    let (left, width) = (Int(100 * ratio), Int(120 * ratio))
    var different = 0
    for row in 0..<Int(90 * ratio) {
      for byte in 0..<width * 4 {
        let other = outer.pixels[((row + left) * outer.width + left) * 4 + byte]
        let own = inner.pixels[row * width * 4 + byte]
        if abs(Int(own) - Int(other)) > 1 { different += 1 }
      }
    }
    #expect(different == 0)
    // A plain layer differs: the effect is drawn.
    let plain = try await Self.view("", rotation: rotation, ratio: ratio).render().bitmap
    #expect(plain != inner)
  }

  @Test("Effects change no count, no funnel and no identified feature")
  func answers() async throws {
    let plain = try await Self.view("")
    let changed = try await Self.view(
      #""effect":"blur(6px)","featureEffect":{"filter":{"where":"n=1"},"excludedEffect":"opacity(10%)"},"#)
    let (first, second) = (try await plain.render(), try await changed.render())
    #expect(first.report.layers.map(\.funnel) == second.report.layers.map(\.funnel))
    let own = try await plain.drawing(of: plain.layers[0], index: 0)
    let other = try await changed.drawing(of: changed.layers[0], index: 0)
    #expect(own.drawn == other.drawn && own.edge == other.edge)
    #expect(other.layer.effect != nil && own.layer.effect == nil)
    for x in stride(from: 0.0, to: 120, by: 7) {
      let point = ScreenPoint(x: x, y: 45)
      let (a, b) = (
        try await plain.rows(of: plain.layers[0], hitAt: point, tolerance: 3, maximum: 5),
        try await changed.rows(of: changed.layers[0], hitAt: point, tolerance: 3, maximum: 5)
      )
      #expect(a == b)
    }
  }

  @Test("A feature effect changes the included and the other features apart")
  func featureEffect() async throws {
    let view = try await Self.view(
      """
      "featureEffect":{"filter":{"where":"n < 3"},"includedEffect":"invert(1)","excludedEffect":"opacity(0)"},
      """)
    let drawing = try await view.drawing(of: view.layers[0], index: 0)
    let effect = try #require(drawing.layer.effect)
    #expect(effect.parts.count == 2)
    let rows = effect.parts.map { part in
      DisplayLayer(index: 0, name: "", opacity: 1, batches: part.batches).paintedRows
    }
    #expect(!rows[0].isEmpty && rows[0].allSatisfy { $0 % 7 >= 3 })
    #expect(!rows[1].isEmpty && rows[1].allSatisfy { $0 % 7 < 3 })
    #expect(rows[0].count + rows[1].count == drawing.layer.paintedRows.count)
    let image = try await view.render().bitmap
    let colors = Set(
      stride(from: 0, to: image.pixels.count, by: 4).map { Array(image.pixels[$0..<$0 + 3]) })
    // The inverse of the fill; the fill itself is hidden.
    #expect(colors.contains([55, 215, 215]))
    #expect(!colors.contains([200, 40, 40]))
  }

  @Test("A feature effect with a faulty filter, or over clusters, is reported and not applied")
  func notApplied() async throws {
    for (clause, reduction, message) in [
      ("m = 1", "", "unknown field 'm'"),
      ("n = 1", #""featureReduction":{"type":"cluster","clusterRadius":40},"#, "clusters"),
    ] {
      let view = try await Self.view(
        #""featureEffect":{"filter":{"where":"\#(clause)"},"excludedEffect":"opacity(0)"},"#,
        reduction: reduction)
      let report = try await view.render().report
      let found = report.allWarnings.filter { $0.contains("the feature effect is not applied: ") }
      #expect(found.count == 1 && found[0].contains(message), "\(report.allWarnings)")
    }
  }

  @Test(
    "A feature effect selects features by their relation to a geometry",
    arguments: [
      ("", false), (#","spatialRelationship":"disjoint""#, true),
      (#","spatialRel":"esriSpatialRelIntersects""#, false),
    ])
  func geometry(relationship: String, isOutside: Bool) async throws {
    let view = try await Self.view(
      """
      "featureEffect":{"filter":{"where":"n < 3","geometry":{"xmin":-400,"ymin":-400,"xmax":0,"ymax":400,
      "spatialReference":{"wkid":102100}}\(relationship)},"excludedEffect":"opacity(0)"},
      """, width: 400, height: 300)
    let drawing = try await view.drawing(of: view.layers[0], index: 0)
    let effect = try #require(drawing.layer.effect)
    let rows = effect.parts.map { part in
      Set(DisplayLayer(index: 0, name: "", opacity: 1, batches: part.batches).paintedRows)
    }
    // The points of the first six columns have an x of at most 0.
    func isIncluded(_ row: Int) -> Bool { row % 7 < 3 && (row % 10 <= 5) != isOutside }
    #expect(rows[0] == Set((0..<60).filter { !isIncluded($0) }))
    #expect(rows[1] == Set((0..<60).filter(isIncluded)) && !rows[1].isEmpty)
  }

  @Test("A feature effect with an unknown relation or a distance is reported and not drawn")
  func unknownRelation() async throws {
    let layer = #"{"id":"a","title":"A","url":"a.geojson","layerType":"GeoJSON","featureEffect":{"filter":{"#
    for (members, message) in [
      (#""geometry":{"x":1,"y":2},"spatialRelationship":"intersect""#, "did you mean \"intersects\"?"),
      (#""geometry":{"x":1,"y":2},"distance":5"#, "distance: not supported"),
      (#""geometry":{"x":"NaN","y":null}"#, "selects no feature"),
      (#""geometry":{"a":1}"#, "not a geometry"),
    ] {
      let json = "{\"operationalLayers\":[\(layer)\(members)},\"includedEffect\":\"sepia(1)\"}}]}"
      let map = try WebMap(JSONValue(parsing: json))
      #expect(map.layers[0].featureEffect == nil)
      #expect(map.warnings.contains { "\($0)".contains(message) }, "\(map.warnings)")
    }
  }

  @Test("SVG and PDF have the image of a layer with effects")
  func vectors() async throws {
    let view = try await Self.view(#""effect":"sepia(1) blur(1px)","#)
    let without = try await Self.view("")
    func page(_ view: ViewState) async throws -> MapPage {
      try await MapPage(PageLayout(), width: 120, height: 90) { (_, _) async throws(MapStateError) in view }
    }
    let svg = String(decoding: try await page(view).svgData(), as: UTF8.self)
    #expect(svg.contains("<image width=\"120\" height=\"90\""))
    let plain = String(decoding: try await page(without).svgData(), as: UTF8.self)
    #expect(!plain.contains("<image"))
    let (first, second) = (try await page(view).pdfData(), try await page(without).pdfData())
    #expect(first != second)
  }

  @Test("Partial images refuse effects")
  func partial() async throws {
    let view = try await Self.view(#""effect":"sepia(1)","#)
    await #expect(throws: MapStateError.self) { try await view.partialImage(threads: 1) }
  }

  @Test("A bloom adds its blurred bright colours to the image")
  func bloom() async throws {
    func image(_ effect: String) async throws -> Bitmap {
      try await Self.view(effect, x: 3).render().bitmap
    }
    // An effect that changes nothing, because an image of a layer is rounded otherwise than its symbols.
    let plain = try await image(#""effect":"opacity(100%)","#)
    // Without a radius, colours that are bright enough are added to themselves; on white, only ink can tell.
    let twice = try await image(#""effect":"bloom(1, 0px, 0)","#)
    let factor = try await image(#""effect":"brightness(200%)","#)
    let difference = zip(twice.pixels, factor.pixels).map { abs(Int($0) - Int($1)) }
    // The edges of symbols are opaque sooner, because opacity is added, too.
    #expect(difference.count { $0 > 2 } < difference.count / 8)
    #expect(twice != plain)
    #expect(try await image(#""effect":"bloom(1, 3px, 100%)","#) == plain)
    #expect(try await image(#""effect":"bloom(0, 3px, 0)","#) == plain)
    let glow = try await image(#""effect":"bloom(2, 3px, 0)","#)
    let lit = stride(from: 0, to: glow.pixels.count, by: 4).count { index in
      (0..<3).contains { glow.pixels[index + $0] != plain.pixels[index + $0] }
    }
    let inked = stride(from: 0, to: plain.pixels.count, by: 4).count { plain.pixels[$0 + 1] != 255 }
    #expect(lit > 2 * inked)
  }

  @Test("The tables of a collection have their own visibility, opacity and effects")
  func tables() async throws {
    func table(_ members: String) -> String {
      """
      {"layerDefinition":{"geometryType":"esriGeometryPoint","spatialReference":{"wkid":3857},"drawingInfo":{
       "renderer":{"type":"simple","symbol":{"type":"esriSMS","style":"esriSMSSquare","size":9,"color":[200,40,40,255]}}}},
       "featureSet":{"spatialReference":{"wkid":3857},"features":[{"attributes":{},"geometry":{"x":0,"y":0}}]}\(members)}
      """
    }
    let json = """
      {"operationalLayers":[{"id":"a","title":"A","opacity":0.5,"effect":"invert(1)","visibleLayers":[0,1,2],
       "featureCollection":{"layers":[\(table(#","visibility":false"#)),
       \(table(#","opacity":0.5,"minScale":1000,"effect":"sepia(1)""#)),\(table(#","blendMode":"multiply""#)),
       \(table(""))]}}]}
      """
    let document = try await MapDocument.withoutWarnings(json)
    let layers = document.layers.map(\.layer.frozen)
    #expect(layers.map(\.isVisible) == [false, true, true, false])
    #expect(layers.map(\.opacity) == [0.5, 0.25, 0.5, 0.5])
    #expect(layers[1].minScale == 1000)
    #expect(layers[2].definition.blendMode == .multiply)
    #expect(layers[1].definition.effect == .everywhere([.amount(.sepia, 1)]))
    #expect(layers[2].definition.effect == nil)
    // The effect of the layer applies to the image of all tables.
    #expect(layers.allSatisfy { $0.groups.map(\.effect) == [.everywhere([.amount(.invert, 1)])] })
    func effects(_ layer: LayerState) -> [[EffectFunction]] {
      (layer.definition.effect?.lists ?? []) + layer.groups.compactMap(\.effect).flatMap(\.lists)
    }
    // Written and read again after a change, they are the same.
    document.layers[0].layer.isVisible = true
    let again = try await MapDocument.open(
      json: JSONValue(parsing: document.map.toJSON()), name: "map", folder: ".")
    let read = again.layers.map(\.layer.frozen)
    #expect(read.map(\.isVisible) == [true, true, true, false])
    #expect(read.map(\.opacity) == [0.5, 0.25, 0.5, 0.5])
    #expect(read.map(effects) == layers.map(effects))
  }
}
