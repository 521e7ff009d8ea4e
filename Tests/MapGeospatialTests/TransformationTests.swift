import MapFeatures
import MapGeometry
import MapGeospatial
import Testing

@Suite struct TransformationTests {
  struct Place {
    let code: Int, longitude: Double, latitude: Double, easting: Double, northing: Double
  }

  /// The output of PROJ's own program (make_cases.py).
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

  /// Web Mercator uses the built-in formula and the others PROJ: exact to a micrometre, and back to the
  /// start.
  @Test(
    "Projected positions equal those of cs2cs and project back", arguments: [3857, 25832, 27700, 2056, 32633])
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
      // The grids of Great Britain and Switzerland have their own datums: PROJ's round trip is off by up to 2
      // mm, as is that of cs2cs.
      let bound = [27700, 2056].contains(code) ? 3e-8 : 1e-11
      #expect(abs(x[index] - place.longitude) < bound, "\(place)")
      #expect(abs(y[index] - place.latitude) < bound, "\(place)")
    }
  }

  @Test("Positions that cannot be projected become non-finite")
  func placesWithoutImageAreNotFinite() throws {
    var (x, y) = ([9.0, .nan, 9], [50.0, 50, 95])
    try SpatialOperations.libraries.project(x: &x, y: &y, from: .wgs84, to: SpatialReference(wkid: 25832))
    #expect(x[0].isFinite)
    #expect(y[0].isFinite)
    #expect(!(x[1].isFinite && y[1].isFinite))
    #expect(!(x[2].isFinite && y[2].isFinite))
  }

  @Test("An unknown spatial reference code is refused", arguments: [0, -1, 999_999, 7030])
  func unknownCodesAreRefused(_ code: Int) {
    #expect(throws: SpatialOperationError.self) {
      var (x, y) = ([9.0], [50.0])
      try SpatialOperations.libraries.project(x: &x, y: &y, from: SpatialReference(wkid: code), to: .wgs84)
    }
  }

  @Test(
    "A spatial reference without positions on a map is refused with the reason; heights beside them are allowed",
    arguments: [
      (4978, "WKID 4978 is geocentric"), (4936, "WKID 4936 is geocentric"),
      (5703, "WKID 5703 has only heights"), (115_700, "WKID 115700 has only heights"),
      (999_999, "WKID 999999 is not a spatial reference known to PROJ"), (4979, nil), (7405, nil),
      (25832, nil), (4258, nil),
    ] as [(Int, String?)])
  func refusals(wkid: Int, reason: String?) {
    var description: String?
    do { try SpatialOperations.libraries.check(SpatialReference(wkid: wkid)) } catch {
      description = error.description
    }
    #expect(description.map { $0.prefix(reason?.count ?? 0) } == reason.map { $0[...] })
  }

  /// The code for Africa Albers equal area is Esri's and not EPSG's.
  @Test("Esri's spatial reference codes are known")
  func esriCodesAreKnown() throws {
    #expect(SpatialOperations.libraries.knows(SpatialReference(wkid: 102022)))
  }

  @Test("A projection that needs PROJ is an error that names it")
  func withoutLibraryTheErrorNamesIt() throws {
    let error = try #require(throws: SpatialOperationError.self) {
      var (x, y) = ([9.0], [50.0])
      try SpatialOperations.builtIn.project(x: &x, y: &y, from: .wgs84, to: SpatialReference(wkid: 25832))
    }
    #expect(error.description.hasPrefix("EPSG:25832 needs PROJ"))
  }
}
