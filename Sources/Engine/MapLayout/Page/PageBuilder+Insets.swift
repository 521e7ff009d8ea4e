import MapGeometry
import MapModel
import MapSystem

/// Small maps of other areas in the corners of the map.
extension PageBuilder {
  /// The root of an inset's area, relative to the shorter side of the map.
  ///
  /// - Source: design decision.
  private static let insetShare = 0.28
  /// The limits of the width of an inset relative to its height.
  private static let insetShapes = 0.4...2.5
  /// The least side of an inset in view pixels.
  private static let leastInset = 24.0
  /// The largest angle in degrees between north and up that needs no warning.
  ///
  /// - Source: design decision.
  private static let largestRotation = 15.0

  /// Draws the lines around the insets, whose maps are painted below them.
  mutating func addInsets() {
    for inset in layout.insets {
      guard let extent = inset.extent else {
        insets.append(nil)
        continue
      }
      let shape = extent.height > 0 ? extent.width / extent.height : extent.width > 0 ? .infinity : 1
      let root = min(max(shape, Self.insetShapes.lowerBound), Self.insetShapes.upperBound).squareRoot()
      let side = Self.insetShare * min(map.width, map.height)
      let (wide, tall) = ((side * root).rounded(), (side / root).rounded())
      let own: [Corner] =
        switch inset.corner {
        case .topLeft: [.topLeft]
        case .topRight: [.topRight]
        case .bottomLeft: [.bottomLeft]
        case .bottomRight: [.bottomRight]
        default: []
        }
      guard min(wide, tall) >= Self.leastInset,
        let free = place(width: wide, height: tall, own)
          ?? place(width: wide, height: tall, [.bottomLeft, .bottomRight, .topLeft, .topRight])
      else {
        warnings.append("the inset \(inset) is left out: \(shownSize) has no room for it")
        insets.append(nil)
        continue
      }
      // The image of a map begins at a whole pixel.
      let box = Envelope(left: free.xMin.rounded(), top: free.yMin.rounded(), width: wide, height: tall)
      var canvas = canvas("inset")
      canvas.outline(box, tone.hairline)
      layers += canvas.finished
      insets.append(box)
      warnAboutRotation(of: inset)
    }
  }

  /// Warns about an inset in the spatial reference of the map in which north is not about up.
  private mutating func warnAboutRotation(of inset: PageLayout.Inset) {
    guard let north = inset.north, abs(north) > Self.largestRotation else { return }
    warnings.append(
      "the inset \(inset) is rotated: north at its centre is \(Int(clamping: abs(north).rounded())) degrees "
        + "\(north < 0 ? "left" : "right") of up; \(inset.place.text)@REFERENCE draws it in a spatial reference of its own"
    )
  }
}
