import Foundation
import MapTestSupport
import Testing

/// The formats of counts and statistics, their exactness, and funnels side by side.
@Suite("Formats of answers")
struct AnswerFormatTests {
  let folder: ScratchFolder
  let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  private func answer(_ words: String...) async throws -> String {
    let run = try await Tool.run(words)
    #expect(run.code == 0, "\(run)")
    return run.out
  }

  @Test("A count is a table in Markdown, and lines of JSON with its exactness")
  func counts() async throws {
    let everywhere = ["count", map, "--everywhere", "--format"]
    #expect(
      try await Tool.run(everywhere + ["markdown"]).out
        == "| layer | count |\n| --- | --: |\n| Square | 1 |\n| Places | 6 |\n")
    #expect(
      try await Tool.run(everywhere + ["ndjson"]).out == """
        {"layer":"Square","count":1,"exact":true,"reason":null}
        {"layer":"Places","count":6,"exact":true,"reason":null}

        """)
    let funnel = try await answer("count", map, "--layer", "Places", "--funnel", "--format", "ndjson")
    #expect(
      funnel.hasPrefix(#"{"layer":"Places","count":4,"total":8,"definition":6,"extent":4,"#), "\(funnel)")
    let classes = try await answer("count", map, "--layer", "Places", "--by-class", "--format", "markdown")
    #expect(classes.hasPrefix("| layer | class | count |\n| --- | --- | --: |\n| Places | "), "\(classes)")
    let extents = try folder.write("0,-1,4,1\n0,-1,1,1\n", to: "extents.txt")
    #expect(
      try await answer("count", map, "--layer", "Places", "--extents", extents, "--format", "ndjson") == """
        {"count":3,"extent":[0,-1,4,1],"wkid":4326}
        {"count":0,"extent":[0,-1,1,1],"wkid":4326}

        """)
  }

  @Test("Statistics are a table in Markdown, whose bars are escaped, and lines of JSON with nulls")
  func statistics() async throws {
    let data = try folder.write("k,i\na|b,1\na|b,\nc,\n", to: "s.csv")
    let words = [
      "statistics", data, "--group-by", "k", "--statistic", "sum:i:s", "--statistic", "count", "--format",
    ]
    #expect(
      try await Tool.run(words + ["markdown"]).out == """
        | k | s | COUNT |
        | --- | --: | --: |
        | a\\|b | 1 | 2 |
        | c |  | 1 |

        """)
    #expect(
      try await Tool.run(words + ["ndjson"]).out
        == #"{"k":"a|b","s":1,"COUNT":2}"# + "\n" + #"{"k":"c","s":null,"COUNT":1}"# + "\n")
  }

  @Test("A query that --max-features cuts is not exact, and says how many features there are")
  func cutQueries() async throws {
    let reason = #""exact":false,"reason":"the answer has 2 of 6 features, as its maximum number says""#
    for form in [["--ids"], ["--count-only"], ["--extent-only"], []] {
      let words = ["query", map, "--layer", "Places", "--everywhere", "--format", "json"] + form
      let cut = try await Tool.run(words + ["--max-features", "2"])
      #expect(cut.out.contains(reason), "\(cut)")
      for rest in [
        ["--max-features", "6"], ["--max-features", "7"], ["--max-features", "2", "--offset", "4"], [],
      ] {
        let whole = try await Tool.run(words + rest)
        #expect(whole.out.contains(#""exact":true"#) && !whole.out.contains("reason"), "\(whole)")
      }
    }
    let steps = """
      {"step": "open", "source": "map.json"}
      {"step": "query", "layer": "Places", "everywhere": true, "ids": true, "maxFeatures": 2}
      {"step": "query", "layer": "Places", "everywhere": true, "ids": true, "maxFeatures": 6}
      """
    let run = try await Tool.run(["run", "-"], input: steps, folder: folder.root)
    let lines = run.out.split(separator: "\n").map(String.init)
    try #require(lines.count == 3, "\(run)")
    #expect(lines[1].contains(reason) && lines[2].contains(#""exact":true"#), "\(lines)")
  }

  @Test("Data with a known part of the features say why the count is not exact")
  func partialData() async throws {
    let page = try folder.write(
      #"{"type":"FeatureCollection","numberMatched":5,"numberReturned":1,"features":[{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[1,2]}}]}"#,
      to: "page.geojson")
    let reason = #""exact":false,"reason":"the data hold only a part of the features, as a warning says""#
    for words in [["count"], ["statistics", "--statistic", "sum:n"], ["query", "--ids"]] {
      let run = try await Tool.run(words + [page, "--format", "json"])
      #expect(run.out.contains(reason), "\(run)")
    }
  }

  @Test("The funnel in three modes has one view, and the numbers of each mode alone")
  func modes() async throws {
    let words = ["count", map, "--layer", "Places", "--funnel", "--format", "csv", "--filters"]
    let all = try await Tool.run(words + ["all"])
    #expect(all.code == 0 && all.err == "", "\(all)")
    let lines = all.out.split(separator: "\n").map(String.init)
    try #require(lines.count == 4, "\(all)")
    #expect(lines[0].hasPrefix("filters,layer,count,total,definition,extent,"), "\(all)")
    for (line, mode) in zip(lines.dropFirst(), ["none", "definition", "display"]) {
      let one = try await Tool.run(words + [mode])
      #expect(line == "\(mode)," + (one.out.split(separator: "\n").last ?? ""), "\(one)")
    }
    let text = try await answer("count", map, "--layer", "Places", "--funnel", "--filters", "all")
    #expect(text.hasPrefix("Places      none  definition  display\n"), "\(text)")
    #expect(text.contains("\ntotal          8           8        8\n"), "\(text)")
    let json = try await answer(
      "count", map, "--layer", "Places", "--funnel", "--filters", "all", "--format", "json")
    #expect(json.hasPrefix(#"{"modes":[{"filters":"none","extent":["#), "\(json)")
    for words in [
      ["count", map], ["query", map, "--layer", "Places"], ["render", map, "-o", folder.path("a.png")],
      ["count", map, "--funnel", "--by-class"],
    ] {
      let refused = try await Tool.run(words + ["--filters", "all"])
      #expect(refused.code == 64 && refused.err.contains("--filters all"), "\(refused)")
    }
  }

  @Test("The funnel of a layer with labels counts the features with a label, as the report of the image does")
  func labelled() async throws {
    let labels = #"""
      "labelingInfo": [{"labelExpressionInfo": {"expression": "$feature.n"}, "symbol": {"type": "esriTS", "color": [0, 0, 0, 255], "font": {"size": 10}}}],
      """#
    let start = "\"drawingInfo\": {"
    let parts = SmallMap.document().components(separatedBy: start)
    let text = (parts.dropLast().joined(separator: start) + start + labels + (parts.last ?? "")).replacing(
      "\"id\": \"places\"", with: "\"id\": \"places\", \"showLabels\": true")
    try #require(text.contains("labelingInfo"))
    let labelled = try folder.write(text, to: "labelled.json")
    let report = folder.path("report.json")
    let drawn = try await Tool.run("render", labelled, "-o", folder.path("a.png"), "--report", report)
    #expect(drawn.code == 0, "\(drawn)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: report))) as? [String: Any]
    )
    let layers = try #require(json["layers"] as? [[String: Any]])
    let funnels = layers.map { $0["funnel"] as? [String: Any] ?? [:] }
    let count = try #require(funnels[1]["labelled"] as? Int)
    #expect(funnels[0]["labelled"] == nil && count > 0 && count <= 2)
    let funnel = try await answer("count", labelled, "--funnel", "--format", "csv")
    let lines = funnel.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let head = try await answer("count", labelled, "--funnel", "--format", "json")
    #expect(head.contains("\"drawn\":2,\"labelled\":\(count),\"edge\""), "\(lines) \(head)")
    // Other layers take room for labels, so their number is not known without them.
    let alone = try await answer("count", labelled, "--layer", "Places", "--funnel", "--format", "json")
    #expect(!alone.contains("labelled"), "\(alone)")
  }
}
