import MapJSON

/// Drawing orders from and to web map JSON (`layerDefinition.orderBy`).
enum EsriDrawingOrderCodec {
  /// The fields by weight; what cannot be read leaves the order of the rows, which the report says.
  static func orders(
    _ node: JSONNode, _ report: inout DocumentReport
  ) throws(JSONDecodingError) -> [DrawingOrder] {
    var orders: [DrawingOrder] = []
    for item in try node.elements() {
      if let expression = try item.string("valueExpression"), !expression.isEmpty {
        report.note(item.path["valueExpression"], "not evaluated yet; it orders nothing")
        continue
      }
      let name = try item.string("order") ?? "ascending"
      let direction = DrawingOrder.Direction(rawValue: name)
      if direction == nil { report.note(item.path["order"], "unknown order \"\(name)\"; taken as ascending") }
      orders.append(
        DrawingOrder(fieldName: try item.required("field").string(), direction: direction ?? .ascending))
    }
    return orders
  }

  static func json(_ orders: [DrawingOrder]) -> JSONValue {
    .array(orders.map { ["field": .string($0.fieldName), "order": .string($0.direction.rawValue)] })
  }
}
