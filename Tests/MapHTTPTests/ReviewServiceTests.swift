import Foundation
import MapHTTP
import MapJSON
import MapSnapshots
import MapState
import Testing

@Suite struct ReviewServiceTests {
  private static let token = "fedcba9876543210fedcba9876543210"

  /// A report of three failed cases and one that passed, and its server.
  private final class Review: Sendable {
    let folder: URL
    let service: ReviewService
    var cases: String { folder.path + "/cases" }
    var report: String { folder.path + "/report" }

    init() async throws {
      folder = try Served.folder()
      let cases = folder.path + "/cases"
      for (name, count) in [("points/a", 1), ("points/b", 2), ("points/c", 3), ("d", 4)] {
        try FileManager.default.createDirectory(
          atPath: "\(cases)/\(name)", withIntermediateDirectories: true)
        func write(_ longitudes: [Int]) throws {
          try #"{"size": [40, 30], "viewpoint": "0,5,300000000", "map": \#(Served.document(longitudes))}"#
            .write(
              toFile: "\(cases)/\(name)/case.json", atomically: true, encoding: .utf8)
        }
        try write([count])
        try await SnapshotCase(name, in: cases).record()
        if name != "d" { try write([count, count + 10]) }
      }
      var report = try SnapshotReport(folder: folder.path + "/report", root: cases)
      let run = try SnapshotRun(root: cases)
      try await run.verify { result throws(MapStateError) in try report.add(result) }
      try report.write()
      service = ReviewService(
        try SnapshotReview(folder.path + "/report", cases: cases),
        origin: OriginCheck(token: ReviewServiceTests.token))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func get(_ target: String, _ headers: [String: String] = [:]) throws -> HTTPResponse {
      service.answer(try HTTPRequest(target, headers: ["host": "localhost:1"].merging(headers) { $1 }))
    }

    func list() throws -> JSONValue { try JSONValue(parsing: get("/report.json").body) }

    func post(
      _ target: String, _ headers: [String: String?] = [:], method: String = "POST"
    ) throws -> HTTPResponse {
      var all = ["host": "localhost:1", "origin": "http://localhost:1", "x-mapstate-token": token]
      for (name, value) in headers { all[name] = value }
      return service.answer(try HTTPRequest(target, method: method, headers: all))
    }

    func bytes(_ path: String) throws -> Data { try Data(contentsOf: folder.appending(path: path)) }

    /// All files and their bytes.
    func files() throws -> [String: Data] {
      var found: [String: Data] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        found[name] = try? Data(contentsOf: folder.appending(path: name))
      }
      return found
    }
  }

  @Test("The failed cases are listed with their changes and images")
  func lists() async throws {
    let review = try await Review()
    let json = try review.list()
    #expect(json["passed"]?.integer == 1 && json["cases"]?.array?.count == 3)
    let first = json["cases"]?[0]
    #expect(
      first?["name"] == "points/a" && first?["outcome"] == "differs" && first?["decision"]?.string == nil,
      "\(json.text())")
    #expect(first?["images"] == ["actual", "difference", "expected"] && first?["canAccept"] == true)
    #expect(first?["changes"]?.array?.isEmpty == false)
    for (image, file) in [
      ("expected", "expected.png"), ("actual", "reference.png"), ("difference", "difference.png"),
    ] {
      let response = try review.get("/images/\(image)/points/a")
      #expect(response.header("Content-Type") == "image/png")
      #expect(try Data(response.body) == review.bytes("report/cases/points/a/\(file)"))
    }
    let page = try review.get("/")
    #expect(page.header("Content-Security-Policy")?.hasPrefix("default-src 'none'") == true)
    #expect(!String(decoding: page.body, as: UTF8.self).contains("://"))
  }

  @Test("Accept makes the new image the reference image, and Reject changes no case")
  func decides() async throws {
    let review = try await Review()
    let report = try review.list()["report"]?.string ?? ""
    let kept = try review.bytes("cases/points/b/reference.png")
    #expect(try review.post("/accept/points/a?report=\(report)").status == 200)
    #expect(try review.post("/reject/points/b?report=\(report)").status == 200)
    #expect(await (try SnapshotCase("points/a", in: review.cases)).verify().outcome == .same)
    #expect(try review.bytes("cases/points/b/reference.png") == kept)
    let decisions = try review.list()["cases"]?.array?.map { $0["decision"] ?? .null }
    #expect(decisions == ["accepted", "rejected", .null])
    let noted = try JSONValue(parsing: Array(review.bytes("report/review.json")))
    #expect(noted["accepted"] == ["points/a"] && noted["rejected"] == ["points/b"])
    // An accepted image is in place; it cannot be rejected any more, but a rejected one can be accepted.
    #expect(try review.post("/reject/points/a?report=\(report)").status == 409)
    #expect(try review.post("/accept/points/b?report=\(report)").status == 200)
    // Another server of the same report knows the decisions.
    let other = ReviewService(
      try SnapshotReview(review.report, cases: review.cases), origin: OriginCheck(token: Self.token))
    let json = try JSONValue(parsing: other.answer(try HTTPRequest("/report.json")).body)
    #expect(json["cases"]?[1]?["decision"] == "accepted")
  }

  @Test("A decision about an older report is refused, and a new report has none")
  func newReport() async throws {
    let review = try await Review()
    let old = try review.list()["report"]?.string ?? ""
    #expect(try review.post("/reject/points/a?report=\(old)").status == 200)
    let path = review.report + "/report.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("\"passed\": 1", with: "\"passed\": 2").write(
      toFile: path, atomically: true, encoding: .utf8)
    #expect(try review.list()["cases"]?[0]?["decision"]?.string == nil)
    #expect(try review.post("/accept/points/a?report=\(old)").status == 409)
  }

  /// A refused request: target, changed headers and status.
  ///
  /// `R` stands for the revision of the report.
  private static let hostile: [(String, [String: String?], Int)] = [
    ("/accept/points/a?report=R", ["x-mapstate-token": nil], 403),
    ("/accept/points/a?report=R", ["x-mapstate-token": "0"], 403),
    ("/accept/points/a?report=R&token=\(token)", ["x-mapstate-token": nil], 403),
    ("/accept/points/a?report=R", ["origin": nil], 403),
    ("/accept/points/a?report=R", ["origin": "null"], 403),
    ("/accept/points/a?report=R", ["origin": "http://evil.example"], 403),
    ("/accept/points/a?report=R", ["origin": "http://localhost:2"], 403),
    ("/accept/points/a?report=R", ["host": "evil.example", "origin": "http://evil.example"], 421),
    (
      "/accept/points/a?report=R",
      ["host": "localhost.evil.example", "origin": "http://localhost.evil.example"], 421
    ),
    ("/accept/points/a?report=R", ["sec-fetch-site": "cross-site"], 403),
    ("/accept/points/a?report=R", ["sec-fetch-site": "none"], 403), ("/accept/points/a", [:], 409),
    ("/accept/points/a?report=0", [:], 409), ("/accept/points/x?report=R", [:], 404),
    ("/accept/d?report=R", [:], 404), ("/accept/report?report=R", [:], 404), ("/accept?report=R", [:], 405),
    ("/accept/points/a?report=R&to=x", [:], 400), ("/reject/points/x?report=R", [:], 404),
    ("/reject/points/a?report=R", ["x-mapstate-token": nil], 403), ("/report.json", [:], 405),
    ("/", [:], 405),
  ]

  @Test("Hostile decisions are refused and change no file")
  func refusesHostile() async throws {
    #expect(Self.hostile.count == 22)
    let review = try await Review()
    let report = try review.list()["report"]?.string ?? ""
    let before = try review.files()
    for (target, headers, status) in Self.hostile {
      let response = try review.post(target.replacing("report=R", with: "report=\(report)"), headers)
      #expect(
        response.status == status, "\(target) \(headers): \(String(decoding: response.body, as: UTF8.self))")
    }
    for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"] {
      #expect(try review.post("/accept/points/a?report=\(report)", method: method).status == 405)
    }
    #expect(try review.files() == before)
  }

  @Test("Only images of failed cases inside the report are served")
  func images() async throws {
    let review = try await Review()
    try "secret".write(toFile: review.folder.path + "/secret.png", atomically: true, encoding: .utf8)
    for target in [
      "/images/expected/d", "/images/reference/points/a", "/images/expected/points", "/images/expected/x",
      "/images/expected", "/images/expected.png/points/a", "/cases/points/a/case.json", "/review.json",
    ] {
      #expect(try review.get(target).status == 404, "\(target)")
    }
    for target in [
      "/images/expected/..%2f..", "/images/expected/../x", "/images/%2e%2e/x", "/images/expected//etc/passwd",
    ] {
      #expect(throws: HTTPFault.self) { try HTTPRequest(target) }
    }
    #expect(try review.get("/images/expected/points/a", ["host": "evil.example"]).status == 421)
    #expect(try review.get("/report.json", ["origin": "http://evil.example"]).status == 403)
    // A link in a report that others made must not lead out of it, and a file must be an image.
    let image = review.report + "/cases/points/a/expected.png"
    try FileManager.default.removeItem(atPath: image)
    try FileManager.default.createSymbolicLink(
      atPath: image, withDestinationPath: review.cases + "/points/b/reference.png")
    #expect(try review.get("/images/expected/points/a").status == 404)
    try FileManager.default.removeItem(atPath: image)
    try "secret".write(toFile: image, atomically: true, encoding: .utf8)
    #expect(try review.get("/images/expected/points/a").status == 404)
  }

  @Test("A report of other cases, and a folder without a report, are refused")
  func refusesReports() async throws {
    let review = try await Review()
    let other = review.folder.path + "/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    #expect(throws: MapStateError.self) { try SnapshotReview(review.report, cases: other) }
    #expect(throws: MapStateError.self) { try SnapshotReview(other, cases: review.cases) }
  }

  @Test("A case in a report that names a path outside of the cases is not accepted")
  func escapes() async throws {
    let review = try await Review()
    let path = review.report + "/report.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("\"points/a\"", with: "\"../cases/points/a\"").write(
      toFile: path, atomically: true, encoding: .utf8)
    let report = try review.list()["report"]?.string ?? ""
    let before = try review.files()
    for name in ["points/a", "cases/points/a"] {
      #expect(try review.post("/accept/\(name)?report=\(report)").status == 404)
    }
    #expect(throws: HTTPFault.self) {
      try HTTPRequest("/accept/../cases/points/a?report=\(report)", method: "POST")
    }
    #expect(try review.files() == before)
  }
}
