import MapFeatures
import MapGeometry
import Synchronization
import Testing

/// Projecting a table holds no lock of the table.
@Suite struct ProjectionLockTests {
  @Test("A projection may use its own table, and every caller receives the same geometries")
  func reentry() throws {
    let calls = Atomic(0)
    let source = Mutex<InMemorySource?>(nil)
    let inner = Mutex<[Double]>([])
    let operations = SpatialOperations { x, y, from, to throws(SpatialOperationError) in
      for index in x.indices { x[index] += 1 }
      guard calls.add(1, ordering: .relaxed).newValue == 1 else { return }
      // A second caller arrives while the first one projects.
      let table = try source.withLock { $0 }?.shownColumns(on: to)
      inner.withLock { $0 = table?.geometry?.x ?? [] }
    }
    let map = SpatialReference(wkid: 25832)
    var geometry = CoordinateBuffer(kind: .point)
    geometry.appendPoint(x: 3, y: 4)
    let table = try InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(fields: [], geometryKind: .point, spatialReference: .wgs84), columns: [],
        geometry: geometry, rowCount: 1), operations: operations)
    source.withLock { $0 = table }
    #expect(!table.knowsShownExtent(on: map))
    let outer = try table.shownColumns(on: map).geometry?.x
    #expect(outer == [4])
    #expect(inner.withLock { $0 } == [4])
    #expect(table.knowsShownExtent(on: map))
    #expect(calls.load(ordering: .relaxed) == 2)
    // The geometries are kept.
    #expect(try table.shownColumns(on: map).geometry?.x == [4])
    #expect(calls.load(ordering: .relaxed) == 2)
  }

  @Test("A projection that fails is not repeated")
  func failure() throws {
    let calls = Atomic(0)
    let operations = SpatialOperations { _, _, _, _ throws(SpatialOperationError) in
      calls.add(1, ordering: .relaxed)
      throw SpatialOperationError("no grid")
    }
    var geometry = CoordinateBuffer(kind: .point)
    geometry.appendPoint(x: 3, y: 4)
    let table = try InMemorySource(
      FeatureColumns(
        schema: FeatureSchema(fields: [], geometryKind: .point, spatialReference: .wgs84), columns: [],
        geometry: geometry, rowCount: 1), operations: operations)
    for _ in 0..<2 {
      #expect(throws: SpatialOperationError("no grid")) {
        try table.shownColumns(on: SpatialReference(wkid: 25832))
      }
    }
    #expect(calls.load(ordering: .relaxed) == 1)
  }
}
