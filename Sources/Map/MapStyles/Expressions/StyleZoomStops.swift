package import MapJSON

/// The stops of a property by zoom, as they are written: those of the outermost `step` or `interpolate` of the zoom, or of an
/// old function.
package struct StyleZoomStops: Sendable {
  /// A stop.
  package struct Stop: Sendable {
    /// The zoom; nil for the output of `step` below its first stop.
    package let zoom: Double?
    /// The value, which may be an expression or a function of a property.
    package let output: JSONValue
  }

  /// Whether the value changes at once at a stop.
  package let isStep: Bool
  /// The stops as written; at least one.
  package let stops: [Stop]

  /// The greatest depth of JSON in which stops are looked for.
  ///
  /// - Source: design decision; the same as that of expressions.
  private static let depthLimit = StyleReader.depthLimit

  /// Reads the stops of a value; nil for one without stops of the zoom.
  ///
  /// - Parameter isInterpolated: whether old functions of the property are interpolated.
  package init?(_ json: JSONValue, isInterpolated: Bool) {
    let found: (isStep: Bool, stops: [Stop])?
    switch json {
    case .array(let parts): found = Self.ofExpression(parts)
    case .object(let function): found = Self.ofFunction(function, isInterpolated)
    default: found = nil
    }
    guard let found, !found.stops.isEmpty, found.stops.allSatisfy({ $0.zoom?.isFinite ?? true }) else {
      return nil
    }
    (isStep, stops) = found
  }

  private static func ofExpression(_ parts: [JSONValue]) -> (isStep: Bool, stops: [Stop])? {
    func pairs(from first: Int) -> [Stop] {
      stride(from: first, to: parts.count - 1, by: 2).map {
        Stop(zoom: parts[$0].double ?? .nan, output: parts[$0 + 1])
      }
    }
    switch parts.first?.string {
    case "step":
      guard parts.count >= 3, isZoom(parts[1]) else { return nil }
      return (true, [Stop(zoom: nil, output: parts[2])] + pairs(from: 3))
    case "interpolate", "interpolate-hcl", "interpolate-lab":
      guard parts.count >= 5, isZoom(parts[2]) else { return nil }
      return (false, pairs(from: 3))
    default: return nil
    }
  }

  private static func ofFunction(_ function: JSONObject, _ isInterpolated: Bool) -> (
    isStep: Bool, stops: [Stop]
  )? {
    let pairs = (function["stops"]?.array ?? []).compactMap { pair -> (JSONValue, JSONValue)? in
      guard let input = pair[0], let output = pair[1] else { return nil }
      return (input, output)
    }
    guard let first = pairs.first else { return nil }
    guard first.0.object != nil else {
      guard function["property"] == nil else { return nil }
      let isStep = function["type"]?.string.map { $0 == "interval" } ?? !isInterpolated
      return (isStep, pairs.map { Stop(zoom: $0.0.double ?? .nan, output: $0.1) })
    }
    // A function of zoom and property: one function of the property for each zoom.
    var groups: [(zoom: Double, stops: [JSONValue])] = []
    for (input, output) in pairs {
      let (zoom, stop) = (input["zoom"]?.double ?? .nan, JSONValue.array([input["value"] ?? .null, output]))
      if let last = groups.indices.last, groups[last].zoom == zoom {
        groups[last].stops.append(stop)
      } else {
        groups.append((zoom, [stop]))
      }
    }
    return (
      !isInterpolated,
      groups.map { group in
        var inner = function
        inner["stops"] = .array(group.stops)
        return Stop(zoom: group.zoom, output: .object(inner))
      }
    )
  }

  /// Returns the value at a zoom as it is written: one output, or the two between which the value is interpolated.
  package func written(at zoom: Double) -> JSONValue {
    let index = stops.lastIndex { ($0.zoom ?? -.infinity) <= zoom }
    guard let index else { return stops[0].output }
    guard !isStep, let lower = stops[index].zoom, lower < zoom, index + 1 < stops.count else {
      return stops[index].output
    }
    return [stops[index].output, stops[index + 1].output]
  }

  /// Returns the zooms of all stops in a value, also of those inside other expressions, and of comparisons with the zoom.
  package static func zooms(in json: JSONValue) -> Set<Double> {
    var found: Set<Double> = []
    add(json, 0, to: &found)
    return found
  }

  private static func add(_ json: JSONValue, _ depth: Int, to found: inout Set<Double>) {
    guard depth <= depthLimit else { return }
    if let own = StyleZoomStops(json, isInterpolated: true) { found.formUnion(own.stops.compactMap(\.zoom)) }
    switch json {
    case .array(let parts):
      let comparisons: Set = ["==", "!=", "<", "<=", ">", ">="]
      if comparisons.contains(parts.first?.string ?? ""), parts.contains(where: isZoom) {
        found.formUnion(parts.compactMap(\.double).filter(\.isFinite))
      }
      for part in parts { add(part, depth + 1, to: &found) }
    case .object(let object): for member in object.members { add(member.value, depth + 1, to: &found) }
    default: break
    }
  }

  private static func isZoom(_ json: JSONValue) -> Bool { json == ["zoom"] }
}
