import Foundation
import MapModel
import MapScript
import MapState
import MapTestSupport
import Testing

/// Colours by the ground below the layers, as options and basemaps choose it.
@Suite struct GroundCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A row of squares from 0° to 6° east, each with a number and a kind.
  private func squares(_ count: Int = 12) throws -> String {
    let side = 6 / Double(count)
    let features = (0..<count).map { index in
      let (west, east) = (Double(index) * side, Double(index + 1) * side)
      let ring = [(west, 0.0), (east, 0), (east, side), (west, side), (west, 0)].map { "[\($0.0),\($0.1)]" }
      return
        #"{"type":"Feature","properties":{"n":\#(index),"kind":"k\#(index % 9)"},"geometry":{"type":"Polygon","coordinates":[[\#(ring.joined(separator: ","))]]}}"#
    }
    return try folder.write(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#,
      to: "s\(count).geojson")
  }

  private func points() throws -> String {
    try folder.write(
      "n,kind,lon,lat\n" + (0..<18).map { "\($0),k\($0 % 9),\($0),\($0 % 3)\n" }.joined(), to: "p.csv")
  }

  private func styled(
    _ data: String, basemap: Basemap.Style? = nil, background: Color? = .white,
    _ change: (inout StyleRequest) -> Void
  ) async throws -> MapDocument {
    var style = StyleRequest()
    change(&style)
    let document = try await MapDocument.open(data).styled(style)
    document.map.basemap = basemap.map { Basemap(style: $0) }
    document.map.backgroundColor = background
    return document
  }

  private func renderer(_ document: MapDocument) async throws -> RendererForm {
    try await document.view(ViewRequest()).freeze().layers[0].renderer
  }

  @Test("No default colour of a class or symbol is nearly that of the ground, with every basemap style")
  func defaults() async throws {
    let (areas, points) = (try squares(), try points())
    var requests: [(inout StyleRequest) -> Void] = [{ _ in }, { $0.colorBy = "kind" }]
    for count in 1...7 { requests.append { ($0.colorBy, $0.classes) = ("n", count) } }
    var checked = 0
    for basemap in Basemap.Style.withDrawing.map(Optional.some) + [nil] {
      for background in [Color.white, .black] {
        for data in [areas, points] {
          for request in requests {
            let document = try await styled(data, basemap: basemap, background: background, request)
            let findings = try await DocumentLint().answer(document).findings
            #expect(findings.isEmpty, "\(basemap?.rawValue ?? "none") \(background): \(findings.map(\.text))")
            checked += 1
          }
        }
      }
    }
    #expect(checked == 252)
  }

  @Test("Classes take other colours on dark ground: high ones are light, and greys and outlines dark")
  func classes() async throws {
    let data = try squares()
    let light = try await renderer(styled(data) { $0.colorBy = "n" })
    let dark = try await renderer(styled(data, background: .black) { $0.colorBy = "n" })
    let below = try await renderer(styled(data, basemap: .arcGISDarkGray) { $0.colorBy = "n" })
    #expect(below == dark && light != dark)
    #expect(dark.classLabels == light.classLabels && dark.classLabels.count == 5)
    func fills(_ form: RendererForm) -> [SimpleFillSymbol] {
      (form.classSymbols + (form.defaultSymbol.map { [$0] } ?? [])).compactMap {
        if case .fill(let fill) = $0 { fill } else { nil }
      }
    }
    #expect(
      fills(dark).prefix(5).map { $0.color?.hexadecimal } == [
        "#2c7fb8ff", "#41b6c4ff", "#7fcdbbff", "#c7e9b4ff", "#ffffccff",
      ])
    #expect(
      fills(light).prefix(5).map { $0.color?.hexadecimal } == [
        "#c7e9b4ff", "#7fcdbbff", "#41b6c4ff", "#2c7fb8ff", "#253494ff",
      ])
    #expect(Set(fills(light).map { $0.outline?.color }) == [.white])
    #expect(Set(fills(dark).map { $0.outline?.color }) == [Color(red: 30, green: 30, blue: 30)])
    #expect(fills(light).last?.color == Color(red: 150, green: 150, blue: 150))
    #expect(fills(dark).last?.color == Color(red: 100, green: 100, blue: 100))
    // A named ramp and named colours stay as they are.
    for ramp in ["viridis", "YlOrRd"] {
      let named = ColorRamp.named(ramp)
      let colors = try await renderer(
        styled(data, background: .black) { ($0.colorBy, $0.ramp) = ("n", named) })
      #expect(fills(colors).prefix(5).map(\.color) == named?.colors(count: 5) ?? [])
    }
  }

  @Test(
    "Classes take the other default ramp on ground of nearly one of their colours, also in a saved document")
  func otherRamp() async throws {
    let (areas, points) = (try squares(), try points())
    func colors(_ form: RendererForm) -> [String] {
      form.classSymbols.map {
        switch $0 {
        case .fill(let fill): fill.color?.hexadecimal ?? ""
        case .marker(let marker): marker.color?.hexadecimal ?? ""
        default: ""
        }
      }
    }
    let blues = ["#c7e9b4ff", "#7fcdbbff", "#41b6c4ff", "#2c7fb8ff", "#253494ff"]
    let reds = ["#fed976ff", "#feb24cff", "#fd8d3cff", "#f03b20ff", "#bd0026ff"]
    for (basemap, expected) in [
      (Basemap.Style.arcGISLightGray, blues), (.arcGISOceans, reds), (.arcGISStreets, reds),
      (.arcGISTopographic, reds),
    ] {
      for data in [areas, points] {
        let form = try await renderer(styled(data, basemap: basemap) { $0.colorBy = "n" })
        #expect(colors(form) == expected, "\(basemap)")
        for case .marker(let marker) in form.classSymbols {
          #expect(marker.outline?.color == marker.color?.outline)
        }
        // A named ramp stays.
        let named = ColorRamp.named("YlGnBu")
        let own = try await renderer(
          styled(data, basemap: basemap) { ($0.colorBy, $0.ramp) = ("n", named) })
        #expect(colors(own) == named?.colors(count: 5).map(\.hexadecimal))
      }
    }
    let document = folder.path("o.json")
    let run = try await Tool.run(
      "render", points, "-o", folder.path("a.png"), "--color-by", "n", "--basemap", "arcGISOceans",
      "--save-document", document)
    #expect(run.code == 0, "\(run)")
    let drawn = try await Tool.run("render", document, "-o", folder.path("b.png"))
    #expect(drawn.code == 0, "\(drawn)")
    #expect(try Data(contentsOf: folder.url("a.png")) == Data(contentsOf: folder.url("b.png")))
  }

  @Test("Markers of classes have outlines in a darker tone of their colour")
  func outlines() async throws {
    let points = try points()
    for background in [Color.white, .black] {
      let form = try await renderer(styled(points, background: background) { $0.colorBy = "kind" })
      #expect(form.classSymbols.count == 9)
      for symbol in form.classSymbols {
        guard case .marker(let marker) = symbol else {
          Issue.record("no marker")
          continue
        }
        #expect(marker.outline == SimpleLineSymbol(color: try #require(marker.color).outline, width: 0.5))
      }
    }
  }

  @Test("Outlines of areas become narrower with the areas, and those of a caller do not")
  func narrowerOutlines() async throws {
    let renderer = try await renderer(styled(squares()) { $0.colorBy = "n" })
    let variable = try #require(renderer.visualVariables.outlineWidth)
    #expect(variable.input == .scale)
    // Squares of half a degree, 55,660 m in Web Mercator.
    func width(ofAreasOf pixels: Double) -> Double {
      let scale = 55_660 / pixels / 0.0254 * 96
      return variable.size(of: scale, scale: scale, byArea: false) ?? 0
    }
    #expect(width(ofAreasOf: 100) == 0.5)
    #expect(width(ofAreasOf: 12.5) == 0.5)
    #expect((0.1...0.2).contains(width(ofAreasOf: 5)))
    #expect(width(ofAreasOf: 2.9) == 0)
    let own = try await styled(squares()) {
      $0.colorBy = "n"
      $0.outlineWidth = 1
    }
    #expect(try await self.renderer(own).visualVariables.isEmpty)
  }

  @Test("A saved document keeps the colours of the ground that it was drawn on")
  func saved() async throws {
    let data = try squares()
    let document = folder.path("m.json")
    for background in ["#101418", "white"] {
      let run = try await Tool.run(
        "render", data, "-o", folder.path("a.png"), "--color-by", "n", "--label", "kind", "--background",
        background, "--save-document", document)
      #expect(run.code == 0, "\(run)")
      let drawn = try await Tool.run("render", document, "-o", folder.path("b.png"))
      #expect(drawn.code == 0, "\(drawn)")
      #expect(
        try Data(contentsOf: folder.url("a.png")) == Data(contentsOf: folder.url("b.png")), "\(background)")
      // On another ground the document keeps what it states.
      let other = try await Tool.run(
        "legend", document, "-o", folder.path("l.json"))
      #expect(other.code == 0, "\(other)")
      let found = try await MapDocument.open(document).view(ViewRequest()).freeze().layers[0]
      #expect(found.definition.darkRenderer == nil)
      // The mean colour of the areas is light on both grounds.
      #expect(found.labelDefinitions[0].textSymbol.color == .black)
    }
  }

  @Test("Classes that equal the ground or their outline are warned of in plain data, and found by lint")
  func hidden() async throws {
    let (areas, points) = (try squares(), try points())
    func render(_ data: String, _ words: String...) async throws -> String {
      let run = try await Tool.run(["render", data, "-o", folder.path("h.png")] + words)
      #expect(run.code == 0, "\(run)")
      return run.err
    }
    let blues = ["--color-by", "n", "--ramp", "Blues", "--classes", "9"]
    let run = try await Tool.run(["render", areas, "-o", folder.path("h.png")] + blues)
    #expect(
      run.err.contains(
        "class \"0–1\" has nearly the colour of the ground: #f7fbffff and #ffffffff differ by 2.6 (CIEDE2000; 5 is needed)"
      ), "\(run)")
    let same = try await render(
      areas, "--color-by", "n", "--ramp", "YlGnBu", "--classes", "9", "--background", "#41b6c4")
    #expect(same.contains("has nearly the colour of the ground"), "\(same)")
    // Default colours avoid the ground.
    #expect(try await !render(areas, "--color-by", "n", "--background", "#2c7fb8").contains("nearly"))
    // An outline shows a marker, but not the class of an area.
    let pale =
      #"{"type":"esriSMS","style":"esriSMSCircle","color":[255,255,255,255],"size":8,"outline":{"color":[0,0,0,255],"width":1}}"#
    #expect(try await !render(points, "--symbol", pale).contains("nearly"))
    #expect(try await render(points, "--symbol", "white", "--background", "#999999").isEmpty)
    let land = try await render(areas, "--symbol", "#E8EDD9", "--basemap", "arcGISTopographic")
    #expect(!land.contains("nearly"), "\(land)")
    let line = try await render(
      areas, "--colors", "#E8EDD9,#225588", "--color-by", "n", "--basemap", "arcGISTopographic")
    #expect(line.contains("#e8edd9ff and #e8edd9ff differ by 0.0 (CIEDE2000; 5 is needed)"), "\(line)")
    let equal =
      #"{"type":"esriSFS","style":"esriSFSSolid","color":[0,0,0,255],"outline":{"color":[34,85,136,255],"width":1}}"#
    let edge = try await render(areas, "--symbol", equal, "--colors", "#225588,#cc4400", "--color-by", "n")
    #expect(edge.contains("has nearly the colour of its outline: #225588ff and #225588ff"), "\(edge)")
    // Documents are not warned of: their author asks lint.
    _ = try await render(
      areas, "--colors", "#fefefe,#225588", "--color-by", "n", "--save-document", folder.path("m.json"))
    let document = try await Tool.run("render", folder.path("m.json"), "-o", folder.path("h.png"))
    #expect(!document.err.contains("nearly"), "\(document)")
    let lint = try await Tool.run("lint", folder.path("m.json"))
    #expect(
      lint.out.contains("class-visibility\t$.operationalLayers[0].layerDefinition.drawingInfo.renderer."),
      "\(lint)")
    let disabled = try await Tool.run("lint", folder.path("m.json"), "--disable", "class-visibility")
    #expect(!disabled.out.contains("class-visibility"), "\(disabled)")
  }

  @Test("A basemap of vector tiles hides the background only if it covers it")
  func vectorBasemaps() async throws {
    let data = try points()
    func style(_ name: String, _ layers: String) throws -> String {
      try folder.write(#"{"version":8,"sources":{},"layers":[\#(layers)]}"#, to: name)
    }
    let open = try style("open.json", "")
    let dark = try style(
      "dark.json", ##"{"id":"b","type":"background","paint":{"background-color":"#101418"}}"##)
    let thin = try style(
      "thin.json",
      ##"{"id":"b","type":"background","paint":{"background-color":"#101418","background-opacity":0.2}}"##)
    for (path, hides) in [(open, false), (dark, true), (thin, false)] {
      let run = try await Tool.run(
        "render", data, "-o", folder.path("v.png"), "--basemap", path, "--background", "white")
      #expect(run.err.contains("hides --background") == hides, "\(run)")
      let document = try await MapDocument.open(data)
      document.map.basemap = Basemap(baseLayer: try await SourceCatalog().basemapLayer(at: path))
      let view = try await document.view(ViewRequest())
      try await view.map.basemap?.load()
      let ground = view.freeze().groundColor
      #expect((GroundTone(of: ground) == .dark) == hides, "\(String(describing: ground))")
    }
    let bundled = try await Tool.run(
      "render", data, "-o", folder.path("v.png"), "--basemap", "arcGISOceans", "--background", "red")
    #expect(bundled.err.contains("the basemap hides --background; add --no-basemap to see it"), "\(bundled)")
  }

  @Test("Selection and labels of data files follow the ground of a vector basemap")
  func legend() async throws {
    let data = try points()
    let view = try await styled(data, background: Color(red: 20, green: 24, blue: 28)) { $0.label = "kind" }
      .view(ViewRequest())
    #expect(view.selectionColor == .cyan)
    #expect(view.freeze().layers[0].labelDefinitions[0].textSymbol.color == .white)
    view.map.backgroundColor = .white
    #expect(view.selectionColor == Color(red: 230, green: 0, blue: 126))
    #expect(view.freeze().layers[0].labelDefinitions[0].textSymbol.color == .black)
    view.selectionColor = .red
    #expect(view.freeze().selectionColor == .red)
  }
}
