import MapGeometry
import MapTestSupport
import Testing

@Suite struct WebMercatorTests {
  /// Source: PROJ 9.5.1, Cases/make_web_mercator.py.
  @Test("Forward and inverse Web Mercator equal PROJ's")
  func proj() throws {
    let cases = try CaseFile.rows(of: "web_mercator")
    #expect(cases.count == 265)
    for row in cases {
      let v = row.map { Double($0) ?? .nan }
      let (x, y) = (WebMercator.x(longitude: v[0]), WebMercator.y(latitude: v[1]))
      #expect(abs(x - v[2]) < 1e-7, "\(row)")
      #expect(abs(y - v[3]) < 1e-7, "\(row)")
      // 1e-12 of a degree is a tenth of a micrometre on the ground.
      #expect(abs(WebMercator.longitude(x: v[2]) - v[0]) < 1e-12, "\(row)")
      #expect(abs(WebMercator.latitude(y: v[3]) - v[1]) < 1e-12, "\(row)")
    }
  }

  @Test("The world's corners project exactly in x and within rounding in y")
  func corners() {
    #expect(WebMercator.x(longitude: 180) == WebMercator.halfWorld)
    #expect(WebMercator.x(longitude: -180) == -WebMercator.halfWorld)
    #expect(WebMercator.longitude(x: WebMercator.halfWorld) == 180)
    #expect(abs(WebMercator.latitude(y: WebMercator.halfWorld) - WebMercator.latitudeLimit) < 2e-14)
    #expect(WebMercator.y(latitude: 0) == 0)
    #expect(WebMercator.latitude(y: 0) == 0)
  }
}
