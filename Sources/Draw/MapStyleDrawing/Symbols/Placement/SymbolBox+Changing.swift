import MapDrawing

extension SymbolBox {
  init(_ box: LabelBox) { self.init(left: box.xMin, top: box.yMin, right: box.xMax, bottom: box.yMax) }

  /// Returns the rectangle with its sides moved outwards: top, right, bottom and left.
  func grown(by padding: SIMD4<Double>) -> SymbolBox {
    SymbolBox(
      left: left - padding.w, top: top - padding.x, right: right + padding.y, bottom: bottom + padding.z)
  }

  /// Returns the rectangle around this one after a clockwise rotation about the anchor point.
  func rotated(by degrees: Double) -> SymbolBox {
    guard degrees != 0 else { return self }
    let rotation = SymbolRotation(degrees)
    var box = SymbolBox(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
    for (x, y) in [(left, top), (right, top), (right, bottom), (left, bottom)] {
      let corner = rotation.applied(x, y)
      box.left = min(box.left, corner.x)
      box.top = min(box.top, corner.y)
      box.right = max(box.right, corner.x)
      box.bottom = max(box.bottom, corner.y)
    }
    return box
  }

  func contains(_ x: Double, _ y: Double) -> Bool { x > left && x < right && y > top && y < bottom }

  func union(_ other: SymbolBox) -> SymbolBox {
    SymbolBox(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }
}
