package import MapGeometry

/// The vector tiles of streets over which a basemap draws its style.
package struct StreetTiles: Hashable, Sendable {
  /// The least zoom at which the tiles are drawn; below it, the bundled basemap is drawn alone.
  ///
  /// - Source: design decision; the bundled coast is as fine there as that of tiles, which have few roads yet.
  package static let leastZoom = 6

  /// The archive, folder, template or address, as written.
  package let place: String
  /// The language of the names, such as `fi`; nil for the names in use at a place.
  package let language: String?

  /// Creates the tiles at a place.
  package init(place: String, language: String? = nil) {
    (self.place, self.language) = (place, language)
  }
}

/// The opened vector tiles of streets of a basemap.
package struct OpenedStreets: Sendable {
  /// The path or address, without secrets.
  package let name: String
  /// The extent in Web Mercator.
  package let extent: Envelope

  /// Creates tiles with an extent.
  package init(name: String, extent: Envelope) { (self.name, self.extent) = (name, extent) }

  /// Returns whether the tiles are drawn at a scale denominator.
  package func areDrawn(atScale scale: Double) -> Bool {
    scale <= Viewpoint.scale(ofZoom: Double(StreetTiles.leastZoom))
  }

  /// Returns the part of a view that the tiles cover; some, if the view's spatial reference is not built in.
  package func cover(of view: Envelope) -> Cover {
    guard let parts = view.projected(to: .webMercator)?.splitAtAntimeridian() else { return .some }
    if parts.allSatisfy({ extent.contains($0) }) { return .all }
    return parts.contains { extent.meets($0) } ? .some : .none
  }

  /// A part of a view.
  package enum Cover: Hashable, Sendable {
    case none, some, all
  }
}
