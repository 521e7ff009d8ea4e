import Foundation
import MapTestSupport
import Testing

/// The results of cases: equal meanings, faults, parts of pages, tolerances and further references.
@Suite struct SnapshotResultTests {
  let map: ReviewedMap

  init() async throws { map = try await ReviewedMap() }

  @Test(
    "A filter that is spelt otherwise is no change",
    arguments: ["5 > n", "N < 5", "(n < 5)", "n<5", "NOT (NOT (n < 5))"])
  func spellings(filter: String) async throws {
    try map.write(filter: filter)
    let run = try await map.snapshot("verify", "cases", "--exact-filters")
    #expect(run.code == 0, "\(run)")
    #expect(run.out == "same\tall\nsame\tclasses/a\nsame\tclasses/b\n", "\(run)")
  }

  @Test("A filter that selects the same rows by other means is equivalent, and fails with --exact-filters")
  func equivalent() async throws {
    try map.write(filter: "n <= 4")
    let run = try await map.snapshot("verify", "cases")
    #expect(run.code == 0, "\(run)")
    #expect(
      run.out.hasPrefix("equivalent\tall\tPoints › definition expression (filter): n < 5 → n <= 4\n"),
      "\(run)")
    let exact = try await map.snapshot("verify", "cases", "--exact-filters")
    #expect(exact.code == 1, "\(exact)")
    #expect(exact.out.hasPrefix("style-differs\tall\t"), "\(exact)")
    // One that happens to draw the same features but selects other rows is none of these.
    try map.write(filter: "n < 4.5 OR n > 90")
    #expect(try await map.snapshot("verify", "cases").code == 0)
  }

  @Test("A case that cannot be drawn names the layer, the property and its values")
  func brokenDocuments() async throws {
    for (filter, property) in [
      ("missing < 5", "definition expression (filter): n < 5 → missing < 5"),
      ("n <", "definition expression (filter): n < 5 → n <"),
    ] {
      try map.write(filter: filter)
      let run = try await map.snapshot("verify", "cases", "all")
      #expect(run.code == 2, "\(run)")
      #expect(run.out.contains("\n\tPoints › \(property)\n"), "\(run)")
    }
    try map.write()
    let text = try String(contentsOfFile: map.folder.path("map.json"), encoding: .utf8)
    try map.folder.write(
      text.replacing(
        #""definitionExpression""#,
        with: #""displayFilterInfo": {"filterMode": "manul", "filters": []}, "definitionExpression""#),
      to: "map.json")
    let run = try await map.snapshot("verify", "cases", "all")
    #expect(run.out.contains("\n\tPoints › display filter mode: none → manul\n"), "\(run)")
    // The data lose a field, and the document stays.
    try map.folder.write(
      text.replacing(#""kind": "#, with: #""sort": "#).replacing(
        #""name": "kind""#, with: #""name": "sort""#),
      to: "map.json")
    let field = try await map.snapshot("verify", "cases", "all")
    #expect(field.out.contains("\n\tPoints › field \"kind\": present → missing\n"), "\(field)")
  }

  @Test(
    "Parts of a page are named as properties with their values",
    arguments: [
      (#""title": "Other", "legend": "right""#, "page title: Towns → Other"),
      (#""title": "Towns", "legend": "left""#, "page legend: right → left"),
      (#""title": "Towns""#, "page legend: right → none"),
      (#""title": "Towns", "legend": "right", "scaleBar": true"#, "page scale bar: none → metric"),
      (#""title": "Towns", "legend": "right", "subtitle": "2020""#, "page subtitle: none → 2020"),
    ])
  func pages(layout: String, change: String) async throws {
    func write(_ layout: String) throws {
      try map.folder.write(
        #"{"document": "\#(map.folder.path("map.json"))", "size": [300, 200], "layout": {\#(layout)}}"#,
        to: "pages/one/case.json")
    }
    try write(#""title": "Towns", "legend": "right""#)
    try #require(try await map.snapshot("record", "pages", "--all").code == 0)
    try write(layout)
    let run = try await map.snapshot("verify", "pages")
    #expect(run.code == 1, "\(run)")
    let lines = run.out.split(separator: "\n")
    #expect(lines.dropFirst().first?.hasPrefix("\t\(change)") == true, "\(run)")
  }

  @Test("A feature that a wider symbol draws at an edge of a page's map belongs to the symbol's change")
  func edges() async throws {
    func write(size: Int) throws {
      let features = (-400...400).map { x in
        #"{"attributes": {"n": \#(x)}, "geometry": {"x": 0, "y": \#(x)}}"#
      }
      try map.folder.write(
        """
        {"operationalLayers": [{"id": "p", "title": "Points", "featureCollection": {"layers": [{
          "layerDefinition": {"geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 3857},
            "fields": [{"name": "n", "type": "esriFieldTypeInteger"}],
            "drawingInfo": {"renderer": {"type": "simple", "label": "point", "symbol": {
              "type": "esriSMS", "style": "esriSMSSquare", "color": [200, 0, 0, 255], "size": \(size)}}}},
          "featureSet": {"features": [\(features.joined(separator: ", "))]}}]}}]}
        """, to: "row.json")
    }
    try write(size: 9)
    try map.folder.write(
      #"{"document": "\#(map.folder.path("row.json"))", "size": [300, 200], "viewpoint": "0,0,3779.52", "layout": {"title": "Points"}}"#,
      to: "pages/one/case.json")
    try #require(try await map.snapshot("record", "pages", "--all").code == 0)
    try write(size: 18)
    let run = try await map.snapshot("verify", "pages", "--report-dir", "report")
    #expect(run.code == 1, "\(run)")
    let report = try String(contentsOfFile: map.folder.path("report/report.md"), encoding: .utf8)
    #expect(report.contains("\n1. Points › point › size: 9 → 18"), "\(report)")
    #expect(!report.contains("\n2. "), "\(report)")
  }

  @Test("A legend's change is named by the class that causes it, also if the map does not show the class")
  func legends() async throws {
    func write(_ bounds: String) throws {
      try map.folder.write(
        #"{"document": "\#(map.folder.path("map.json"))", "size": [300, 200], "bounds": "\#(bounds)", "layout": {"legend": "right"}}"#,
        to: "pages/one/case.json")
    }
    // The first area shows class a alone.
    for bounds in ["15,25,25,35,3857", "0,0,140,60,3857"] {
      try map.write()
      try write(bounds)
      try #require(try await map.snapshot("record", "pages", "--all").code == 0)
      try map.write(b: "[0, 9, 200, 255]")
      let run = try await map.snapshot("verify", "pages", "--report-dir", "report")
      #expect(run.code == 1, "\(run)")
      let lines = run.out.split(separator: "\n")
      #expect(
        lines.dropFirst().first?.hasPrefix("\tPoints › b › fill color: #0000c8ff → #0009c8ff") == true,
        "\(run)")
      let report = try String(contentsOfFile: map.folder.path("report/report.md"), encoding: .utf8)
      #expect(report.contains("\n1. Points › b › fill color") && !report.contains("\n2. "), "\(report)")
    }
    // Without a legend, a class that is not shown changes nothing.
    try map.write()
    try map.folder.write(
      #"{"document": "\#(map.folder.path("map.json"))", "size": [300, 200], "bounds": "15,25,25,35,3857"}"#,
      to: "pages/one/case.json")
    try #require(try await map.snapshot("record", "pages", "--all").code == 0)
    try map.write(b: "[0, 9, 200, 255]")
    #expect(try await map.snapshot("verify", "pages").code == 0)
  }

  @Test("A tolerance and a mask state the largest changes that they hide")
  func tolerances() async throws {
    let view =
      #""size": [140, 60], "bounds": {"xmin": 0, "ymin": 0, "xmax": 140, "ymax": 60, "spatialReference": {"wkid": 3857}}"#
    func write(_ more: String) throws {
      try map.folder.write(
        #"{"document": "\#(map.folder.path("map.json"))", \#(view), "reason": "A test.", \#(more)}"#,
        to: "tolerant/one/case.json")
    }
    try write(#""tolerance": {"channel": 9}"#)
    try #require(try await map.snapshot("record", "tolerant", "--all").code == 0)
    let channel = try await map.snapshot("verify", "tolerant")
    #expect(channel.code == 0, "\(channel)")
    #expect(
      channel.out.contains(
        "\tthe tolerance hides a colour of Points › a that changes by up to 9 of 255, a colour of Points › b that changes "
          + "by up to 9 of 255, in drawing; the record still shows changes of styles and data\n"),
      "\(channel)")
    // One square of 12 by 12 pixels may be missing.
    try write(#""tolerance": {"channel": 1, "pixels": 150}, "compare": "image""#)
    let pixels = try await map.snapshot("verify", "tolerant")
    #expect(pixels.out.contains("a missing feature of 144 pixels, such as "), "\(pixels)")
    #expect(pixels.out.contains(", whatever its cause\n"), "\(pixels)")
    try write(#""masks": [{"rectangle": [0, 0, 30, 60], "reason": "A test."}]"#)
    let mask = try await map.snapshot("verify", "tolerant")
    #expect(mask.out.contains("the tolerance and the masks hide "), "\(mask)")
    #expect(mask.out.contains("a missing feature of 144 pixels, such as 1 in Points"), "\(mask)")
  }

  @Test("lint lists what tolerances hide: a finding where only the image is compared, else a note")
  func lintedTolerances() async throws {
    func write(_ name: String, _ more: String) throws {
      try map.folder.write(
        #"{"document": "\#(map.folder.path("map.json"))", "size": [140, 60], "bounds": "0,0,140,60,3857"\#(more)}"#,
        to: "tolerant/\(name)/case.json")
    }
    func lint(_ words: String...) async throws -> Tool.Run {
      try await Tool.run(["lint"] + words, folder: map.folder.root)
    }
    let tolerance = #", "reason": "A test.", "tolerance": {"channel": 9}"#
    try write("plain", "")
    try write("record", tolerance)
    try write("image", #"\#(tolerance), "compare": "image""#)
    try #require(try await map.snapshot("record", "tolerant", "--all").code == 0)
    let run = try await lint("tolerant")
    #expect(run.code == 1, "\(run)")
    let hidden =
      "the tolerance hides a colour of Points › a that changes by up to 9 of 255, a colour of Points › b that changes by "
      + "up to 9 of 255"
    #expect(
      run.out == "hidden-change\t$.tolerance\tcase \"tolerant/image\": \(hidden), whatever its cause; "
        + "reduce it, or remove \"compare\": \"image\" to compare styles and data as well\n", "\(run)")
    #expect(
      run.err
        == "note: case \"tolerant/record\": \(hidden), in drawing; the record still shows changes of styles and data\n",
      "\(run)")
    let github = try await lint("tolerant", "--format", "github")
    #expect(
      github.out.contains(
        "::error file=tolerant/image/case.json,line=1,title=mapstate lint%3A hidden-change::"))
    #expect(try await lint("tolerant", "--disable", "hidden-change").code == 0)
    #expect(try await lint("tolerant/record/case.json").code == 0)
    let unused = try await lint("tolerant/record", "--now", "2020-01-01", "--data", "map.json")
    #expect(unused.err.contains("warning: --now has no effect"), "\(unused)")
    #expect(unused.err.contains("warning: --data has no effect"), "\(unused)")
  }

  @Test("A tolerance of some pixels names a small feature that it hides among many large ones")
  func smallFeatures() async throws {
    let features = (0..<90).map { n in
      #"{"attributes": {"n": \#(n), "kind": "\#(n < 80 ? "large" : "small")"}, "geometry": {"x": \#(n % 10 * 20 + 10), "y": \#(n / 10 * 20 + 10)}}"#
    }
    func info(_ name: String, _ size: Int) -> String {
      #"{"value": "\#(name)", "label": "\#(name)", "symbol": {"type": "esriSMS", "style": "esriSMSSquare", "color": [0, 0, 0, 255], "size": \#(size)}}"#
    }
    try map.folder.write(
      """
      {"map": {"operationalLayers": [{"title": "Points", "featureCollection": {"layers": [{
        "layerDefinition": {"geometryType": "esriGeometryPoint", "spatialReference": {"wkid": 3857},
          "fields": [{"name": "n", "type": "esriFieldTypeInteger"}, {"name": "kind", "type": "esriFieldTypeString"}],
          "drawingInfo": {"renderer": {"type": "uniqueValue", "field1": "kind", "uniqueValueInfos": [
            \(info("large", 9)), \(info("small", 3))]}}},
        "featureSet": {"features": [\(features.joined(separator: ", "))]}}]}}]},
        "size": [200, 180], "bounds": "0,0,200,180,3857", "tolerance": {"pixels": 16}, "reason": "A test."}
      """, to: "many/one/case.json")
    try #require(try await map.snapshot("record", "many", "--all").code == 0)
    let run = try await map.snapshot("verify", "many")
    #expect(
      run.out.contains(
        "\tthe tolerance hides a missing feature of 16 pixels, such as 81 in Points, in drawing;"), "\(run)")
  }

  @Test("A case accepts the further references that it names with platform and reason")
  func furtherReferences() async throws {
    _ = try await map.review()
    let report = map.folder.url("report/cases/classes/a")
    try FileManager.default.createDirectory(
      at: map.folder.url("cases/classes/a/other"), withIntermediateDirectories: true)
    for name in ["reference.png", "reference.json", "reference-owners.png"] {
      try FileManager.default.copyItem(
        at: report.appendingPathComponent(name), to: map.folder.url("cases/classes/a/other/\(name)"))
    }
    #expect(try await map.snapshot("verify", "cases").out.contains("orphan\tclasses/a/other\t"))
    let path = map.folder.path("cases/classes/a/case.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try (text.dropLast() + #", "references": [{"folder": "other", "platform": "P 2", "reason": "A test."}]}"#)
      .write(
        toFile: path, atomically: true, encoding: .utf8)
    let run = try await map.snapshot("verify", "cases", "--jobs", "1")
    #expect(run.out.contains("same\tclasses/a\n\tas the reference other (P 2): A test.\n"), "\(run)")
    #expect(!run.out.contains("orphan"), "\(run)")
    // Neither of both.
    try map.write(a: "[1, 2, 3, 255]")
    #expect(try await map.snapshot("verify", "cases", "classes/a").code == 1)
  }
}
