import MapJSON
import Testing

@Suite struct NearestNameTests {
  @Test(
    "The nearest name needs the fewest changed, added, removed or swapped letters",
    arguments: [
      ("wehre", "where"), ("wher", "where"), ("wherre", "where"), ("whexe", "where"), ("WHERE", "where"),
      ("tpye", "type"), ("di", "id"), ("mode", "filterMode"), ("name", "CITY_NAME"), ("zzz", nil),
    ] as [(String, String?)])
  func nearest(_ name: String, _ expected: String?) {
    let names = ["id", "type", "where", "filterMode", "CITY_NAME"]
    #expect(NearestName.of(name, among: names) == expected)
  }

  @Test("All names at the least distance are returned in order")
  func ties() {
    #expect(
      NearestName.all(of: "mixScale", among: ["minScale", "opacity", "maxScale"]) == ["minScale", "maxScale"])
    #expect(
      NearestName.all(of: "field", among: ["field1", "field2", "fields"]) == ["field1", "field2", "fields"])
    #expect(NearestName.all(of: String(repeating: "a", count: 200), among: ["a"]).isEmpty)
  }
}
