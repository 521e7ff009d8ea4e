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

      /// The area, as the option `--inset` takes it.
      var text: String {
        switch self {
        case .bounds(let box):
          [box.xMin, box.yMin, box.xMax, box.yMax].map { "\($0)" }.joined(separator: ",")
            + (box.spatialReference == .wgs84 ? "" : ",\((box.spatialReference ?? .wgs84).wkid)")
        case .named(let name): name
        }
      }
    }

    /// The area to show.
    public var place: Place
    /// The spatial reference of the inset's map; nil for that of the map.
    public var reference: SpatialReference?
    /// The corner of the map; nil for a free one.
    public var corner: LegendPosition?
    /// The extent on the plane of the inset's map; nil before it is known.
    package var extent: Envelope?
    /// The direction of north at the centre, clockwise from up in degrees; nil with a spatial reference of its own, without
    /// a direction, and before it is known.
    package var north: Double?

    /// Creates an inset.
    ///
    /// - Parameters:
    ///   - reference: The spatial reference of the inset's map; nil for that of the map.
    ///   - corner: A corner of the map; nil for a free one, from the lower left on.
    public init(_ place: Place, reference: SpatialReference? = nil, corner: LegendPosition? = nil) {
      (self.place, self.reference, self.corner) = (place, reference, corner)
    }

    /// The area, the spatial reference and the corner, as the option `--inset` takes them.
    public var description: String {
      place.text + (reference.map { "@\($0.wkid)" } ?? "") + (corner.map { ":\($0.rawValue)" } ?? "")
    }
  }
}
