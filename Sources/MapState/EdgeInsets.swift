/// What of a view something else covers along its sides, in view pixels (1/96 inch).
public struct EdgeInsets: Hashable, Sendable {
  /// From above.
  public var top: Double
  /// From the left.
  public var leading: Double
  /// From below.
  public var bottom: Double
  /// From the right.
  public var trailing: Double

  /// Lengths along the sides.
  public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
    (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
  }

  /// These on a view of a size; none where they are no lengths or leave nothing.
  func inForce(width: Double, height: Double) -> EdgeInsets {
    let isSound = [top, leading, bottom, trailing].allSatisfy { $0 >= 0 && $0.isFinite }
    return isSound && leading + trailing < width && top + bottom < height ? self : EdgeInsets()
  }

  /// From the middle of the view to the middle of what they leave.
  var middle: (right: Double, down: Double) { ((leading - trailing) / 2, (top - bottom) / 2) }
}

extension MapView {
  /// What something else covers along the sides of the view.
  ///
  /// The picture stays whole. What is in sight is the rest: ``visibleArea`` and the viewpoint are of it, and what the view
  /// is asked to show goes to its middle. Insets that leave nothing are none.
  ///
  /// - Source: ArcGIS Maps SDK; ours: the map stays where it is when they change.
  public var contentInsets: EdgeInsets {
    get { settings.snapshot.insets }
    set { settings.update { $0.insets = newValue } }
  }
}
