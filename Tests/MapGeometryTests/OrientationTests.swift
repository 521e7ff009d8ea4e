import MapGeometry
import Testing

@Suite struct OrientationTests {
  /// Source: Cases/make_cases.py, in rational arithmetic.
  @Test("Orientation signs equal those in exact rational arithmetic")
  func exact() throws {
    let cases = try CaseFile.rows(of: "orientation")
    #expect(cases.count == 2786)
    var zeros = 0
    for row in cases {
      let expected = try #require(Int(row[0]))
      let v = row.dropFirst().map { Double($0) ?? .nan }
      zeros += expected == 0 ? 1 : 0
      #expect(orientation(v[0], v[1], v[2], v[3], v[4], v[5]) == expected, "\(row)")
      // A cyclic shift of the points keeps the sign, and exchanging two reverses it.
      #expect(orientation(v[2], v[3], v[4], v[5], v[0], v[1]) == expected, "\(row)")
      #expect(orientation(v[2], v[3], v[0], v[1], v[4], v[5]) == -expected, "\(row)")
    }
    #expect(zeros > 200)
  }

  @Test("A coordinate that is not finite has orientation 0", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(_ value: Double) {
    #expect(orientation(0, 0, 1, 1, value, 0) == 0)
  }
}
