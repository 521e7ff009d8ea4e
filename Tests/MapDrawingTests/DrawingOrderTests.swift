import MapDrawing
import MapFeatures
import MapGeometry
import MapModel
import Testing

/// The order in which features cover each other.
///
/// Source: Esri web map specification, `layerDefinition.orderBy`: ascending has the smaller values on top.
@Suite struct DrawingOrderTests {
  /// Rows at one position: number, text, date and a second number.
  private static func table() throws -> FeatureColumns {
    let columns = """
      [{"name":"n","type":"esriFieldTypeDouble"},{"name":"t","type":"esriFieldTypeString"},
      {"name":"d","type":"esriFieldTypeDate"},{"name":"k","type":"esriFieldTypeInteger"}]
      """
    let rows: [(String, String, String, Int)] = [
      ("3", "\"b\"", "5000", 1), ("null", "\"a\"", "-1000", 2), ("-1.5", "null", "null", 1),
      ("3", "\"c\"", "4999", 2), ("10", "\"d\"", "5000", 1), ("null", "\"e\"", "1", 1),
    ]
    return try Scene.table(
      "Point", fields: columns,
      rows.map { n, t, d, k in
        "{\"attributes\":{\"n\":\(n),\"t\":\(t),\"d\":\(d),\"k\":\(k)},\"geometry\":{\"x\":0,\"y\":0}}"
      })
  }

  private static func painted(_ orders: [DrawingOrder]) throws -> [Int32] {
    var scene = Scene()
    scene.drawingOrder = orders
    let (_, drawing) = try scene.drawing(of: table())
    #expect(Array(drawing.drawn) == Array(0..<6))
    #expect(drawing.edge.isEmpty)
    guard case .markers(let batch) = drawing.layer.batches.first else { return [] }
    return batch.row
  }

  @Test(
    "Features are painted in the requested drawing order",
    arguments: [
      ([DrawingOrder](), [0, 1, 2, 3, 4, 5] as [Int32]),
      ([DrawingOrder(fieldName: "n")], [1, 5, 4, 0, 3, 2]),
      ([DrawingOrder(fieldName: "n", direction: .descending)], [1, 5, 2, 0, 3, 4]),
      ([DrawingOrder(fieldName: "d")], [2, 0, 4, 3, 5, 1]),
      ([DrawingOrder(fieldName: "D", direction: .descending)], [2, 1, 5, 3, 0, 4]),
      // A text field does not change the order.
      ([DrawingOrder(fieldName: "t")], [0, 1, 2, 3, 4, 5]),
      ([DrawingOrder(fieldName: "k"), DrawingOrder(fieldName: "n")], [1, 3, 5, 4, 0, 2]),
      (
        [DrawingOrder(fieldName: "t"), DrawingOrder(fieldName: "k", direction: .descending)],
        [0, 2, 4, 5, 1, 3]
      ),
    ])
  func order(_ orders: [DrawingOrder], _ expected: [Int32]) throws {
    #expect(try Self.painted(orders) == expected)
  }

  @Test("A drawing order by an unknown field is an error that names the order")
  func missing() throws {
    let error = #expect(throws: RendererFieldError.self) { try Self.painted([DrawingOrder(fieldName: "zz")]) }
    #expect(error?.description.hasPrefix("the drawing order reads field \"zz\"") == true)
  }
}
