import MapFeatures
import MapFilter
import MapGeometry
import MapScript
import MapState
import MapTestSupport
import Testing

/// One list of queries run on one data set in every format and spatial reference must give the same features.
@Suite struct FeatureSourceConformance {
  /// A query, and the fields that a format needs for it.
  struct Question {
    var sql = ""
    var envelope: Envelope?
    var geometry: SpatialCondition?
    var needs: [String] = []
    var except = ""
  }

  private static let files = [
    "geojson", "csv", "gpkg", "fgb", "shp", "25832", "27700",
  ]

  private static func source(_ kind: String, _ file: String) async throws -> (any FeatureSource)? {
    let path =
      switch file {
      case "gpkg": "places.gpkg#\(kind)"
      case "25832", "27700": "\(kind)-\(file).gpkg"
      default: "\(kind).\(file)"
      }
    if file == "25832" || file == "27700", kind == "lines" { return nil }
    return try await MapDocument.open(Fixture.path(path)).layers[0].layer.source
  }

  private static func filters() -> [Question] {
    let common = [
      "number < 100", "name = 'Zürich'", "name LIKE 'Ł%'", "name = 'O''Brien'",
      "name IN ('東京', 'emoji 🗺')", "short > 0", "short BETWEEN -1000 AND 1000", "short IS NOT NULL",
      "whole < -1000000000", "whole IS NULL OR number = 7", "real > 0.5", "real <= -250", "NOT (real > 0)",
      "single = 0.5", "single <> -1.25", "long > 9007199254740000", "long IS NULL", "number + short > 30000",
    ].map { Question(sql: $0) }
    let rarer: [Question] = [
      // A shapefile's table does not distinguish empty text from null.
      Question(sql: "name IS NULL", except: "shp"), Question(sql: "name = ''", except: "shp"),
      Question(sql: "flag = 1", needs: ["flag"]), Question(sql: "flag IS NULL", needs: ["flag"]),
      Question(sql: "moment > TIMESTAMP '2000-01-01 00:00:00'", needs: ["moment"]),
      Question(sql: "moment IS NULL", needs: ["moment"]),
      Question(sql: "day >= DATE '2000-01-01'"), Question(sql: "day IS NULL"),
    ]
    return common + rarer
  }

  private static func places() throws -> [Question] {
    var random = SeededGenerator(seed: 11)
    func number(_ low: Double, _ high: Double) -> Double { .random(in: low...high, using: &random) }
    var questions: [Question] = []
    for index in 0..<30 {
      let (x, y) = (number(5, 12), number(47, 54))
      let (width, height) = (number(0.1, 4), number(0.1, 4))
      let box = Envelope(xMin: x, yMin: y, xMax: x + width, yMax: y + height, spatialReference: .wgs84)
      questions.append(Question(envelope: index % 2 == 0 ? box : box.projected(to: .webMercator)))
      questions.append(Question(sql: "real > 0", envelope: box))
      let utm = Envelope(
        xMin: number(200_000, 600_000), yMin: number(5_300_000, 5_700_000), xMax: number(600_000, 900_000),
        yMax: number(5_700_000, 6_000_000), spatialReference: SpatialReference(wkid: 25832))
      questions.append(Question(envelope: utm))
    }
    for relationship in SpatialRelationship.allCases {
      for _ in 0..<6 {
        let (x, y) = (number(6, 11), number(48, 53))
        let star = (0..<7).map { step in
          let (angle, radius) = (Double(step) * 0.897, number(0.3, 3))
          return Point(x: x + radius * cosine(angle), y: y + radius * sine(angle), spatialReference: .wgs84)
        }
        let pattern = relationship == .relate ? "T*****FF*" : nil
        questions.append(
          Question(geometry: try SpatialCondition(Polygon(points: star), relationship, pattern: pattern)))
        let line = Polyline(points: Array(star.prefix(3)))
        questions.append(Question(geometry: try SpatialCondition(line, relationship, pattern: pattern)))
      }
    }
    return questions
  }

  private static func answer(_ question: Question, of source: any FeatureSource) async throws
    -> [AttributeValue]
  {
    var conditions = QueryConditions()
    conditions.question.whereClause = question.sql
    conditions.question.area = question.envelope.map { .envelope($0) } ?? .everywhere
    conditions.question.geometry = question.geometry
    let query = try conditions.query(for: .query)
    let rows = try await source.whole().rows(query)
    let count = try await source.count(query)
    #expect(rows.count == count)
    let table = try await source.whole().columns()
    let column = try #require(table.schema.index(ofField: "number"))
    return rows.map { table.columns[column].value(at: $0) }
  }

  @Test("Every file format gives the same answers as GeoJSON", arguments: ["points", "lines", "polygons"])
  func sameAnswers(_ kind: String) async throws {
    let questions = try Self.filters() + Self.places()
    #expect(questions.count == 248)
    let reference = try #require(try await Self.source(kind, "geojson"))
    var expected: [[AttributeValue]] = []
    for question in questions { expected.append(try await Self.answer(question, of: reference)) }
    // Most queries match some but not all features, so that a source that returns all or nothing fails.
    #expect(expected.count { !$0.isEmpty && $0.count < 300 } > 120)
    var asked = 0
    for file in Self.files.dropFirst() {
      guard let source = try await Self.source(kind, file) else { continue }
      // GDAL 3.6 writes no feature without a geometry into FlatGeobuf.
      #expect(source.rowCount == (file == "fgb" ? 282 : 300), "\(file)")
      let present = try await Set(Self.answer(Question(), of: source))
      for (index, question) in questions.enumerated() {
        guard question.except != file, question.needs.allSatisfy({ source.schema.index(ofField: $0) != nil })
        else { continue }
        let found = try await Self.answer(question, of: source)
        #expect(found == expected[index].filter(present.contains), "\(file) \(question)")
        asked += 1
      }
    }
    #expect(asked > (kind == "lines" ? 980 : 1400))
  }

  @Test(
    "The funnel of a view is the same in any spatial reference of the data",
    arguments: ["points-25832.gpkg", "polygons-25832.gpkg", "points-27700.gpkg", "polygons-27700.gpkg"])
  func drawnIsCounted(_ file: String) async throws {
    let document = try await MapDocument.open(Fixture.path(file))
    let other = try await MapDocument.open(Fixture.path("\(file.prefix { $0 != "-" }).geojson"))
    for rotation in [0.0, 30] {
      var options = ViewRequest()
      options.place = .center(Point(latitude: 51, longitude: 9), scale: 3_000_000)
      options.rotation = rotation
      let state = try await document.view(options).freeze()
      var asked = CountOptions()
      asked.funnel = true
      let funnel = try #require(try await state.counts(asked).layers[0].funnel)
      let reference = try #require(try await other.view(options).freeze().counts(asked).layers[0].funnel)
      #expect(funnel == reference)
      #expect(funnel.extent > 20)
      #expect(funnel.extent < 282)
      if rotation == 0 { #expect(funnel.drawn == funnel.extent) }
    }
  }

  @Test("Bounds in a projected spatial reference are shown whole")
  func boundsInAnyReference() async throws {
    let document = try await MapDocument.open(Fixture.path("points.geojson"))
    var options = ViewRequest()
    let utm = Envelope(
      xMin: 400_000, yMin: 5_500_000, xMax: 600_000, yMax: 5_700_000,
      spatialReference: SpatialReference(wkid: 25832))
    options.place = .bounds(utm)
    let extent = try await document.view(options).freeze().extent
    // The corners by PROJ 9.1's cs2cs, moved slightly inwards.
    for (longitude, latitude) in [
      (7.6149, 49.6444), (10.3851, 49.6444), (7.5612, 51.4423), (10.4388, 51.4423),
    ] {
      #expect(
        extent.contains(x: WebMercator.x(longitude: longitude), y: WebMercator.y(latitude: latitude)))
    }
    #expect(extent.height < 450_000)
  }
}

private func cosine(_ angle: Double) -> Double { sine(angle + .pi / 2) }

/// Precise enough for the corners of a star, without a C library.
private func sine(_ angle: Double) -> Double {
  let x = (angle / (2 * .pi) - (angle / (2 * .pi)).rounded()) * 2 * .pi
  return x - x * x * x / 6 + x * x * x * x * x / 120 - x * x * x * x * x * x * x / 5040
}
