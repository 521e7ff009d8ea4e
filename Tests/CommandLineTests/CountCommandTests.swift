import Foundation
import MapTestSupport
import Testing

@Suite("count")
struct CountCommandTests {
  let folder: ScratchFolder
  let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  private func count(_ arguments: String..., input: String = "") async throws -> Tool.Run {
    try await Tool.run(["count", map] + arguments, input: input)
  }

  private func places(_ arguments: String...) async throws -> String {
    let run = try await Tool.run(["count", map, "--layer", "Places"] + arguments)
    #expect(run.code == 0, "\(run.err)")
    return run.out
  }

  @Test("A count of a map with a basemap alone is a usage error")
  func basemapAlone() async throws {
    let folder = try ScratchFolder()
    for layer in [
      #"{"id": "v", "layerType": "VectorTileLayer", "styleUrl": "style.json"}"#,
      #"{"id": "t", "layerType": "ArcGISTiledMapServiceLayer", "url": "https://localhost:1/MapServer"}"#,
    ] {
      let map = try folder.write(
        #"{"operationalLayers": [], "baseMap": {"title": "B", "baseMapLayers": [\#(layer)]}}"#, to: "map.json"
      )
      let run = try await Tool.run("count", map)
      #expect(run.code == 64 && run.err.contains("only a basemap, whose features are not counted"), "\(run)")
    }
  }

  @Test("Text output names the layers only when there are several")
  func textForOneAndSeveralLayers() async throws {
    #expect(try await count().out == "Square\t1\nPlaces\t4\n")
    #expect(try await count("--layer", "Places").out == "4\n")
    #expect(try await Tool.run("count", folder.path("data/places.geojson")).out == "8\n")
    #expect(try await Tool.run("count", folder.path("data/table.csv")).out == "3\n")
  }

  @Test("A time filter on a layer without time warns, and an unknown field suggests a name")
  func whatSomebodyMayMissIsSaid() async throws {
    let timed = try await count("--time", "2020-01-03")
    #expect(timed.out == "Square\t1\nPlaces\t1\n")
    #expect(
      timed.err == "warning: layer \"Square\" has no time field: --time does not apply to it\n")
    let display = try await count("--display-filter", "Places: n = 3")
    #expect(display.out == "Square\t1\nPlaces\t4\n")
    #expect(
      display.err
        == "warning: --display-filter limits drawing only, so the answer ignores it; see count --funnel\n")
    let funnel = try await count("--display-filter", "Places: n = 3", "--funnel")
    #expect(funnel.err == "")
    let misnamed = try await Tool.run("count", Tool.cities, "--where", "NAME = 'Oslo'")
    #expect(misnamed.code == 2)
    #expect(misnamed.err.contains("unknown field 'NAME'; did you mean 'CITY_NAME'?"))
  }

  @Test("A layer is selected by its title, id or index")
  func layersByTitleIDAndIndex() async throws {
    for name in ["Places", "places", "1"] {
      #expect(try await count("--layer", name).out == "4\n")
    }
    for name in ["Square", "square", "0"] {
      #expect(try await count("--layer", name).out == "1\n")
    }
  }

  @Test("JSON output has its keys in a fixed order")
  func jsonKeysInOrder() async throws {
    let everywhere = try await count("--everywhere", "--format", "json", "--viewpoint", "0,0,1000000")
    #expect(
      everywhere.out == """
        {"extent":null,"wkid":3857,"scale":1000000,"layers":[{"layer":"Square","count":1,"exact":true},\
        {"layer":"Places","count":6,"exact":true}],\
        "warnings":["--viewpoint has no effect: the question searches no view; --in-view searches one"]}\n
        """)
    let extent = try await count(
      "--extent", "0,-1,4,1,4326", "--viewpoint", "0,0,1000000", "--format", "json", "--layer", "Places")
    #expect(
      extent.out == """
        {"extent":[0,-1,4,1],"wkid":4326,"scale":1000000,"layers":[{"layer":"Places","count":3,"exact":true}],\
        "warnings":["--viewpoint has no effect: the question searches no view; --in-view searches one"]}\n
        """)
    let funnel = try await count("--layer", "1", "--funnel", "--format", "json")
    #expect(
      funnel.out.hasSuffix(
        """
        "layers":[{"layer":"Places","count":4,"exact":true,"funnel":{"total":8,"definition":6,"extent":4,"time":4,\
        "scale":4,"display":2,"invisible":0,"drawn":2,"edge":0}}],"warnings":[]}\n
        """), "\(funnel.out)")
  }

  @Test("CSV output quotes names and has one column per funnel stage")
  func csvQuotesAndNamesStages() async throws {
    #expect(try await count("--format", "csv").out == "layer,count\nSquare,1\nPlaces,4\n")
    #expect(
      try await count("--format", "csv", "--funnel").out == """
        layer,count,total,definition,extent,time,scale,display,invisible,drawn,edge
        Square,1,1,1,1,1,1,1,0,1,0
        Places,4,8,6,4,4,4,2,0,2,0

        """)
    let odd = SmallMap.document().replacing("\"Places\"", with: #""A, \"b\"""#)
    let path = try folder.write(odd, to: "odd.json")
    #expect(
      try await Tool.run("count", path, "--format", "csv").out
        == "layer,count\nSquare,1\n\"A, \"\"b\"\"\",4\n")
  }

  @Test("Text output of the funnel has one row per stage")
  func funnelAsText() async throws {
    let run = try await count("--funnel", "--layer", "Places")
    let rows = run.out.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows.first == ["Places"])
    let stages = rows.dropFirst().map { $0.prefix(2).joined(separator: " ") }
    #expect(
      stages == [
        "total 8", "definition 6", "extent 4", "time 4", "scale 4", "display 2", "invisible 0",
        "drawn 2", "edge 0",
      ])
  }

  @Test(
    "Filter, extent and view options give the expected count",
    arguments: [
      (["--everywhere"], 6), (["--everywhere", "--where", "kind = 'b'"], 3),
      (["--where", "n IN (2, 3, 7)"], 2),
      (["--everywhere", "--where", "n >= 2 AND half < 3"], 4),
      // A where clause with OR is combined with the layer's filter as a whole.
      (["--everywhere", "--where", "n = 0 OR n = 2"], 1),
      (["--extent", "3,-1,9,1,4326"], 5), (["--extent=3,-1,9,1,4326"], 5),
      (["--extent", "-1,-1,3,1,4326"], 2), (["--extent", "-180,-90,180,90,4326"], 6),
      (["--extent", "333958.4,-10,556597.5,10,3857"], 3), (["--extent", "3,0,3,0,4326"], 1),
      // Across the antimeridian: everything except 3.5 to 5.5 degrees.
      (["--extent", "5.5,-1,3.5,1,4326"], 4),
      (["--bounds", "-1,-1,3,1,4326", "--size", "400x200"], 2),
      (["--definition", "n < 5", "--everywhere"], 5), (["--definition", "", "--everywhere"], 8),
      (["--display-filter", "n = 3"], 4),
      (["--filters", "none", "--everywhere"], 8), (["--filters", "none"], 6),
      (["--filters", "definition"], 4),
      (["--filters", "display"], 6), (["--filters", "document"], 4),
      (["--filters", "none", "--definition", "n = 4"], 1),
      (["--filters", "display", "--definition", "n = 4"], 1),
      (["--time", "2020-01-03/2020-01-04"], 2), (["--time", "2020-01-03"], 1),
      (["--time", "2020-01-03T12:00:00Z/2020-01-03T12:00:00Z"], 1), (["--time", "../2020-01-04"], 2),
      (["--time", "2020-01-05/.."], 2), (["--time", "../.."], 4),
      // An option's value may start with a minus sign.
      (["--everywhere", "--where", "-n < -3"], 4), (["--definition", "-n < -3", "--everywhere"], 4),
      (["--time", "2020-01-03T12:00:00.001Z/2020-01-04T11:59:59Z"], 0),
      (["--time", "2020-01-03T14:00:00+02:00/2020-01-03T14:00:00+02:00"], 1),
      (["--fit", "Places"], 6), (["--fit", "Square", "--padding", "0"], 3), (["--hide", "Places"], 4),
    ])
  func placesWith(arguments: [String], expected: Int) async throws {
    let run = try await Tool.run(["count", map, "--layer", "Places"] + arguments)
    #expect(run.out == "\(expected)\n", "\(run.err)")
  }

  @Test("Filters given as options override the document's in every filter mode")
  func filtersOverrideEveryMode() async throws {
    for mode in ["document", "none", "definition", "display"] {
      let run = try await Tool.run([
        "count", map, "--layer", "Places", "--filters", mode, "--definition", "n > 2", "--display-filter",
        "n = 4",
        "--funnel", "--format", "csv",
      ])
      #expect(run.out.hasSuffix("\nPlaces,3,8,5,3,3,3,1,0,1,0\n"), "\(mode): \(run.out)")
    }
  }

  @Test("Hidden layers are counted but not drawn, and --show makes them visible again")
  func hiddenAndShownLayers() async throws {
    let hidden = try await count("--hide", "Places", "--hide", "0", "--funnel", "--format", "csv").out
    #expect(hidden.hasSuffix("Square,1,1,1,1,1,0,0,0,0,0\nPlaces,4,8,6,4,4,0,0,0,0,0\n"), "\(hidden)")
    let shown = try await count("--hide", "Places", "--show", "places", "--funnel", "--format", "csv").out
    #expect(shown.hasSuffix("Places,4,8,6,4,4,4,2,0,2,0\n"), "\(shown)")
  }

  @Test("The --time option reduces the count and the document's time extent reduces a funnel stage")
  func timeIsAStageOfTheFunnel() async throws {
    // The --time option is part of the query; the stage "time" is the document's own time extent.
    let run = try await count("--time", "2020-01-05/..", "--funnel", "--format", "csv", "--layer", "Places")
    #expect(run.out.hasSuffix("Places,2,8,4,2,2,2,1,0,1,0\n"), "\(run.out)")
    let timed = SmallMap.document().replacing(
      "\"initialState\": {", with: "\"initialState\": {\"timeExtent\": [1578182400000, null], ")
    let path = try folder.write(timed, to: "timed.json")
    let own = try await Tool.run("count", path, "--funnel", "--format", "csv", "--layer", "Places")
    #expect(own.out.hasSuffix("Places,4,8,6,4,2,2,1,0,1,0\n"), "\(own.out)")
  }

  @Test("A list of extents gives one count per extent, or an error with the line number")
  func manyExtents() async throws {
    let lines = "0,-1,4,1,4326\n\n 3, -1, 9, 1, 4326 \r\n-20037508,-10,20037508,10,3857\n50,50,60,60,4326"
    let file = try folder.write(lines, to: "extents.txt")
    #expect(try await count("--layer", "1", "--extents", file).out == "3\n5\n6\n0\n")
    #expect(try await count("--layer", "1", "--extents", "-", input: lines).out == "3\n5\n6\n0\n")
    #expect(
      try await count("--layer", "1", "--extents", file, "--format", "json").out.hasPrefix(
        "{\"counts\":[3,5,6,0],\"extents\":[{\"extent\":[0,-1,4,1],\"wkid\":4326},"))
    #expect(
      try await count("--layer", "1", "--extents", file, "--format", "csv").out == "count\n3\n5\n6\n0\n")
    #expect(try await count("--layer", "1", "--extents", "-", input: "").out == "")
    let several = try await count("--extents", file)
    #expect(several.code == 64)
    #expect(several.errors.count == 1)
    #expect(several.err.contains("Square"))
    let bad = try await count("--layer", "1", "--extents", "-", input: "0,0,1,1\n1,2,3\n")
    #expect(bad.code == 2)
    #expect(bad.out == "")
    #expect(bad.err.contains("line 2"))
    #expect(bad.errors.count == 1)
    let far = try await count("--layer", "1", "--extents", "-", input: "500000,0,600000,1\n")
    #expect(far.code == 64)
    #expect(far.err.contains("line 1"))
    #expect(far.err.contains("500000,0,600000,1,3857"))
  }

  @Test("An expected count or range decides the exit code")
  func expectations() async throws {
    for (wanted, code) in [("4", 0), ("5", 1), ("4..4", 0), ("0..4", 0), ("5..9", 1), ("0..3", 1), ("0", 1)] {
      let run = try await count("--layer", "Places", "--expect", wanted)
      #expect(run.code == Int32(code), "\(wanted): \(run)")
      #expect(run.out == "4\n", "\(wanted): \(run)")
      #expect(run.errors.count == code)
      #expect(run.isSignal == false)
    }
    let several = try await count("--expect", "4")
    #expect(several.code == 64)
    #expect(several.out == "")
    #expect(several.err.contains("Places"))
  }

  @Test("Documents and data files are read from standard input")
  func documentFromStandardInput() async throws {
    let run = try await Tool.run(
      ["count", "-", "--layer", "Places"], input: SmallMap.document(), folder: folder.root)
    #expect(run.out == "4\n", "\(run.err)")
    let plain = try await Tool.run(["count", "-"], input: SmallMap.places)
    #expect(plain.out == "8\n", "\(plain.err)")
  }

  @Test("A data file is counted everywhere until a view or extent is given")
  func plainDataHasNoViewUntilOneIsGiven() async throws {
    let data = folder.path("data/places.geojson")
    #expect(try await Tool.run("count", data, "--bounds", "-1,-1,3,1,4326").out == "4\n")
    #expect(try await Tool.run("count", data, "--extent", "-1,-1,3,1,4326").out == "4\n")
    #expect(try await Tool.run("count", data, "--where", "kind = 'a'").out == "4\n")
    let json = try await Tool.run("count", data, "--format", "json").out
    #expect(json.hasPrefix("{\"extent\":null,"))
  }
}

@Suite("count: the sample documents")
struct SampleCountTests {
  /// - Source: `Styles/README.md`, whose numbers come from a scan in Python that shares no code with the tool.
  @Test(
    "Every filter mode gives the counted and drawn numbers of an independent scan",
    arguments: [
      ("san-francisco-incidents.json", "Incidents", "none", 16_697, 16_697),
      ("san-francisco-incidents.json", "Incidents", "definition", 991, 991),
      ("san-francisco-incidents.json", "Incidents", "display", 16_697, 991),
      ("san-francisco-incidents.json", "Incidents", "document", 991, 991),
      ("us-counties.json", "Counties", "none", 3108, 3108),
      ("us-counties.json", "Counties", "definition", 437, 437),
      ("us-counties.json", "Counties", "display", 3108, 693),
    ])
  func modes(document: String, layer: String, mode: String, counted: Int, drawn: Int) async throws {
    let run = try await Tool.run(
      "count", Tool.style(document), "--layer", layer, "--filters", mode, "--funnel", "--format", "csv")
    let row = run.out.split(separator: "\n").last?.split(separator: ",").map(String.init) ?? []
    #expect(row.count == 11, "\(run)")
    guard row.count == 11 else { return }
    #expect(row[1] == "\(counted)", "\(run.out)")
    #expect(row[4] == "\(counted)", "\(run.out)")
    #expect(row[9] == "\(drawn)", "\(run.out)")
    let plain = try await Tool.run("count", Tool.style(document), "--layer", layer, "--filters", mode)
    #expect(plain.out == "\(counted)\n")
    #expect(plain.err == "")
  }
}
