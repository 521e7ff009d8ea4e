import Foundation
import MapJSON
import MapTestSupport
import Testing

@Suite("run: added layers and products")
struct AddedLayerTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    _ = try SmallMap.write(to: folder)
  }

  private func run(_ steps: [String]) async throws -> (run: Tool.Run, answers: [JSONValue]) {
    let run = try await Tool.run(
      ["run", "-"], input: steps.joined(separator: "\n"), folder: folder.root)
    let answers = try run.out.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    return (run, answers)
  }

  @Test("A choice of --symbol that is misspelt is a warning with the nearest one")
  func misspeltSymbol() async throws {
    let run = try await Tool.run(
      "render", Tool.style("data/world-cities.csv"), "-o", folder.path("out.png"), "--symbol",
      #"{"type":"esriSMS","style":"esriSMSCircl","size":9,"color":[1,2,3,255]}"#)
    #expect(run.code == 0 && run.err.contains("--symbol: ") && run.err.contains("esriSMSCircle"), "\(run)")
  }

  @Test("Data added to an empty map is drawn above earlier data, and the view shows all of it")
  func emptyMap() async throws {
    let (run, answers) = try await run([
      #"{"step":"open","size":[200,100],"basemap":"arcGISTopographic"}"#,
      ##"{"step":"add","source":"data/square.geojson","title":"Area","symbol":"#112233"}"##,
      #"{"step":"add","source":"data/places.geojson","where":"n > 3","colorBy":"n","colors":["red","blue"]}"#,
      #"{"step":"count","layer":"places","everywhere":true}"#,
      #"{"step":"count","layer":"Area"}"#,
      #"{"step":"render","output":"out.png","pixelRatio":2}"#,
    ])
    #expect(run.code == 0, "\(run)")
    try #require(answers.count == 6)
    #expect(answers[0]["layers"]?.array?.count == 0)
    #expect(answers[2]["layers"]?.array?.map { $0["layer"]?.string } == ["Area", "places"])
    #expect(answers[2]["layers"]?.array?.last?["definition"]?.string == "n > 3")
    #expect(answers[3]["layers"]?.array?.first?["count"]?.integer == 4)
    #expect(answers[4]["layers"]?.array?.first?["count"]?.integer == 1)
    #expect(answers[5]["report"]?["pixelRatio"]?.integer == 2)
  }

  @Test("The layers of a web map are added with their filters and symbols, without its view")
  func webMap() async throws {
    let (run, answers) = try await run([
      #"{"step":"open","size":[200,100]}"#,
      #"{"step":"add","source":"data/square.geojson","title":"Ground"}"#,
      ##"{"step":"add","source":"map.json","title":"Map","colorBy":"Places: n","where":"Places: n > 3"}"##,
      #"{"step":"count","layer":"Map: Places","everywhere":true,"byClass":true}"#,
      #"{"step":"render","output":"out.png"}"#,
      #"{"step":"add","source":"map.json","colorBy":"Place: n"}"#,
      #"{"step":"filter","layer":"Map: Places"}"#,
    ])
    try #require(answers.count == 7)
    let layers = answers[2]["layers"]?.array ?? []
    #expect(layers.map { $0["layer"]?.string } == ["Ground", "Map: Square", "Map: Places"], "\(run)")
    #expect(layers.last?["definition"]?.string == "(n > 1) AND (n > 3)")
    let counted = answers[3]["layers"]?.array?.first
    #expect(counted?["count"]?.integer == 4 && counted?["classes"]?.array?.count == 6, "\(run)")
    #expect(answers[4]["report"]?["layers"]?.array?.count == 3, "\(run)")
    #expect(answers[5]["suggestion"]?.string == "Places", "\(run)")
    #expect(answers[6]["displayFilter"]?.string == "kind = 'a'", "\(run)")
  }

  @Test("Warnings of a join stay when the data are styled")
  func joinWarnings() async throws {
    try folder.write("code,rate\n1,5\n2,6\n99,7\n", to: "rates.csv")
    let join = #""join":"rates.csv:code=n","#
    let (run, answers) = try await run([
      #"{"step":"open","source":"data/places.geojson",\#(join)"size":[200,100]}"#,
      #"{"step":"open","source":"data/places.geojson",\#(join)"size":[200,100],"colorBy":"rate"}"#,
      #"{"step":"open","size":[200,100]}"#,
      #"{"step":"add","source":"data/places.geojson",\#(join)"colorBy":"rate"}"#,
    ])
    try #require(answers.count == 4)
    func told(_ index: Int) -> [String] {
      ["warnings", "notes"].flatMap { answers[index][$0]?.array ?? [] }.compactMap(\.string)
    }
    #expect(!told(0).isEmpty, "\(run)")
    for index in [1, 3] { #expect(Set(told(index)).isSuperset(of: told(0)), "\(run)") }
  }

  @Test("A layer keeps its filters when another one is added, and a moved view stays")
  func keptState() async throws {
    let (run, answers) = try await run([
      #"{"step":"open","source":"map.json","size":[200,100]}"#,
      #"{"step":"filter","layer":"Places","definition":"n = 1"}"#,
      #"{"step":"viewpoint","viewpoint":"0,3,1000000"}"#,
      #"{"step":"add","source":"data/table.csv","title":"Places"}"#,
      #"{"step":"filter","layer":"places"}"#,
      #"{"step":"zoom","by":1}"#,
      #"{"step":"add","source":"map.json"}"#,
      #"{"step":"add","source":"data/table.csv","colorBy":"nn"}"#,
    ])
    try #require(answers.count == 8)
    #expect(answers[3]["layers"]?.array?.map { $0["id"]?.string } == ["square", "places", "Places"])
    #expect(answers[4]["definition"]?.string == "n = 1")
    #expect(answers[5]["scale"]?.double == 1_000_000)
    #expect(
      answers[6]["layers"]?.array?.map { $0["layer"]?.string }
        == ["Square", "Places", "Places", "Square", "Places"], "\(run)")
    #expect(answers[7]["suggestion"]?.string == "n", "\(run)")
  }

  @Test("The steps legend, series, tiles and lint use the filters of the session, and keep them")
  func products() async throws {
    let (run, answers) = try await run([
      #"{"step":"open","source":"map.json","size":[200,100],"reference":4326}"#,
      #"{"step":"filter","layer":"Places","definition":"n = 2 OR n = 4"}"#,
      #"{"step":"legend","output":"legend.json","counts":true}"#,
      #"{"step":"series","by":"Places","output":"{n}.png","title":"{n}","mute":true}"#,
      #"{"step":"tiles","output":"tiles","zoom":"0-1","bounds":[-180,-85,180,85]}"#,
      #"{"step":"lint","disable":"color-confusion"}"#,
      #"{"step":"filter","layer":"Places"}"#,
      #"{"step":"series","by":"Places","output":"{m}.png"}"#,
      #"{"step":"tiles","output":"tiles","zoom":"3-1","bounds":[-180,-85,180,85]}"#,
    ])
    try #require(answers.count == 9)
    #expect(answers[2]["ok"]?.boolean == true, "\(run)")
    #expect(answers[3]["images"]?.array?.map { $0["file"]?.string } == ["2.png", "4.png"], "\(run)")
    #expect(answers[4]["count"]?.integer == 5, "\(run)")
    #expect(FileManager.default.fileExists(atPath: folder.path("tiles/1/1/1.png")))
    #expect(answers[5]["ok"]?.boolean == true, "\(run)")
    #expect(answers[6]["definition"]?.string == "n = 2 OR n = 4")
    #expect(answers[7]["ok"]?.boolean == false)
    #expect(answers[8]["error"]?.string?.contains("is not a range of zoom levels") == true, "\(run)")
  }
}
