import Foundation
import MapStateCommand
import MapTestSupport
import Testing

@Suite("Help")
struct HelpTests {
  /// The usage of every command.
  private static let usages: [(path: [String], usage: String)] = [
    ([], "mapstate <subcommand> <source> [<options>]"),
    (["render"], "mapstate render <source> -o <file> [<options>]"),
    (["series"], "mapstate series <source> (--by <layer> | --by-time <step>) -o <template>"),
    (["legend"], "mapstate legend <source> -o <file> [<options>]"),
    (["tiles"], "mapstate tiles <source> -o <path> --zoom <z> --bounds <area> [<options>]"),
    (["count"], "mapstate count <source> [<options>]"),
    (["statistics"], "mapstate statistics <source> --statistic <type:field[:alias]> [<options>]"),
    (["query"], "mapstate query <source> [-o <file>] [<options>]"),
    (["explain"], "mapstate explain <source> --id <n> [<options>]"),
    (["filter"], "mapstate filter <text> --to <language> [<options>]"),
    (["inspect"], "mapstate inspect <source> [<options>]"),
    (["lint"], "mapstate lint <source> [--disable <rule>] [<options>]"),
    (["schema"], "mapstate schema [-o <file>]"),
    (["convert"], "mapstate convert <source> -o <file> [<options>]"),
    (["diff"], "mapstate diff <before> <after> [<options>]"),
    (["run"], "mapstate run <script> [<options>]"),
    (["mcp"], "mapstate mcp <folder> ... [<options>]"),
    (["partial"], "mapstate partial <source> --question <file> --ordinal <n> -o <file>"),
    (["merge"], "mapstate merge --expect-partitions <n> <states> ... [<options>]"),
    (["snapshot"], "mapstate snapshot <subcommand>"),
    (["snapshot", "verify"], "mapstate snapshot verify [<folder>] [<cases> ...] [<options>]"),
    (["snapshot", "record"], "mapstate snapshot record [<folder>] [<cases> ...] [<options>]"),
    (
      ["snapshot", "accept"],
      "mapstate snapshot accept (<cases> ... | --cause <n> | --all) [<options>]"
    ),
    (
      ["snapshot", "reject"],
      "mapstate snapshot reject (<cases> ... | --cause <n> | --all) [<options>]"
    ),
    (["snapshot", "coverage"], "mapstate snapshot coverage [<folder>] [<cases> ...] [<options>]"),
    (["snapshot", "generate"], "mapstate snapshot generate <document> [<folder>] [<options>]"),
    (["snapshot", "schema"], "mapstate snapshot schema"),
  ]

  /// The titles of the groups of options.
  private static let titles = [
    "Output", "Drawing", "Style", "Legend and titles", "Statistics", "Features", "Question",
    "Translation", "Cases", "View", "Layers",
    "Filters", "Files and services", "Messages", "Limits",
  ]

  private static func help(_ path: [String]) async throws -> String {
    let run = try await Tool.run(path + ["--help"], environment: ["COLUMNS": "80"])
    #expect(run.code == 0)
    #expect(run.err == "")
    return run.out
  }

  @Test("Every command has help with its usage", arguments: usages)
  func usage(path: [String], usage: String) async throws {
    let help = try await Self.help(path)
    #expect(help.contains("\nUSAGE: \(usage)\n"), "\(help)")
  }

  @Test("The list of usages names every command")
  func completeness() throws {
    let known = Set(Self.usages.map { ["mapstate"] + $0.path })
    #expect(Set(try CommandInfo.tool().all.map(\.path)) == known)
  }

  @Test("Every option is in a group of the common titles")
  func groups() throws {
    var count = 0
    for command in try CommandInfo.tool().all {
      for option in command.options where option.kind != .positional {
        if option.names.contains("--help") || option.names.contains("--version") { continue }
        count += 1
        #expect(Self.titles.contains(option.group), "\(command.path) \(option.names)")
      }
    }
    #expect(count > 200)
  }

  @Test("No help is longer than two lines of 80 columns, and two of values", arguments: usages.map(\.path))
  func length(path: [String]) async throws {
    let lines = try await Self.help(path).split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("USAGE:") })
    var (label, count, values) = ("", 0, 0)
    for line in lines[start...] {
      #expect(line.count <= 80, "\(line)")
      if line.hasPrefix(String(repeating: " ", count: 26)) {
        if values > 0 || line.hasPrefix(String(repeating: " ", count: 26) + "(values:") {
          values += 1
        } else {
          count += 1
          if line.contains("(values:") { values = 1 }
        }
        #expect(count <= 2 && values <= 3, "\(label)")
      } else {
        label = String(line)
        values = line.contains("(values:") ? 1 : 0
        count = line.count > 26 && line.dropFirst(24).first == " " && line.hasPrefix("  ") ? 1 : 0
      }
    }
  }

  @Test("Every help is a sentence that does not begin with a question word")
  func sentences() throws {
    for command in try CommandInfo.tool().all {
      for text in [command.abstract] + command.options.map(\.summary) {
        #expect(text.hasSuffix("."), "\(command.path) \(text)")
        #expect(text.first?.isUppercase == true, "\(command.path) \(text)")
        for word in ["What", "How", "Where", "Who"] {
          #expect(!text.hasPrefix("\(word) "), "\(command.path) \(text)")
        }
      }
    }
  }

  @Test("An option has the same help in every command, except a few whose subject differs")
  func consistency() throws {
    var texts: [String: Set<String>] = [:]
    for command in try CommandInfo.tool().all {
      for option in command.options where !option.group.isEmpty {
        texts["\(option.group) \(option.names.sorted())", default: []].insert(option.summary)
      }
    }
    let allowed = [
      #"Output ["--format"]"#, #"Output ["--report-dir"]"#, #"Layers ["--layer"]"#, #"View ["--size"]"#,
      #"Cases ["--all"]"#, #"Output ["--report"]"#, #"Output ["--output", "-o"]"#,
    ]
    for (name, texts) in texts where texts.count > 1 {
      #expect(allowed.contains(name), "\(name): \(texts)")
    }
  }

  @Test("The examples come last, and each runs in a clone", arguments: usages.map(\.path))
  func examples(path: [String]) async throws {
    let help = try await Self.help(path)
    let parts = help.split(separator: "\nEXAMPLES:\n")
    try #require(parts.count == 2, "\(help)")
    let clone = try ScratchFolder()
    for name in ["Styles", "Snapshots"] {
      try FileManager.default.copyItem(
        at: Tool.project.appendingPathComponent(name), to: clone.url(name))
    }
    var lines = parts[1].split(separator: "\n").map { String($0) }
    for line in lines { #expect(line.hasPrefix("  "), "\(line)") }
    // Draws until it is stopped; the program that stops it exits with 124.
    lines = lines.map { $0.hasSuffix(" --watch") ? "timeout 5 \($0) || test $? = 124" : $0 }
    if path == ["diff"] {
      // Its examples compare what differs, one of them with a revision.
      lines = lines.map { "\($0) || test $? = 1" }
      lines.insert(
        "git init -q . && git add Styles && git -c user.name=T -c user.email=t@e.org commit -qm 1", at: 0)
    }
    let script = try clone.write(lines.joined(separator: "\n"), to: "examples")
    let run = try await Tool.run(
      ["-c", "export PATH=\(Tool.builtFolder.path):$PATH; exec bash -euo pipefail \"\(script)\""],
      folder: clone.root, program: URL(fileURLWithPath: "/bin/bash"))
    #expect(run.code == 0, "\(parts[1])\n\(run.err)")
  }

  @Test(
    "The commands have the options of the contract",
    arguments: [
      ("count", ["--extents", "--expect", "--funnel"]),
      ("statistics", ["--statistic", "--group-by", "--order-by"]),
      (
        "query",
        [
          "--out-fields", "--order-by", "--offset", "--max-features", "--no-geometry", "--ids",
          "--extent-only",
          "--count-only", "--output",
        ]
      ),
      (
        "render",
        [
          "--bounds", "--skip-unavailable", "--background", "--report", "--color-by", "--size-by", "--label",
          "--save-document", "--threads", "--painter", "--output",
        ]
      ),
    ])
  func options(command: String, own: [String]) throws {
    let shared = [
      "--layer", "--size", "--pixel-ratio", "--viewpoint", "--fit", "--only", "--strict", "--padding",
      "--filters", "--definition", "--display-filter", "--time", "--hide", "--show", "--allow-path",
    ]
    let question = [
      "--everywhere", "--where", "--cql2", "--property-case", "--bounds", "--extent", "--in-view", "--format",
    ]
    let info = try #require(CommandInfo.tool().all.first { $0.path == ["mapstate", command] })
    let names = info.options.flatMap(\.names)
    for name in shared + own + (command == "render" ? [] : question) {
      #expect(names.contains(name), "\(name)")
    }
  }

  @Test("Planned commands are not in the help")
  func plannedCommands() async throws {
    let help = try await Self.help([])
    for name in ["serve", "generate-manual"] { #expect(!help.contains("  \(name) ")) }
  }

  @Test(
    "A wrong command line is one error that names the fault",
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
    #expect(run.code == 64)
    #expect(run.out == "")
    #expect(run.err.split(separator: "\n").count == 1, "\(run.err)")
    #expect(run.errors.count == 1, "\(run.err)")
    #expect(run.err.contains(named), "\(run.err)")
  }

  @Test(
    "An option of one value that is given twice is an error",
    arguments: [
      ("count x.json --layer a --layer b", "--layer is given twice; give it once"),
      ("count x.json --layer a --layer=b", "--layer is given twice; give it once"),
      (
        "count x.json --bounds 1,2,3,4 --extent 1,2,3,4",
        "--bounds and --extent are the same option; give one of them"
      ),
      ("render x.json -o a.png --output b.png", "-o and --output are the same option; give one of them"),
      ("snapshot verify --jobs 1 --jobs 2", "--jobs is given twice; give it once"),
    ])
  func repeatedOptions(line: String, message: String) async throws {
    let run = try await Tool.run(line.split(separator: " ").map(String.init))
    #expect(run.code == 64)
    #expect(run.err == "error: \(message)\n")
  }

  @Test("The list of options with two names is complete")
  func synonyms() throws {
    var pairs: [Set<String>] = []
    func check(_ command: CommandInfo) {
      for option in command.options where option.kind == .option && option.names.count > 1 {
        pairs.append(Set(option.names))
        #expect(Set(option.names.map { RepeatedOptions.synonyms[$0] ?? $0 }).count == 1, "\(option.names)")
      }
      command.subcommands.forEach(check)
    }
    check(try CommandInfo.tool())
    #expect(Set(pairs).count == RepeatedOptions.synonyms.count)
  }

  @Test("Repeatable options may be repeated, and a value may look like an option")
  func repeatableOptions() async throws {
    let layers = try await Tool.run("count", Tool.counties, "--only", "States", "--only", "Counties")
    #expect(layers.code == 0)
    #expect(layers.out.split(separator: "\n").count == 2)
    let value = try await Tool.run("count", Tool.counties, "--where", "--layer", "--layer", "Counties")
    #expect(value.code == 2, "\(value)")
    #expect(value.err.contains("where clause"), "\(value)")
  }

  @Test("A layer that --only names cannot be hidden")
  func contradictingLayers() async throws {
    let run = try await Tool.run("count", Tool.counties, "--only", "Counties", "--hide", "1")
    #expect(run.code == 64)
    #expect(run.err == "error: --hide contradicts --only for layer \"Counties\"; give one of them\n")
  }

  @Test("Another layer than the only one may be hidden")
  func hiddenLayers() async throws {
    let run = try await Tool.run("count", Tool.counties, "--only", "Counties", "--hide", "States")
    #expect(run.code == 0, "\(run)")
  }
}
