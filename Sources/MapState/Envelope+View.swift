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
    let steps = (0...32).map { Double($0) / 32 }
    var (x, y) = ([Double](), [Double]())
    for down in steps {
      for along in steps {
        x.append(xMin + (xMax - xMin) * along)
        y.append(yMin + (yMax - yMin) * down)
      }
    }
    do {
      try SpatialOperations.installed.project(x: &x, y: &y, from: spatialReference, to: .wgs84)
    } catch {
      throw MapError(error, kind: .usage)
    }
    // The middle tells which of the ways around the world is meant.
    let middle = x[x.count / 2]
    let places = zip(x, y).compactMap { x, y in
      x.isFinite && y.isFinite && middle.isFinite
        ? Point(x: x - ((x - middle) / 360).rounded() * 360, y: y) : nil
    }
    let box = Envelope(of: places, spatialReference: .wgs84)
    guard !box.isEmpty else {
      throw MapError(.usage, "the bounding geometry in EPSG:\(spatialReference.wkid) has no image in WGS 84")
    }
    return box
  }
}
