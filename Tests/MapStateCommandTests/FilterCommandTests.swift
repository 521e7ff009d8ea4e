import Foundation
import MapState
import MapTestSupport
import Testing

/// Filter commands: the list of functions, checks, carets and the conformance cases.
@Suite struct FilterCommandTests {
  private static let folder = Result {
    let folder = try ScratchFolder()
    try folder.write(SmallMap.places, to: "places.geojson")
    for name in ["ne_110m_admin_0_countries", "ne_110m_populated_places_simple"] {
      try folder.write(geoJSON(name), to: "\(name).geojson")
    }
    return folder
  }

  @Test(
    "Control characters of a filter are escaped in every language",
    arguments: ["tree", "sql", "cql2-text", "cql2-json"])
  func controlCharacters(language: String) async throws {
    let text = "x = 'a\u{1B}[2J\nerror: faked\u{9B}31m\u{202E}'"
    let run = try await Tool.run(["filter", text, "--to", language])
    #expect(run.code == 0, "\(run)")
    #expect(run.out.contains(#"a\u001b[2J\nerror: faked\u009b31m\u202e"#), "\(run.out)")
    #expect(!run.out.contains("\nerror"), "\(run.out)")
    let json = try await Tool.run(["filter", text, "--to", language, "--format", "json"])
    #expect(json.out.unicodeScalars.allSatisfy { $0 == "\n" || 0x20...0x7E ~= $0.value }, "\(json.out)")
  }

  private static func lines(_ name: String) throws -> [[String]] {
    let file = Tool.project.appendingPathComponent("Tests/MapFeaturesTests/Cases/Where/\(name).tsv")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  /// A layer of the cases as a file of features at one position.
  private static func geoJSON(_ name: String) throws -> String {
    let lines = try lines(name)
    let features = lines.dropFirst(2).map { cells in
      let properties = zip(zip(lines[0], lines[1]), cells).map { field, cell -> String in
        let value: JSONValue =
          switch field.1 {
          case _ where cell == "\\N": .null
          case "integer": .number(Int(cell) ?? 0)
          case "real": .number(Double(cell) ?? 0)
          case "boolean": .boolean(cell == "1")
          default: .string(cell)
          }
        return "\(JSONValue.string(field.0).text()):\(value.text())"
      }
      return
        "{\"type\":\"Feature\",\"properties\":{\(properties.joined(separator: ","))},\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]}}"
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  @Test("Every function is listed with its form, summary and example and appears in README")
  func functionsAreListed() async throws {
    let text = try await Tool.run("filter", "--functions")
    #expect(text.code == 0)
    #expect(text.err == "")
    #expect(text.out.hasPrefix("UPPER(text)\n    The text in capital letters"), "\(text.out)")
    let json = try await Tool.run("filter", "--functions", "--format", "json")
    let functions = try JSONNode(JSONValue(parsing: json.out)).required("functions").elements()
    #expect(functions.count == FunctionCatalog.functions.count)
    let article = try GuideText.text(of: "Sources/Engine/MapState/MapState.docc/Filters.md")
    for function in FunctionCatalog.functions {
      #expect(text.out.contains("\(function.form)\n    \(function.summary)\n    \(function.example)\n"))
      #expect(article.contains("`\(function.name)`"), "\(function.name) in the article on filters")
    }
  }

  @Test(
    "A filter is checked against a file's fields as by the count command",
    arguments: [
      ("kind = 'a'", nil), ("UPPER(kind) = 'A' AND day < CURRENT_TIMESTAMP", nil), ("", nil),
      (
        "n = 1 AND knd = 'a'", "unknown field 'knd'; did you mean 'kind'?\nn = 1 AND knd = 'a'\n          ^\n"
      ),
      (
        "n = 1 AND UPER(kind) = 'a'",
        "unknown function 'UPER'; did you mean 'UPPER'?\nn = 1 AND UPER(kind) = 'a'\n          ^\n"
      ),
      ("UPPER(n) = 'a'", "UPPER takes text, not 'n' (integer)\nUPPER(n) = 'a'\n      ^\n"),
      (
        "kind = 5",
        "cannot compare 'kind' (text) with 5 (integer); no text of 'kind' can be read: CAST reads numbers, not 'a'\n"
          + "kind = 5\n       ^\n"
      ),
      ("kind >", "found the end of the text, expected a value\nkind >\n      ^\n"),
    ] as [(String, String?)])
  func checks(_ clause: String, _ message: String?) async throws {
    let folder = try Self.folder.get()
    let run = try await Tool.run("filter", clause, "--check", folder.path("places.geojson"))
    guard let message else {
      #expect(run.code == 0, "\(run)")
      #expect(run.out == "ok\n", "\(run)")
      #expect(run.err == "", "\(run)")
      return
    }
    #expect(run.code == 2)
    #expect(run.out == "")
    #expect(run.err == "error: layer \"places\": where clause: \(message)", "\(run.err)")
    let count = try await Tool.run("count", folder.path("places.geojson"), "--where", clause)
    #expect(count.code == 2, "\(count.err)")
    #expect(count.err == run.err, "\(count.err)")
  }

  @Test(
    "A filter is translated between languages and into database SQL",
    arguments: [
      (["kind = 'a' AND n > 1", "--to", "cql2-text"], "kind = 'a' AND n > 1\n"),
      (
        ["n > 1", "--to", "cql2-json"],
        #"{"op":">","args":[{"property":"n"},1]}"# + "\n"
      ),
      ([#"{"op":"isNull","args":[{"property":"a"}]}"#, "--to", "sql"], "a IS NULL\n"),
      (
        ["T_AFTER(day, DATE('2020-01-01'))", "--from", "cql2-text", "--to", "sql"],
        "day > DATE '2020-01-01'\n"
      ),
      (["NOT a = 1", "--to", "tree"], "not\n  =\n    property a\n    integer 1\n"),
      (
        [
          "kind LIKE 'a%' AND CASEI(kind) = 'x'", "--from", "cql2-text", "--to", "spatialite", "--check",
          "places.geojson",
        ],
        "(\"kind\" GLOB ?1)\n-- 1: \"a*\"\n-- SpatiaLite cannot express the function CASEI\n-- apply this to the returned rows yourself: CASEI(kind) = 'x'\n"
      ),
      (
        ["kind < 'b'", "--to", "postgis", "--check", "places.geojson"],
        "(\"kind\" < $1::text COLLATE \"C\")\n-- 1: \"b\"\n"
      ),
    ])
  func translates(_ arguments: [String], _ answer: String) async throws {
    let folder = try Self.folder.get()
    let arguments = arguments.map { $0 == "places.geojson" ? folder.path($0) : $0 }
    let run = try await Tool.run(["filter"] + arguments)
    #expect(run.code == 0, "\(run)")
    #expect(run.err == "", "\(run)")
    #expect(run.out == answer, "\(run)")
  }

  @Test(
    "An impossible translation or combination of options is an error",
    arguments: [
      (
        ["S_INTERSECTS(g, POINT(1 2))", "--from", "cql2-text", "--to", "sql"], 2,
        "error: a where clause cannot express S_INTERSECTS\n"
      ),
      (["a =", "--to", "tree"], 2, "error: found the end of the text, expected a value\na =\n   ^\n"),
      (["a = 1", "--to", "postgis"], 64, ""), (["a = 1"], 64, ""), (["--functions", "--to", "sql"], 64, ""),
      (["a = 1", "--to", "nosuch"], 64, ""),
    ])
  func refuses(_ arguments: [String], _ code: Int, _ message: String) async throws {
    let run = try await Tool.run(["filter"] + arguments)
    #expect(run.code == code, "\(run)")
    #expect(run.out == "", "\(run)")
    #expect(run.err.hasPrefix(message), "\(run)")
  }

  /// Runs each case through `count --where`.
  @Test("Where clauses give the counts that PostgreSQL and DuckDB agree on")
  func conformanceRows() async throws {
    let folder = try Self.folder.get()
    let cases = try Self.lines("predicates").dropFirst()
    #expect(cases.count == 138)
    var errors = 0
    for item in cases {
      let run = try await Tool.run("count", folder.path("\(item[2]).geojson"), "--where", item[3])
      if item[4] == "error" {
        errors += 1
        #expect(run.code == 2, "\(item[3]): \(run)")
        #expect(run.out == "", "\(item[3]): \(run)")
        #expect(run.errors.count == 1, "\(item[3]): \(run)")
        #expect(run.err.hasSuffix("^\n"), "\(item[3]): \(run.err)")
      } else {
        #expect(run.code == 0, "\(item[3]): \(run)")
        #expect(run.out == "\(item[4])\n", "\(item[3]): \(run)")
      }
    }
    #expect(errors == 37)
  }
}
