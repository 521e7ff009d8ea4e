import Testing

/// The features that users of other map programs expect: each has commands that show it, in the folder `Cases/features`.
@Suite("Reports: table of features") struct FeatureTableTests {
  private static let lines = FormatTable.lines(in: "features")

  @Test("Every feature has commands and texts that they print")
  func everyFeatureHasCommands() {
    #expect(Self.lines.count == 101)
    #expect(Set(Self.lines.map(\.testDescription)).count == Self.lines.count)
    for line in Self.lines {
      let runs = line.actions.count { if case .run = $0 { true } else { false } }
      #expect(runs > 0 && line.actions.count > runs, "\(line.testDescription)")
    }
  }

  @Test("The commands of a feature show it", arguments: lines)
  func featureIsShown(_ line: FormatTable.Line) async throws { try await line.run() }
}
