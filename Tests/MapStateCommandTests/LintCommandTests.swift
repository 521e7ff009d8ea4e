import Foundation
import MapJSON
import MapScript
import MapTestSupport
import Testing

/// `mapstate lint`, run as a program.
@Suite struct LintCommandTests {
  @Test("A document with findings ends with 1, and one without findings with 0")
  func codes() async throws {
    let folder = try ScratchFolder()
    let faulty = try folder.write(LintedDocument(number: 0, fault: .classGap).json.text(), to: "faulty.json")
    let right = try folder.write(LintedDocument(number: 0, fault: nil).json.text(), to: "right.json")
    let found = try await Tool.run("lint", faulty)
    #expect(found.code == 1)
    #expect(found.out.hasPrefix("class-gap\t$.operationalLayers[1]."), "\(found.out)")
    #expect(found.err.isEmpty, "\(found.err)")
    let none = try await Tool.run("lint", right)
    #expect(none.code == 0)
    #expect(none.out == "no findings\n")
    let left = try await Tool.run("lint", faulty, "--disable", "class-gap")
    #expect(left.code == 0)
    let wrong = try await Tool.run("lint", faulty, "--disable", "class-gaps")
    #expect(wrong.code == 64)
    #expect(wrong.errors == ["error: no rule named \"class-gaps\"; did you mean \"class-gap\"?"])
    let plain = try await Tool.run("lint", Tool.cityData)
    #expect(plain.code == 0)
  }

  @Test(
    "--json lists rule, path, layer, message, suggestion and numbers", arguments: ["--json", "--format=json"])
  func json(_ option: String) async throws {
    let folder = try ScratchFolder()
    let faulty = try folder.write(
      LintedDocument(number: 3, fault: .valueWithoutClass).json.text(), to: "faulty.json")
    let run = try await Tool.run("lint", faulty, option)
    #expect(run.code == 1)
    let json = try JSONValue(parsing: Array(run.out.utf8))
    #expect(json["count"] == 1)
    let finding = try #require(json["findings"]?.array?.first?.object)
    #expect(finding.members.map(\.name) == ["rule", "path", "layer", "message", "suggestion", "numbers"])
    #expect(finding["numbers"] == ["rows": 2, "values": 1])
    #expect(json["warnings"] == [])
  }

  @Test("The classes without rows are those that count --by-class counts as 0")
  func sameCounts() async throws {
    let folder = try ScratchFolder()
    var found = 0
    for number in 0..<LintedDocument.count {
      let json = LintedDocument(number: number, fault: .classWithoutRows).json
      let faulty = try folder.write(json.text(), to: "faulty-\(number).json")
      let lint = try await Tool.run("lint", faulty, "--json", "--disable", "color-confusion")
      let findings = try JSONValue(parsing: Array(lint.out.utf8))["findings"]?.array ?? []
      var empty: [String] = []
      for layer in ["values", "breaks"] {
        let count = try await Tool.run("count", faulty, "--layer", layer, "--by-class", "--everywhere")
        try #require(count.code == 0, "\(count.err)")
        empty += count.out.split(separator: "\n").filter { $0.hasSuffix("\t0") && !$0.hasPrefix("(") }
          .map { String($0.split(separator: "\t")[0]) }
      }
      #expect(findings.count == empty.count, "\(findings) \(empty)")
      for label in empty {
        #expect(findings.contains { $0["message"]?.string?.hasPrefix("class \"\(label)\" ") == true })
      }
      found += empty.count
    }
    #expect(found == LintedDocument.count)
  }
}
