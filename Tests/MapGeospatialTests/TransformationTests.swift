import MapFeatures
import MapGeometry
import MapGeospatial
import Testing

@Suite struct TransformationTests {
  struct Place {
    let code: Int, longitude: Double, latitude: Double, easting: Double, northing: Double
  }

  /// The table that PROJ's own program gave (make_cases.py).
  private static func places() throws -> [Place] {
    let lines = String(decoding: try Fixture.bytes("cs2cs.tsv"), as: UTF8.self).split(separator: "\n")
    return lines.dropFirst(3).compactMap { line in
      let cells = line.split(separator: "\t").compactMap { Double($0) }
      return cells.count == 5
        ? Place(
          code: Int(cells[0]), longitude: cells[1], latitude: cells[2], easting: cells[3], northing: cells[4])
        : nil
    }
  }

  /// Web Mercator by our own formula, the rest by PROJ: a micrometre there, and back to where it was.
  @Test(arguments: [3857, 25832, 27700, 2056, 32633])
  func agreesWithCs2cs(_ code: Int) throws {
    let places = try Self.places().filter { $0.code == code }
    #expect(places.count == 200)
    let reference = SpatialReference(wkid: code)
    var (x, y) = (places.map(\.longitude), places.map(\.latitude))
    try SpatialOperations.libraries.project(x: &x, y: &y, from: .wgs84, to: reference)
    for (index, place) in places.enumerated() {
      #expect(abs(x[index] - place.easting) < 1e-6, "\(place)")
      #expect(abs(y[index] - place.northing) < 1e-6, "\(place)")
    }
    try SpatialOperations.libraries.project(x: &x, y: &y, from: reference, to: .wgs84)
    for (index, place) in places.enumerated() {
      // The grids of Great Britain and Switzerland lie on datums of their own: there and back PROJ misses by up to 2 mm,
      // cs2cs too.
      let bound = [27700, 2056].contains(code) ? 3e-8 : 1e-11
      #expect(abs(x[index] - place.longitude) < bound, "\(place)")
      #expect(abs(y[index] - place.latitude) < bound, "\(place)")
    }
  }

  @Test func placesWithoutImageAreNotFinite() throws {
    var (x, y) = ([9.0, .nan, 9], [50.0, 50, 95])
    try SpatialOperations.libraries.project(x: &x, y: &y, from: .wgs84, to: SpatialReference(wkid: 25832))
    #expect(x[0].isFinite && y[0].isFinite)
    #expect(!(x[1].isFinite && y[1].isFinite))
    #expect(!(x[2].isFinite && y[2].isFinite))
  }

  @Test(arguments: [0, -1, 999_999, 7030])
  func unknownCodesAreRefused(_ code: Int) {
    #expect(throws: SpatialOperationError.self) {
      var (x, y) = ([9.0], [50.0])
      try SpatialOperations.libraries.project(x: &x, y: &y, from: SpatialReference(wkid: code), to: .wgs84)
    }
  }

  /// EPSG has no such number, Esri has: Africa Albers equal area.
  @Test func esriCodesAreKnown() throws {
    #expect(SpatialOperations.libraries.knows(SpatialReference(wkid: 102022)))
  }

  @Test func withoutLibraryTheErrorNamesIt() throws {
    let error = try #require(throws: SpatialOperationError.self) {
      var (x, y) = ([9.0], [50.0])
      try SpatialOperations.builtIn.project(x: &x, y: &y, from: .wgs84, to: SpatialReference(wkid: 25832))
    }
    #expect(error.description.hasPrefix("EPSG:25832 needs PROJ"))
  }
}
