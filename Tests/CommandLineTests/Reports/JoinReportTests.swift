import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Tables joined to layers, and domains that a document states for the fields of files.
@Suite("Reports: joins")
struct JoinReportTests {
  /// Four points with codes, and a table for three of them; the code `1005` of the table has lost its zero.
  private static let layer =
    "code,name,lon,lat\n01001,Autauga,1,1\n01003,Baldwin,2,2\n01005,Barbour,3,3\n01007,Bibb,4,4\n"
  private static let population = "GEOID,name,pop\n01001,A,10\n01003,B,20\n1005,C,30\n01009,D,40\n"

  private static func folder() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.write(layer, to: "layer.csv")
    try folder.write(population, to: "pop.csv")
    return folder
  }

  // MARK: Rows and messages

  @Test("A join adds columns, counts rows without a partner, lists keys and names lost zeros")
  func addsColumns() async throws {
    let folder = try Self.folder()
    let run = try await Tool.run(
      "query", "layer.csv", "--join", "pop.csv:GEOID=code", "--no-geometry", "--format", "csv",
      folder: folder.root)
    #expect(run.code == 0, "\(run)")
    #expect(
      run.out == """
        OBJECTID,code,name,lon,lat,GEOID,pop_name,pop
        1,01001,Autauga,1,1,01001,A,10
        2,01003,Baldwin,2,2,01003,B,20
        3,01005,Barbour,3,3,,,
        4,01007,Bibb,4,4,,,

        """)
    #expect(
      run.err == """
        warning: join pop.csv: 1 row of layer "layer" would match without differences in leading zeros, such as \
        "01005" and "1005"; write the keys alike
        note: join pop.csv: 2 of 4 rows of layer "layer" have no partner: "01005", "01007"; 2 of 4 rows of pop.csv \
        have no partner: "1005", "01009"
        note: join pop.csv: the layer has fields with the same names, so renamed: "name" to "pop_name"

        """)
    let json = try await Tool.run(
      "count", "layer.csv", "--join", "pop.csv:GEOID=code", "--format", "json", folder: folder.root)
    let answer = try JSONValue(parsing: json.out)
    #expect(answer["notes"]?.array?.count == 2, "\(json)")
    #expect(answer["warnings"]?.array?.count == 1, "\(json)")
  }

  @Test("Joined fields are used by filters, statistics, classes, labels, legends, series and explanations")
  func uses() async throws {
    let folder = try Self.folder()
    let join = ["--join", "pop.csv:GEOID=code"]
    func run(_ words: String...) async throws -> Tool.Run {
      try await Tool.run(words + join, folder: folder.root)
    }
    #expect(try await run("count", "layer.csv", "--where", "pop > 10").out == "1\n")
    #expect(try await run("count", "layer.csv", "--definition", "pop IS NULL").out == "2\n")
    let sum = try await run("statistics", "layer.csv", "--statistic", "sum:pop", "--format", "csv")
    #expect(sum.out == "SUM_pop\n30\n", "\(sum)")
    let classes = try await run("count", "layer.csv", "--by-class", "--color-by", "pop")
    #expect(classes.out == "10\t1\n20\t1\nNo data\t2\n(no class)\t0\n", "\(classes)")
    let drawn = try await run(
      "render", "layer.csv", "-o", "a.png", "--color-by", "pop", "--size-by", "pop", "--label", "pop_name",
      "--legend", "--report", "r.json")
    #expect(drawn.code == 0, "\(drawn)")
    let report = try JSONValue(parsing: String(contentsOf: folder.url("r.json"), encoding: .utf8))
    #expect(report["labels"]?["classes"]?.array?.first?["placed"]?.integer == 2, "\(report)")
    let series = try await run(
      "series", "layer.csv", "--by", "layer", "-o", "{pop_name}.png", "--definition", "pop > 0")
    #expect(series.code == 0, "\(series)")
    #expect(FileManager.default.fileExists(atPath: folder.path("B.png")))
    for words in [
      ["inspect", "layer.csv"], ["explain", "layer.csv", "--id", "1"],
      ["legend", "layer.csv", "-o", "l.png"],
      ["tiles", "layer.csv", "-o", "tiles", "--zoom", "0", "--bounds", "-10,-10,10,10"],
      ["filter", "pop > 1", "--check", "layer.csv", "--to", "sql"], ["lint", "layer.csv"],
      ["diff", "layer.csv", "layer.csv"],
    ] {
      let found = try await Tool.run(words + join, folder: folder.root)
      #expect([0, 1].contains(found.code), "\(words): \(found)")
      #expect(found.err.contains("join pop.csv: 2 of 4 rows"), "\(words): \(found)")
    }
    let saved = try await run(
      "render", "layer.csv", "-o", "b.png", "--color-by", "pop", "--save-document", "m.json")
    #expect(saved.err.contains("m.json does not hold the joined columns"), "\(saved)")
    let over = try await run("render", "layer.csv", "-o", "pop.csv.png", "--report", "pop.csv")
    #expect(over.code != 0, "an output replaced the joined table: \(over)")
  }

  @Test("A document's layer uses joined fields in its filter, classes and labels, chosen by name or --layer")
  func document() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    try folder.write("n,pop\n2,200\n3,300\n9,900\n", to: "t.csv")
    try folder.write("name,pop\nsquare,5\n", to: "s.csv")
    let text = try String(contentsOfFile: map, encoding: .utf8).replacing("\"n > 1\"", with: "\"pop > 250\"")
    try folder.write(text, to: "map.json")
    func count(_ words: String...) async throws -> Tool.Run {
      try await Tool.run(["count", "map.json", "--everywhere"] + words, folder: folder.root)
    }
    let named = try await count("--join", "Places: t.csv:n", "--join", "Square: s.csv:name")
    #expect(named.out == "Square\t1\nPlaces\t1\n", "\(named)")
    #expect(named.err.contains("6 of 8 rows of layer \"Places\" have no partner"), "\(named)")
    let chosen = try await count("--layer", "Places", "--join", "t.csv:n")
    #expect(chosen.out == "1\n", "\(chosen)")
    let unnamed = try await count("--join", "t.csv:n")
    #expect(unnamed.code == 64, "\(unnamed)")
    #expect(
      unnamed.err.contains("write \"NAME: FILE:KEY\" or name a layer with --layer; available: [0] Square"),
      "\(unnamed)")
    let misspelt = try await count("--join", "Place: t.csv:n")
    #expect(misspelt.err.contains("did you mean \"Places\"?"), "\(misspelt)")
  }

  @Test("Steps and snapshot cases join tables beside them")
  func stepsAndCases() async throws {
    let folder = try Self.folder()
    let steps = """
      {"step": "open", "source": "layer.csv", "join": "pop.csv:GEOID=code"}
      {"step": "count", "where": "pop > 10", "everywhere": true}
      {"step": "open", "source": "layer.csv", "join": "-:GEOID=code"}
      """
    try folder.write(steps, to: "s/steps.run")
    for name in ["layer.csv", "pop.csv"] {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: folder.path("s/\(name)"))
    }
    let elsewhere = try ScratchFolder()
    let run = try await Tool.run("run", folder.path("s/steps.run"), folder: elsewhere.root)
    let answers = try run.out.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    try #require(answers.count == 3, "\(run)")
    #expect(answers[0]["notes"]?.array?.first?.string?.contains("2 of 4 rows") == true, "\(run)")
    #expect(answers[1]["layers"]?.array?.first?["count"]?.integer == 1, "\(run)")
    #expect(answers[2]["error"]?.string?.contains("must be a file, not standard input") == true, "\(run)")
    try folder.write(
      #"{"document": "../../layer.csv", "join": ["../../pop.csv:GEOID=code"], "colorBy": "pop", "size": [60, 40]}"#,
      to: "cases/one/case.json")
    let recorded = try await Tool.run("snapshot", "record", "cases", "--all", folder: folder.root)
    #expect(recorded.code == 0, "\(recorded)")
    let verified = try await Tool.run("snapshot", "verify", "cases", folder: folder.root)
    #expect(verified.code == 0, "\(verified)")
    try folder.write(Self.population.replacing("01001,A,10", with: "01001,A,25"), to: "pop.csv")
    let changed = try await Tool.run("snapshot", "verify", "cases", folder: folder.root)
    #expect(changed.code == 1, "\(changed)")
  }

  @Test("A case is verified if the table that it joins differs from a revision")
  func changedTable() async throws {
    let folder = try Self.folder()
    try folder.write(
      #"{"document": "../../layer.csv", "join": "layer: ../../pop.csv:GEOID=code", "colorBy": "pop", "size": [60, 40]}"#,
      to: "cases/one/case.json")
    func git(_ words: String...) async throws {
      let run = try await Tool.run(
        ["-c", "user.name=a", "-c", "user.email=a@example.org"] + words, folder: folder.root,
        program: URL(fileURLWithPath: "/usr/bin/git"))
      #expect(run.code == 0, "\(words): \(run)")
    }
    #expect(try await Tool.run("snapshot", "record", "cases", "--all", folder: folder.root).code == 0)
    try await git("init", "-q")
    try await git("add", "-A")
    try await git("commit", "-q", "-m", "All")
    let same = try await Tool.run("snapshot", "verify", "cases", "--since", "HEAD", folder: folder.root)
    #expect(same.code == 0, "\(same)")
    try folder.write(Self.population.replacing("01001,A,10", with: "01001,A,25"), to: "pop.csv")
    let changed = try await Tool.run("snapshot", "verify", "cases", "--since", "HEAD", folder: folder.root)
    #expect(changed.code == 1, "\(changed)")
  }

  @Test("A layer of a service is fetched for a join, gives the answers of its file, and a note says so")
  func service() async throws {
    let program = Tool.project.appendingPathComponent("Tests/MapServicesTests/Servers/arcgis_server.py")
    let server = try TestServer(program, [Tool.style("data")])
    defer { server.stop() }
    let folder = try ScratchFolder()
    try folder.write("id,people\n06037,9818605\n36061,1585873\n6075,805235\n", to: "t.csv")
    let layer = server.address + "/arcgis/rest/services/Places/FeatureServer/1"
    var answers: [String] = []
    for source in [[layer, "--allow-http", "--allow-private"], [Tool.countyData]] {
      let run = try await Tool.run(
        ["statistics"] + source + [
          "--everywhere", "--statistic", "sum:people", "--where",
          "people > 1000000 AND unemployment_rate > 1",
          "--join", "t.csv:id=GEOID",
        ], folder: folder.root)
      #expect(run.code == 0, "\(run)")
      #expect(
        run.err.contains("are fetched for the join; filters are evaluated locally") == (source.count > 1),
        "\(run)")
      answers.append(run.out)
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0].contains("11404478"), "\(answers)")
  }

  // MARK: Hostile joins

  /// The join, further words, the exit code and a part of the error.
  private static let hostile: [(join: String, words: [String], code: Int32, error: String)] = [
    ("none.csv:code", [], 2, "error: join none.csv: no such file"),
    ("pop.csv:GEOIDS=code", [], 2, "the table has no field \"GEOIDS\"; did you mean \"GEOID\"?"),
    ("pop.csv:GEOID=codes", [], 2, "the layer has no field \"codes\"; did you mean \"code\"?"),
    ("pop.csv", [], 64, "names no key; write FILE:KEY or FILE:KEY=FIELD"),
    ("pop.csv:", [], 64, "names no key"),
    (":GEOID", [], 64, "names no key"),
    ("", [], 64, "missing value for '--join"),
    ("pop.csv:=code", [], 64, "needs a field on both sides"),
    ("pop.csv:GEOID=", [], 64, "needs a field on both sides"),
    ("void.csv:code", [], 2, "is empty"),
    (".:code", [], 2, "join ."),
    ("map.json:code", [], 2, "has an unknown format"),
    ("bad.csv:code", [], 2, "not UTF-8"),
    ("twice.csv:code", [], 2, "1 key of the table is in several rows: \"01001\" (rows 1 and 2)"),
    ("many.csv:code", [], 2, "1 key of the table is in several rows: \"7\" (rows 1 and 2)"),
    ("dates.json:code", [], 2, "dates.json"),
    ("http://127.0.0.1:9/t.csv:code", [], 3, "127.0.0.1"),
    ("ftp://example.org/t.csv:code", [], 2, "the scheme \"ftp\" is not supported"),
    ("two.kml:code", [], 2, "contains 2 layers"),
    ("pop.csv:GEOID=code", ["--layer", "nowhere"], 2, "no layer named \"nowhere\""),
    ("Nowhere: pop.csv:GEOID=code", [], 2, "no layer named \"Nowhere\""),
    ("\"No: where\": pop.csv:GEOID=code", [], 2, "no layer named \"No: where\""),
    ("\"no:ne.csv\":GEOID=code", [], 2, "join no:ne.csv: no such file"),
  ]

  private static func writeHostile(to folder: ScratchFolder) throws {
    try folder.write("", to: "void.csv")
    try folder.write(SmallMap.document(), to: "map.json")
    try Data([UInt8]("code,v\n01001,".utf8) + [0xFF, 0xFE, 0x0A]).write(to: folder.url("bad.csv"))
    try folder.write("code,v\n01001,1\n01001,2\n", to: "twice.csv")
    try folder.write("code,v\n" + String(repeating: "7,1\n", count: 200_000), to: "many.csv")
    try folder.write("[1, 2", to: "dates.json")
    let place = "<Placemark><name>a</name><Point><coordinates>1,2</coordinates></Point></Placemark>"
    try folder.write(
      "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><Folder><name>a</name>\(place)</Folder>"
        + "<Folder><name>b</name>\(place)</Folder></Document></kml>", to: "two.kml")
  }

  @Test("Impossible joins are one clear error each")
  func impossible() async throws {
    let folder = try Self.folder()
    try Self.writeHostile(to: folder)
    var count = 0
    for item in Self.hostile {
      let run = try await Tool.run(
        ["count", "layer.csv", "--join=" + item.join] + item.words, folder: folder.root)
      #expect(run.code == item.code, "\(item.join): \(run)")
      #expect(run.errors.count == 1, "\(item.join): \(run)")
      #expect(run.err.contains(item.error), "\(item.join): \(run)")
      #expect(!run.isSignal, "\(item.join): \(run)")
      count += 1
    }
    #expect(count == 23)
  }

  @Test("Odd tables are joined")
  func odd() async throws {
    let folder = try Self.folder()
    try folder.write("code,v\n", to: "empty.csv")
    try folder.write("code\n01001\n", to: "keys.csv")
    try folder.write("addr:city,e=mc2\n01001,5\n", to: "a:b.csv")
    try folder.write("key,v\n10,5\nNaN,6\n", to: "nan.csv")
    try folder.write("code,v\n01001,\u{E9}\n", to: "utf.csv")
    func run(_ words: String...) async throws -> Tool.Run {
      let run = try await Tool.run(["count", "layer.csv"] + words, folder: folder.root)
      #expect(run.code == 0, "\(words): \(run)")
      return run
    }
    #expect(try await run("--join", "empty.csv:code").err.contains("empty.csv has no rows"))
    #expect(try await run("--join", "keys.csv:code").err.contains("adds no field"))
    // The table itself.
    let own = try await run("--join", "layer.csv:code", "--where", "layer_name = 'Bibb'")
    #expect(own.out == "1\n", "\(own)")
    #expect(own.err.contains("all 4 rows of layer \"layer\" have a partner"), "\(own)")
    // Colons and equal signs in names.
    let signs = try await run("--join", "a:b.csv:addr:city=code", "--where", "\"e=mc2\" = 5")
    #expect(signs.out == "1\n", "\(signs)")
    let quoted = try await run("--join", "a:b.csv:\"addr:city\"=\"code\"", "--where", "\"e=mc2\" = 5")
    #expect(quoted.out == "1\n", "\(quoted)")
    // Each name in quotes may contain colons and equal signs.
    try folder.write("k:x=y,w\n01001,7\n", to: "odd:na=me.csv")
    for text in [
      "\"odd:na=me.csv\":\"k:x=y\"=code", "\"layer\": \"odd:na=me.csv\":\"k:x=y\"=\"code\"",
      "layer: odd:na=me.csv:\"k:x=y\"=code",
    ] {
      #expect(try await run("--join", text, "--where", "w = 7").out == "1\n", "\(text)")
    }
    // A later join uses the fields of an earlier one.
    let chain = try await run("--join", "pop.csv:GEOID=code", "--join", "nan.csv:key=pop", "--where", "v = 5")
    #expect(chain.out == "1\n", "\(chain)")
    // The encoding is meant for the layer, and the table is UTF-8.
    let encoded = try await run("--join", "utf.csv:code", "--encoding", "latin1", "--where", "v = '\u{E9}'")
    #expect(encoded.out == "1\n", "\(encoded)")
    // The table is standard input.
    let piped = try await Tool.run(
      "count", "layer.csv", "--join", "-:GEOID=code", "--where", "pop > 10", input: Self.population,
      folder: folder.root)
    #expect(piped.out == "1\n", "\(piped)")
    let none = try await run("--join", "nan.csv:key=name")
    #expect(none.err.contains("warning: join nan.csv: no row of layer \"layer\" has a partner"), "\(none)")
    let first = try await Tool.run(
      "count", "layer.csv", "--join", "pop.csv:name=code", "--join-first", "--strict", folder: folder.root)
    #expect(first.code == 1, "\(first)")
  }

  @Test("A join that fails is an error also where layers may be left out")
  func notSkipped() async throws {
    let folder = try ScratchFolder()
    _ = try SmallMap.write(to: folder)
    let run = try await Tool.run(
      "render", "map.json", "-o", "a.png", "--skip-unavailable", "--join", "Places: none.csv:n",
      folder: folder.root)
    #expect(run.code == 2, "\(run)")
    #expect(run.err.contains("join none.csv"), "\(run)")
  }

  // MARK: Domains (07-domainname-file-layer)

  @Test("DomainName gives the names that a document states for the fields of a file")
  func domains() async throws {
    let folder = try ScratchFolder()
    let map = OptionReportTests.cases.appendingPathComponent("07-domainname-file-layer/dom.json").path
    let run = try await Tool.run(
      "render", map, "-o", folder.path("x.png"), "--viewpoint", "0,0,1000000", "--report",
      folder.path("r.json"),
      "--list-labels")
    #expect(run.code == 0, "\(run)")
    let report = try JSONValue(parsing: String(contentsOf: folder.url("r.json"), encoding: .utf8))
    var texts: [String: String] = [:]
    for label in report["labels"]?["list"]?.array ?? [] {
      if let layer = label["layer"]?.string, let text = label["text"]?.string { texts[layer] = text }
    }
    let named: Set = ["L1", "L2", "L3", "L5", "L7", "L8", "L9", "L11"]
    #expect(texts.count == 12, "\(report)")
    for (layer, text) in texts { #expect(text == (named.contains(layer) ? "Two things" : "2"), "\(layer)") }
    let inspected = try await Tool.run("inspect", map, "--layer", "L1")
    #expect(inspected.out.contains("one of 2 Two things, 1 One"), "\(inspected)")
  }

  @Test("Domains apply to CSV fields in another case, of another type, and to joined fields; ranges are kept")
  func csvDomains() async throws {
    let folder = try ScratchFolder()
    try folder.write("lon,lat,Kind,id\n1,1,2,a\n2,2,n/a,b\n", to: "p.csv")
    try folder.write("id,level\na,3.0\nb,1.5\n", to: "t.csv")
    let domain = #"{"type": "codedValue", "name": "kinds", "codedValues": [{"name": "Two", "code": 2}]}"#
    let levels = #"{"type": "codedValue", "name": "levels", "codedValues": [{"name": "High", "code": 3}]}"#
    let range = #"{"type": "range", "name": "degrees", "range": [-90, 90]}"#
    try folder.write(
      """
      {"version": "2.31", "operationalLayers": [{"title": "P", "layerType": "CSV", "url": "p.csv", "showLabels": true,
        "layerDefinition": {"fields": [
          {"name": "kind", "type": "esriFieldTypeInteger", "domain": \(domain)},
          {"name": "LEVEL", "type": "esriFieldTypeInteger", "domain": \(levels)},
          {"name": "LAT", "type": "esriFieldTypeDouble", "domain": \(range)}],
          "drawingInfo": {"renderer": {"type": "simple", "symbol": {"type": "esriSMS", "size": 2,
            "style": "esriSMSCircle", "color": [0, 0, 0, 255]}},
            "labelingInfo": [{"labelExpressionInfo": {
              "expression": "DomainName($feature, 'Kind') + '/' + DomainName($feature, 'level')"}}]}}}]}
      """, to: "m.json")
    let run = try await Tool.run(
      "render", "m.json", "-o", "x.png", "--viewpoint", "1.5,1.5,2000000", "--report", "r.json",
      "--list-labels",
      "--join", "t.csv:id", folder: folder.root)
    #expect(run.code == 0, "\(run)")
    let report = try String(contentsOf: folder.url("r.json"), encoding: .utf8)
    #expect(report.contains("Two/High"), "\(report)")
    #expect(report.contains("n/a/1.5"), "\(report)")
    let inspected = try await Tool.run("inspect", "m.json", "--format", "json", folder: folder.root)
    #expect(inspected.out.contains("degrees"), "\(inspected)")
  }
}
