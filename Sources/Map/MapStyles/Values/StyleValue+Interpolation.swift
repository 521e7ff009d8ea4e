extension StyleValue {
  /// Returns the value between this one and another; 0 is this one.
  ///
  /// - Throws: the reason when the two have no value between them.
  func mixed(
    with other: StyleValue, _ share: Double, in space: StyleColorSpace
  ) throws(StyleFault) -> StyleValue {
    func mix(_ first: Double, _ second: Double) -> Double { first + share * (second - first) }
    switch (self, other) {
    case (.number(let a), .number(let b)): return .number(mix(a, b))
    case (.color(let a), .color(let b)): return .color(a.mixed(with: b, share, in: space))
    case (.padding(let a), .padding(let b)) where a.count == b.count:
      return .padding(zip(a, b).map { mix($0, $1) })
    case (.numbers(let a), .numbers(let b)) where a.count == b.count:
      return .numbers(zip(a, b).map { mix($0, $1) })
    case (.colors(let a), .colors(let b)):
      guard a.count == b.count else {
        throw StyleFault(
          "colorArray: Arrays have mismatched length (\(a.count) vs. \(b.count)), cannot interpolate.")
      }
      return .colors(zip(a, b).map { $0.mixed(with: $1, share, in: space) })
    case (.array(let a), .array(let b)) where a.count == b.count:
      var values: [StyleValue] = []
      for (first, second) in zip(a, b) { values.append(try first.mixed(with: second, share, in: space)) }
      return .array(values)
    case (.anchorOffsets(let a), .anchorOffsets(let b)):
      guard a.count == b.count else {
        throw StyleFault(
          "Cannot interpolate values of different length. from: \(StyleText.json(self)), to: \(StyleText.json(other))"
        )
      }
      var offsets: [AnchorOffset] = []
      for (index, (first, second)) in zip(a, b).enumerated() {
        guard first.anchor == second.anchor else {
          throw StyleFault(
            "Cannot interpolate values containing mismatched anchors. from[\(index * 2)]: \(first.anchor), "
              + "to[\(index * 2)]: \(second.anchor)")
        }
        offsets.append(
          AnchorOffset(anchor: first.anchor, x: mix(first.x, second.x), y: mix(first.y, second.y)))
      }
      return .anchorOffsets(offsets)
    case (.projection(let a), .projection(let b)):
      return .projection(StyleProjection(from: a.from, to: b.to, transition: share))
    default: throw StyleFault("Cannot interpolate \(type) and \(other.type).")
    }
  }
}

/// Why a value could not be computed, without the place in the expression.
struct StyleFault: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
