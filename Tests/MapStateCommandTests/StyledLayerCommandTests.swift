import Foundation
import MapScript
import MapState
import MapTestSupport
import Testing

/// Styles in SLD with the commands that draw and count.
@Suite struct StyledLayerCommandTests {
  private static let styles = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../MapModelTests/Cases/SLD").standardizedFileURL.path

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func path(_ name: String) -> String { "\(Self.styles)/\(name)" }

  @Test("A count by class lists the rules of a style")
  func countByClass() async throws {
    let run = try await Tool.run([
      "count", path("points.geojson"), "--style", path("points/attribute.sld"), "--by-class", "--strict",
    ])
    #expect(run.code == 0, "\(run.err)")
    for line in ["1 to 50000\t4", "50000 to 100000\t4", "Greater than 100000\t4"] {
      #expect(run.out.contains(line), "\(run.out)")
    }
  }

  @Test("A style that draws everything has no warnings, and an unknown element is one with its line")
  func warnings() async throws {
    let style = try String(contentsOfFile: path("lines/simple.sld"), encoding: .utf8)
    let damaged = try folder.write(style.replacing("Stroke>", with: "Stroked>"), to: "damaged.sld")
    for (file, status) in [(path("lines/simple.sld"), Int32(0)), (damaged, 1)] {
      let run = try await Tool.run([
        "render", path("lines.geojson"), "--style", file, "-o", "\(folder.root.path)/a.png", "--strict",
      ])
      #expect(run.code == status, "\(run.err)")
      if status != 0 { #expect(run.err.contains("damaged.sld:10: "), "\(run.err)") }
    }
  }

  @Test("The same loss in several rules is one warning with all lines")
  func repeatedLosses() async throws {
    let rule = """
      <Rule><PointSymbolizer><Graphic><Mark/></Graphic></PointSymbolizer>
      <Xyzzyq/></Rule>

      """
    let style = try folder.write(
      "<StyledLayerDescriptor><NamedLayer><Name>a</Name><UserStyle><FeatureTypeStyle>\n"
        + String(repeating: rule, count: 3)
        + "</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>", to: "losses.sld")
    let run = try await Tool.run(["count", path("points.geojson"), "--style", "\(style)#a", "--by-class"])
    let path = "losses.sld:3: NamedLayer/UserStyle/FeatureTypeStyle/Rule/Xyzzyq: not drawn: unknown element"
    #expect(run.err.contains("\(path); 2 more in lines 5, 7\n"), "\(run.err)")
  }

  @Test("A filter with a box has no warnings")
  func box() async throws {
    let filter = """
      <Filter><BBOX><PropertyName>geom</PropertyName><Box srsName="EPSG:4326"><coordinates>-1,-1 1,1</coordinates></Box>
      </BBOX></Filter>
      """
    let style = try folder.write(
      "<FeatureTypeStyle><Rule>\(filter)<PointSymbolizer><Graphic/></PointSymbolizer></Rule></FeatureTypeStyle>",
      to: "box.sld")
    let run = try await Tool.run([
      "count", path("points.geojson"), "--style", style, "--by-class", "--strict",
    ])
    #expect(run.code == 0, "\(run.err)")
  }

  @Test(
    "The name of a style follows the first hash after a file",
    arguments: [
      ("a.sld", "a.sld", nil), ("a.sld#roads", "a.sld", "roads"),
      ("b/a.xml#day/night", "b/a.xml", "day/night"),
      ("c#/a.sld#x", "c#/a.sld", "x"), ("a.sld#x#y", "a.sld", "x#y"), ("style#x", "style", "x"),
    ] as [(String, String, String?)])
  func names(text: String, file: String, name: String?) throws {
    #expect(try RequestedStyle(text: text) == RequestedStyle(path: file, name: name))
  }

  @Test(
    "A written style draws the same image",
    arguments: ["points/attribute", "lines/border", "polygons/stroke"])
  func written(name: String) async throws {
    let data = path(name.split(separator: "/")[0] + ".geojson")
    let (style, written) = (path("\(name).sld"), "\(folder.root.path)/written.sld")
    var first = StyleRequest()
    first.style = RequestedStyle(path: style)
    let document = try await MapDocument.open(data).styled(first)
    let saved = try folder.write(document.map.toJSON(), to: "map.json")
    let run = try await Tool.run(["convert", saved, "-o", written, "--allow-path", Self.styles])
    try #require(run.code == 0, "\(run.err)")
    var images: [Bitmap] = []
    for path in [style, written] {
      var request = StyleRequest()
      request.style = RequestedStyle(path: path)
      let view = try await MapDocument.open(data).styled(request).view(ViewRequest())
      images.append(try await view.freeze().render().bitmap)
    }
    #expect(images[0] == images[1])
  }

  @Test("The layers of the sample documents are written and drawn as before, or their losses are reported")
  func documents() async throws {
    let samples = try FileManager.default.contentsOfDirectory(
      atPath: Tool.project.appending(path: "Styles").path
    )
    .filter { $0.hasSuffix(".json") }.sorted()
    #expect(samples.count == 6)
    var (count, equal, reported) = (0, 0, 0)
    for sample in samples {
      let document = Tool.style(sample)
      for layer in try await MapDocument.open(document).layers.map(\.layer.title) {
        let written = "\(folder.root.path)/\(count).sld"
        let run = try await Tool.run("convert", document, "--layer", layer, "-o", written)
        try #require(run.code == 0, "\(run.err)")
        var images: [Bitmap] = []
        for style in [nil, RequestedStyle(path: written)] {
          var request = StyleRequest()
          if let style {
            request.ofLayers = [LayerStyle(name: layer, style: StyleRequest())]
            request.ofLayers[0].style.style = style
          }
          let view = try await MapDocument.open(document).styled(request).view(ViewRequest())
          images.append(try await view.freeze().render().bitmap)
        }
        (count, equal) = (count + 1, equal + (images[0] == images[1] ? 1 : 0))
        if images[0] != images[1] {
          reported += 1
          #expect(run.err.contains("layer \"\(layer)\": "), "\(sample), \(layer): no loss is reported")
        }
      }
    }
    #expect(count == 9)
    #expect(equal == 7)
    #expect(reported == 2)
  }

  @Test("A style is a drawing document: its features are those of --data, and two styles are compared")
  func drawingDocument() async throws {
    let (data, style) = (path("points.geojson"), path("points/attribute.sld"))
    let text = try String(contentsOfFile: style, encoding: .utf8)
    let changed = try folder.write(text.replacing("<Size>12<", with: "<Size>13<"), to: "changed.sld")
    let diff = try await Tool.run(["diff", style, changed, "--data", data])
    #expect(diff.code == 1)
    #expect(diff.out.contains("50000 to 100000"), "\(diff.out)")
    let explained = try await Tool.run(["explain", style, "--data", data, "--id", "2"])
    #expect(explained.code == 0, "\(explained.err)")
    #expect(explained.out.contains("50000 to 100000"), "\(explained.out)")
    let bare = try await Tool.run(["lint", style])
    #expect(bare.code == 2)
    #expect(bare.err.contains("is a style (SLD) and has no features; name them with --data"), "\(bare.err)")
  }
}
