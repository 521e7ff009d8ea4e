import MapFeatures
import MapGeometry

extension Envelope {
  /// An envelope that a view can show: in WGS 84 or Web Mercator as it is, in another reference the smallest one in
  /// WGS 84 that holds its ground.
  ///
  /// - Error: the ground is probed at 33 by 33 places; between them it may reach out a little farther.
  /// - Throws: ``MapError`` of kind usage for a reference that is not known, or an envelope that has no image.
  func shown() throws(MapError) -> Envelope {
    guard let spatialReference, !spatialReference.isBuiltIn else { return self }
    let box: Envelope
    do { box = try SpatialOperations.installed.box(around: self, in: .wgs84) } catch {
      throw MapError(error, kind: .usage)
    }
    guard !box.isEmpty else {
      throw MapError(.usage, "the bounding geometry in EPSG:\(spatialReference.wkid) has no image in WGS 84")
    }
    return box
  }
}
