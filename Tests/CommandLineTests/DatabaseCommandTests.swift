import Foundation
import MapTestSupport
import Testing

/// The tool with addresses of databases, where libpq or a server is missing.
@Suite struct DatabaseAddressCommandTests {
  @Test("A missing libpq is an error that names its package")
  func missingLibrary() async throws {
    let folder = try ScratchFolder()
    for number in 0...9 { try Data().write(to: folder.url("libpq.so.\(number)")) }
    let others = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { [$0] } ?? []
    let run = try await Tool.run(
      ["count", "postgresql://127.0.0.1:1/maps#roads"],
      environment: ["LD_LIBRARY_PATH": ([folder.root.path] + others).joined(separator: ":")])
    #expect(run.code == 2 && run.out.isEmpty)
    #expect(run.err.contains("postgresql://127.0.0.1:1/maps: libpq is required"), "\(run.err)")
    #expect(run.err.contains("; install libpq5"), "\(run.err)")
  }

  @Test("A server that does not answer is an error of a service, without the password")
  func noServer() async throws {
    let run = try await Tool.run(["count", "postgresql://anna:open-sesame@127.0.0.1:1/maps#roads"])
    #expect(run.code == 3 && run.out.isEmpty)
    #expect(run.err.hasPrefix("error: postgresql://127.0.0.1:1/maps: no connection: "), "\(run.err)")
    #expect(!run.err.contains("sesame") && !run.err.contains("anna:"))
  }

  @Test("A document may not lead to a database of this machine")
  func document() async throws {
    let folder = try ScratchFolder()
    try folder.write(
      #"{"operationalLayers": [{"id": "a", "title": "A", "url": "postgresql://a:open-sesame@127.0.0.1:1/maps#roads"}]}"#,
      to: "map.json")
    let run = try await Tool.run(["count", "map.json"], folder: folder.root)
    #expect(run.code == 3)
    #expect(
      run.err.contains(
        "postgresql://127.0.0.1:1/maps: refused: it is a loopback address, and a document may not lead there; allow it "
          + "with --allow-private"), "\(run.err)")
    #expect(!run.err.contains("sesame"))
    // A stand-in replaces a table as it replaces a service.
    try folder.write(#"{"postgresql://127.0.0.1:1/maps#roads": "cities.csv"}"#, to: "files.json")
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: Tool.cityData), to: folder.url("cities.csv"))
    try folder.write(
      #"{"operationalLayers": [{"id": "a", "title": "A", "url": "postgresql://127.0.0.1:1/maps#roads"}]}"#,
      to: "map.json")
    let replaced = try await Tool.run(
      ["count", "map.json", "--everywhere", "--services", "files.json"], folder: folder.root)
    #expect(replaced.code == 0 && replaced.out.contains("10020"), "\(replaced)")
  }
}

/// The tool with tables of the server that `Scripts/checks/servers/database` starts.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["MAPSTATE_DATABASE"] != nil,
    "Scripts/checks/servers/database starts the server"))
struct DatabaseCommandTests {
  private struct Server: Decodable {
    let folder: String
    let port: Int
    let user: String
    let password: String
    let psql: String
  }
  private let server: Server
  private let folder: ScratchFolder
  /// The environment of a run, with the credentials for the server.
  private let environment: [String: String]

  init() throws {
    let text = try #require(ProcessInfo.processInfo.environment["MAPSTATE_DATABASE"])
    server = try JSONDecoder().decode(Server.self, from: Data(text.utf8))
    folder = try ScratchFolder()
    try folder.write(
      #"{"postgresql://127.0.0.1:\#(server.port)": {"user": "\#(server.user)", "password": "$MAPS_PASSWORD"}}"#,
      to: "credentials.json")
    environment = [
      "MAPSTATE_CREDENTIALS": folder.url("credentials.json").path, "MAPS_PASSWORD": server.password,
    ]
  }

  private var address: String { "postgresql://127.0.0.1:\(server.port)/maps" }

  private func run(_ arguments: String...) async throws -> Tool.Run {
    try await Tool.run(arguments, folder: folder.root, environment: environment)
  }

  @Test("The examples of the guide's article print what the article says")
  func guide() async throws {
    let article = try GuideText.text(of: "Sources/Engine/MapState/MapState.docc/Databases.md")
    let block = try #require(article.components(separatedBy: "```").dropFirst().first)
    let lines = block.split(separator: "\n")
    #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("mapstate ") })
    let script = block.replacing("postgresql://db.example.com/maps", with: address)
    let file = try folder.write("export PATH=\"\(Tool.builtFolder.path):$PATH\"\n\(script)", to: "example")
    let run = try await Tool.run(
      ["-euo", "pipefail", "\(file)"], folder: folder.root, program: URL(fileURLWithPath: "/bin/bash"),
      environment: environment)
    #expect(run.code == 0 && run.err.isEmpty, "\(run.err)")
    #expect(run.out.hasPrefix("16\n") && run.out.contains("8.51875"), "\(run.out)")
    #expect(article.contains("the count 16 and the average 8.51875"))
    let image = try Data(contentsOf: folder.url("counties.png"))
    #expect(image.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test("Every answer about a table is that about the file behind it")
  func answers() async throws {
    let file = Tool.countyData
    for arguments in [
      ["count", "--everywhere"], ["count", "--bounds", "-72,42,-66,48"],
      ["count", "--everywhere", "--where", "unemployment_rate > 9.5 AND NAME LIKE 'San %'"],
      ["count", "--everywhere", "--where", "STATE_NAME IN ('Maine', 'Ohio') OR NAME < 'Ad'"],
      [
        "statistics", "--everywhere", "--statistic", "average:unemployment_rate", "--statistic",
        "sum:unemployment_rate", "--group-by", "STATE_NAME",
      ],
      [
        "query", "--everywhere", "--out-fields", "NAME,STATE_NAME", "--where", "STATE_NAME = 'Maine'",
        "--order-by", "NAME:desc", "--format", "csv",
      ],
    ] {
      let rest = Array(arguments.dropFirst())
      let (table, other) = (
        try await Tool.run(
          [arguments[0], "\(address)#public.counties"] + rest, folder: folder.root, environment: environment),
        try await Tool.run([arguments[0], file] + rest, folder: folder.root)
      )
      #expect(table.code == 0 && table.out == other.out, "\(arguments): \(table) \(other)")
      #expect(!table.out.isEmpty)
    }
  }

  @Test("Answers about a large table are those about all its rows, and --explain prints the statements")
  func largeTable() async throws {
    let exported = try await run("query", "\(address)#trips", "--everywhere", "-o", "trips.arrow")
    #expect(exported.code == 0, "\(exported)")
    let view = ["--bounds", "-10,35,30,60"]
    for (arguments, statement) in [
      (
        ["count", "--where", "distance > 0"] + view,
        "SELECT count(*) FROM \"public\".\"trips\" WHERE (\"geom\""
      ),
      (["count", "--everywhere", "--where", "UPPER(name) = 'N7' AND kind = 2"], "COPY (SELECT"),
      (["count", "--everywhere", "--where", "name < 'n2'"], "COLLATE \"C\""),
      (
        [
          "statistics", "--everywhere", "--statistic", "all:distance", "--statistic", "median:distance",
          "--group-by", "kind",
        ],
        "COPY (SELECT \"id\", \"distance\", \"kind\" FROM"
      ),
      (["render", "-o", "image.png", "--size", "300x200"] + view, "COPY (SELECT"),
    ] {
      let rest = Array(arguments.dropFirst())
      let (table, file) = (
        try await Tool.run(
          [arguments[0], "\(address)#trips", "--explain"] + rest, folder: folder.root,
          environment: environment),
        try await Tool.run([arguments[0], "trips.arrow"] + rest, folder: folder.root)
      )
      #expect(table.code == 0 && table.out == file.out, "\(arguments): \(table) \(file)")
      #expect(
        table.err.contains("note: SQL: ") && table.err.contains(statement), "\(arguments): \(table.err)")
      #expect(!table.err.contains(server.password))
    }
  }

  @Test("The parts of a table in several databases are one table")
  func parts() async throws {
    let refused = try await run("count", "\(address)#points \(address)#trips", "--everywhere")
    #expect(
      refused.code == 3 && refused.err.contains("its keys from 1 on do not follow those of"), "\(refused)")
    let socket = "postgresql://\(server.user)@/maps?host=\(server.folder)&port=\(server.port)"
    for name in ["low", "high"] {
      let run = try await Tool.run(
        [
          "-h", server.folder, "-p", "\(server.port)", "-U", server.user, "-d", "maps", "-c",
          "DROP TABLE IF EXISTS trips_\(name); CREATE TABLE trips_\(name) AS SELECT * FROM trips WHERE id "
            + (name == "low" ? "<= 7000" : "> 7000") + "; ALTER TABLE trips_\(name) ADD PRIMARY KEY (id)",
        ], folder: folder.root, program: URL(fileURLWithPath: server.psql))
      #expect(run.code == 0, "\(run)")
    }
    for arguments in [
      ["count", "--bounds", "-10,35,30,60"], ["statistics", "--everywhere", "--statistic", "all:distance"],
    ] {
      let rest = Array(arguments.dropFirst())
      let (joined, whole) = (
        try await Tool.run(
          [arguments[0], "\(socket)#trips_low \(address)#trips_high"] + rest, folder: folder.root,
          environment: environment),
        try await Tool.run(
          [arguments[0], "\(address)#trips"] + rest, folder: folder.root, environment: environment)
      )
      #expect(joined.code == 0 && joined.out == whole.out, "\(arguments): \(joined) \(whole)")
      #expect(joined.err.contains("the rows of 2 databases are joined"), "\(joined.err)")
    }
  }

  @Test("An image of a table is that of the file behind it")
  func images() async throws {
    let view = ["--bounds", "-72,42,-66,48", "--size", "300x200"]
    let (table, other) = (
      try await Tool.run(
        ["render", "\(address)#public.counties", "-o", "table.png"] + view, folder: folder.root,
        environment: environment),
      try await Tool.run(["render", Tool.countyData, "-o", "file.png"] + view, folder: folder.root)
    )
    #expect(table.code == 0 && other.code == 0, "\(table) \(other)")
    #expect(try Data(contentsOf: folder.url("table.png")) == Data(contentsOf: folder.url("file.png")))
  }

  @Test("Inspection and saved documents name the table, and no password")
  func inspection() async throws {
    let secret = server.password.replacing(" ", with: "%20")
    let login = "postgresql://\(server.user):\(secret)@127.0.0.1:\(server.port)/maps#public.counties"
    let run = try await run("inspect", login, "--format", "json")
    #expect(run.code == 0 && run.out.contains("counties"), "\(run)")
    #expect(!run.out.contains("sesame") && !run.err.contains("sesame"))
    let missing = try await self.run("count", "\(address)#public.countys")
    #expect(missing.code == 3)
    #expect(
      missing.err
        == "error: \(address): no table or view named \"public.countys\"; did you mean \"public.counties\"?\n"
    )
  }

  @Test("A table gives features to a drawing document")
  func drawingData() async throws {
    try folder.write(
      #"{"drawingInfo": {"renderer": {"type": "simple", "symbol": {"type": "esriSFS", "color": [9, 99, 9, 255]}}}}"#,
      to: "drawing.json")
    let run = try await run(
      "render", "drawing.json", "--data", "\(address)#public.counties", "-o", "drawn.png", "--bounds",
      "-72,42,-66,48")
    #expect(run.code == 0, "\(run)")
  }
}
