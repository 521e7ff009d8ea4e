import MapJSON

/// Drawing orders from and to web map JSON (`layerDefinition.orderBy`).
enum EsriDrawingOrderCodec {
  /// The fields by weight.
  ///
  /// Expressions order nothing, which ``DocumentWalk`` reports.
  static func orders(
    _ node: JSONNode
  ) throws(JSONDecodingError) -> [DrawingOrder] {
    var orders: [DrawingOrder] = []
    for item in try node.elements() {
      if let expression = try item.string("valueExpression"), !expression.isEmpty { continue }
      // The specification has the long words; the short ones are those of SQL. Case counts, as in all words.
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
