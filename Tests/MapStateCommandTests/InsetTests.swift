import Foundation
import MapScript
import MapState
import MapTestSupport
import Testing

/// Small maps of other areas in spatial references of their own.
@Suite("Insets")
struct InsetTests {
  /// An inset as a text and as a value.
  private struct Form {
    let text: String
    let place: PageLayout.Inset.Place
    var wkid: Int?
    var corner: PageLayout.LegendPosition?
  }

  private static let forms = [
    Form(text: "Alaska", place: .named("Alaska")),
    Form(text: "Alaska:top-left", place: .named("Alaska"), corner: .topLeft),
    Form(text: "Alaska@3338", place: .named("Alaska"), wkid: 3338),
    Form(text: "Alaska@EPSG:3338:bottom-left", place: .named("Alaska"), wkid: 3338, corner: .bottomLeft),
    Form(text: "Hawaii@ESRI:102007", place: .named("Hawaii"), wkid: 102_007),
    Form(text: "C@home", place: .named("C@home")),
    Form(text: "C@home:top-right", place: .named("C@home"), corner: .topRight),
    Form(text: "C@home@3338:top-right", place: .named("C@home"), wkid: 3338, corner: .topRight),
    Form(text: "C@3338:top", place: .named("C@3338:top")),
    Form(text: "-180,50,-128,72", place: .bounds(box(-180, 50, -128, 72))),
    Form(
      text: "-180,50,-128,72@3338:bottom-right", place: .bounds(box(-180, 50, -128, 72)), wkid: 3338,
      corner: .bottomRight),
    Form(text: "0,1,2,3,3857", place: .bounds(box(0, 1, 2, 3, .webMercator))),
    Form(
      text: "0,1,2,3,3857@ESRI:102007", place: .bounds(box(0, 1, 2, 3, .webMercator)), wkid: 102_007),
  ]

  private static func box(
    _ xMin: Double, _ yMin: Double, _ xMax: Double, _ yMax: Double, _ reference: SpatialReference = .wgs84
  ) -> Envelope {
    Envelope(xMin: xMin, yMin: yMin, xMax: xMax, yMax: yMax, spatialReference: reference)
  }

  @Test("An inset is read as an area, a spatial reference and a corner, and its description reads the same")
  func forms() throws {
    for form in Self.forms {
      let inset = try PageLayout.Inset(text: form.text)
      let reference = form.wkid.map { SpatialReference(wkid: $0) }
      #expect(
        inset == PageLayout.Inset(form.place, reference: reference, corner: form.corner), "\(form.text)")
      #expect(try PageLayout.Inset(text: "\(inset)") == inset, "\(inset)")
    }
    for text in ["", ":top-left", "@3338", "@3338:top-left"] {
      #expect(throws: MapStateError.self, "\(text)") { try PageLayout.Inset(text: text) }
    }
  }

  /// A square of 2 degrees in Alaska, one of 1 degree beside it, and one of 1 degree in Hawaii.
  private static let areas: String = {
    let squares: [(name: String, x: Int, y: Int, side: Int)] = [
      ("A", -152, 59, 2), ("B", -149, 60, 1), ("C@home", -156, 19, 1),
    ]
    let items = squares.map { square -> String in
      let (x, y) = (square.x, square.y)
      let (right, top) = (x + square.side, y + square.side)
      return
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(square.name)\"},\"geometry\":{\"type\":\"Polygon\","
        + "\"coordinates\":[[[\(x),\(y)],[\(right),\(y)],[\(right),\(top)],[\(x),\(top)],[\(x),\(y)]]]}}"
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(items.joined(separator: ","))]}"
  }()
  /// The options for a map without features.
  private static let elsewhere = ["--bounds", "-90,25,-80,30", "--size", "400x400"]

  /// Renders the areas with options; returns the image and the messages.
  private func drawn(_ options: [String]) async throws -> (image: Bitmap, messages: String) {
    let folder = try ScratchFolder()
    try folder.write(Self.areas, to: "a.geojson")
    let run = try await Tool.run(
      ["render", folder.path("a.geojson"), "-o", folder.path("a.png"), "--symbol", "red", "--no-attribution"]
        + options)
    #expect(run.code == 0, "\(run)")
    return (try Bitmap(file: folder.path("a.png")), run.err)
  }

  /// Returns whether the lower left of a page contains an image but for its edges, which a line covers.
  private static func shows(_ page: Bitmap, _ part: Bitmap) -> Bool {
    let (reach, edge) = (40, 2)
    func row(_ image: Bitmap, _ x: Int, _ y: Int) -> ArraySlice<UInt8> {
      let start = (y * image.width + x) * 4
      return image.pixels[start..<start + (part.width - 2 * edge) * 4]
    }
    return (0...reach).contains { left in
      (page.height - part.height - reach...page.height - part.height).contains { top in
        (edge..<part.height - edge).allSatisfy { y in
          row(page, left + edge, top + y) == row(part, edge, y)
        }
      }
    }
  }

  @Test("An inset in a spatial reference of its own is the map that is drawn in it alone")
  func ownReference() async throws {
    // 400 km by 400 km, so that the inset is a square: 0.28 of 400 view pixels, and 4 of them free on each side.
    let bounds = "0,900000,400000,1300000,3338"
    let alone = try await drawn([
      "--reference", "3338", "--bounds", bounds, "--size", "112x112", "--padding", "4",
    ]).image
    #expect(Set((0..<112).map { alone[$0, 56] }).count > 1)
    let map = Self.elsewhere + ["--reference", "5070"]
    let own = try await drawn(map + ["--inset", "\(bounds)@3338:bottom-left"]).image
    let other = try await drawn(map + ["--inset", "\(bounds):bottom-left"]).image
    #expect(Self.shows(own, alone) && !Self.shows(other, alone))
  }

  @Test(
    "An inset with a spatial reference of its own is the same on maps in any other one",
    arguments: ["A", "C@home", "a", "-153,58,-147,62"])
  func mapReferences(area: String) async throws {
    func image(_ reference: String, _ inset: String) async throws -> Bitmap {
      try await drawn(Self.elsewhere + ["--reference", reference, "--inset", inset]).image
    }
    let expected = try await image("3338", "\(area):bottom-left")
    #expect(try await image("5070", "\(area)@3338:bottom-left") == expected)
    #expect(try await image("3857", "\(area)@EPSG:3338:bottom-left") == expected)
    #expect(try await image("5070", "\(area):bottom-left") != expected)
    let empty = try await drawn(Self.elsewhere + ["--reference", "3338"]).image
    #expect(empty != expected)
  }

  @Test("A warning gives the rotation of an inset without a spatial reference of its own")
  func rotation() async throws {
    func messages(_ reference: String, _ inset: String) async throws -> String {
      try await drawn(Self.elsewhere + ["--reference", reference, "--inset", inset]).messages
    }
    // The convergence of the meridians in EPSG:5070 is 0.603 of the 55 degrees between its middle and 151° W.
    let rotated = try await messages("5070", "A:bottom-left")
    #expect(
      rotated.contains(
        "the inset A:bottom-left is rotated: north at its centre is 33 degrees right of up; A@REFERENCE draws it in a "
          + "spatial reference of its own"), "\(rotated)")
    for (reference, inset) in [("5070", "A@3338"), ("5070", "A@5070"), ("3338", "A"), ("3857", "A")] {
      let text = try await messages(reference, inset)
      #expect(!text.contains("is rotated"), "\(reference) \(inset) \(text)")
    }
  }

  @Test(
    "A spatial reference that no inset can have is an error with the option and the text",
    arguments: ["A@999999", "A@ESRI:999999:top-left", "A@4978", "A@NOPE[1]", "0,0,1,1@here"])
  func impossibleReferences(text: String) async throws {
    let folder = try ScratchFolder()
    try folder.write(Self.areas, to: "a.geojson")
    let run = try await Tool.run(
      "render", folder.path("a.geojson"), "-o", folder.path("a.png"), "--inset", text)
    #expect(run.code == 64 && run.errors.count == 1, "\(run)")
    #expect(run.err.contains("--inset") && run.err.contains(text), "\(run)")
  }

  @Test("An unknown name with a sign @ is an error with the text that is no spatial reference")
  func unknownNames() async throws {
    let folder = try ScratchFolder()
    try folder.write(Self.areas, to: "a.geojson")
    let run = try await Tool.run(
      "render", folder.path("a.geojson"), "-o", folder.path("a.png"), "--inset", "A@EPGS:3338")
    #expect(run.code == 2, "\(run)")
    #expect(run.err.contains("is named \"A@EPGS:3338\", and \"EPGS:3338\" is no spatial reference"), "\(run)")
  }
}
