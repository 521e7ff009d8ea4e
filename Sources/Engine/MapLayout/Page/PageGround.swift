/// The distances and directions on the ground that a scale bar and a north arrow need.
package struct PageGround: Sendable {
  /// Returns the length in metres of the geodesic between two points of the map, which lie on a horizontal line on both
  /// sides of its centre, at a distance in view pixels; nil if they have no position on the ground.
  let meters: @Sendable (Double) -> Double?
  /// The largest deviation of the scale at the edges of the map from the scale at its centre, relative to it.
  let variation: Double?
  /// The direction of north at the centre of the map, clockwise from the top of the image in degrees; nil for none.
  let north: Double?
  /// The largest deviation of north at the edges of the map, in degrees.
  let northVariation: Double?
  /// The degrees along the frame; nil without meridians and parallels on the map.
  let degrees: FrameDegrees?

  package init(
    meters: @escaping @Sendable (Double) -> Double?, variation: Double?, north: Double?,
    northVariation: Double?, degrees: FrameDegrees? = nil
  ) {
    (self.meters, self.variation, self.north) = (meters, variation, north)
    (self.northVariation, self.degrees) = (northVariation, degrees)
  }
}
