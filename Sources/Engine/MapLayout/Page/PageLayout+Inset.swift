public import MapGeometry

extension PageLayout {
  /// A small map of another area, in a corner of the map.
  public struct Inset: Hashable, Sendable, CustomStringConvertible {
    /// The area that an inset shows.
    public enum Place: Hashable, Sendable {
      /// An extent.
      case bounds(Envelope)
      /// A bookmark, a layer, or the features with a text, by name.
      case named(String)
    }

    /// The area to show.
    public var place: Place
    /// The corner of the map; nil for a free one.
    public var corner: LegendPosition?
    /// The extent on the plane of the map; nil before it is known.
    package var extent: Envelope?

    /// Creates an inset.
    ///
    /// - Parameter corner: A corner of the map; nil for a free one, from the lower left on.
    public init(_ place: Place, corner: LegendPosition? = nil) {
      (self.place, self.corner) = (place, corner)
    }

    /// The area and the corner, as the option `--inset` takes them.
    public var description: String {
      let area =
        switch place {
        case .bounds(let box):
          [box.xMin, box.yMin, box.xMax, box.yMax].map { "\($0)" }.joined(separator: ",")
            + (box.spatialReference == .wgs84 ? "" : ",\((box.spatialReference ?? .wgs84).wkid)")
        case .named(let name): name
        }
      return area + (corner.map { ":\($0.rawValue)" } ?? "")
    }
  }
}
