package import MapFeatures
package import MapGeometry

/// The plane that a map is drawn in: a reference, how long its unit is, and what brings places to it.
package struct MapPlane: Sendable {
  /// The reference of centres, extents and places on the map.
  package let reference: SpatialReference
  /// The N of 1:N for one unit of the reference a view pixel.
  ///
  /// - Source: Esri's tiling schemes: 96 pixels an inch, and 39.37 inches a metre in a plane; a degree is
  ///   111,319.49079327358 m and an inch 0.0254 m. The two differ by 2e-6.
  package let scalePerResolution: Double
  let operations: SpatialOperations

  /// The plane of Web Mercator.
  package static let webMercator = MapPlane(
    reference: .webMercator, scalePerResolution: ResolvedViewpoint.scalePerResolution, operations: .builtIn)

  private init(reference: SpatialReference, scalePerResolution: Double, operations: SpatialOperations) {
    (self.reference, self.scalePerResolution, self.operations) = (reference, scalePerResolution, operations)
  }

  /// The plane of any reference that places can be brought to.
  ///
  /// - Throws: ``MappingError/impossibleReference(_:)`` for one that is not known, or needs a library that is not there.
  package init(_ reference: SpatialReference, operations: SpatialOperations) throws(MappingError) {
    do {
      var (x, y) = ([Double](), [Double]())
      try operations.project(x: &x, y: &y, from: .wgs84, to: reference)
    } catch {
      throw .impossibleReference("a map cannot be drawn in EPSG:\(reference.wkid): \(error)")
    }
    let scale: Double
    switch operations.unit(of: reference) {
    case .linear(let unit): scale = unit.meters * ResolvedViewpoint.scalePerResolution
    case .angular(let unit): scale = unit.degrees * 111_319.49079327358 * 96 / 0.0254
    case nil:
      throw .impossibleReference(
        "a map cannot be drawn in EPSG:\(reference.wkid): it is no plane with one unit")
    }
    self.init(reference: reference, scalePerResolution: scale, operations: operations)
  }

  /// What is shown where nothing else says what: the world, or where the reference is meant for.
  package var world: Envelope {
    let half = WebMercator.halfWorld
    switch reference {
    case .webMercator:
      return Envelope(xMin: -half, yMin: -half, xMax: half, yMax: half, spatialReference: reference)
    case .wgs84:
      return Envelope(xMin: -180, yMin: -90, xMax: 180, yMax: 90, spatialReference: reference)
    default:
      if let area = operations.areaOfUse(of: reference),
        let box = try? operations.box(around: area, in: reference),
        !box.isEmpty
      {
        return box
      }
      let reach = half * ResolvedViewpoint.scalePerResolution / scalePerResolution
      return Envelope(xMin: -reach, yMin: -reach, xMax: reach, yMax: reach, spatialReference: reference)
    }
  }

  /// A place of any reference on the plane; nil for one without an image.
  ///
  /// One without a reference is on the plane.
  package func place(_ point: Point) -> Point? {
    let source = point.spatialReference ?? reference
    guard
      let box = try? operations.box(around: point.extent.with(spatialReference: source), in: reference),
      !box.isEmpty, box.xMin.isFinite, box.yMin.isFinite
    else { return nil }
    return box.center
  }

  /// An envelope of any reference as one on the plane that holds it; past the poles' limit it is cut to the world.
  ///
  /// - Throws: ``MappingError/impossibleView(_:)``, which calls the envelope `what`.
  package func box(of envelope: Envelope, _ what: String) throws(MappingError) -> Envelope {
    let source = envelope.spatialReference ?? reference
    guard [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax].allSatisfy(\.isFinite) else {
      throw .impossibleView("\(what) has no finite coordinates")
    }
    if source == .wgs84, abs(envelope.yMin) > 90 || abs(envelope.yMax) > 90 {
      throw .impossibleView("\(what) has a latitude beyond 90 degrees")
    }
    var box: Envelope
    do { box = try operations.box(around: envelope.with(spatialReference: source), in: reference) } catch {
      throw .impossibleView("\(what): \(error)")
    }
    guard !box.isEmpty else {
      throw .impossibleView("\(what) in EPSG:\(source.wkid) has no image in EPSG:\(reference.wkid)")
    }
    // xmin above xmax crosses the antimeridian.
    let east = box.xMax < box.xMin ? box.xMax + (Envelope.worldWidth(of: reference) ?? 0) : box.xMax
    // The poles have no image in Web Mercator: the view stops at the world square.
    let limit = reference == .webMercator && source == .wgs84 ? WebMercator.halfWorld : .infinity
    func cut(_ y: Double) -> Double { min(max(y, -limit), limit) }
    let sides = [box.xMin, cut(box.yMin), east, cut(box.yMax)]
    guard sides.allSatisfy({ abs($0) <= farthestPlace }) else {
      throw .impossibleView(
        "\(what) lies more than \(ResolvedViewpoint.plain(ResolvedViewpoint.farthestPlace)) m away, which cannot be "
          + "shown")
    }
    return Envelope(
      xMin: sides[0], yMin: sides[1], xMax: sides[2], yMax: sides[3], spatialReference: reference)
  }

  /// How far from the origin a view can look, in units of the reference.
  private var farthestPlace: Double {
    ResolvedViewpoint.farthestPlace * ResolvedViewpoint.scalePerResolution / scalePerResolution
  }
}
