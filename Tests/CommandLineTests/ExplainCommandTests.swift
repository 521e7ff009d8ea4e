import MapTestSupport
import Testing

/// `explain` for one feature, in text and JSON.
@Suite("explain")
struct ExplainCommandTests {
  @Test("The first failing stage of an explanation names the condition and the feature's values")
  func reasons() async throws {
    let cases: [([String], String, String)] = [
      ([], "definition", "definition expression is not true: STATE_NAME IN ('Illinois',"),
      ([], "definition", "(STATE_NAME = 'Alabama')"),
      (["--filters", "none", "--hide", "Counties"], "scale", "the layer is hidden"),
      (["--filters", "none", "--bounds", "5,45,15,55,4326"], "extent", "outside the view: envelope -8"),
      (
        ["--filters", "none", "--display-filter", "unemployment_rate > 99"], "display",
        "display filter is not true: unemployment_rate > 99 (unemployment_rate = "
      ),
    ]
    for (options, stage, reason) in cases {
      let run = try await Tool.run(["explain", Tool.counties, "--layer", "Counties", "--id", "12"] + options)
      #expect(run.code == 0)
      let lines = run.out.split(separator: "\n")
      #expect(lines.first == "Counties, id 12: not drawn")
      let failing = lines.first { $0.dropFirst(14).hasPrefix("no ") } ?? ""
      #expect(failing.contains(stage), "\(options) \(run.out)")
      #expect(failing.contains(reason), "\(options) \(run.out)")
    }
  }

  @Test("A drawn feature has its class, symbol, labels and covering features")
  func drawn() async throws {
    let text = try await Tool.run(["explain", Tool.cities, "--layer", "Cities", "--id", "5"])
    #expect(text.code == 0)
    #expect(text.out.hasPrefix("Cities, id 5: drawn\n"))
    for line in [
      "class       National capital", "symbol      circle 4 pt #c42c2e, outline 0.5 pt #ffffff",
      "label       placed: \"Kinshasa\" (Largest capitals)",
      "pixels      108 painted, 108 visible",
    ] {
      #expect(text.out.contains("\n  \(line)"), "\(text.out)")
    }
    let labelled = try await Tool.run(["explain", Tool.cities, "--layer", "Cities", "--id", "12"])
    #expect(labelled.out.contains("\n  label       placed: \"São Paulo\""), "\(labelled.out)")
    let dropped = try await Tool.run(["explain", Tool.cities, "--layer", "Cities", "--id", "15"])
    #expect(
      dropped.out.contains(
        "\n  label       dropped, it would cover a marker or lie too close to one: \"Tianjin\""),
      "\(dropped.out)")
    let json = try await Tool.run([
      "explain", Tool.cities, "--layer", "Cities", "--id", "5", "--format", "json",
    ])
    #expect(json.out.contains(#""drawn": true"#))
    #expect(json.out.contains(#""class": "National capital""#))
  }

  @Test("--font opens a font as render does, and a file that is none is an error")
  func fonts() async throws {
    let font =
      "\(#filePath)".split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" }
      + "/MapTextTests/Cases/Fonts/NotoSansHebrew.ttf"
    let explain = ["explain", Tool.cities, "--layer", "Cities", "--id", "12", "--font"]
    let run = try await Tool.run(explain + [font])
    #expect(run.code == 0, "\(run.err)")
    #expect(run.out.contains("placed: \"São Paulo\""))
    let wrong = try await Tool.run(explain + [Tool.cityData])
    #expect(wrong.code == 2)
    #expect(wrong.err.contains("is no font"), "\(wrong.err)")
  }

  @Test("An unknown, invalid or missing id is an error")
  func wrongIDs() async throws {
    let unknown = try await Tool.run(["explain", Tool.cityData, "--id", "99999"])
    #expect(unknown.code == 2)
    #expect(unknown.err.contains("no feature with id 99999; ids are 1 to 10020"))
    #expect(try await Tool.run(["explain", Tool.cityData]).code == 64)
    #expect(try await Tool.run(["explain", Tool.cityData, "--id", "x"]).code == 64)
  }
}
