import Foundation
import MapFeatures
import MapFilter
import Testing

/// The standard's examples in both encodings, and JSON that must be refused; see Cases/CQL2/README.md.
@Suite struct CQL2ExampleTests {
  static func folder(_ name: String) throws -> URL {
    try #require(Bundle.module.resourceURL).appending(path: "Cases/CQL2/\(name)")
  }

  /// The files of a folder by stem.
  static func files(_ name: String) throws -> [String: String] {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder(name), includingPropertiesForKeys: nil)
    return try Dictionary(
      uniqueKeysWithValues: files.map {
        ($0.deletingPathExtension().lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
      })
  }

  /// Each example is given in text, most also in JSON, and some in several spellings.
  @Test("The standard's examples parse to the same tree from text and JSON")
  func encodingsMeanTheSame() throws {
    let (texts, jsons) = (try Self.files("examples/text"), try Self.files("examples/json"))
    #expect(texts.count == 120)
    #expect(jsons.count == 109)
    var compared = 0
    for (stem, text) in texts.sorted(by: { $0.key < $1.key }) {
      let tree = try #require(try CQL2TextParser.parse(text), "\(stem)")
      let json = try #require(jsons[stem.split(separator: "-alt").first.map(String.init) ?? ""], "\(stem)")
      #expect(try CQL2JSONReader.parse(json) == tree, "\(stem)")
      compared += 1
    }
    #expect(compared == 120)
  }

  /// Semantic errors report the offset of the faulty part in either encoding.
  @Test("An error in a CQL2 filter has the offset of the unknown name")
  func everyPartHasItsPlace() throws {
    var located = 0
    for (language, folder) in [(FilterLanguage.cql2Text, "examples/text"), (.cql2JSON, "examples/json")] {
      for (stem, text) in try Self.files(folder) {
        let read = try #require(try FilterText(text, in: language))
        // Without fields, every filter that names a field fails there.
        do {
          try read.check(against: FilterFields([], namesHaveCase: true))
          #expect(["clause7_16", "clause7_17"].contains(stem))
        } catch {
          let offset = try #require(error.offset, "\(stem)")
          let place = text.utf8.index(text.utf8.startIndex, offsetBy: offset)
          switch error.reason {
          case .unknownField(let name, _):
            let named = language == .cql2Text ? [name, "\"\(name)\""] : ["{"]
            #expect(named.contains { text[place...].hasPrefix($0) }, "\(stem): \(text[place...])")
            located += 1
          case .unknownFunction(let name, _):
            #expect(text[place...].hasPrefix(language == .cql2Text ? name : "{"), "\(stem)")
            located += 1
          default: Issue.record(error, "\(stem)")
          }
        }
      }
    }
    #expect(located == 120 + 109 - 4)
  }

  @Test("Invalid CQL2 JSON is refused with an offset inside the text")
  func invalidJSON() throws {
    let lines = try String(contentsOf: Self.folder("invalid-json.tsv"), encoding: .utf8).split(
      separator: "\n"
    )
    .dropFirst().map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    #expect(lines.count == 39)
    let table = try WhereConformanceFilterTests.table("ne_110m_populated_places_simple")
    for line in lines {
      var refused = ""
      do {
        let read = try #require(try FilterText(line[2], in: .cql2JSON), "\(line)")
        _ = try CompiledFilter(
          read.expression, for: table.columns, places: read.places, names: read.language.names)
      } catch let error as FilterSyntaxError {
        refused = "\(error)"
        #expect((0...line[2].utf8.count).contains(error.offset))
      } catch let error as FilterError {
        refused = "\(error)"
        #expect((0...line[2].utf8.count).contains(try #require(error.offset)))
        if line[1] == "schema" {
          #expect(line[6].contains("boolean") || line[6].contains("property"), "\(line)")
        }
      }
      #expect(!refused.isEmpty, "\(line)")
    }
  }
}
