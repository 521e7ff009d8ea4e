import Foundation
import MapTestSupport
import Testing

/// Classes of data files, counts by class, and statistics by group, as options and as steps.
@Suite struct ClassCommandTests {
  let folder: ScratchFolder
  let data: String

  init() throws {
    folder = try ScratchFolder()
    let rows = (0..<40).map { row in
      let area = row % 10 == 9 ? "0" : row % 10 == 8 ? "" : "\(row % 4 + 1)"
      return "\(row % 7 == 6 ? "" : "\(row * row)"),\(area),kind \(row % 13),\(row % 20 - 10),\(row / 2 - 10)"
    }
    data = try folder.write(
      "pop,area,kind,longitude,latitude\n" + rows.joined(separator: "\n") + "\n", to: "places.csv")
  }

  private func render(_ options: String...) async throws -> Tool.Run {
    try await Tool.run(["render", data, "-o", folder.path("a.png"), "--size", "200x200"] + options)
  }

  /// The renderer of the web map that a render saves.
  private func renderer(_ options: String...) async throws -> [String: Any] {
    let saved = folder.path("saved.json")
    let run = try await Tool.run(
      ["render", data, "-o", folder.path("a.png"), "--size", "99x99", "--save-document", saved] + options)
    #expect(run.code == 0, "\(run.err)")
    let json =
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: saved))) as? [String: Any]
    let layers = json?["operationalLayers"] as? [[String: Any]]
    let definition = layers?.first?["layerDefinition"] as? [String: Any]
    return try #require((definition?["drawingInfo"] as? [String: Any])?["renderer"] as? [String: Any])
  }

  private func labels(_ renderer: [String: Any]) -> [String] {
    (renderer["classBreakInfos"] as? [[String: Any]] ?? []).compactMap { $0["label"] as? String }
  }

  @Test("Each method makes as many classes as asked for, with different bounds")
  func methods() async throws {
    var found: Set<[String]> = []
    for method in ["quantile", "equal-interval", "natural-breaks", "standard-deviation"] {
      let made = try await renderer("--color-by", "pop", "--classes", "4", "--method", method)
      #expect(labels(made).count == 4, "\(method) \(labels(made))")
      found.insert(labels(made))
    }
    #expect(found.count == 4)
  }

  @Test("Breaks are upper bounds, and values above the last one have a class of their own")
  func breaks() async throws {
    let made = try await renderer("--color-by", "pop", "--breaks", "-5,100,1000")
    #expect(labels(made) == ["up to -5", "-4 to 100", "101 to 1,000", "1,001 to 1,521"])
    let wide = try await renderer("--color-by", "pop", "--breaks", "100,2000")
    #expect(labels(wide) == ["0–100", "101–2,000"])
  }

  @Test("A divisor normalises the renderer, and features without a rate are reported")
  func normalised() async throws {
    let made = try await renderer("--color-by", "pop", "--normalize-by", "area")
    #expect(made["normalizationType"] as? String == "esriNormalizeByField")
    #expect(made["normalizationField"] as? String == "area")
    let run = try await render("--color-by", "pop", "--normalize-by", "area", "--strict")
    #expect(run.code == 1)
    #expect(run.err.contains("--normalize-by area: 8 features have no rate"), "\(run.err)")
  }

  @Test("Texts without a colour of their own are named, and their class says how many they are")
  func lumped() async throws {
    let run = try await render("--color-by", "kind")
    #expect(run.code == 0)
    #expect(run.err.contains("the 9 most frequent of 13 values have colours"), "\(run.err)")
    #expect(run.err.contains("\"kind 9\""), "\(run.err)")
    #expect(try await renderer("--color-by", "kind")["defaultLabel"] as? String == "Other (4 values)")
    let all = try await render("--color-by", "kind", "--classes", "13", "--ramp", "viridis", "--strict")
    #expect(all.code == 0, "\(all.err)")
    #expect(run.err.contains("--classes 13 colours all"), "\(run.err)")
    #expect(try await render("--color-by", "kind", "--classes", "13", "--strict").code == 0)
    let named = try await render("--color-by", "kind", "--ramp", "tab20", "--strict")
    #expect(named.code == 0, "\(named.err)")
    let few = try await render("--color-by", "kind", "--ramp", "Set2")
    #expect(few.err.contains("the 8 most frequent of 13") && !few.err.contains("colours all"), "\(few.err)")
    let many = try await render("--color-by", "kind", "--ramp", "Set2", "--classes", "13")
    #expect(many.code == 64 && many.err.contains("--ramp Set2 has 8 colours for 13 classes"), "\(many)")
    #expect(try await render("--color-by", "kind", "--method", "quantile").err.contains("needs numbers"))
  }

  @Test("Features without a size are reported, because they are not drawn")
  func unsized() async throws {
    let run = try await render("--size-by", "pop")
    #expect(run.err.contains("--size-by pop: 5 features have no number and are not drawn"), "\(run.err)")
  }

  @Test("Ramps are listed with hexadecimal colours, and need no source")
  func ramps() async throws {
    for arguments in [["render", "--ramp", "list"], ["count", data, "--ramp=list"]] {
      let run = try await Tool.run(arguments)
      #expect(run.code == 0)
      let lines = run.out.split(separator: "\n")
      #expect(lines.count == 44)
      let line = try #require(lines.first(where: { $0.hasPrefix("YlGnBu ") }))
      #expect(line.contains("sequential  colour-blind safe") && line.hasSuffix("#253494"), "\(line)")
      #expect(lines.filter { !$0.contains("colour-blind safe") }.count == 15)
      let tableau = try #require(lines.first { $0.hasPrefix("tab20 ") })
      #expect(tableau.contains("qualitative") && tableau.count(where: { $0 == "#" }) == 20, "\(tableau)")
      #expect(!run.out.contains("\u{1B}"))
    }
  }

  @Test(
    "Wrong and contradicting style options are usage errors with the nearest name",
    arguments: [
      (["--color-by", "pop", "--ramp", "virdis"], "did you mean \"viridis\"?"),
      (["--color-by", "pop", "--method", "natural-brakes"], "did you mean \"natural-breaks\"?"),
      (["--color-by", "pop", "--classes", "0"], "0 classes"),
      (["--color-by", "pop", "--classes", "65"], "1 to 64"),
      (["--color-by", "pop", "--classes", "x"], "whole number"),
      (["--color-by", "pop", "--breaks", "5,3"], "must ascend"),
      (["--color-by", "pop", "--breaks", "5,x"], "numbers between commas"),
      (["--color-by", "pop", "--breaks", "5", "--classes", "3"], "--breaks contradicts --classes"),
      (["--classes", "3"], "--classes needs --color-by"), (["--ramp", "viridis"], "--ramp needs --color-by"),
    ])
  func usage(options: [String], message: String) async throws {
    let run = try await Tool.run(["render", data, "-o", folder.path("a.png")] + options)
    #expect(run.code == 64, "\(run)")
    #expect(run.err.contains(message), "\(run.err)")
  }

  @Test("An unknown field of a style option is an error with the nearest name")
  func fields() async throws {
    for options in [
      ["--color-by", "popp"], ["--color-by", "pop", "--normalize-by", "aera"], ["--size-by", "popp"],
      ["--label", "knid"],
    ] {
      let run = try await Tool.run(["render", data, "-o", folder.path("a.png")] + options)
      #expect(run.code == 2 && run.err.contains("did you mean"), "\(options) \(run.err)")
    }
  }

  @Test("Counts by class list each class and features without one, and add up to the count")
  func countsByClass() async throws {
    let options = ["--color-by", "pop", "--breaks", "100,1000"]
    let text = try await Tool.run(["count", data, "--by-class"] + options)
    #expect(
      text.out == "0–100\t10\n101–1,000\t18\n1,001–1,521\t7\nNo data\t5\n(no class)\t0\n", "\(text)")
    let json = try await Tool.run(["count", data, "--by-class", "--funnel", "--format", "json"] + options)
    let answer = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
    let layer = try #require((answer?["layers"] as? [[String: Any]])?.first)
    let classes = try #require(layer["classes"] as? [[String: Any]])
    #expect(classes.compactMap { $0["count"] as? Int } == [10, 18, 7, 5, 0])
    #expect(classes.compactMap { $0["drawn"] as? Int } == [10, 18, 7, 5, 0])
    #expect(classes.map { $0["class"] as? Int } == [0, 1, 2, -1, nil])
    #expect(layer["count"] as? Int == 40)
    let csv = try await Tool.run(["count", data, "--by-class", "--format", "csv"] + options)
    #expect(csv.out.hasPrefix("layer,class,count\nplaces,0–100,10\n"), "\(csv.out)")
    #expect(try await Tool.run("count", data, "--color-by", "pop").code == 64)
  }

  /// Row 27 of the commands of a new user.
  @Test("The classes of a document add up to the count of each layer")
  func document() async throws {
    let count = try await Tool.run("count", Tool.counties, "--layer", "Counties")
    let run = try await Tool.run("count", Tool.counties, "--layer", "Counties", "--by-class")
    let lines = run.out.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(lines.last?.first == "(no class)")
    #expect(lines.count > 4)
    #expect(lines.reduce(0) { $0 + (Int($1[1]) ?? 0) } == Int(count.out.dropLast()))
    let all = try await Tool.run("count", Tool.counties, "--by-class").out.split(separator: "\n")
    #expect(all.allSatisfy { $0.split(separator: "\t").count == 3 })
    let funnel = try await Tool.run("count", Tool.counties, "--layer", "Counties", "--by-class", "--funnel")
      .out
      .split(separator: "\n")
    let drawn = funnel.first { $0.contains("  drawn") }?.split(separator: " ")[1]
    #expect(
      funnel.filter { $0.contains("\t") }.reduce(0) { $0 + (Int($1.split(separator: "\t")[2]) ?? 0) }
        == Int(drawn ?? ""))
  }

  @Test("Steps take the same styles, counts by class, conditions and orders as the options")
  func steps() async throws {
    let steps = [
      #"{"step": "open", "source": "places.csv", "colorBy": "pop", "breaks": [100, 1000], "ramp": "viridis"}"#,
      #"{"step": "count", "byClass": true, "everywhere": true}"#,
      #"{"step": "statistics", "statistic": ["count:*:n", "percentile:75:pop:p"], "groupBy": "kind", "having": "n > 3", "orderBy": [{"field": "p", "order": "desc", "nulls": "last"}], "top": 1, "everywhere": true}"#,
      #"{"step": "query", "orderBy": [{"field": "pop", "order": "desc", "nulls": "last"}], "maxFeatures": 1, "noGeometry": true, "everywhere": true}"#,
      #"{"step": "query", "orderBy": [{"field": "pop", "order": "dsc"}]}"#,
      #"{"step": "open", "source": "places.csv", "classes": 3}"#,
    ]
    let run = try await Tool.run(["run", "-"], input: steps.joined(separator: "\n"), folder: folder.root)
    let lines = run.out.split(separator: "\n").map(String.init)
    #expect(lines.count == 6)
    #expect(lines[1].contains(#"{"class":-1,"label":"No data","count":5}"#), "\(lines[1])")
    #expect(lines[2].contains(#""records":[{"group":{"kind":"kind 0"},"statistics":{"n":4"#), "\(lines[2])")
    #expect(lines[3].contains(#""pop":1521"#), "\(lines[3])")
    #expect(lines[4].contains("did you mean") || lines[4].contains("\"suggestion\":\"asc\""), "\(lines[4])")
    #expect(lines[5].contains("--classes needs --color-by"), "\(lines[5])")
  }

  @Test("Short names, counts without a field, conditions, orders of statistics and limits")
  func statistics() async throws {
    func csv(_ options: String...) async throws -> String {
      let run = try await Tool.run(["statistics", data, "--format", "csv"] + options)
      #expect(run.code == 0, "\(run.err)")
      return run.out
    }
    #expect(
      try await csv(
        "--statistic", "count", "--statistic", "min:pop", "--statistic", "max:pop", "--statistic",
        "median:pop",
        "--statistic", "percentile:25:pop:q", "--statistic", "distinct:kind")
        == "COUNT,MIN_pop,MAX_pop,MEDIAN_pop,q,DISTINCT_kind\n40,0,1521,361.0,90.5,13\n")
    #expect(
      try await csv(
        "--statistic", "count:*:n", "--statistic", "avg:pop:mean", "--group-by", "area", "--having",
        "n >= 6 AND area IS NOT NULL", "--order-by", "MEAN:desc", "--top", "2"
      ).split(separator: "\n").count == 3)
    let wrong = try await Tool.run(
      "statistics", data, "--statistic", "avg:pop:mean", "--group-by", "area", "--order-by", "maen")
    #expect(wrong.code == 2 && wrong.err.contains("did you mean 'mean'?"), "\(wrong)")
    let having = try await Tool.run(
      "statistics", data, "--statistic", "avg:pop:mean", "--group-by", "area", "--having", "maen > 3")
    #expect(having.code == 2 && having.err.contains("mean"), "\(having)")
    #expect(having.err.contains("^"), "\(having)")
    for text in ["medan:pop", "percentile:pop", "percentile:101:pop", "sum", "percentile:x:pop"] {
      let run = try await Tool.run("statistics", data, "--statistic", text)
      #expect(run.code == 64, "\(text) \(run)")
    }
    #expect(
      try await Tool.run("statistics", data, "--statistic", "medan:pop").err.contains(
        "did you mean \"median\"?"))
  }
}
