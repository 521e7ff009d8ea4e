import Foundation
import MapModel
import MapScript
import MapState
import MapTestSupport
import Testing

/// Classes and colours that are derived from the data.
@Suite struct DerivedStyleTests {
  private let folder: ScratchFolder
  private let data: String

  init() throws {
    folder = try ScratchFolder()
    let rows = (1...60).map { row in
      "\(row),\(row % 5 + 1),\(row % 3 == 0 ? "" : "k\(row % 4)"),\(row % 2 == 0 ? "even" : "odd"),\(row),\(row % 20)"
    }
    data = try folder.write("n,code,kind,half,lon,lat\n" + rows.joined(separator: "\n") + "\n", to: "p.csv")
  }

  private func styled(
    _ change: (inout StyleRequest) throws -> Void, definition: String? = nil, data: String? = nil
  ) async throws -> MapDocument {
    var (style, view) = (StyleRequest(), ViewRequest())
    try change(&style)
    if let definition { view.definitions = [LayerClause(definition)] }
    return try await MapDocument.open(data ?? self.data).styled(style, for: view)
  }

  private func classes(_ document: MapDocument) -> [String] {
    document.layers[0].layer.renderer.form.classLabels
  }

  @Test("Classes of numbers are those of the rows that the definition expression leaves")
  func numbers() async throws {
    func classes(_ definition: String?) async throws -> [String] {
      let document = try await styled(
        { ($0.colorBy, $0.classes, $0.method) = ("n", 2, .equalInterval) }, definition: definition)
      return self.classes(document).filter { $0 != "No data" }
    }
    #expect(try await classes(nil) == ["1–30", "31–60"])
    #expect(try await classes("n <= 20") == ["1–10", "11–20"])
  }

  @Test(
    "A value on a bound is in the class below it, or with the lower edge in the class above it",
    arguments: [
      (ClassificationMethod.equalInterval, ["1–20", "21–40", "41–60"], ["1–20", "21–40", "41–60"]),
      (.quantile, ["1–20", "21–40", "41–60"], ["1–20", "21–40", "41–60"]),
      (.naturalBreaks, ["1–20", "21–40", "41–60"], ["1–20", "21–40", "41–60"]),
    ])
  func methodEdges(method: ClassificationMethod, upper: [String], lower: [String]) async throws {
    for (edges, expected) in [(ClassEdges.upper, upper), (.lower, lower)] {
      let document = try await styled {
        ($0.colorBy, $0.classes, $0.method, $0.edges) = ("n", 3, method, edges)
      }
      #expect(classes(document).filter { $0 != "No data" } == expected, "\(edges)")
      #expect(document.warnings.count == (method == .naturalBreaks && edges == .lower ? 1 : 0))
    }
  }

  @Test("Bounds of --breaks are in the class of the requested edge")
  func breakEdges() async throws {
    func classes(_ edges: ClassEdges, _ breaks: [Double]) async throws -> [String] {
      let document = try await styled { ($0.colorBy, $0.breaks, $0.edges) = ("n", breaks, edges) }
      return self.classes(document).filter { $0 != "No data" }
    }
    #expect(try await classes(.upper, [20, 40]) == ["1–20", "21–40", "41–60"])
    #expect(try await classes(.lower, [20, 40]) == ["1–19", "20–39", "40–60"])
    // The greatest value is on the last bound.
    #expect(try await classes(.upper, [20, 60]) == ["1–20", "21–60"])
    #expect(try await classes(.lower, [20, 60]) == ["1–19", "20–59", "60"])
    #expect(try await classes(.lower, [20, 99]) == ["1–19", "20–98"])
    // The least value is on the first bound.
    #expect(try await classes(.lower, [1, 30]) == ["up to 0", "1–29", "30–60"])
    let text = await #expect(throws: MapStateError.self) {
      try await styled { ($0.colorBy, $0.edges) = ("kind", .lower) }
    }
    #expect(text?.description.contains("--edges needs numbers") == true)
  }

  @Test("With lower edges, a quantile that equals the least value makes no empty class")
  func emptyQuantile() async throws {
    let rows = (0..<40).map { "\($0 < 30 ? 0.5 : Double($0)),\($0),0" }
    let data = try folder.write("v,lon,lat\n" + rows.joined(separator: "\n") + "\n", to: "q.csv")
    let document = try await styled(
      { ($0.colorBy, $0.classes, $0.method, $0.edges) = ("v", 4, .quantile, .lower) }, data: data)
    guard case .classBreaks(let renderer) = document.layers[0].layer.renderer.form else {
      Issue.record("no classes of numbers")
      return
    }
    let counts = try await document.view(ViewRequest()).freeze().countsByClass(
      of: document.view(ViewRequest()).freeze().layers[0])
    #expect(
      renderer.classBreaks.count >= 2 && counts.prefix(renderer.classBreaks.count).allSatisfy { $0.count > 0 }
    )
    #expect(counts.reduce(0) { $0 + $1.count } == 40)
  }

  @Test("Classes of texts are those of the rows that the definition expression leaves")
  func texts() async throws {
    let all = try await styled { ($0.colorBy, $0.classes) = ("kind", 9) }
    #expect(Set(classes(all)).isSuperset(of: ["k0", "k1", "k2", "k3"]))
    let some = try await styled({ ($0.colorBy, $0.classes) = ("kind", 9) }, definition: "n < 4")
    #expect(Set(classes(some)) == ["k1", "k2"])
  }

  @Test("Values that are identifiers have words as labels, and other texts stay as they are")
  func words() async throws {
    let texts = ["minor_construction", "rail", "Main_Street", "zone_2", "a b"]
    let rows = texts.enumerated().map { "\($1),\($0),0" }.joined(separator: "\n")
    let data = try folder.write("class,lon,lat\n" + rows + "\n", to: "w.csv")
    let document = try await styled({ $0.colorBy = "class" }, data: data)
    #expect(
      Set(classes(document)).isSuperset(of: ["minor construction", "rail", "Main_Street", "zone_2", "a b"]))
  }

  @Test("Of markers by classes of numbers, those with larger values are on top")
  func largerOnTop() async throws {
    let data = try folder.write("n,lon,lat\n9,0,0\n1,0,0\n5,1,0\n7,2,0\n3,3,0\n2,4,0\n", to: "t.csv")
    let document = try await styled({ $0.colorBy = "n" }, data: data)
    #expect(
      document.layers[0].layer.drawingOrder == [DrawingOrder(fieldName: "n", direction: .descending)])
    let colored = try await styled { $0.colorBy = "kind" }
    #expect(colored.layers[0].layer.drawingOrder.isEmpty)
  }

  @Test("The sizes are those of the rows that the definition expression leaves")
  func sizes() async throws {
    let document = try await styled({ $0.sizeBy = "n" }, definition: "n BETWEEN 11 AND 20")
    let size = try #require(document.layers[0].layer.renderer.form.visualVariables.size)
    #expect(size.size(of: 20, scale: 1, byArea: true) == 40)
    #expect(size.size(of: 60, scale: 1, byArea: true) == 40)
  }

  @Test("The command applies --definition to the classes")
  func command() async throws {
    let run = try await Tool.run(
      "count", data, "--by-class", "--color-by", "n", "--classes", "2", "--method", "equal-interval",
      "--definition", "half = 'odd' AND n < 10")
    #expect(
      run.out.hasPrefix("1–5\t3\n6–9\t2\n"),
      "\(run)")
  }

  @Test("A few distinct whole numbers are a class each, unless a method or breaks are named")
  func codes() async throws {
    let document = try await styled { $0.colorBy = "code" }
    #expect(classes(document).filter { $0 != "No data" } == ["1", "2", "3", "4", "5"])
    guard case .classBreaks(let renderer) = document.layers[0].layer.renderer.form else {
      Issue.record("no classes of numbers")
      return
    }
    #expect(renderer.classBreaks.map(\.maximum) == [1, 2, 3, 4, 5])
    #expect(document.warnings.isEmpty)
    let fewer = try await styled { ($0.colorBy, $0.classes) = ("code", 3) }
    #expect(classes(fewer).contains("1–2") || classes(fewer).contains("2–3"), "\(classes(fewer))")
    let method = try await styled { ($0.colorBy, $0.method) = ("code", .equalInterval) }
    #expect(classes(method).first == "1")
  }

  @Test("Each class of a code counts its rows")
  func codeCounts() async throws {
    let run = try await Tool.run("count", data, "--by-class", "--color-by", "code")
    #expect(run.out.hasPrefix("1\t12\n2\t12\n3\t12\n4\t12\n5\t12\n"), "\(run)")
  }

  @Test(
    "Documents of the tool's colours have no findings, with every ramp that is safe for colour-blind readers")
  func lints() async throws {
    let ramps = ColorRamp.all.filter(\.isColorBlindSafe)
    #expect(ramps.count > 20)
    for ramp in [nil] + ramps.map(Optional.some) {
      for count in 2...7 {
        let document = try await styled { ($0.colorBy, $0.classes, $0.ramp) = ("n", count, ramp) }
        let findings = try await DocumentLint().answer(document).findings
        #expect(findings.isEmpty, "\(ramp?.name ?? "default") \(count): \(findings.map(\.text))")
      }
    }
    for field in ["kind", "half", "code"] {
      let document = try await styled { $0.colorBy = field }
      let findings = try await DocumentLint().answer(document).findings
      #expect(findings.isEmpty, "\(field): \(findings.map(\.text))")
    }
    let many = try await styled({ $0.colorBy = "CNTRY_NAME" }, data: Tool.cityData)
    let findings = try await DocumentLint().answer(many).findings
    #expect(findings.isEmpty, "\(findings.map(\.text))")
  }

  @Test("Ramps that colour-blind readers cannot read keep their findings")
  func unsafe() async throws {
    let document = try await styled { ($0.colorBy, $0.ramp) = ("n", ColorRamp.named("RdYlGn")) }
    #expect(try await !DocumentLint().answer(document).findings.isEmpty)
  }

  @Test("A renderer as the symbol reads its fields")
  func rendererAsSymbol() async throws {
    let symbol = #"{"type":"esriSMS","style":"esriSMSCircle","size":6,"color":[200,0,0,255]}"#
    let renderer =
      #"{"type":"uniqueValue","field1":"half","uniqueValueInfos":[{"value":"odd","symbol":\#(symbol)}]}"#
    let run = try await Tool.run(
      "render", data, "-o", folder.path("r.png"), "--symbol", renderer, "--report", folder.path("r.json"))
    #expect(run.code == 0 && !run.err.contains("which is not there"), "\(run)")
    let report = try String(contentsOfFile: folder.path("r.json"), encoding: .utf8)
    #expect(report.contains("\"drawn\": 30"), "\(report)")
  }
}
