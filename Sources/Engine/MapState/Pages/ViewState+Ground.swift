import Glibc
import MapBasemap
import MapFeatures
import MapGeometry
import MapGeometryEngine
package import MapLayout
package import MapModel
import MapVector

extension ViewState {
  /// The distances and directions on the ground around the centre of the view.
  package var ground: PageGround {
    let projection = GroundProjection(self)
    let steps = [-0.5, -0.25, 0, 0.25, 0.5]
    let span = min(width, height) / 50
    let center = projection.length(x: 0, y: 0, right: span, down: 0)
    var (variation, turns): (Double, [Double]) = (0, [])
    let north = projection.north(x: 0, y: 0)
    for row in steps {
      for column in steps {
        let (x, y) = (column * width, row * height)
        for (right, down) in [(span, 0.0), (0.0, span)] {
          guard let center, center > 0,
            let length = projection.length(x: x, y: y, right: right, down: down)
          else { continue }
          variation = max(variation, abs(length / center - 1))
        }
        if let north, let there = projection.north(x: x, y: y) {
          turns.append(abs((there - north).remainder(dividingBy: 360)))
        }
      }
    }
    return PageGround(
      meters: { projection.length(x: 0, y: 0, right: $0, down: 0) }, variation: variation, north: north,
      northVariation: turns.max(),
      degrees: drawsGraticule
        ? FrameDegrees(spacing: Graticule.spacing(atScale: viewpoint.scale)) {
          projection.checkedPlace(x: $0, y: $1)
        } : nil)
  }

  /// Whether the bundled basemap has meridians and parallels.
  var drawsGraticule: Bool {
    let layers = (basemap?.layers ?? []) + (basemap?.baseLayers ?? [])
    return layers.contains { $0.id == BundledBasemap.graticuleID }
  }
}

extension ViewState {
  /// The ground in the view as text, such as `24.5° N to 49.4° N, 124.8° W to 66.9° W`; empty if it is unknown.
  ///
  /// - Error: from points at most an eighth of the view apart.
  var groundExtent: String {
    let projection = GroundProjection(self)
    guard let center = projection.place(x: 0, y: 0) else { return "" }
    var (south, north, west, east) = (center.latitude, center.latitude, 0.0, 0.0)
    for row in -4...4 {
      for column in -4...4 {
        guard
          let place = projection.place(x: Double(column) / 8 * width, y: Double(row) / 8 * height)
        else { continue }
        (south, north) = (min(south, place.latitude), max(north, place.latitude))
        let turn = (place.longitude - center.longitude).remainder(dividingBy: 360)
        (west, east) = (min(west, turn), max(east, turn))
      }
    }
    // Fewer digits describe a larger ground.
    let span = max(north - south, (east - west) / 2)
    let digits = span > 5 ? 1 : span > 0.5 ? 2 : span > 0.05 ? 3 : 4
    func degrees(_ value: Double, _ names: (String, String)) -> String {
      var power = 1
      for _ in 0..<digits { power *= 10 }
      let scaled = Int(clamping: (abs(value) * Double(power)).rounded())
      let rest = "\(scaled % power)"
      let fraction = String(repeating: "0", count: digits - rest.count) + rest
      return "\(scaled / power).\(fraction)° \(value < 0 && scaled > 0 ? names.1 : names.0)"
    }
    func longitude(_ turn: Double) -> String {
      degrees((center.longitude + turn).remainder(dividingBy: 360), ("E", "W"))
    }
    let latitudes = "\(degrees(south, ("N", "S"))) to \(degrees(north, ("N", "S")))"
    guard east - west < 300 else { return "\(latitudes), all longitudes" }
    return "\(latitudes), \(longitude(west)) to \(longitude(east))"
  }
}

extension ViewState {
  /// The corners of the map on the ground; nil unless all are known, and for a spatial reference without an EPSG code.
  var groundOfPDF: PDFGround? {
    let reference = viewpoint.reference
    // Codes of Esri are above those of EPSG.
    guard (1...32_767).contains(reference.wkid) else { return nil }
    let projection = GroundProjection(self)
    let corners = [(-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5), (0.5, 0.5)].compactMap {
      projection.place(x: $0.0 * width, y: $0.1 * height).map {
        PDFGround.Corner(latitude: $0.latitude, longitude: $0.longitude)
      }
    }
    guard corners.count == 4 else { return nil }
    return PDFGround(corners: corners, code: reference.wkid, isGeographic: reference.isGeographic)
  }
}

extension ResolvedViewpoint {
  /// The direction of north at the centre, clockwise from the top of the image in degrees; nil for none.
  package var north: Double? { GroundProjection(self).north(x: 0, y: 0) }
}

/// The positions on the ground of points of a view.
struct GroundProjection: Sendable {
  let viewpoint: ResolvedViewpoint
  let operations: SpatialOperations

  init(_ view: ViewState) { self.init(view.viewpoint) }

  fileprivate init(_ viewpoint: ResolvedViewpoint) {
    self.viewpoint = viewpoint
    operations = .installed
  }

  /// Returns the position of a point by its distance from the centre in view pixels, right and down.
  func place(x: Double, y: Double) -> (latitude: Double, longitude: Double)? {
    let offset = viewpoint.turned(x: x * viewpoint.resolution, y: -y * viewpoint.resolution)
    var xs = [viewpoint.center.x + offset.x]
    var ys = [viewpoint.center.y + offset.y]
    guard (try? operations.project(x: &xs, y: &ys, from: viewpoint.reference, to: .wgs84)) != nil,
      xs[0].isFinite, ys[0].isFinite, abs(ys[0]) <= 90
    else { return nil }
    return (ys[0], xs[0])
  }

  /// Returns the position of a point that the projection shows there; nil for a point beside the ground.
  func checkedPlace(x: Double, y: Double) -> (latitude: Double, longitude: Double)? {
    guard let place = place(x: x, y: y) else { return nil }
    guard !viewpoint.reference.isBuiltIn else { return place }
    let offset = viewpoint.turned(x: x * viewpoint.resolution, y: -y * viewpoint.resolution)
    var (xs, ys) = ([place.longitude], [place.latitude])
    guard (try? operations.project(x: &xs, y: &ys, from: .wgs84, to: viewpoint.reference)) != nil,
      abs(xs[0] - viewpoint.center.x - offset.x) < viewpoint.resolution,
      abs(ys[0] - viewpoint.center.y - offset.y) < viewpoint.resolution
    else { return nil }
    return place
  }

  /// Returns the length in metres of a line with its middle at a point.
  func length(x: Double, y: Double, right: Double, down: Double) -> Double? {
    guard let start = place(x: x - right / 2, y: y - down / 2),
      let end = place(x: x + right / 2, y: y + down / 2)
    else { return nil }
    return Geodesic.distance(from: start, to: end)
  }

  /// Returns the direction of north at a point, clockwise from the top of the image in degrees.
  func north(x: Double, y: Double) -> Double? {
    guard let place = place(x: x, y: y), abs(place.latitude) < 89.99 else { return nil }
    let step = 1e-4
    var xs = [place.longitude, place.longitude]
    var ys = [place.latitude - step, place.latitude + step]
    guard (try? operations.project(x: &xs, y: &ys, from: .wgs84, to: viewpoint.reference)) != nil else {
      return nil
    }
    let (east, up) = (xs[1] - xs[0], ys[1] - ys[0])
    guard east.isFinite, up.isFinite, east != 0 || up != 0 else { return nil }
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(viewpoint.rotation)
    return atan2(east * cosine - up * sine, east * sine + up * cosine) * 180 / .pi
  }
}
