import Foundation
import MapTestSupport
import Testing

@Suite("run")
struct RunCommandTests {
  let folder: ScratchFolder
  let map: String

  init() throws {
    folder = try ScratchFolder()
    map = try SmallMap.write(to: folder)
  }

  private static let steps = [
    #"{"step":"open","source":"map.json","size":[400,300]}"#, #"{"step":"count","layer":"Places","id":7}"#,
    #"{"step":"filter","layer":"Places","mode":"none"}"#, #"{"step":"count","layer":"places"}"#,
    #"{"step":"filter","layer":"Places","definition":"n = 3","display":"n = 4"}"#,
    #"{"step":"count","layer":"1","funnel":true}"#,
    #"{"step":"viewpoint","center":{"latitude":0,"longitude":3},"scale":1000000}"#,
    #"{"step":"zoom","by":2}"#, #"{"step":"pan","by":[10,-5]}"#, #"{"step":"rotate","by":90}"#,
    #"{"step":"viewpoint","fit":"Square","padding":10}"#,
    #"{"step":"expect","layer":"Places","count":1,"drawn":0}"#,
    #"{"step":"close"}"#,
  ]

  @Test("A script gives the same answers as lines, as a JSON list and from standard input")
  func linesAndListAnswerAlike() async throws {
    let lines = try folder.write(Self.steps.joined(separator: "\n\n") + "\n", to: "a.run")
    let list = try folder.write("[" + Self.steps.joined(separator: ",\n") + "]", to: "b.json")
    let first = try await Tool.run("run", lines)
    #expect(first.code == 0, "\(first.err)")
    #expect(first.err == "", "\(first.err)")
    let answers = first.out.split(separator: "\n").map(String.init)
    #expect(answers.count == Self.steps.count)
    #expect(answers.allSatisfy { $0.hasPrefix("{\"ok\":true") })
    #expect(answers[1].hasPrefix(#"{"ok":true,"id":7,"extent":["#))
    #expect(answers[1].contains(#""count":4"#))
    #expect(answers[3].contains(#""count":6"#))
    #expect(answers[5].contains(#""display":0,"invisible":0,"drawn":0,"edge":0"#))
    #expect(answers[7].contains(#""scale":500000"#), "\(answers[7])")
    #expect(answers[9].contains(#""rotation":90"#))
    #expect(answers[9].contains(#""visibleArea":{"rings":"#))
    #expect(try await Tool.run("run", list).out == first.out)
    #expect(
      try await Tool.run(["run", "-"], input: Self.steps.joined(separator: "\n"), folder: folder.root).out
        == first.out)
  }

  @Test("The select and identify steps return ids and refuse invalid requests")
  func selectAndIdentify() async throws {
    let steps = [
      #"{"step":"open","source":"map.json","size":[400,300]}"#,
      #"{"step":"filter","layer":"Places","mode":"none"}"#,
      #"{"step":"select","layer":"Places","everywhere":true,"where":"n < 3"}"#,
      #"{"step":"select","layer":"Places","everywhere":true,"where":"n = 2","mode":"subtract"}"#,
      #"{"step":"select","layer":"Places","mode":"clear"}"#,
      #"{"step":"viewpoint","fit":"Places","padding":50}"#,
      #"{"step":"identify","at":[200,150],"tolerance":100,"maximum":100}"#,
      #"{"step":"identify","layer":"Places","at":[-5,-5]}"#,
    ]
    let run = try await Tool.run(["run", "-"], input: steps.joined(separator: "\n"), folder: folder.root)
    #expect(run.code == 0, "\(run.err)")
    let answers = try run.out.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let ids = answers.map { $0["ids"] as? [Int] }
    let first = try #require(ids[2])
    #expect(first.count >= 2)
    #expect(ids[3]?.count == first.count - 1)
    #expect(ids[4] == [])
    let layers = try #require(answers[6]["layers"] as? [[String: Any]])
    #expect(layers.contains { $0["layer"] as? String == "Places" && ($0["ids"] as? [Int])?.isEmpty == false })
    #expect(layers.allSatisfy { ($0["features"] as? [Any])?.count == ($0["ids"] as? [Any])?.count })
    #expect((answers[7]["layers"] as? [Any])?.isEmpty == true)
    for (step, code, word) in [
      (#"{"step":"identify","at":[1,1],"tolerance":101}"#, 64, "tolerance"),
      (#"{"step":"identify","at":[1]}"#, 2, "at"), (#"{"step":"identify"}"#, 2, "at"),
      (#"{"step":"select","layer":"Places","mode":"some"}"#, 2, "some"),
      (#"{"step":"select","layer":"Places","where":"nosuch = 1"}"#, 2, "nosuch"),
    ] as [(String, Int32, String)] {
      let lines = [#"{"step":"open","source":"map.json"}"#, step].joined(separator: "\n")
      let refused = try await Tool.run(["run", "-"], input: lines, folder: folder.root)
      #expect(refused.code == code, "\(step): \(refused)")
      #expect(refused.err.contains(word), "\(step): \(refused)")
    }
  }

  @Test(
    "Visibility, time, statistics and query steps answer as their commands do and refuse invalid requests")
  func questions() async throws {
    let steps = [
      #"{"step":"open","source":"map.json","size":[400,300]}"#,
      #"{"step":"visibility","layer":"Places","visible":false}"#,
      #"{"step":"expect","layer":"Places","count":4,"drawn":0}"#,
      #"{"step":"visibility","layer":"Places","visible":true}"#,
      #"{"step":"expect","layer":"Places","count":4,"drawn":2}"#,
      #"{"step":"time","time":"2020-01-04/2020-01-06"}"#,
      #"{"step":"expect","layer":"Places","count":4,"drawn":1}"#,
      #"{"step":"time"}"#,
      #"{"step":"expect","layer":"Places","count":4,"drawn":2}"#,
      #"{"step":"statistics","layer":"Places","everywhere":true,"statistics":["sum:n","count:n:number"],"groupBy":["kind"],"orderBy":["kind:desc"]}"#,
      #"{"step":"query","layer":"Places","everywhere":true,"where":"n > 5","outFields":["n"],"orderBy":["n:desc"]}"#,
      #"{"step":"query","layer":"Places","idsOnly":true,"offset":1,"maxFeatures":2}"#,
      #"{"step":"query","layer":"Places","countOnly":true,"cql2":"n < 4"}"#,
      #"{"step":"query","layer":"Places","extentOnly":true,"where":"n = 3","outWkid":3857}"#,
      #"{"step":"query","layer":"Places","where":"n = 3","outWkid":3857,"maxOffset":1}"#,
    ]
    let run = try await Tool.run(["run", "-"], input: steps.joined(separator: "\n"), folder: folder.root)
    #expect(run.code == 0, "\(run.err)")
    let lines = run.out.split(separator: "\n").map(String.init)
    try #require(lines.count == steps.count)
    #expect(
      lines[9]
        == #"{"ok":true,"records":[{"group":{"kind":"b"},"statistics":{"SUM_n":15,"number":3}},{"group":{"kind":"a"},"statistics":{"SUM_n":12,"number":3}}],"exact":true,"warnings":[]}"#
    )
    let features = try #require(
      (try JSONSerialization.jsonObject(with: Data(lines[10].utf8)) as? [String: Any])?["features"]
        as? [[String: Any]])
    #expect(features.map { ($0["properties"] as? [String: Int]) ?? [:] } == [["n": 7], ["n": 6]])
    let cut = "the answer has 2 of 4 features, as its maximum number says"
    #expect(lines[11] == #"{"ok":true,"ids":[4,5],"exact":false,"reason":"\#(cut)","warnings":[]}"#)
    #expect(lines[12] == #"{"ok":true,"count":2,"exact":true,"warnings":[]}"#)
    #expect(lines[13].contains("333958.47"), "\(lines[13])")
    #expect(lines[13].hasSuffix(#""wkid":3857,"exact":true,"warnings":[]}"#), "\(lines[13])")
    #expect(lines[14].contains("EPSG::3857"), "\(lines[14])")
    #expect(lines[14].contains("[333958.47"), "\(lines[14])")
    for (step, code, word) in [
      (#"{"step":"visibility","layer":"Places"}"#, 2, "visible"),
      (#"{"step":"visibility","layer":"nosuch","visible":true}"#, 2, "nosuch"),
      (#"{"step":"time","time":"yesterday"}"#, 2, "START/END"),
      (#"{"step":"time","time":"2020-01-04/2020-01-03"}"#, 2, "the start is after the end"),
      (#"{"step":"statistics","layer":"Places"}"#, 2, "statistics"),
      (#"{"step":"statistics","layer":"Places","statistics":["sum:kind"]}"#, 2, "needs numbers"),
      (#"{"step":"query","layer":"Places","maxOffset":-1}"#, 64, "maxOffset"),
      (#"{"step":"query","layer":"Places","outWkid":-1}"#, 2, "outWkid"),
      (#"{"step":"query","layer":"Places","outWkid":999999}"#, 2, "999999"),
      (#"{"step":"query","layer":"Places","idsOnly":true,"countOnly":true}"#, 64, "at most"),
    ] as [(String, Int32, String)] {
      let lines = [#"{"step":"open","source":"map.json"}"#, step].joined(separator: "\n")
      let refused = try await Tool.run(["run", "-"], input: lines, folder: folder.root)
      #expect(refused.code == code, "\(step): \(refused)")
      #expect(refused.err.contains(word), "\(step): \(refused)")
    }
  }

  @Test("The sample script gives the expected counts")
  func sampleScript() async throws {
    let run = try await Tool.run("run", Tool.style("san-francisco-incidents.run"))
    #expect(run.code == 0)
    let counts = run.out.split(separator: "\n").compactMap { line -> Int? in
      let answer = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (answer?["layers"] as? [[String: Any]])?.first?["count"] as? Int
    }
    #expect(counts == [16_697, 991, 16_697, 13_588])
  }

  /// Each line is written only after the answer to the previous one was read.
  @Test("A running session answers each line before it reads the next one", .timeLimit(.minutes(30)))
  func answersEachLineAtOnce() async throws {
    let process = Process()
    let (toTool, fromTool) = (Pipe(), Pipe())
    process.executableURL = Tool.url
    process.arguments = ["run", "-"]
    process.currentDirectoryURL = folder.root
    (process.standardInput, process.standardOutput, process.standardError) = (
      toTool, fromTool, FileHandle.nullDevice
    )
    try process.start()
    var answers: [String] = []
    for step in Self.steps {
      try toTool.fileHandleForWriting.write(contentsOf: Data((step + "\n").utf8))
      var line = Data()
      while let byte = try fromTool.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data([10])
      {
        line += byte
      }
      answers.append(String(decoding: line, as: UTF8.self))
      #expect(process.isRunning)
    }
    #expect(answers.count == Self.steps.count)
    #expect(answers.allSatisfy { $0.hasPrefix("{\"ok\":true") })
    try toTool.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(process.terminationReason == .exit)
  }

  /// The exit code is that of the first failure.
  @Test(
    "A failing step sets the exit code, and the session continues",
    arguments: [
      ([#"{"step":"nosuch"}"#], 2, "nosuch"), ([#"{"step":"count"}"#], 2, "open"),
      ([#"{"step":"open","source":"nosuch.json"}"#], 2, "nosuch.json"),
      ([#"{"step":"open","source":"map.json","sise":[1,2]}"#], 2, "sise"),
      ([#"{"step":"open","source":"map.json","size":[0,2]}"#], 64, "impossible"),
      ([#"{"step":"open","source":"http://127.0.0.1:1/FeatureServer/0"}"#], 3, "127.0.0.1:1"),
      (["{"], 2, "JSON"), (["5"], 2, "step"), (["{}"], 2, "step"), ([#"{"step":5}"#], 2, "step"),
      (["null"], 2, "step"),
      (
        [#"{"step":"open","source":"map.json"}"#, #"{"step":"expect","layer":"Places","count":5}"#], 1,
        "found 4"
      ),
      (
        [#"{"step":"open","source":"map.json"}"#, #"{"step":"expect","layer":"Places","drawn":5}"#], 1,
        "found 2"
      ),
      ([#"{"step":"open","source":"map.json"}"#, #"{"step":"expect","count":5}"#], 64, "Square"),
      ([#"{"step":"open","source":"map.json"}"#, #"{"step":"expect"}"#], 2, "expect"),
      (
        [#"{"step":"open","source":"map.json"}"#, #"{"step":"filter","layer":"nosuch","mode":"none"}"#], 2,
        "nosuch"
      ),
      ([#"{"step":"open","source":"map.json"}"#, #"{"step":"filter","mode":"both"}"#], 2, "both"),
      ([#"{"step":"open","source":"map.json"}"#, #"{"step":"count","where":"n = "}"#], 2, "where"),
      ([#"{"step":"open","source":"map.json"}"#, #"{"step":"count","where":"nosuch = 1"}"#], 2, "nosuch"),
      (
        [#"{"step":"open","source":"map.json"}"#, #"{"step":"count","inView":true,"everywhere":true}"#], 2,
        "everywhere"
      ),
      (
        [
          #"{"step":"open","source":"map.json"}"#,
          #"{"step":"viewpoint","bounds":{"xmin":0,"ymin":0,"xmax":500000,"ymax":5}}"#,
        ], 64, "0,0,500000,5,3857"
      ),
      (
        [
          #"{"step":"open","source":"map.json"}"#,
          #"{"step":"count","bounds":[0, 0, 1, 100]}"#,
        ], 64, "0,0,1,100,3857"
      ),
      (
        [
          #"{"step":"open","source":"map.json"}"#,
          #"{"step":"count","extent":{"xmin":0,"ymin":5,"xmax":5,"ymax":0}}"#,
        ], 2, "ymin"
      ),
      (
        [
          #"{"step":"open","source":"map.json"}"#,
          #"{"step":"viewpoint","bounds":{"xmin":0,"ymin":0,"xmax":5,"ymax":5},"padding":-10}"#,
        ], 2, "padding"
      ),
      ([#"{"step":"open","source":"map.json"}"#, #"{"step":"zoom","by":0}"#], 64, "zoom"),
      ([#"{"step":"open","source":"map.json"}"#, #"{"step":"zoom","by":-1e308}"#], 64, "zoom"),
      ([#"{"step":"open","source":"map.json"}"#, #"{"step":"pan","by":[1e308,1e308]}"#], 64, ""),
      ([#"{"step":"open","source":"map.json"}"#, #"{"step":"rotate","by":"x"}"#], 2, "by"),
      (
        [#"{"step":"open","source":"map.json"}"#, #"{"step":"render","output":"nosuch/x.png"}"#], 2,
        "nosuch/x.png"
      ),
      (
        [#"{"step":"open","source":"map.json"}"#, #"{"step":"expect","image":"nosuch.png"}"#], 2, "nosuch.png"
      ),
      ([#"{"step":"open","source":"map.json"}"#, #"{"step":"expect","image":"map.json"}"#], 2, "map.json"),
    ])
  func failures(steps: [String], code: Int, named: String) async throws {
    let good = #"{"step":"open","source":"map.json","id":"last"}"#
    let script = try folder.write((steps + [good]).joined(separator: "\n"), to: "bad.run")
    let run = try await Tool.run(["run", script], folder: folder.root)
    #expect(run.code == Int32(code), "\(run)")
    #expect(!run.isSignal, "\(run)")
    #expect(run.err.hasPrefix("error: \(script): step \(steps.count): "))
    #expect(run.errors.count == 1, "\(run.err)")
    #expect((named.isEmpty || run.err.contains(named)), "\(run.err)")
    let answers = run.out.split(separator: "\n")
    try #require(answers.count == steps.count + 1)
    #expect(answers[steps.count - 1].hasPrefix("{\"ok\":false,"))
    #expect(answers[steps.count - 1].contains("\"error\":"))
    #expect(answers.last?.hasPrefix("{\"ok\":true,\"id\":\"last\"") == true)
    #expect(try folder.names() == ["bad.run", "data", "map.json"])
  }

  @Test("The first failing step decides the exit code")
  func firstFailureDecides() async throws {
    let open = #"{"step":"open","source":"map.json"}"#
    let expect = #"{"step":"expect","layer":"Places","count":5}"#
    let unknown = #"{"step":"nosuch"}"#
    let first = try folder.write([open, expect, unknown].joined(separator: "\n"), to: "a.run")
    #expect(try await Tool.run("run", first).code == 1)
    let second = try folder.write([open, unknown, expect].joined(separator: "\n"), to: "b.run")
    #expect(try await Tool.run("run", second).code == 2)
  }

  @Test("An image expectation passes for the same image and fails for another one")
  func renderAndCompare() async throws {
    let picture = folder.path("p.png")
    let steps = """
      {"step":"open","source":"map.json","size":[200,100]}
      {"step":"render","output":"\(picture)"}
      {"step":"expect","image":"p.png"}
      {"step":"filter","layer":"Places","display":""}
      {"step":"expect","image":"p.png"}
      """
    let run = try await Tool.run("run", try folder.write(steps, to: "r.run"))
    let oks = run.out.split(separator: "\n").map { $0.hasPrefix("{\"ok\":true") }
    #expect(oks == [true, true, true, true, false], "\(run)")
    #expect(run.code == 1, "\(run)")
    #expect(run.err.contains("pixels differ"))
  }

  @Test("A script that cannot be read is an error that names it", arguments: ["nosuch.run", "data"])
  func unreadableScript(name: String) async throws {
    let run = try await Tool.run("run", folder.path(name))
    #expect(run.code == 2)
    #expect(run.errors.count == 1)
    #expect(run.err.contains(name))
    #expect(run.out == "")
  }

  @Test("A script with broken JSON is an error that names it")
  func brokenList() async throws {
    let run = try await Tool.run("run", try folder.write("[{\"step\":\"open\"},", to: "list.json"))
    #expect(run.code == 2)
    #expect(run.errors.count == 1)
    #expect(run.err.contains("list.json"))
    #expect(run.out == "")
  }
}
