import MapSnapshotTesting
import MapState
import Testing

// The example of the guide's article on snapshot testing, as it is written there.

@Test func incidentsLookAsTheyDid() async throws {
  let document = try await MapDocument.open("Styles/san-francisco-incidents.json")
  let view = try MapView(map: document.map, width: 400, height: 300)
  await expectSnapshot(of: view, named: "incidents")
}
