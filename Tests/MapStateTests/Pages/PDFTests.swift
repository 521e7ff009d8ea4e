import MapDrawing
import MapGeometry
import MapJSON
import MapLayout
import MapModel
import MapScript
import MapState
import MapVector
import Testing

/// PDF documents: their text, what they say about themselves, and their position on the ground.
@Suite struct PDFTests {
  private static func document(_ names: [String], fonts: [String] = []) async throws -> MapDocument {
    let features = names.enumerated().map { index, name in
      #"{"attributes":{"n":"\#(name)"},"geometry":{"x":\#(6 + 4 * index),"y":\#(46 + 2 * index)}}"#
    }
    let json = """
      {"operationalLayers":[{"id":"a","title":"Offices","featureCollection":{"layers":[{"showLabels":true,"layerDefinition":{
      "geometryType":"esriGeometryPoint","fields":[{"name":"n","type":"esriFieldTypeString"}],
      "copyrightText":"Survey of Places","drawingInfo":{
      "renderer":{"type":"simple","label":"Office","symbol":{"type":"esriSMS","style":"esriSMSCircle","color":[255,0,0,255],
      "size":8}},"labelingInfo":[{"labelExpressionInfo":{"expression":"$feature.n"},"labelPlacement":
      "esriServerPointLabelPlacementAboveCenter","symbol":{"type":"esriTS","color":[0,0,0,255],"haloSize":1,
      "haloColor":[255,255,255,255],"font":{"size":12}}}]}},
      "featureSet":{"spatialReference":{"wkid":4326},"features":[\(features.joined(separator: ","))]}}]}}]}
      """
    let document = try await MapDocument.open(json: JSONValue(parsing: json), name: "map", folder: ".")
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
    document.map.fonts = try fonts.map { try FontFile(path: "\(folder)/MapTextTests/Cases/Fonts/\($0).ttf") }
    return document
  }

  private static func page(
    _ document: MapDocument, _ layout: PageLayout, _ change: (inout ViewRequest) -> Void = { _ in }
  ) async throws -> (page: MapPage, view: MapView) {
    var request = ViewRequest()
    request.size = ViewSize(width: 500, height: 400)
    request.place = .bounds(
      Envelope(xMin: 4, yMin: 44, xMax: 20, yMax: 54, spatialReference: .wgs84))
    change(&request)
    return try await document.page(request, layout)
  }

  private static var layout: PageLayout {
    var layout = PageLayout()
    (layout.title, layout.subtitle, layout.legend) = ("Offices & more (2024)", "Zürich – Genève", .right)
    (layout.scaleBar, layout.northArrow, layout.margin) = (.metric, true, 20)
    return layout
  }

  @Test("Each text of a page is in the document once, in an embedded font")
  func texts() async throws {
    let document = try await Self.document(["Office of Ælfflæd", "Two  words"])
    let read = try ReadPDF(try await Self.page(document, Self.layout).page.pdfData())
    for text in [
      "Offices & more (2024)", "Zürich – Genève", "Office", "Office of Ælfflæd", "Survey of Places", "N",
    ] {
      #expect(read.texts.count { $0 == text } == 1, "\(text): \(read.texts)")
    }
    #expect(read.texts.contains { $0.hasSuffix("km") })
    #expect(read.all("/Subtype /CIDFontType0C").count == 1)
    let font = try #require(read.all("/Subtype /Type0").first)
    #expect(font.dictionary.contains(#/BaseFont \/[A-Z]{6}\+MapState-Identity-H/#))
  }

  @Test("Letters that join or change places are found with their characters, and each run on one line")
  func scripts() async throws {
    let names = ["مكة المكرمة", "दिल्ली क्षा", "ירושלים", "e\u{301}te\u{301}"]
    let fonts = ["NotoSansArabic", "NotoSansDevanagari", "NotoSansHebrew"]
    let document = try await Self.document(names, fonts: fonts)
    let read = try ReadPDF(try await Self.page(document, PageLayout()).page.pdfData())
    func sorted(_ text: String) -> [Unicode.Scalar] {
      text.unicodeScalars.filter { $0 != " " }.sorted { $0.value < $1.value }
    }
    for name in names {
      // Readers put letters from right to left in order themselves.
      #expect(read.texts.count { sorted($0) == sorted(name) } == 1, "\(name): \(read.texts)")
    }
    #expect(read.texts.contains("दिल्ली क्षा") && read.texts.contains("e\u{301}te\u{301}"))
  }

  private static func texts(_ text: String, _ characters: [Int]) throws -> [String] {
    try read(text, characters).texts
  }

  /// A document of a label with glyphs of given characters, as squares.
  private static func read(
    _ text: String, _ characters: [Int], turn: (Int) -> (Double, Double) = { _ in (1, 0) }
  ) throws -> ReadPDF {
    let square = GlyphOutline(steps: [
      .move(x: 0, y: 0), .line(x: 0.5, y: 0), .line(x: 0.5, y: 0.5), .line(x: 0, y: 0.5), .close,
    ])
    let glyphs = characters.enumerated().map { index, character in
      LabelItem.Glyph(
        outline: 0, character: UInt32(character), x: 20 + 6 * Double(index), y: 30, directionX: turn(index).0,
        directionY: turn(index).1)
    }
    let style = LabelStyle(size: 10, color: .black, classIndex: 0)
    let item = LabelItem(
      text: text, style: 0, row: 0, box: Envelope(xMin: 20, yMin: 20, xMax: 80, yMax: 40), glyphs: glyphs)
    let batch = LabelBatch(outlines: [square], styles: [style], items: [item])
    let list = DisplayList(
      width: 100, height: 60, background: nil,
      layers: [DisplayLayer(index: 0, name: "a", opacity: 1, batches: [.labels(batch)])])
    let empty = DisplayList(width: 100, height: 60, background: nil)
    let page = PDFPage(map: list, origin: (0, 0), page: empty, pixelRatio: 1)
    return try ReadPDF(PDFWriter.document([page], PDFWriter.Information()))
  }

  @Test("A glyph has the characters up to the next one, and glyphs of one letter are one")
  func clusters() throws {
    // A ligature of three letters, and a letter with an accent of its own glyph.
    #expect(try Self.texts("office", [0, 1, 4, 5]) == ["office"])
    #expect(try Self.texts("e\u{301}a", [0, 1, 2]) == ["e\u{301}a"])
    // A vowel sign before its consonant.
    #expect(try Self.texts("कि", [1, 0]) == ["कि"])
    // Blanks have no glyphs.
    #expect(try Self.texts("a b\nc", [0, 2, 4]) == ["a b c"])
    // From right to left.
    #expect(try Self.texts("אב", [1, 0]) == ["בא"])
    // Without its characters, a label has its text as a whole.
    #expect(try Self.texts("abc", [0, 0, 0]) == ["abc"])
  }

  @Test("A text along a curve is also in the document as a whole")
  func curve() throws {
    let curved = try Self.read("Rio Bravo", [0, 1, 2, 4, 5, 6, 7, 8]) { index in
      let angle = 0.1 * Double(index) - 0.3
      return (1 - angle * angle / 2, angle)
    }
    #expect(curved.texts == ["Rio Bravo"])
    #expect(curved.contents[0].contains("/Span << /ActualText (Rio Bravo ) >> BDC\n"))
    #expect(try !Self.read("ab", [0, 1]).contents[0].contains("ActualText"))
  }

  @Test("A document has the title, the subject and the author of its page, and describes the map")
  func information() async throws {
    let document = try await Self.document(["A", "B"])
    let page = try await Self.page(document, Self.layout).page
    let read = try ReadPDF(try await page.pdfData())
    let facts = try #require(read.all("/Creator (MapState)").first).dictionary
    #expect(facts.contains(#"/Title (Offices & more \(2024\)) "#))
    #expect(facts.contains("/Subject <FEFF005A00FC"))
    #expect(facts.contains("/Author (Survey of Places)"))
    #expect(facts.contains("/CreationDate (D:20000101000000Z)"))
    // The title is read before the map.
    let root = try #require(read.all("/S /Document").first).dictionary
    let order = root.matches(of: #/(\d+) 0 R/#).compactMap { Int($0.1) }.dropFirst()
    let parts = order.compactMap { read.objects[$0]?.dictionary.firstMatch(of: #/\/S \/(\w+)/#)?.1 }
    #expect(parts == ["H1", "Figure", "P", "P", "P", "Figure"])
    let summary = try await page.describe().summary
    #expect(read.all("/S /Figure").first?.dictionary.contains("/Alt (\(summary.prefix(15))") == true)
    let content = try #require(read.contents.first)
    #expect(content.split(separator: "BDC").count == parts.count + 1)
    #expect(
      content.matches(of: #/(BDC|BMC)\n/#).count == content.matches(of: #/(?:^|\n)EMC\n/#).count)
    #expect(!read.trailer.contains("/ID"))
  }

  @Test(
    "The corners of the map are on the ground where the view shows them",
    arguments: [(3857, 0.0), (32632, 0), (32632, 30), (4326, 0)])
  func ground(wkid: Int, rotation: Double) async throws {
    let document = try await Self.document(["A", "B"])
    let (page, _) = try await Self.page(document, Self.layout) { request in
      (request.reference, request.rotation) = (SpatialReference(wkid: wkid), rotation)
    }
    let read = try ReadPDF(try await page.pdfData())
    let text = try #require(read.all("/Type /Page ").first).dictionary
    #expect(text.contains("/EPSG \(wkid) "))
    func numbers(_ name: String) throws -> [Double] {
      let part = try #require(text.split(separator: "\(name) [").last?.split(separator: "]").first)
      return part.split(separator: " ").compactMap { Double($0) }
    }
    let (box, places) = (try numbers("BBox"), try numbers("GPTS"))
    #expect(box.count == 4 && places.count == 8)
    let map = page.mapBox
    for (side, expected) in zip(
      box, [map.xMin, 400 - map.yMax, map.xMax, 400 - map.yMin].map({ $0 * 0.75 }))
    {
      #expect(abs(side - expected) < 0.01)
    }
    let view = page.map
    for (index, corner) in [(0.0, 1.0), (0, 0), (1, 0), (1, 1)].enumerated() {
      let (right, down) = ((corner.0 - 0.5) * view.width, (corner.1 - 0.5) * view.height)
      let (cosine, sine) = ResolvedViewpoint.cosineAndSine(view.viewpoint.rotation)
      let expected = Point(
        x: view.viewpoint.center.x + (right * cosine - down * sine) * view.viewpoint.resolution,
        y: view.viewpoint.center.y - (down * cosine + right * sine) * view.viewpoint.resolution,
        spatialReference: view.spatialReference)
      let place = Point(latitude: places[2 * index], longitude: places[2 * index + 1])
      let found = try #require(GeometryEngine.project(place, into: view.spatialReference))
      let pixels = max(abs(found.x - expected.x), abs(found.y - expected.y)) / view.viewpoint.resolution
      #expect(pixels < 0.1, "\(wkid) \(index): \(pixels)")
    }
  }

  @Test("A document of several pages has one font, and each page its own parts and position")
  func pages() async throws {
    let document = try await Self.document(["A", "B"])
    let first = try await Self.page(document, Self.layout).page
    let second = try await Self.page(document, PageLayout()).page
    let bytes = try await MapPage.pdfData(of: [first, second])
    #expect(try await MapPage.pdfData(of: [first, second]) == bytes)
    let read = try ReadPDF(bytes)
    let pages = read.all("/Type /Page ")
    #expect(pages.count == 2 && read.all("/Count 2").count == 1)
    #expect(pages.map { $0.dictionary.contains("/VP [") } == [true, true])
    #expect(pages[1].dictionary.contains("/StructParents 1 "))
    #expect(read.all("/Subtype /Type0").count == 1)
    #expect(read.texts.count { $0 == "Survey of Places" } == 2)
    #expect(read.trailer.contains("/Size \(read.objects.count + 1) "))
  }
}
