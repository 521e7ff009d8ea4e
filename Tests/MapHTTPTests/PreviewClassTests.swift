import Foundation
import MapHTTP
import MapJSON
import Testing

/// Changed classes of layers on the preview page.
@Suite struct PreviewClassTests {
  @Test("The classes of a layer are listed with their colours and bounds")
  func classes() async throws {
    let preview = try Preview()
    let layer = try await preview.service.json("/maps/points/classes")["layers"]?[0]
    #expect(layer?["layer"] == "Points" && layer?["classes"]?.array?.count == 2)
    #expect(layer?["classes"]?[1]?["color"] == "#1e1ec880" && layer?["classes"]?[1]?["label"] == "many")
    #expect(
      layer?["classes"]?[1]?["minimum"]?.double == 10 && layer?["classes"]?[0]?["maximum"]?.double == 10)
  }

  @Test("Changed classes apply to the image, the legend and the counts of one request, and to no other")
  func changes() async throws {
    let preview = try Preview()
    let view = "?viewpoint=0,10,200000000&size=200x100"
    let before = try await preview.service.get("/maps/points/image\(view)").body
    let legend = "/maps/points/legend\(view)"
    for change in ["classColor=0%3D%23ff00ff", "classColor=Points:%200%3D%23ff00ff"] {
      let image = try await preview.service.get("/maps/points/image\(view)&\(change)")
      #expect(image.status == 200 && image.body != before)
      #expect(try await preview.service.get("/maps/points/image\(view)").body == before)
    }
    let label = try await preview.service.json("\(legend)&classLabel=0%3Da:%201%3Db")
    #expect(label["layers"]?[0]?["entries"]?[0]?["label"] == "a: 1=b")
    let counts = try await preview.service.json(
      "/maps/points/count?everywhere=true&byClass=true&classBreak=0%3D2.5")
    let classes = counts["layers"]?[0]?["classes"]?.array?.compactMap { $0["count"]?.integer }
    #expect(classes == [2, 2, 0])
    let usual = try await preview.service.json("/maps/points/count?everywhere=true&byClass=true")
    #expect(usual["layers"]?[0]?["classes"]?.array?.compactMap { $0["count"]?.integer } == [3, 1, 0])
  }

  /// A wrong change of a class, and a part of the reason.
  private static let refused = [
    ("classColor=red", "CLASS=VALUE"), ("classColor=0%3Dpurplish", "not a value"),
    ("classColor=2%3Dred", "no class 2"),
    ("classColor=-1%3Dred", "no class -1"), ("classColor=-2%3Dred", "CLASS=VALUE"),
    ("classBreak=0%3Dx", "not a value"),
    ("classBreak=0%3D50", "from 50.0 to 50.0"), ("classBreak=0%3D-1", "to -1.0"),
    ("classBreak=7%3D1", "no class 7"),
    ("classBreak=1%3Dnan", "not a value"), ("classColor=Pints:%200%3Dred", "Points"),
    ("classLabel=9223372036854775808%3Da", "CLASS=VALUE"),
  ]

  @Test("A wrong change of a class is refused with the reason")
  func refusedChanges() async throws {
    #expect(Self.refused.count == 12)
    let preview = try Preview()
    for (change, reason) in Self.refused {
      let response = try await preview.service.get("/maps/points/image?size=20x20&\(change)")
      let text = String(decoding: response.body, as: UTF8.self)
      #expect(response.status == 400 && text.contains(reason), "\(change): \(text)")
    }
  }

  @Test("Two bounds that both rise are checked together")
  func risingBounds() async throws {
    let preview = try Preview()
    let target = "/maps/points/count?everywhere=true&byClass=true&classBreak=0%3D60&classBreak=1%3D70"
    let classes = try await preview.service.json(target)["layers"]?[0]?["classes"]?.array
    #expect(classes?.compactMap { $0["count"]?.integer } == [4, 0, 0])
  }

  @Test("Texts and composite symbols have a colour, which changes without their outlines")
  func compositeColors() async throws {
    let simple = #/{"type": "esriSMS"[^}]*}/#
    let text = Served.document([10]).replacing(
      simple, with: #"{"type": "esriTS", "text": "x", "color": [10, 20, 30, 255], "font": {"size": 20}}"#)
    let area = Served.document([10]).replacing("esriGeometryPoint", with: "esriGeometryPolygon").replacing(
      #"{"x": 10, "y": 0}"#, with: #"{"rings": [[[0, 0], [0, 20], [20, 20], [0, 0]]]}"#
    ).replacing(
      simple,
      with: #"""
        {"type": "CIMSymbolReference", "symbol": {"type": "CIMPolygonSymbol", "symbolLayers": [
          {"type": "CIMSolidStroke", "enable": true, "width": 1, "color": [0, 0, 0, 255]},
          {"type": "CIMSolidFill", "enable": true, "color": [10, 20, 30, 255]}]}}
        """#)
    for document in [text, area] {
      let preview = try Preview(text: document)
      let classes = try await preview.service.json("/maps/points/classes")["layers"]?[0]?["classes"]
      #expect(classes?[0]?["color"] == "#0a141eff")
      let view = "viewpoint=10,10,200000000&size=200x100"
      let before = try await preview.service.get("/maps/points/image?\(view)").body
      let change = "classColor=0%3D%23ff00ff"
      let changed = try await preview.service.get("/maps/points/image?\(view)&\(change)")
      #expect(changed.status == 200 && changed.body != before)
      // The saved document has the same image as the page.
      let target = "/maps/points/save?revision=\(try await preview.revision())&\(change)"
      #expect(try await preview.post(target).status == 200)
      #expect(try await preview.service.get("/maps/points/image?\(view)").body == changed.body)
    }
  }
}
