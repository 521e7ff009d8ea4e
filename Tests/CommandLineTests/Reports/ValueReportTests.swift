import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Values, filters and classes: cases from public reports, and one comparison for all parts that compare values.
@Suite struct ValueReportTests {
  private static let cases = Tool.project.appendingPathComponent("Tests/CommandLineTests/Reports/Cases")

  private static func run(_ folder: String, _ arguments: String...) async throws -> Tool.Run {
    try await Tool.run(arguments, folder: cases.appendingPathComponent(folder))
  }

  /// The number of features of each class, by its label.
  private static func counts(_ folder: String, _ file: String) async throws -> [String: Int] {
    let run = try await run(folder, "count", file, "--everywhere", "--by-class", "--format", "json")
    #expect(run.code == 0, "\(run)")
    return try counts(run)
  }

  private static func counts(_ run: Tool.Run) throws -> [String: Int] {
    let layer = try #require(try JSONValue(parsing: Array(run.out.utf8))["layers"]?.array?.first)
    var counts: [String: Int] = [:]
    for item in try #require(layer["classes"]?.array) {
      counts[item["label"]?.string ?? ""] = item["count"]?.integer
    }
    return counts
  }

  // MARK: Classes are filters

  @Test(
    "Classes of unique values compare numbers as numbers, texts by code point, and dates by their text",
    arguments: ["uv-barcode", "uvnum", "uv-dateonly", "uv-tso", "nfc-class"])
  func uniqueValues(_ name: String) async throws {
    let counts = try await Self.counts("numbers", "\(name).json")
    #expect(counts.count > 2)
    for (label, count) in counts { #expect(count == (label == "(no class)" ? 0 : 1), "\(label)") }
  }

  @Test("Arcade compares texts by code point")
  func arcade() async throws {
    #expect(try await Self.counts("numbers", "arc1.json") == ["same": 1, "other": 1, "(no class)": 0])
  }

  @Test("A class bound of 2^53 - 1 is a number like any other")
  func bounds() async throws {
    #expect(
      try await Self.counts("numbers", "cb53.json") == ["to 1e16": 0, "to 2e18": 1, "(no class)": 0])
  }

  // MARK: Texts that are numbers

  @Test("Class breaks of a document read the texts of a field as numbers")
  func classBreaksOfTexts() async throws {
    let counts = try await Self.counts("14-class-breaks-text", "d.json")
    #expect(counts == ["low": 1, "high": 1, "(no class)": 0])
  }

  @Test("Statistics of a document read the texts of a field as numbers, too")
  func statisticsOfTexts() async throws {
    let run = try await Self.run(
      "14-class-breaks-text", "statistics", "d.json", "--everywhere", "--format", "csv", "--statistic",
      "sum:v:s",
      "--statistic", "median:v:m", "--statistic", "count:v:n")
    #expect(run.out == "s,m,n\n12,6.0,2\n", "\(run)")
    let file = try await Self.run(
      "14-class-breaks-text", "statistics", "ft.geojson", "--everywhere", "--statistic", "sum:v:s")
    #expect(file.errors == ["error: layer \"ft\": sum of 'v' needs numbers, but the field is text"])
  }

  @Test("The least and the greatest of texts that are mostly numbers have a note")
  func orderOfTexts() async throws {
    let run = try await Self.run(
      "02-hint-quotes-number", "statistics", "na.csv", "--everywhere", "--statistic", "max:v:m")
    #expect(
      run.err.contains(
        "note: the field v has texts, whose order is not that of numbers ('10' is before '9'); 1 of 3 is no number, such as"
      ), "\(run)")
  }

  // MARK: Advice

  @Test(
    "Advice for numbers in texts leads to the rows with these numbers, and a note counts the other texts",
    arguments: [
      ("lead.csv", "lead > 9", "CAST(lead AS DOUBLE) > 9", "2", "2 of 5 texts are no number"),
      ("na.csv", "v > 5", "CAST(v AS DOUBLE) > 5", "1", "1 of 3 texts is no number"),
      ("na.csv", "v IN (5, 7)", "CAST(v AS DOUBLE) IN (5, 7)", "2", "1 of 3 texts is no number"),
      (
        "na.csv", "NOT v BETWEEN 6 AND 8", "CAST(v AS DOUBLE) BETWEEN 6 AND 8", "1",
        "1 of 3 texts is no number"
      ),
    ])
  func numbersInTexts(
    _ file: String, _ filter: String, _ advice: String, _ count: String, _ note: String
  ) async throws {
    let folder = "02-hint-quotes-number"
    let refused = try await Self.run(folder, "count", file, "--everywhere", "--where", filter)
    #expect(refused.code == 2)
    #expect(refused.errors.first?.hasSuffix("; write \(advice)") == true, "\(refused.err)")
    let run = try await Self.run(folder, "count", file, "--everywhere", "--where", advice)
    #expect(run.out == "\(count)\n")
    #expect(run.err.contains("note: CAST of the field "), "\(run.err)")
    #expect(run.err.contains("\(note) and became null, such as '"), "\(run.err)")
  }

  @Test("Texts that are dates in another form are named, and no comparison of texts is advised")
  func datesInTexts() async throws {
    let (folder, clause) = ("03-hint-without-timestamp", "seen >= TIMESTAMP '2024-04-01 00:00:00'")
    let refused = try await Self.run(folder, "count", "c.csv", "--everywhere", "--where", clause)
    #expect(refused.code == 2)
    #expect(
      refused.errors.first?.hasSuffix(
        "no text of 'seen' can be read: CAST reads dates and times of the form yyyy-mm-dd or yyyy-mm-dd hh:mm:ss, "
          + "not '3/31/2024 1:30:00 AM'") == true, "\(refused.err)")
    #expect(!refused.err.contains("; write "))
    for option in ["--definition", "--display-filter"] {
      let run = try await Self.run(
        folder, "render", "c.csv", "-o", "/dev/null", option, clause)
      #expect(run.code == 2 && run.err.contains("no text of 'seen' can be read"), "\(run)")
    }
    let check = try await Self.run(folder, "filter", clause, "--check", "c.csv")
    #expect(check.err.contains("no text of 'seen' can be read"), "\(check)")
    let cast = "CAST(seen AS TIMESTAMP) >= TIMESTAMP '2024-04-01 00:00:00'"
    let run = try await Self.run(folder, "count", "c.csv", "--everywhere", "--where", cast)
    #expect(run.out == "0\n")
    #expect(
      run.err
        == "note: CAST of the field seen: 2 of 2 texts are not of the form yyyy-mm-dd or yyyy-mm-dd hh:mm:ss and "
        + "became null, such as '3/31/2024 1:30:00 AM'\n")
    let document = try await Self.run(folder, "count", "m2.json", "--everywhere")
    #expect(document.out == "0\n")
    #expect(document.err.contains("note: CAST of the field seen: 2 of 2 texts are not of the form"))
  }

  @Test("A search for an empty text suggests no other text")
  func emptyText() async throws {
    let run = try await Tool.run("count", Tool.cityData, "--everywhere", "--where", "CITY_NAME = ''")
    #expect(run.out == "0\n")
    #expect(run.err == "note: no row has CITY_NAME = ''\n")
  }

  // MARK: Statistics

  @Test("Percentiles are exact and rounded once")
  func percentiles() async throws {
    let times = try await Self.run(
      "numbers", "statistics", "median-time2.csv", "--everywhere", "--format", "csv", "--statistic",
      "median:t:m", "--statistic", "percentile:99.9:t:p")
    #expect(times.out == "m,p\n5000-07-02T12:00:00Z,9989-12-31T22:35:02.399999Z\n", "\(times)")
    let numbers = try await Self.run(
      "numbers", "statistics", "percentile.csv", "--everywhere", "--format", "csv", "--statistic",
      "percentile:33.3:v:p")
    #expect(numbers.out == "p\n-0.28\n")
  }

  // MARK: Classes of numbers

  @Test("Derived classes of quantiles have rows")
  func quantiles() async throws {
    for options in [[], ["--method", "quantile"], ["--method", "quantile", "--classes", "9"]] {
      let run = try await Tool.run(
        ["count", "skew.csv", "--everywhere", "--color-by", "v", "--by-class", "--format", "json"] + options,
        folder: Self.cases.appendingPathComponent("23-quantile-empty-class"))
      let counts = try Self.counts(run)
      #expect(counts.count > 3)
      #expect(counts.values.reduce(0, +) == 100)
      for (label, count) in counts where !["No data", "(no class)"].contains(label) {
        #expect(count > 0, "\(label)")
      }
    }
  }

  // MARK: Times

  @Test("Times finer than a microsecond are cut in every format", arguments: ["ns.csv", "ns.geojson"])
  func nanoseconds(_ file: String) async throws {
    let run = try await Self.run(
      "numbers", "count", file, "--everywhere", "--where", "EXTRACT(YEAR FROM t) = 2024")
    #expect(run.out == "1\n")
    #expect(run.err.contains("field t: 1 timestamp was rounded down to microseconds"), "\(run.err)")
  }
}
