import Foundation
import MapHTTP
import MapJSON
import MapSnapshots
import MapState
import Testing

/// Requests of the preview page that write documents and snapshot cases.
@Suite struct PreviewWritingTests {
  private static func definition(_ json: JSONValue) -> JSONValue? {
    json["operationalLayers"]?[0]?["featureCollection"]?["layers"]?[0]?["layerDefinition"]
  }

  @Test("The document is saved with the changes, and with all else that it has")
  func saves() async throws {
    let preview = try Preview()
    let target =
      "/maps/points/save?revision=\(try await preview.revision())&definition="
      + Served.percent("Points: n > 1")
      + "&displayFilter=" + Served.percent("Points: n < 41") + "&hide=Points"
      + "&classColor=1%3D%23ff00ff80&classBreak=0%3D2.5&classLabel=0%3DSome"
    let response = try await preview.post(target)
    #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
    let saved = try preview.saved()
    let layer = Self.definition(saved)
    #expect(layer?["definitionExpression"] == "n > 1")
    #expect(saved["operationalLayers"]?[0]?["visibility"] == false)
    let filters = layer?["displayFilterInfo"]?["filters"]
    #expect(
      filters?[0]?["where"] == "n < 2" && filters?[1]?["where"] == "n < 41"
        && filters?[1]?["title"] == "Second")
    let classes = layer?["drawingInfo"]?["renderer"]?["classBreakInfos"]
    #expect(classes?[0]?["classMaxValue"]?.double == 2.5 && classes?[0]?["label"] == "Some")
    #expect(classes?[1]?["symbol"]?["color"] == [255, 0, 255, 128])
    #expect(
      saved["operationalLayers"]?[0]?["featureCollection"]?["layers"]?[0]?["featureSet"]?["features"]?.array?
        .count == 4)
    #expect(saved["initialState"] == nil)
    // The next request reads the saved document.
    let count = try await preview.service.json("/maps/points/count?everywhere=true")["layers"]?[0]?["count"]
    #expect(count?.integer == 3)
  }

  @Test("A saved document without changes has the members of the old one, and the view if asked")
  func savesView() async throws {
    let preview = try Preview(saveTo: "new.json")
    let revision = try await preview.revision()
    let old = try preview.saved()
    #expect(try await preview.post("/maps/points/save?revision=\(revision)").status == 200)
    let same = try preview.saved("new.json")
    #expect(same["operationalLayers"] == old["operationalLayers"] && same["initialState"] == nil)
    let target = "/maps/points/save?revision=\(revision)&size=200x100&bounds=0,-5,20,5,4326&keepView=true"
    #expect(try await preview.post(target).status == 200)
    #expect(try preview.saved("new.json")["initialState"]?["viewpoint"] != nil)
    #expect(try preview.saved() == old)
    let again = try await preview.post("/maps/points/save?revision=\(revision)")
    #expect(try again.status == 200 && preview.saved("new.json")["initialState"] == nil)
  }

  @Test("The condition 1=1 removes a filter from the saved document")
  func removesFilters() async throws {
    let preview = try Preview(
      text: Preview.document.replacing(
        #""definitionExpression": """#, with: #""definitionExpression": "n > 1""#)
    )
    let target =
      "/maps/points/save?revision=\(try await preview.revision())&definition=1%3D1&displayFilter=1%3D1"
    #expect(try await preview.post(target).status == 200)
    let layer = Self.definition(try preview.saved())
    #expect(layer?["definitionExpression"] == "" && layer?["displayFilterInfo"] == nil)
  }

  @Test("A snapshot case of the view is made with its reference image, and passes")
  func makesCase() async throws {
    let preview = try Preview()
    let target =
      "/maps/points/case?revision=\(try await preview.revision())&name=points/few&title=Few%20points&size=80x60"
      + "&bounds=0,-5,10,5,4326&definition=" + Served.percent("Points: n < 3")
    let response = try await preview.post(target)
    #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
    let root = preview.folder.appending(path: "cases").path
    let snapshot = try SnapshotCase("points/few", in: root)
    #expect(snapshot.title == "Few points")
    #expect(await snapshot.verify().outcome == .same)
    let json = try preview.saved("cases/points/few/case.json")
    #expect(json["document"] == "../../../points.json" && json["size"] == "80x60")
    #expect(try await preview.post(target).status == 409)
  }

  @Test("Of requests for the same case at the same time, one makes it and the others are refused")
  func makesCaseOnce() async throws {
    let preview = try Preview()
    let target =
      "/maps/points/case?revision=\(try await preview.revision())&name=points/few&size=80x60&bounds=0,-5,10,5,4326"
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try await preview.post(target).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.sorted() == [200] + Array(repeating: 409, count: 7))
    #expect(
      try await SnapshotCase("points/few", in: preview.folder.appending(path: "cases").path).verify().outcome
        == .same)
  }

  @Test("A case without features is refused and leaves no folder")
  func refusesBlankCase() async throws {
    let preview = try Preview()
    let target =
      "/maps/points/case?revision=\(try await preview.revision())&name=empty/area&size=80x60&bounds=-50,-5,-40,5,4326"
    let response = try await preview.post(target)
    #expect(response.status == 400, "\(String(decoding: response.body, as: UTF8.self))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: preview.folder.path + "/cases").isEmpty)
  }

  /// A request for writing that is refused: target, changed headers, and status.
  ///
  /// `R` stands for the revision.
  private static let hostile: [(String, [String: String?], Int)] = [
    ("save?revision=R", ["x-mapstate-token": nil], 403), ("save?revision=R", ["x-mapstate-token": ""], 403),
    ("save?revision=R", ["x-mapstate-token": String(Preview.token.dropLast())], 403),
    ("save?revision=R", ["x-mapstate-token": Preview.token + "0"], 403),
    ("save?revision=R", ["x-mapstate-token": "1" + Preview.token.dropFirst()], 403),
    ("save?revision=R&token=\(Preview.token)", ["x-mapstate-token": nil], 403),
    ("save?revision=R", ["origin": nil], 403), ("save?revision=R", ["origin": "null"], 403),
    ("save?revision=R", ["origin": "http://evil.example"], 403),
    ("save?revision=R", ["origin": "http://localhost:8081"], 403),
    ("save?revision=R", ["origin": "https://localhost:8080"], 403),
    ("save?revision=R", ["origin": "http://127.0.0.1:8080"], 403),
    ("save?revision=R", ["host": "evil.example", "origin": "http://evil.example"], 421),
    ("save?revision=R", ["host": nil], 400), ("save?revision=R", ["sec-fetch-site": "cross-site"], 403),
    ("save?revision=R", ["sec-fetch-site": "same-site"], 403),
    ("save?revision=R", ["sec-fetch-site": "none"], 403),
    ("save", [:], 400), ("save?revision=0", [:], 409), ("save?revision=R&path=other.txt", [:], 400),
    ("save?revision=R&definition=nothing%3D1", [:], 400), ("save?revision=R&filters=none", [:], 400),
    ("save?revision=R&keepView=yes", [:], 400), ("save?revision=R&bounds=1,2", [:], 400),
    ("case?revision=R", [:], 400), ("case?revision=R&name=", [:], 400), ("case?revision=R&name=..", [:], 400),
    ("case?revision=R&name=../x", [:], 400), ("case?revision=R&name=%2e%2e%2fx", [:], 400),
    ("case?revision=R&name=/etc/x", [:], 400), ("case?revision=R&name=a/../../x", [:], 400),
    ("case?revision=R&name=a//b", [:], 400), ("case?revision=R&name=a/b/c/d", [:], 400),
    ("case?revision=R&name=a%5cb", [:], 400), ("case?revision=R&name=.a", [:], 400),
    ("case?revision=R&name=A", [:], 400),
    ("case?revision=R&name=-a", [:], 400), ("case?revision=R&name=a%0Ab", [:], 400),
    ("case?revision=R&name=\(String(repeating: "a", count: 101))", [:], 400),
    ("case?revision=R&name=out/x", [:], 403),
    ("case?revision=R&name=a&classColor=0%3Dred", [:], 409), ("case?revision=R&name=a&document=x", [:], 400),
    ("case?revision=R&name=a", ["x-mapstate-token": nil], 403), ("case?name=a", [:], 400),
    ("savee", [:], 405),
    ("preview", [:], 405), ("image", [:], 405), ("", [:], 404),
  ]

  @Test("Hostile requests for writing are refused and change no file")
  func refusesHostile() async throws {
    #expect(Self.hostile.count == 48)
    let preview = try Preview()
    try FileManager.default.createSymbolicLink(
      atPath: preview.folder.path + "/cases/out", withDestinationPath: preview.folder.path)
    let (revision, before) = (try await preview.revision(), try preview.files())
    for (target, headers, status) in Self.hostile where !target.isEmpty {
      let path = "/maps/points/" + target.replacing("revision=R", with: "revision=\(revision)")
      let response = try await preview.post(path, headers)
      #expect(
        response.status == status, "\(target) \(headers): \(String(decoding: response.body, as: UTF8.self))")
    }
    for target in ["/maps/other/save", "/maps/..%5cpoints/save"] {
      let status = try? await preview.post("\(target)?revision=\(revision)").status
      #expect(status == nil || status == 404, "\(target)")
    }
    for method in ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "post"] {
      let response = try await preview.post("/maps/points/save?revision=\(revision)", method: method)
      #expect(response.status == 405 && response.header("Allow") == "POST", "\(method)")
    }
    #expect(try preview.files() == before)
  }

  @Test("A server without files to write refuses to write, with any token")
  func writesNothing() async throws {
    let preview = try Preview(saveTo: nil, cases: false)
    let revision = try await preview.revision()
    for path in [
      "save?revision=\(revision)", "case?revision=\(revision)&name=a&size=20x20&bounds=0,0,10,1,4326",
    ] {
      #expect(try await preview.post("/maps/points/\(path)").status == 405)
    }
    let plain = try Served.service()
    for method in ["POST", "PUT"] {
      let request = try HTTPRequest(
        "/maps/world-cities/save", method: method,
        headers: ["host": "localhost", "origin": "http://localhost", "x-mapstate-token": ""])
      let response = await plain.answer(request)
      #expect(response.status == 405 && response.header("Allow") == "GET, HEAD")
    }
  }

  @Test("A saved document must be in the folder of the map, and never replaces its data")
  func keepsData() async throws {
    let folder = try Served.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let data = folder.appending(path: "points.json").path
    let text =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[1,2]}}]}"#
    try text.write(toFile: data, atomically: true, encoding: .utf8)
    for path in ["/tmp/x.json", folder.path + "/none/x.json", folder.path + "/x.txt"] {
      #expect(throws: MapStateError.self) { try PreviewFiles(of: data, document: path, cases: nil) }
    }
    #expect(throws: MapStateError.self) {
      try PreviewFiles(of: data, document: nil, cases: folder.path + "/none")
    }
    for (name, status) in [("points.json", 409), ("map.json", 200)] {
      let service = MapService(
        try MapFolder(data), origin: OriginCheck(token: Preview.token),
        files: try PreviewFiles(of: data, document: folder.path + "/" + name, cases: nil))
      let revision = try await service.json("/maps/points/revision")["revision"]?.string ?? ""
      let request = try HTTPRequest(
        "/maps/points/save?revision=\(revision)&definition=n%3E0&classColor=0%3D%2300ff00", method: "POST",
        headers: ["host": "a", "origin": "http://a", "x-mapstate-token": Preview.token].merging(
          ["host": "localhost", "origin": "http://localhost"]) { $1 })
      let response = await service.answer(request)
      #expect(response.status == status, "\(String(decoding: response.body, as: UTF8.self))")
    }
    #expect(try String(contentsOfFile: data, encoding: .utf8) == text)
    let saved = try JSONValue(parsing: Array(Data(contentsOf: folder.appending(path: "map.json"))))
    let layer = saved["operationalLayers"]?[0]
    #expect(layer?["url"] == "points.json" && layer?["layerDefinition"]?["definitionExpression"] == "n>0")
    #expect(layer?["layerDefinition"]?["drawingInfo"]?["renderer"]?["symbol"]?["color"] == [0, 255, 0, 255])
    let document = try await MapDocument.open(folder.path + "/map.json")
    #expect(document.layers.count == 1)
  }

  @Test("Tokens are random texts of 32 digits")
  func tokens() {
    let tokens = Set((0..<100).map { _ in AccessToken.random() })
    #expect(tokens.count == 100 && tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test("The revision changes with the document, and a broken document is reported")
  func revisions() async throws {
    let preview = try Preview()
    let first = try await preview.revision()
    #expect(try await preview.revision() == first)
    let path = preview.folder.appending(path: "points.json")
    try Served.document([1]).write(to: path, atomically: true, encoding: .utf8)
    #expect(try await preview.revision() != first)
    try "{".write(to: path, atomically: true, encoding: .utf8)
    let response = try await preview.service.get("/maps/points/revision")
    #expect(
      response.status == 503 && String(decoding: response.body, as: UTF8.self).contains("cannot be read"))
  }
}
