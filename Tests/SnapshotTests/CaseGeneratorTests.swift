import Foundation
import MapJSON
import MapSnapshots
import Testing

/// Generated cases for all symbols of the project's documents.
@Suite struct CaseGeneratorTests {
  private static let styles =
    "\(#filePath)".split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Styles"

  @Test("The case generator makes a case per class, filter mode and scale")
  func makesEachClassInEachModeAtEachScale() async throws {
    let folder = NSTemporaryDirectory() + "mapstate-\(UUID().uuidString)/Cases"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var generator = CaseGenerator(document: Self.styles + "/us-counties.json")
    generator.size = (80, 60)
    var made: [CaseGenerator.Case] = []
    try await generator.generate(into: folder) { made.append($0) }
    #expect(Set(made.map(\.name)).count == made.count)
    // States: 1 class, no filter; Counties: 6 classes and the default, 4 modes; 3 scales each.
    #expect(made.count { $0.name.hasPrefix("states/") } == 3)
    #expect(made.contains { $0.name.hasPrefix("counties/2-7-to-9-none-far") && !$0.isBlank })
    #expect(made.contains { $0.name == "map/start" && !$0.isBlank })
    for item in made { #expect(item.text.isEmpty == item.isBlank, "\(item.name)") }
    let shown = try #require(made.first { !$0.isBlank })
    let own = "\(folder)/\(shown.name)"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    try Data(shown.text.utf8).write(to: URL(filePath: "\(own)/case.json"))
    let snapshot = try SnapshotCase(shown.name, in: folder)
    try await snapshot.record()
    #expect(await snapshot.verify().outcome == .same)
  }
}
