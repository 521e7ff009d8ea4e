import MapFeatures
import MapFilter
import MapGeometry
import MapServices
import Testing

@Suite struct OGCFeatureCollectionTests {
  @Test("Pages are followed by their links, and the stated number is the count")
  func pagesAreReadByTheirLinksAndCounted() async throws {
    var settings = OGCStub.Settings()
    settings.features = OGCStub.features(2500)
    let stub = OGCStub(settings)
    let layer = try await stub.opened()
    #expect(layer.schema.fields.map(\.name) == ["id", "n"])
    #expect(layer.schema.fields.map(\.fieldType) == [.oid, .int64])
    #expect(layer.schema.geometryKind == .point)
    let table = try await layer.features(try OGCStub.query())
    #expect(table.rowCount == 2500)
    #expect(ObjectIDs(table).id(ofRow: 2499) == 2500)
    #expect(try await layer.count(try OGCStub.query()) == 2500)
    #expect(stub.requests.last == "/collections/places/items?limit=1")
  }

  @Test("Features with text ids keep the same object id in every query")
  func textIDsKeepTheirNumbers() async throws {
    var settings = OGCStub.Settings()
    settings.features = ["b", "a", "c"].map { OGCStub.feature("\"\($0)\"", #""name":"\#($0)""#) }
    settings.select = { parameters in
      parameters["bbox"] == nil ? nil : ["c", "b"].map { OGCStub.feature("\"\($0)\"", #""name":"\#($0)""#) }
    }
    let layer = try await OGCStub(settings).opened()
    let all = try await layer.features(try OGCStub.query())
    #expect((0..<3).map { ObjectIDs(all).id(ofRow: $0) } == [1, 2, 3])
    #expect((0..<3).map { all.columns[0].value(at: $0) } == [.text("b"), .text("a"), .text("c")])
    let some = try await layer.features(try OGCStub.query(in: [OGCStub.box(0, 0, 90, 90)]))
    #expect((0..<2).map { ObjectIDs(some).id(ofRow: $0) } == [1, 3])
    #expect((0..<2).map { some.columns[0].value(at: $0) } == [.text("b"), .text("c")])
  }

  @Test("Envelopes are sent as boxes, and features without geometry are excluded")
  func envelopesGoAsBoxesAndPlacelessFeaturesAreLeftOut() async throws {
    var settings = OGCStub.Settings()
    settings.features = [
      OGCStub.feature("1", at: (10, 50)), OGCStub.feature("2", at: nil), OGCStub.feature("3", at: (179, 1)),
    ]
    let stub = OGCStub(settings)
    let layer = try await stub.opened()
    let asked = try OGCStub.query(in: [OGCStub.box(170, 0, 180, 10), OGCStub.box(-180, 0, -170, 10)])
    #expect(layer.pushable(asked) == asked)
    let found = try await layer.features(asked)
    #expect(found.rowCount == 1)
    #expect(ObjectIDs(found).id(ofRow: 0) == 3)
    #expect(try await layer.count(asked) == 1)
    #expect(
      stub.requests.suffix(2) == [
        "/collections/places/items?limit=10000&bbox=170.0%2C0.0%2C180.0%2C10.0",
        "/collections/places/items?limit=10000&bbox=-180.0%2C0.0%2C-170.0%2C10.0",
      ])
  }
}
