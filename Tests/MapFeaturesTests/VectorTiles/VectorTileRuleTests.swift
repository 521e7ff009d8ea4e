import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import Testing

/// Rules of the specification that the fixtures do not have, each with a tile made for it.
@Suite struct VectorTileRuleTests {
  private typealias Bytes = VectorTileBytes
  private static let square: [(Int, Int)] = [(0, 0), (10, 0), (10, 10), (0, 10)]
  private static let hole: [(Int, Int)] = [(2, 2), (2, 4), (4, 4), (4, 2)]

  /// Reads a tile of one layer.
  private func layer(_ bytes: [UInt8]) throws -> VectorTileLayer {
    try #require(try VectorTile(bytes).layers.first)
  }

  private func error(_ bytes: [UInt8], _ limits: VectorTileLimits = VectorTileLimits()) -> String? {
    do throws(VectorTileError) { _ = try VectorTile(bytes, limits: limits) } catch {
      return error.description
    }
    return nil
  }

  private func problems(_ bytes: [UInt8]) throws -> [VectorTileProblem.Reason] {
    try VectorTile(bytes).problems.first.map(\.reason)
  }

  /// The vertices of a row's parts.
  private func parts(_ layer: VectorTileLayer, _ row: Int) -> [[[Double]]] {
    guard let buffer = layer.geometries.first(where: { !$0.isEmpty(row: row) }) else { return [] }
    if buffer.kind == .point { return [[[buffer.x[row], buffer.y[row]]]] }
    return buffer.parts(ofRow: row).map { buffer.vertices(ofPart: $0).map { [buffer.x[$0], buffer.y[$0]] } }
  }

  // MARK: Geometry

  @Test("The direction of rings decides which are exterior, also for nested polygons")
  func ringDirections() throws {
    let island = Self.hole.map { ($0.0 * 2, $0.1 * 2) }.reversed()
    let bytes = Bytes.tile(features: [
      Bytes.feature(3, [Self.square, Self.hole, Array(island)]),
      Bytes.feature(3, [Array(Self.square.reversed()), Array(Self.hole.reversed())]),
    ])
    let layer = try layer(bytes)
    #expect(layer.polygons(ofRow: 0) == [[0, 1], [2]])
    // As in MapLibre GL JS, the first ring is an exterior ring in any direction.
    #expect(layer.polygons(ofRow: 1) == [[3, 4]])
    #expect(try problems(bytes) == [.noExteriorRing])
  }

  @Test("Rings without area and lines of one vertex are left out, with the feature if it has nothing else")
  func emptyParts() throws {
    let flat: [(Int, Int)] = [(0, 0), (5, 0), (9, 0)]
    let tile = try VectorTile(
      Bytes.tile(features: [
        Bytes.feature(id: 1, 3, [flat, Self.square]), Bytes.feature(id: 2, 3, [flat]),
        Bytes.feature(id: 3, 2, [[(1, 1)], [(1, 1), (2, 2)]]), Bytes.feature(id: 4, 2, [[(1, 1)]]),
      ]))
    let layer = try #require(tile.layers.first)
    #expect(layer.ids == [1, 3])
    #expect(parts(layer, 0) == [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]])
    #expect(parts(layer, 1) == [[[1, 1], [2, 2]]])
    #expect(tile.problems.first.map(\.isSkipped) == [false, true, false, true])
    #expect(tile.problems.first.allSatisfy { $0.reason == .emptyParts })
    #expect(tile.problems.skippedFeatures == 2)
  }

  @Test("A ring without ClosePath is closed, and one that repeats its first vertex is not closed twice")
  func openAndClosedRings() throws {
    let open = Bytes.commands(3, [Self.square, Self.square]).filter { $0 != 15 }
    let closed = Bytes.feature(3, [Self.square + [(0, 0)]])
    let bytes = Bytes.tile(features: [Bytes.feature(3, commands: open), closed])
    let layer = try layer(bytes)
    #expect(parts(layer, 0).map(\.count) == [5, 5])
    #expect(parts(layer, 1).map(\.count) == [5])
    #expect(try problems(bytes) == [.openRings, .repeatedVertices])
  }

  @Test("Several commands of one kind are read as one")
  func splitCommands() throws {
    let bytes = Bytes.tile(features: [
      Bytes.feature(1, commands: [9, 2, 2, 9, 2, 2]),
      Bytes.feature(2, commands: [9, 2, 2, 10, 2, 2, 10, 2, 0]),
    ])
    let layer = try layer(bytes)
    #expect(parts(layer, 0) == [[[1, 1], [2, 2]]])
    #expect(parts(layer, 1) == [[[1, 1], [2, 2], [3, 2]]])
    #expect(try problems(bytes) == [.splitCommands, .splitCommands])
  }

  @Test(
    "Commands that cannot be read refuse the tile",
    arguments: [
      (1, [10, 2, 2], "LineTo in a point"), (1, [1, 2, 2], "MoveTo with the count 0"),
      (2, [10, 2, 2], "LineTo without MoveTo before it"),
      (2, [17, 2, 2, 2, 2], "MoveTo with the count 2 instead of 1"),
      (2, [9, 2, 2, 2], "LineTo with the count 0"),
      (2, [9, 2, 2, 10, 2, 2, 15], "ClosePath in a line"),
      (3, [15], "ClosePath without MoveTo before it"),
      (3, [9, 2, 2, 26, 2, 0, 0, 2, 2, 2, 23], "ClosePath with the count 2 instead of 1"),
      (3, [9, 2, 2, 26, 2, 0, 0, 2, 2, 2, 15, 10, 2, 2], "LineTo without MoveTo before it"),
      (2, [11, 2, 2], "its geometry has the unknown command 3"),
      (1, [0xFFFF_FFF9, 2, 2], "MoveTo with the count 536870911, but fewer vertices follow"),
    ] as [(UInt64, [UInt64], String)])
  func badCommands(type: UInt64, commands: [UInt64], message: String) {
    let bytes = Bytes.tile(features: [Bytes.feature(type, commands: commands)])
    #expect(error(bytes) == "layer \"water\", feature 1: \(message)")
  }

  @Test("A layer of several kinds has a buffer for each, and each row is in one")
  func severalKinds() throws {
    let layer = try layer(
      Bytes.tile(features: [
        Bytes.feature(1, [[(1, 2)]]), Bytes.feature(3, [Self.square]), Bytes.feature(2, [[(0, 0), (5, 5)]]),
        Bytes.feature(1, [[(3, 4)]]),
      ]))
    #expect(layer.kinds == [.point, .polygon, .polyline, .point])
    #expect(layer.geometries.map(\.kind) == [.polygon, .polyline, .point])
    #expect(layer.geometries.map(\.rowCount) == [4, 4, 4])
    for row in 0..<4 { #expect(layer.geometries.count { !$0.isEmpty(row: row) } == 1) }
    #expect(parts(layer, 3) == [[[3, 4]]])
    let table = try layer.table()
    #expect(table.geometry?.kind == .polygon)
    #expect(table.otherGeometries.map(\.kind) == [.polyline, .point])
    #expect(table.tablesByKind().map(\.rowCount) == [1, 1, 2])
  }

  @Test("Points become multipoints when one feature has several")
  func multipoints() throws {
    let layer = try layer(
      Bytes.tile(features: [
        Bytes.feature(1, [[(1, 2)]]), Bytes.feature(2, [[(0, 0), (5, 5)]]),
        Bytes.feature(1, [[(3, 4), (5, 6)]]),
      ]))
    #expect(layer.kinds == [.point, .polyline, .multipoint])
    #expect(layer.geometries.map(\.kind) == [.polyline, .multipoint])
    #expect(parts(layer, 0) == [[[1, 2]]])
    #expect(parts(layer, 2) == [[[3, 4], [5, 6]]])
  }

  @Test("Other extents than 4096 cover the same ground")
  func extents() throws {
    let square = try #require(Envelope.webMercatorTile(zoom: 1, column: 1, row: 0))
    for extent in [256, 512, 4096, 8192, 65536] {
      let middle = Bytes.feature(1, [[(extent / 2, extent / 4)]])
      let table = try layer(Bytes.tile(extent: UInt64(extent), features: [middle])).table(in: square)
      #expect(table.geometry?.x == [WebMercator.halfWorld / 2])
      #expect(table.geometry?.y == [WebMercator.halfWorld * 0.75])
      #expect(table.schema.spatialReference == .webMercator)
    }
    #expect(error(Bytes.tile(extent: 0, features: [])) == "layer \"water\" has the extent 0")
    #expect(Envelope.webMercatorTile(zoom: 1, column: 2, row: 0) == nil)
    #expect(Envelope.webMercatorTile(zoom: 31, column: 0, row: 0) == nil)
  }

  @Test("Steps beyond 32 bits do not wrap")
  func largeCoordinates() throws {
    let greatest: UInt64 = 0xFFFF_FFFE
    let layer = try layer(
      Bytes.tile(features: [Bytes.feature(2, commands: [9, greatest, 0, 10, greatest, 0])]))
    #expect(parts(layer, 0) == [[[2_147_483_647, 0], [4_294_967_294, 0]]])
  }

  // MARK: Layers and values

  @Test("Layers of versions 1 and 2 are read, and 4096 is the extent of those without", arguments: [1, 2])
  func versions(version: UInt64) throws {
    let bytes = Bytes.tile(version: version, extent: nil, features: [Bytes.feature(3, [Self.square])])
    let layer = try layer(bytes)
    #expect((layer.version, layer.extent) == (Int(version), 4096))
    #expect(try problems(bytes).isEmpty)
  }

  @Test("A layer of a later version is left out, and the layers after it are read")
  func laterVersion() throws {
    let feature = Bytes.feature(1, [[(1, 1)]])
    let tile = try VectorTile(
      Bytes.tile(name: "new", version: 3, features: [feature]) + Bytes.tile(features: [feature]))
    #expect(tile.layers.map(\.name) == ["water"])
    #expect(tile.problems.first.map(\.reason) == [.version(3)])
  }

  @Test("Of several layers of one name all are kept, and the last has the name")
  func repeatedNames() throws {
    let tile = try VectorTile(
      Bytes.tile(features: [Bytes.feature(id: 1, 1, [[(1, 1)]])])
        + Bytes.tile(features: [Bytes.feature(id: 2, 1, [[(1, 1)]])]))
    #expect(tile.layers.map(\.name) == ["water", "water"])
    #expect(tile.layer(named: "water")?.ids == [2])
    #expect(tile.problems.first.map(\.reason) == [.repeatedName])
  }

  @Test("Only the wanted layers are read, and faults of others do not matter")
  func wantedLayers() throws {
    let bad = Bytes.tile(name: "bad", features: [Bytes.feature(1, commands: [10, 2, 2])])
    let bytes = bad + Bytes.tile(features: [Bytes.feature(1, [[(1, 1)]])])
    #expect(try VectorTile(bytes, layers: ["water"]).layers.map(\.name) == ["water"])
    #expect(error(bytes) != nil)
  }

  @Test("Numbers that are not packed and fields of other numbers are accepted")
  func looseNumbers() throws {
    let geometry = Bytes.commands(2, [[(1, 1), (300, 300)]]).flatMap { Bytes.number(4, $0) }
    let loose =
      Bytes.number(2, 0) + Bytes.number(2, 0) + Bytes.number(3, 2) + geometry + Bytes.text(99, "extension")
    let split =
      Bytes.packed(2, [0, 0]) + Bytes.packed(2, [1, 1]) + Bytes.number(3, 1) + Bytes.packed(4, [9, 2, 2])
    let layer = try layer(
      Bytes.tile(
        keys: ["a", "b"], values: [Bytes.text(1, "x"), Bytes.number(7, 1)], features: [loose, split],
        more: Bytes.number(17, 5)) + Bytes.text(16, "extension"))
    #expect(parts(layer, 0) == [[[1, 1], [300, 300]]])
    #expect(layer.value(ofField: 0, inRow: 0) == .text("x"))
    #expect(layer.value(ofField: 1, inRow: 1) == .boolean(true))
    #expect(layer.codes(ofFields: [1, 0]) == [[-1, 1], [0, 0]])
  }

  @Test("Values become columns of their type; of several types, texts")
  func columns() throws {
    let values: [[UInt8]] = [
      Bytes.text(1, "x"), Bytes.text(1, "x"), Bytes.number(4, 7), Bytes.number(6, 9),
      [0x19, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F], Bytes.number(5, .max), Bytes.number(7, 1),
      [0x15, 0, 0, 0x80, 0x7F], Bytes.number(5, 5),
    ]
    // Fields: text, integer, real, boolean, mixed, infinite, unsigned, and one that no feature has.
    let first: [UInt64] = [0, 0, 1, 2, 2, 2, 3, 6, 4, 0, 5, 7, 6, 8]
    let second: [UInt64] = [0, 1, 1, 3, 2, 4, 4, 2, 5, 4, 6, 5]
    let layer = try layer(
      Bytes.tile(
        keys: ["text", "integer", "real", "boolean", "mixed", "infinite", "unsigned", "none"], values: values,
        features: [
          Bytes.feature(id: 5, tags: first, 1, [[(0, 0)]]), Bytes.feature(id: 6, tags: second, 1, [[(0, 0)]]),
        ]))
    let table = try layer.table()
    #expect(
      table.schema.fields.map(\.fieldType) == [
        .text, .int64, .float64, .int16, .text, .float64, .float64, .text,
      ])
    #expect(table.columns[0].storage == .text(codes: [0, 0], dictionary: ["x"]))
    #expect(table.columns[1].storage == .integers([7, -5]))
    #expect(table.columns[2].storage == .reals([7, 0.5]))
    #expect(table.columns[3].storage == .booleans([true, false]))
    #expect(table.columns[3].isValid(0) && !table.columns[3].isValid(1))
    #expect(table.columns[4].storage == .text(codes: [0, 1], dictionary: ["x", "7"]))
    #expect((0..<2).map { table.columns[5].value(at: $0) } == [.null, .real(0.5)])
    #expect(table.columns[6].storage == .reals([5, 0x1p64]))
    #expect(table.columns[7].value(at: 0) == .null)
    #expect(table.objectIDs == [5, 6])
    #expect(
      table.warnings == [
        "field mixed: values of several types were read as text",
        "field infinite: infinite numbers and NaN were read as null",
        "field unsigned: whole numbers beyond 2^53 were rounded to decimals",
      ])
    #expect(layer.value(ofField: 6, inRow: 1) == .unsigned(.max))
    #expect(try layer.table(fields: FieldSelection(["MIXED"])).schema.fields.map(\.name) == ["mixed"])
  }

  @Test("Equal keys are one field, and a key that a feature has twice has its last value")
  func repeatedKeys() throws {
    let bytes = Bytes.tile(
      keys: ["a", "a", ""], values: [Bytes.number(4, 1), Bytes.number(4, 2)],
      features: [
        Bytes.feature(tags: [0, 0, 1, 1], 1, [[(0, 0)]]), Bytes.feature(tags: [1, 0, 2, 1], 1, [[(0, 0)]]),
      ])
    let layer = try layer(bytes)
    #expect(layer.fields == ["a", ""])
    #expect(layer.value(ofField: 0, inRow: 0) == .integer(2))
    let table = try layer.table()
    #expect(table.schema.fields.map(\.name) == ["a", "field2"])
    #expect(table.columns[0].storage == .integers([2, 1]))
    #expect(try problems(bytes) == [.repeatedKey])
    let odd = Bytes.tile(keys: ["a"], features: [Bytes.feature(tags: [0], 1, [[(0, 0)]])])
    #expect(error(odd) == "layer \"water\", feature 1: the number of its tags is odd")
  }

  @Test("Names, keys and texts of equal characters but other bytes stay apart")
  func unicode() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let point = Bytes.feature(tags: [0, 0, 1, 1], 1, [[(0, 0)]])
    let other = Bytes.feature(tags: [0, 1], 1, [[(0, 0)]])
    let tile = try VectorTile(
      [composed, decomposed].flatMap { name in
        Bytes.tile(
          name: name, keys: [composed, decomposed],
          values: [Bytes.text(1, composed), Bytes.text(1, decomposed)],
          features: [point, other])
      })
    #expect(tile.problems.count == 0)
    #expect(tile.layer(named: composed).map { Array($0.name.utf8) } == Array(composed.utf8))
    let layer = try #require(tile.layers.first)
    #expect((layer.fields.count, layer.index(ofField: decomposed)) == (2, 1))
    guard case .text(let codes, let dictionary) = try layer.table().columns[0].storage else {
      Issue.record("the column has no texts")
      return
    }
    #expect(codes == [0, 1])
    #expect(dictionary.map { Array($0.utf8) } == [Array(composed.utf8), Array(decomposed.utf8)])
  }

  @Test("Values without a type or with two refuse the tile; texts that are not UTF-8 are repaired")
  func badValues() throws {
    let feature = Bytes.feature(1, [[(0, 0)]])
    #expect(
      error(Bytes.tile(values: [[]], features: [feature]))
        == "layer \"water\", value 0: it has none of the types of the specification")
    #expect(
      error(Bytes.tile(values: [Bytes.number(4, 1) + Bytes.number(7, 1)], features: [feature]))
        == "layer \"water\", value 0: it has two types")
    let text = try VectorTile(Bytes.tile(values: [Bytes.bytes(1, [0x61, 0xFF])], features: [feature]))
    #expect(text.layers.first?.values == [.text("a\u{FFFD}")])
    #expect(text.problems.first.map(\.reason) == [.notUTF8(count: 1)])
  }

  @Test(
    "Features with and without ids keep them, and only different ids of all rows become those of the table")
  func ids() throws {
    let point: [[(Int, Int)]] = [[(0, 0)]]
    let some = try layer(Bytes.tile(features: [Bytes.feature(id: 0, 1, point), Bytes.feature(1, point)]))
    #expect((some.id(ofRow: 0), some.id(ofRow: 1)) == (0, nil))
    #expect(try some.table().objectIDs == nil)
    let equal = try layer(
      Bytes.tile(features: [Bytes.feature(id: 7, 1, point), Bytes.feature(id: 7, 1, point)]))
    #expect(try equal.table().objectIDs == nil)
    let large = try layer(Bytes.tile(features: [Bytes.feature(id: .max, 1, point)]))
    #expect(large.id(ofRow: 0) == .max)
    #expect(try large.table().objectIDs == nil)
  }

  @Test("Only the first problems are listed, and all are counted")
  func manyProblems() throws {
    let features = (0..<250).map { _ in Bytes.feature(9, [[(0, 0)]]) }
    let problems = try VectorTile(Bytes.tile(features: features)).problems
    #expect((problems.first.count, problems.count, problems.skippedFeatures) == (100, 250, 250))
    #expect(problems.first[99].feature == 100)
  }
}
