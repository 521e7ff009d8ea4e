import MapJSON
import MapModel

/// A codec for drawing orders in web map JSON (`layerDefinition.orderBy`).
enum EsriDrawingOrderCodec {
  /// Reads the fields, the most significant first.
  ///
  /// Expressions do not order features; ``DocumentWalk`` reports them.
  static func orders(
    _ node: JSONNode
  ) throws(JSONDecodingError) -> [DrawingOrder] {
    var orders: [DrawingOrder] = []
    for item in try node.elements() {
      if let expression = try item.string("valueExpression"), !expression.isEmpty { continue }
      // The specification has the long words; the short ones are from SQL. All words are case-sensitive.
      let isDescending = ["descending", "desc"].contains(try item.string("order"))
      orders.append(
        DrawingOrder(
          fieldName: try item.required("field").string(), direction: isDescending ? .descending : .ascending))
    }
    return orders
  }

  static func json(_ orders: [DrawingOrder]) -> JSONValue {
    .array(orders.map { ["field": .string($0.fieldName), "order": .string($0.direction.rawValue)] })
  }
}
