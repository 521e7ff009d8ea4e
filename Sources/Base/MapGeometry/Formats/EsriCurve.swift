import MapJSON

/// The curves of Esri JSON: circular arcs `{"c": [end, interior]}`, Bézier curves `{"b": [end, control, control]}`, and
/// elliptic arcs `{"a": [end, centre, minor, clockwise, rotation, axis, ratio]}`.
///
/// - Source: ArcGIS REST API, geometry objects, "Curve objects".
enum EsriCurve {
  /// Returns the vertices of a curve after its start.
  static func vertices(
    _ node: JSONNode, from start: (x: Double, y: Double)
  ) throws(JSONDecodingError) -> [(x: Double, y: Double)] {
    let known = ["c", "b", "a"]
    guard let name = known.first(where: { node[$0] != nil }) else {
      throw node.invalid("not a curve: neither c (arc) nor b (Bézier curve) nor a (elliptic arc)")
    }
    let items = try node.elements(name)
    let least = ["c": 2, "b": 3, "a": 4][name] ?? 0
    guard items.count >= least else {
      throw JSONDecodingError(.invalid("expected \(least) or more elements"), at: node.path[name])
    }
    let end = try position(items[0])
    switch name {
    case "c": return CircularArc.vertices(from: start, through: try position(items[1]), to: end)
    case "b":
      return CircularArc.vertices(
        ofCurveFrom: start, try position(items[1]), try position(items[2]), to: end)
    default:
      let hasAxes = items.count >= 7
      return CircularArc.vertices(
        from: start, to: end, center: try position(items[1]), halfAxis: hasAxes ? try items[5].double() : nil,
        ratio: hasAxes ? try items[6].double() : 1, direction: hasAxes ? try items[4].double() : 0,
        isClockwise: try items[3].double() != 0)
    }
  }

  private static func position(_ node: JSONNode) throws(JSONDecodingError) -> (x: Double, y: Double) {
    guard case .array(let numbers) = node.value, numbers.count >= 2, let x = numbers[0].double,
      let y = numbers[1].double
    else { throw node.invalid("a vertex must be an array of two or more numbers") }
    return (x, y)
  }
}
