import Foundation
import MapTestSupport
import Testing

/// Files on web servers and in stores of objects, as sources of commands.
@Suite("served files")
struct ServedFileCommandTests {
  private let site: ServedFolder

  init() throws { site = try ServedFolder() }

  @Test("A file on a server gives the answers of the file, in each format and command")
  func formats() async throws {
    try await site.write("c.geojson", "c.csv", "c.parquet", "c.arrow", "c.fgb", "c.gpkg")
    for name in ["c.geojson", "c.csv", "c.parquet", "c.arrow", "c.fgb", "c.gpkg"] {
      let url = "\(site.address)/ranges/\(name)"
      for command in [
        ["count", "--everywhere"], ["count"] + ServedFolder.extent, ["count", "--where", "POP > 1000000"],
        ["query", "--format", "csv", "--where", "POP > 5000000"], ["inspect"],
        ["statistics", "--statistic", "sum:POP", "--everywhere"],
      ] {
        let local = try await site.run([command[0], name] + command.dropFirst())
        let served = try await site.run([command[0], url] + command.dropFirst())
        #expect(served.code == 0, "\(name) \(command): \(served)")
        #expect(served.out.replacing(url, with: name) == local.out, "\(name) \(command)")
        #expect(served.err.replacing(url, with: name) == local.err, "\(name) \(command)")
      }
      let view = ["--bounds", "5,45,12,50", "--size", "200x200"]
      _ = try await site.run(["render", name, "-o", "local.png"] + view)
      let drawn = try await site.run(["render", url, "-o", "served.png"] + view)
      #expect(drawn.code == 0, "\(drawn)")
      #expect(
        try Data(contentsOf: site.folder.url("local.png")) == Data(contentsOf: site.folder.url("served.png")))
    }
    // No temporary file stays.
    let left = try FileManager.default.contentsOfDirectory(
      atPath: FileManager.default.temporaryDirectory.path)
    #expect(!left.contains { $0 == "mapstate-c.fgb" })
  }

  @Test("An archive and its layer, a joined table, a document and a step name files on servers")
  func sources() async throws {
    try await site.write("c.csv", "c.geojson")
    let url = "\(site.address)/ranges/c"
    try site.folder.write(
      #"{"operationalLayers":[{"id":"a","title":"A","url":"\#(url).geojson"}],"version":"2.31"}"#,
      to: "map.json")
    let document = try await site.run(["count", "map.json", "--everywhere", "--allow-private"])
    #expect(document.out.contains("10020") || document.out.contains("10,020"), "\(document)")
    // A document must not read files of this machine's servers.
    let refused = try await site.run(["count", "map.json", "--everywhere"])
    #expect(refused.code == 3 && refused.err.contains("--allow-private"), "\(refused)")
    let joined = try await site.run([
      "query", "c.geojson", "--join", "\(url).csv:CITY_NAME=CITY_NAME", "--join-first", "--format", "csv",
      "--max-features", "1",
    ])
    #expect(joined.code == 0, "\(joined)")
    let steps = #"{"step":"open","source":"\#(url).csv"}"# + "\n" + #"{"step":"count","everywhere":true}"#
    let stepped = try await Tool.run(["run", "-"], input: steps, folder: site.folder.root)
    #expect(stepped.code == 0 && stepped.out.contains("10020"), "\(stepped)")
  }

  @Test("A small extent of GeoParquet reads a small part, and a repeated question none")
  func parts() async throws {
    var rows = ["x,y,name"]
    for row in 0..<600 {
      for column in 0..<500 { rows.append("\(column),\(Double(row) / 10),place \(row) \(column)") }
    }
    try site.folder.write(rows.joined(separator: "\n"), to: "grid.csv")
    let made = try await site.run(["query", "grid.csv", "-o", "grid.parquet", "--source-reference", "3857"])
    #expect(made.code == 0, "\(made)")
    let url = "\(site.address)/ranges/grid.parquet"
    let size = try Data(contentsOf: site.folder.url("grid.parquet")).count
    _ = try await site.requests()
    let extent = ["--bounds", "100,10,110,11,3857"]
    let first = try await site.run(["count", url, "--explain"] + extent)
    #expect(first.code == 0, "\(first)")
    let asked = try await site.requests()
    let sent = asked.reduce(0) { $0 + $1.sent }
    #expect(sent < size / 2, "\(sent) of \(size)")
    // The footer comes first, and the start of the file is not read.
    #expect(asked.map(\.range).first == "bytes=-65536" && !asked.contains { $0.range == "bytes=0-65535" })
    #expect(first.err.contains("note: GET \(url): "), "\(first)")
    #expect(first.err.contains("in all \(asked.count) requests"), "\(first)")
    let again = try await site.run(["count", url] + extent)
    #expect(again.out == first.out)
    let repeated = try await site.requests()
    // The server is asked once whether the file is the same, and answers without bytes.
    #expect(repeated.count == 1 && repeated.allSatisfy { $0.sent == 0 }, "\(repeated)")
    let offline = try await site.run(["count", url, "--offline"] + extent)
    #expect(offline.out == first.out, "\(offline)")
    #expect(try await site.requests().isEmpty)
    let unknown = try await site.run(["count", "\(site.address)/ranges/none.csv", "--offline"])
    #expect(unknown.code == 3 && unknown.err.contains("--offline"), "\(unknown)")
  }

  @Test(
    "A fault of a server is one error",
    arguments: [
      ("loop/c.csv", "redirects more than 10 times"),
      ("page/c.csv", "web page"), ("whole/c.fgb", ""), ("ranges/none.csv", "answered 404"),
      ("ranges/c.mbtiles", "PMTiles"), ("ranges/c.shp", ".zip"), ("short/c.fgb", "connection ended"),
      ("late/c.fgb", "whole file"), ("huge/c.fgb", "size"),
    ])
  func faults(path: String, words: String) async throws {
    try await site.write("c.fgb", "c.csv")
    let run = try await site.run(["count", "\(site.address)/\(path)", "--bounds", "7,46,8,47"])
    guard !words.isEmpty else {
      #expect(run.code == 0, "\(run)")
      return
    }
    #expect(run.code == 3 || run.code == 2, "\(run)")
    #expect(run.errors.count == 1 && run.err.contains(words), "\(run)")
  }

  @Test("A file that is named like Parquet gives the answer or the error of the local file")
  func misnamed() async throws {
    try await site.write("c.csv", "c.fgb", "c.parquet")
    let parquet = try Data(contentsOf: site.folder.url("c.parquet"))
    let contents: [(name: String, bytes: Data)] = [
      ("empty", Data()), ("short", Data("PAR1abc".utf8)), ("cut", parquet.prefix(300_000)),
      ("text", try Data(contentsOf: site.folder.url("c.csv"))),
      ("index", try Data(contentsOf: site.folder.url("c.fgb"))),
      ("noise", Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })),
    ]
    for (name, bytes) in contents {
      try bytes.write(to: site.folder.url("\(name).parquet"))
      let local = try await site.run(["count", "\(name).parquet", "--everywhere"])
      // The server of the mode azure gives no last bytes.
      for mode in ["ranges", "azure", "whole"] {
        let url = "\(site.address)/\(mode)/\(name).parquet"
        let served = try await site.run(["count", url, "--everywhere"])
        let notes = served.err.split(separator: "\n").filter { !$0.contains("the server has no byte ranges") }
        #expect(served.code == local.code && served.out == local.out, "\(mode) \(name): \(served) \(local)")
        #expect(
          notes.joined().replacing(url, with: "\(name).parquet") == local.err.split(separator: "\n").joined(),
          "\(mode) \(name): \(served) \(local)")
      }
    }
  }

  @Test("A file that changes once while it is fetched is fetched again")
  func changedOnce() async throws {
    let row = "7.5,46.5,name of some length to make the file large enough\n"
    try site.folder.write("x,y,name\n" + String(repeating: row, count: 400_000), to: "large.csv")
    let packed = try await Tool.run(
      ["-k", "-1", "large.csv"], folder: site.folder.root, program: URL(fileURLWithPath: "/bin/gzip"))
    #expect(packed.code == 0)
    // A text is fetched by one request, and an archive by several.
    let archive = try Data(contentsOf: site.folder.url("large.csv.gz"))
    #expect(archive.count > 65_536, "\(archive.count)")
    let run = try await site.run(["count", "\(site.address)/once/large.csv.gz", "--everywhere"])
    #expect(run.out.hasPrefix("400000"), "\(run)")
  }

  @Test("A limit of time names the file that is fetched, and the bytes so far")
  func progress() async throws {
    try await site.write("c.csv")
    let run = try await site.run(["count", "\(site.address)/trickling/c.csv", "--timeout", "15"])
    #expect(run.code == 2, "\(run)")
    #expect(run.err.contains("fetching \(site.address)/trickling/c.csv, "), "\(run)")
    #expect(run.err.contains(" KB: not done within the 15 s of --timeout"), "\(run)")
  }

  @Test("A file larger than --max-download is refused before it is fetched")
  func limited() async throws {
    try await site.write("c.gpkg", "c.csv")
    _ = try await site.requests()
    for name in ["c.gpkg", "c.csv"] {
      let run = try await site.run(["count", "\(site.address)/ranges/\(name)", "--max-download", "100KB"])
      #expect(run.code == 3, "\(run)")
      #expect(run.err.contains("--max-download (100 KB)"), "\(run)")
    }
    #expect(try await site.requests().map(\.range).contains("bytes=0-65535"))
  }

  @Test("Keys of an object store sign the requests, and appear in no output, recording or cache")
  func objects() async throws {
    try await site.write("c.fgb")
    let secrets = [
      "AWS_ACCESS_KEY_ID": "AKIAPLANTED", "AWS_SECRET_ACCESS_KEY": "planted-secret-4711-key",
      "AWS_SESSION_TOKEN": "planted-token-4711-of-the-session",
    ]
    func environment(_ mode: String) -> [String: String] {
      secrets.merging(["AWS_ENDPOINT_URL": "\(site.address)/\(mode)"]) { $1 }
    }
    let local = try await site.run(["count", "c.fgb", "--bounds", "7,46,8,47"])
    _ = try await site.requests()
    let signed = try await site.run(
      ["count", "s3://maps/c.fgb", "--bounds", "7,46,8,47", "--explain", "--record", "kept"],
      environment("ranges"))
    #expect(signed.out == local.out, "\(signed)")
    let asked = try await site.requests()
    #expect(asked.count > 1)
    for request in asked {
      #expect(request.path == "/ranges/maps/c.fgb")
      let field = request.header["authorization"] ?? ""
      #expect(field.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIAPLANTED/"), "\(field)")
      #expect(request.header["x-amz-security-token"] == "planted-token-4711-of-the-session")
    }
    let denied = try await site.run(["count", "s3://maps/c.fgb"], environment("denied"))
    #expect(denied.code == 3 && denied.err.contains("403 (AccessDenied)"), "\(denied)")
    let drawn = try await site.run(
      [
        "render", "s3://maps/c.fgb", "-o", "a.png", "--report", "a.json", "--save-document", "b.json",
        "--size",
        "100x100",
      ], environment("ranges"))
    #expect(drawn.code == 0, "\(drawn)")
    #expect(try String(contentsOf: site.folder.url("b.json"), encoding: .utf8).contains("s3://maps/c.fgb"))
    let public_ = try await site.run(
      ["count", "s3://maps/c.fgb"], environment("ranges").merging(["AWS_NO_SIGN_REQUEST": "YES"]) { $1 })
    #expect(public_.code == 0, "\(public_)")
    var texts = [signed, denied, drawn, public_].flatMap { [$0.out, $0.err] }
    for root in [site.folder.root, site.cache.root] {
      for case let file as URL in FileManager.default.enumerator(
        at: root, includingPropertiesForKeys: nil) ?? .init()
      {
        texts.append(file.lastPathComponent)
        texts.append((try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? "")
      }
    }
    #expect(texts.count > 20)
    for text in texts { #expect(!text.contains("planted") && !text.contains("AWS4-HMAC")) }
  }

  @Test("A folder of Parquet files in an object store is one table")
  func folders() async throws {
    let keys = [
      "AWS_ENDPOINT_URL": "\(site.address)/ranges", "AWS_ACCESS_KEY_ID": "AKIATEST",
      "AWS_SECRET_ACCESS_KEY": "a-secret-of-tests",
    ]
    for rank in 1...3 {
      let made = site.folder.path("parts/rank=\(rank)")
      try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
      let run = try await site.run(
        ["query", Tool.cityData, "--where", "POP_RANK = \(rank)", "-o", "\(made)/part.parquet"])
      #expect(run.code == 0, "\(run)")
    }
    try site.folder.write("notes", to: "parts/_SUCCESS")
    for question in [["--everywhere"], ["--where", "rank = 2"], ServedFolder.extent] {
      let local = try await site.run(["count", "parts"] + question)
      let served = try await site.run(["count", "s3://maps/parts/"] + question, keys)
      #expect(served.code == 0 && served.out == local.out, "\(question): \(served) \(local)")
    }
    for request in try await site.requests() {
      #expect(request.header["authorization"]?.hasPrefix("AWS4-HMAC-SHA256") == true)
    }
    let local = try await site.run(["count", "parts", "--where", "rank = 2"])
    let azure = try await site.run(
      ["count", "az://maps/parts/", "--where", "rank = 2"],
      ["AZURE_STORAGE_SERVICE_ENDPOINT": "\(site.address)/ranges"])
    #expect(azure.out == local.out, "\(azure)")
    let empty = try await site.run(["count", "s3://maps/none/"], keys)
    #expect(empty.code == 2 && empty.err.contains("no Parquet files"), "\(empty)")
  }
}
