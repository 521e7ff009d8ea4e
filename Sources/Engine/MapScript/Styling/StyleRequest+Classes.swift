import MapModel
import MapState

/// The rules for requests of classes around a midpoint and of classes of two fields.
extension StyleRequest {
  /// Checks that the values go together with those for classes of two fields.
  ///
  /// - Throws: `MapStateError` of kind usage.
  func checkCrossedClasses() throws(MapStateError) {
    guard crossBy != nil else { return }
    let others = [
      ("--normalize-by", normalizeBy != nil), ("--breaks", breaks != nil), ("--edges", edges != nil),
      ("--midpoint", midpoint != nil), ("--ramp", ramp != nil),
    ]
    if let (option, _) = others.first(where: { $0.1 }) {
      throw MapStateError(.usage, "\(option) contradicts --cross-by, which has classes of two fields")
    }
    if let classes, !(2...3).contains(classes) {
      throw MapStateError(.usage, "--classes \(classes) is impossible with --cross-by; give 2 or 3")
    }
  }

  /// Checks that the values go together with a midpoint.
  ///
  /// - Throws: `MapStateError` of kind usage.
  func checkMidpoint() throws(MapStateError) {
    guard midpoint != nil else { return }
    if colors != nil {
      throw MapStateError(
        .usage,
        "--midpoint contradicts --colors; give a ramp through three colours, as in --ramp red-white-blue")
    }
    if method == .standardDeviation {
      throw MapStateError(
        .usage, "--midpoint contradicts --method standard-deviation, whose classes are around the mean")
    }
    if let ramp, ramp.kind != .diverging, !ramp.name.isEmpty {
      let names = ColorRamp.all.filter { $0.kind == .diverging }.map(\.name).joined(separator: ", ")
      throw MapStateError(
        .usage,
        "--midpoint needs a diverging ramp, and \(ramp.name) is \(ramp.kind.rawValue); available: \(names)")
    }
    if let classes, classes % 2 != 0 {
      throw MapStateError(
        .usage,
        "--classes \(classes) is odd, but --midpoint has as many classes below as above; give \(classes + 1)")
    }
  }
}
