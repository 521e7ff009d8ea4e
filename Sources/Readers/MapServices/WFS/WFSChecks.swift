import MapFeatures
import MapGeometry

/// Checks of the first features of a Web Feature Service.
enum WFSChecks {
  /// Checks that the first features lie where the service says, and not at the places with exchanged coordinates.
  ///
  /// - Throws: ``ServiceError`` for a service that orders its axes otherwise than it states.
  static func order(
    of table: FeatureColumns, _ reference: OGCReference, _ bounds: [Double]?, at url: String
  ) throws(ServiceError) {
    guard reference.spatialReference == .wgs84, table.geometry != nil,
      case let extent = InMemorySource(table).extent, !extent.isEmpty
    else { return }
    let world = [-180.0, -90, 180, 90]
    // Stated extents are rounded.
    func lies(_ box: [Double], in bounds: [Double]) -> Bool {
      let (wide, high) = (0.01 * (bounds[2] - bounds[0]) + 0.01, 0.01 * (bounds[3] - bounds[1]) + 0.01)
      return box[0] >= bounds[0] - wide && box[1] >= bounds[1] - high && box[2] <= bounds[2] + wide
        && box[3] <= bounds[3] + high
    }
    let asRead = [extent.xMin, extent.yMin, extent.xMax, extent.yMax]
    let exchanged = [extent.yMin, extent.xMin, extent.yMax, extent.xMax]
    let isWrong = [bounds, world].compactMap { $0 }.contains {
      !lies(asRead, in: $0) && lies(exchanged, in: $0)
    }
    guard !isWrong else {
      throw ServiceError(
        "orders the axes otherwise than it states: with north and east exchanged, its features lie in the extent that "
          + "it states; add srsName=EPSG:3857 to the address, which has one order, or another form, such as "
          + "srsName=EPSG:4326", at: url)
    }
    guard lies(asRead, in: [-540, -90, 540, 90]) else {
      throw ServiceError("sends coordinates that are no longitudes and latitudes", at: url)
    }
  }

  /// Returns whether the service finds one of its own features in a box around it.
  ///
  /// A service that takes the axes in another order would send too few features without any sign of it.
  static func findsFeatures(
    of table: FeatureColumns, _ requests: WFSRequests, _ client: ServiceClient
  ) async throws(ServiceError) -> Bool {
    guard let geometry = table.geometry, let row = geometry.rowFarthestFromDiagonal else { return false }
    let box = requests.box(geometry.envelope(ofRow: row))
    let request = requests.features([("bbox", box.parameter)], count: 1)
    do {
      let response = try await client.response(to: request.asking(for: requests.form.types))
      return try !requests.page(response).features.isEmpty
    } catch {
      guard error.kind == .answer else { throw error }
      return false
    }
  }
}

extension CoordinateBuffer {
  /// The row that is farthest from the places where x is y, so that its place with exchanged axes is another one.
  fileprivate var rowFarthestFromDiagonal: Int? {
    var (found, distance): (Int?, Double) = (nil, -1)
    for row in 0..<min(rowCount, 10_000) where !isEmpty(row: row) {
      let box = envelope(ofRow: row)
      let own = abs(box.xMin + box.xMax - box.yMin - box.yMax)
      if own > distance { (found, distance) = (row, own) }
    }
    return found
  }
}
