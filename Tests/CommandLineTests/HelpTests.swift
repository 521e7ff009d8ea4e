import Testing

@Suite("help")
struct HelpTests {
  @Test(
    "Every command prints its usage with --help",
    arguments: [
      ([], "USAGE: mapstate <subcommand>"),
      (["render"], "USAGE: mapstate render [<options>] <source> --output <file>"),
      (["count"], "USAGE: mapstate count [<options>] <source>"),
      (["statistics"], "USAGE: mapstate statistics [<options>] <source>"),
      (["query"], "USAGE: mapstate query [<options>] <source>"),
      (["filter"], "USAGE: mapstate filter [<options>] [<text>]"),
      (["inspect"], "USAGE: mapstate inspect [<options>] <source>"),
      (["run"], "USAGE: mapstate run <script>"),
      (["snapshot"], "USAGE: mapstate snapshot <subcommand>"),
      (
        ["snapshot", "verify"],
        "USAGE: mapstate snapshot verify [<folder>] [<cases> ...] [--only <pattern> ...] [--jobs <n>] "
          + "[--report-dir <dir>]"
      ),
      (
        ["snapshot", "record"],
        "USAGE: mapstate snapshot record [<folder>] [<cases> ...] [--only <pattern> ...] [--jobs <n>] [--missing] "
          + "[--failed] [--all]"
      ),
      (
        ["snapshot", "accept"],
        "USAGE: mapstate snapshot accept [<folder>] [<cases> ...] [--all] [--report-dir <dir>]"
      ),
      (
        ["snapshot", "generate"], "USAGE: mapstate snapshot generate <document> [<folder>] [--size <wxh>]"
      ),
      (["snapshot", "schema"], "USAGE: mapstate snapshot schema"),
    ])
  func everyCommand(path: [String], usage: String) async throws {
    let run = try await Tool.run(path + ["--help"])
    #expect(run.code == 0)
    #expect(run.err == "")
    #expect(run.out.contains(usage), "\(run.out)")
  }

  /// Planned commands are absent from the help.
  @Test("The help of each command lists its options")
  func options() async throws {
    let shared = [
      "--layer", "--size", "--pixel-ratio", "--viewpoint", "--fit", "--only", "--strict", "--padding",
      "--filters",
      "--definition", "--display-filter", "--time", "--hide", "--show", "--allow-path",
    ]
    let count = try await Tool.run("count", "--help").out
    for name in shared + [
      "--everywhere", "--where", "--cql2", "--property-case", "--bounds, --extent", "--in-view", "--extents",
      "--expect", "--funnel",
      "--format",
    ] {
      #expect(count.contains("\n  \(name) ") || count.contains("\n  \(name)\n"), "\(name)")
    }
    let question = [
      "--everywhere", "--where", "--cql2", "--property-case", "--bounds, --extent", "--in-view", "--format",
    ]
    let statistics = try await Tool.run("statistics", "--help").out
    for name in shared + question + ["--statistic", "--group-by", "--order-by"] {
      #expect(statistics.contains("\n  \(name) "), "\(name)")
    }
    let query = try await Tool.run("query", "--help").out
    for name in shared + question + [
      "--out-fields", "--order-by", "--offset", "--max-features", "--no-geometry", "--ids", "--extent-only",
      "--count-only", "-o, --output",
    ] {
      #expect(query.contains("\n  \(name) "), "\(name)")
    }
    let render = try await Tool.run("render", "--help").out
    for name in shared + [
      "--bounds", "--skip-unavailable", "--background", "--report", "--color-by", "--size-by", "--label",
      "--save-document", "--threads",
      "--painter",
    ] {
      #expect(render.contains("\n  \(name) "), "\(name)")
    }
    let all = try await Tool.run("--help").out
    for later in ["legend", "serve"] { #expect(!all.contains("  \(later) ")) }
  }

  @Test(
    "An invalid command line is a one-line usage error that names the fault",
    arguments: [
      (["bogus"], "bogus"), (["count"], "source"), (["count", "x.json", "--bogus"], "--bogus"),
      (["count", "x.json", "y.json"], "y.json"), (["count", "x.json", "--layer"], "--layer"),
      (["count", "x.json", "--format", "xml"], "xml"), (["render", "x.json"], "--output"),
      (["count", "x.json", "--funel"], "--funnel"), (["snapshot", "bogus"], "bogus"), (["run"], "script"),
      (["inspect", "x.json", "--format", "csv"], "csv"), (["filter"], "--functions"),
      (["filter", "a = 1"], "--check"), (["filter", "a = 1", "--functions"], "--functions"),
      (["filter", "--functions", "--format", "csv"], "csv"),
    ])
  func wrongCommandLines(arguments: [String], named: String) async throws {
    let run = try await Tool.run(arguments)
    #expect(run.code == 64, "\(run)")
    #expect(run.out == "", "\(run)")
    #expect(run.err.split(separator: "\n").count == 1, "\(run.err)")
    #expect(run.errors.count == 1, "\(run.err)")
    #expect(run.err.contains(named), "\(run.err)")
  }
}
