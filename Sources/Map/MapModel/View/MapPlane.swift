package import MapFeatures
package import MapGeometry

/// The plane in which a map is drawn: its spatial reference, the scale of its unit, and the projections to it.
package struct MapPlane: Sendable {
  /// The spatial reference of centres, extents and positions on the map.
  package let reference: SpatialReference
  /// The scale denominator at one unit of the spatial reference per view pixel.
  ///
  /// - Source: Esri's tiling schemes: 96 pixels per inch. In a plane, a metre has 39.37 inches. A degree is
  ///   111,319.49079327358 m with an inch of 0.0254 m. The two differ by 2e-6.
  package let scalePerResolution: Double
  /// The projections to the plane.
  package let operations: SpatialOperations

  /// The plane of Web Mercator.
  package static let webMercator = MapPlane(
    reference: .webMercator, scalePerResolution: ResolvedViewpoint.scalePerResolution, operations: .builtIn)

  private init(reference: SpatialReference, scalePerResolution: Double, operations: SpatialOperations) {
    (self.reference, self.scalePerResolution, self.operations) = (reference, scalePerResolution, operations)
  }

  /// Creates the plane of a spatial reference to which positions can be projected.
  ///
  /// - Throws: `MappingError.impossibleReference` if it is unknown, and `MappingError.missingLibrary` if it
  ///   needs a library that is not installed.
  package init(_ reference: SpatialReference, operations: SpatialOperations) throws(MappingError) {
    do {
      var (x, y) = ([Double](), [Double]())
      try operations.project(x: &x, y: &y, from: .wgs84, to: reference)
    } catch {
      let reason = "a map cannot be drawn in EPSG:\(reference.wkid): \(error)"
      throw error.isMissingLibrary ? .missingLibrary(reason) : .impossibleReference(reason)
    }
    let scale: Double
    switch operations.unit(of: reference) {
    case .linear(let unit): scale = unit.meters * ResolvedViewpoint.scalePerResolution
    case .angular(let unit): scale = unit.degrees * 111_319.49079327358 * 96 / 0.0254
    case nil:
      throw .impossibleReference(
        "a map cannot be drawn in EPSG:\(reference.wkid): it does not have two axes with a known unit")
    }
    self.init(reference: reference, scalePerResolution: scale, operations: operations)
  }

  /// The default extent: the world, or the area of use of the spatial reference.
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

  /// Projects a point of any spatial reference to the plane; nil when it has no position there.
  ///
  /// A point without a spatial reference is on the plane already.
  package func place(_ point: Point) -> Point? {
    let source = point.spatialReference ?? reference
    guard
      let box = try? operations.box(around: point.extent.with(spatialReference: source), in: reference),
      !box.isEmpty, box.xMin.isFinite, box.yMin.isFinite
    else { return nil }
    return box.center
  }

  /// Returns a box on the plane that contains an envelope of any spatial reference.
  ///
  /// Beyond the latitudes of Web Mercator the box is cut to the world square.
  ///
  /// - Throws: `MappingError.impossibleView` or `MappingError.missingLibrary`, with `what` as the name of the
  ///   envelope.
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
      let reason = "\(what): \(error)"
      throw error.isMissingLibrary ? .missingLibrary(reason) : .impossibleView(reason)
    }
    guard !box.isEmpty else {
      throw .impossibleView("\(what) cannot be projected from EPSG:\(source.wkid) to EPSG:\(reference.wkid)")
    }
    // xmin above xmax crosses the antimeridian.
    let east = box.xMax < box.xMin ? box.xMax + (Envelope.worldWidth(of: reference) ?? 0) : box.xMax
    // Web Mercator cannot show the poles: the view ends at the world square.
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

  /// The largest distance from the origin that a view can show, in units of the spatial reference.
  private var farthestPlace: Double {
    ResolvedViewpoint.farthestPlace * ResolvedViewpoint.scalePerResolution / scalePerResolution
  }
}
