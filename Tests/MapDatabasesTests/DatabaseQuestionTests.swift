import Foundation
import MapFeatures
import MapGeometry
import MapServices
import MapState
import MapSystem
import MapTestSupport
import Synchronization
import Testing

import MapDatabases

/// Tables whose questions the database answers give the same rows, counts and statistics as the same tables in memory.
@Suite(.enabled(if: Database.environment != nil, "Scripts/checks/servers/database starts the server"))
struct DatabaseQuestionTests {
  let database: Database
  /// Tables with all types and kinds of geometries: points, lines, polygons; in degrees, metres and a projection.
  static let tables = ["samples", "incidents", "roads", "counties", "every_type", "lines"]

  init() throws { database = try #require(Database.environment) }

  /// A table in the database, and its rows in memory.
  struct Pair {
    let asked: any FeatureSource
    let whole: InMemorySource
    let statements: Statements
  }

  /// The statements that were sent.
  final class Statements: Sendable {
    private let texts = Mutex<[String]>([])
    func note(_ text: String) { texts.withLock { $0.append(text) } }
    func taken() -> [String] {
      texts.withLock { texts in
        defer { texts = [] }
        return texts
      }
    }
  }

  func pair(_ name: String, keeps: Bool = false, query: String = "") async throws -> Pair {
    let statements = Statements()
    var access = DatabaseAccess(environment: [:])
    (access.wholeRows, access.rowsPerCell) = (0, 0)
    access.report = { statements.note($0) }
    let address = try DatabaseAddress(database.address(name, query))
    guard case .asked(let layer) = try await DatabaseTable.open(address, access, operations: .installed)
    else {
      throw ServiceError("the table \(name) is read whole", at: "", kind: .answer)
    }
    let source = try await ServiceSource(layer, operations: .installed)
    let whole = try InMemorySource(try await database.read(name, query), operations: .installed)
    _ = statements.taken()
    return Pair(asked: keeps ? source : source.askedEveryTime, whole: whole, statements: statements)
  }

  private static func ids(_ rows: RowSet, of table: FeatureColumns) -> [Int64] {
    let ids = ObjectIDs(table)
    return rows.map { ids.id(ofRow: $0) }
  }

  /// Compares the rows and the count of a question; returns the number of rows, nil for one that does not fit the table.
  private func compare(_ pair: Pair, _ question: FeatureQuestion, _ text: String) async throws -> Int? {
    var conditions = QueryConditions()
    conditions.question = question
    guard let query = try? conditions.query(for: .query), let expected = try? pair.whole.rows(query) else {
      return nil
    }
    let count = try await pair.asked.count(query)
    #expect(count == expected.count, "\(text)")
    let fetched = try await pair.asked.fetch(query)
    let rows = try fetched.rows(query)
    #expect(
      Self.ids(rows, of: fetched.columns()) == Self.ids(expected, of: pair.whole.columns()), "\(text)")
    return count
  }

  @Test("3,000 generated filters select the same rows", .timeLimit(.minutes(10)))
  func filters() async throws {
    var (asked, counted, some) = (0, 0, 0)
    var shares: [String: (pushed: Int, all: Int)] = [:]
    for (index, name) in Self.tables.enumerated() {
      let pair = try await pair(name)
      var generator = QuestionGenerator(pair.whole.columns(), seed: UInt64(index) + 30)
      var number = 0
      while number < 500 {
        generator.isCQL2 = number % 2 == 1
        let text = generator.filter()
        var question = FeatureQuestion(area: .everywhere)
        if generator.isCQL2 { question.cql2 = text } else { question.whereClause = text }
        _ = pair.statements.taken()
        guard let count = try await compare(pair, question, "\(name): \(text)") else {
          // A few generated filters do not fit the types of the fields.
          asked += 1
          try #require(asked < 20_000)
          continue
        }
        let isPushed = pair.statements.taken().contains { $0.hasPrefix("SELECT count(*)") }
        shares[name, default: (0, 0)].pushed += isPushed ? 1 : 0
        shares[name, default: (0, 0)].all += 1
        if count > 0, count < pair.whole.rowCount { some += 1 }
        (number, counted) = (number + 1, counted + 1)
      }
      #expect(pair.asked.metadata.isExact, "\(pair.asked.metadata.warnings)")
    }
    let share = shares.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.pushed) of \($0.value.all)" }
    print("filters that the database answered: \(share.joined(separator: ", "))")
    #expect(counted == 3000 && some > 1200, "\(some)")
    #expect(shares.values.reduce(0) { $0 + $1.pushed } > 1500)
  }

  @Test("1,000 envelopes select the same rows, also with sides at coordinates", .timeLimit(.minutes(10)))
  func envelopes() async throws {
    var (asked, at, near, some) = (0, 0, 0, 0)
    let names = ["points", "samples", "incidents", "roads", "counties"]
    for (index, name) in names.enumerated() {
      let pair = try await pair(name)
      var generator = QuestionGenerator(pair.whole.columns(), seed: UInt64(index) + 60)
      for number in 0..<200 {
        // 50 of 200 with sides at coordinates, 10 near them: 250 and 50 of 1,000.
        let margin: Double? = number < 50 ? nil : number < 60 ? 1e-5 : 0.5
        let found = generator.place(nearBy: margin)
        let place = try #require(found)
        var box = place.envelope
        // Some of the others are in another spatial reference.
        if number % 3 == 0, number >= 60 {
          box = try SpatialOperations.installed.box(around: box, in: number % 2 == 0 ? .webMercator : .wgs84)
        }
        let count = try await compare(pair, FeatureQuestion(area: .envelope(box)), "\(name): \(box)")
        asked += count == nil ? 0 : 1
        at += place.isAtCoordinate ? 1 : 0
        near += margin == 1e-5 ? 1 : 0
        if let count, count > 0, count < pair.whole.rowCount { some += 1 }
      }
      let statements = pair.statements.taken()
      let counts = statements.filter { $0.hasPrefix("SELECT count(*)") }.count
      print("envelopes that the database counted: \(name) \(counts) of 200")
      #expect(statements.allSatisfy { $0.contains("&&") || name == "samples" })
    }
    #expect(asked == 1000 && at == 250 && near == 50 && some > 700, "\(some)")
  }

  @Test("500 relations of geometries select the same rows", .timeLimit(.minutes(10)))
  func relations() async throws {
    let relations: [SpatialRelationship] = [
      .equals, .disjoint, .intersects, .touches, .crosses, .within, .contains, .overlaps, .envelopeIntersects,
      .indexIntersects,
    ]
    var (asked, some) = (0, 0)
    for (index, name) in ["samples", "incidents", "roads", "counties", "points"].enumerated() {
      let pair = try await pair(name)
      var generator = QuestionGenerator(pair.whole.columns(), seed: UInt64(index) + 90)
      for number in 0..<100 {
        var question = FeatureQuestion(area: .everywhere)
        let geometry = generator.geometry()
        question.geometry = try SpatialCondition(#require(geometry), relations[number % relations.count])
        if number % 4 == 0 { question.whereClause = generator.filter(depth: 0) }
        guard let count = try await compare(pair, question, "\(name): \(question)") else { continue }
        asked += 1
        if count > 0, count < pair.whole.rowCount { some += 1 }
      }
      #expect(
        pair.asked.metadata.warnings.contains { $0.hasPrefix("relations of geometries are evaluated here") })
    }
    #expect(asked > 480 && some > 150, "\(asked) \(some)")
  }

  @Test("An invalid filter is an error before any row is read")
  func invalidFilters() async throws {
    let pair = try await pair("samples")
    for text in ["nowhere = 1", "word > 3", "word = 'a' AND nowhere LIKE 'x'"] {
      var conditions = QueryConditions()
      conditions.question.whereClause = text
      let query = try conditions.query(for: .query)
      // What CAST makes of the texts is known of a table in memory alone, and stands behind a semicolon.
      func reason(_ error: QueryConditionError?) -> Substring? {
        error.map { "\($0)".prefix { $0 != ";" || text != "word > 3" } }
      }
      let expected = reason(#expect(throws: QueryConditionError.self) { try pair.whole.rows(query) })
      _ = pair.statements.taken()
      let counted = await #expect(throws: QueryConditionError.self) { try await pair.asked.count(query) }
      let fetched = await #expect(throws: QueryConditionError.self) { _ = try await pair.asked.fetch(query) }
      #expect(reason(counted) == expected && reason(fetched) == expected && expected != nil, "\(text)")
      #expect(pair.statements.taken().isEmpty, "\(text)")
    }
  }

  @Test("SUBSTRING with numbers beyond 32 bits is sent with numbers that PostgreSQL accepts")
  func longSubstrings() async throws {
    let pair = try await pair("samples")
    for text in [
      "SUBSTRING(word FROM 1 FOR 99999999999) = word", "SUBSTRING(word FROM 99999999999) = ''",
      "SUBSTRING(word FROM 2 FOR 2147483647) LIKE '%a'", "SUBSTRING(word FROM 4294967297 FOR 3) = 'abc'",
      "SUBSTRING(word FROM 2147483647 FOR 2147483647) = ''",
    ] {
      var question = FeatureQuestion(area: .everywhere)
      question.whereClause = text
      #expect(try await compare(pair, question, text) != nil, "\(text)")
      #expect(pair.statements.taken().contains { $0.hasPrefix("SELECT count(*)") }, "\(text)")
    }
  }

  @Test("The first rows in an order are those of the table in memory")
  func pages() async throws {
    var pages = 0
    for name in Self.tables {
      let pair = try await pair(name)
      for field in pair.whole.schema.fields {
        var page = FeaturePage()
        page.orderByFields = [
          OrderBy(
            fieldName: field.name, sortOrder: pages % 2 == 0 ? .ascending : .descending,
            nullOrder: pages % 3 == 0 ? .first : nil)
        ]
        (page.maxFeatures, page.resultOffset) = (7, pages % 5)
        let query = try QueryConditions().query(for: .query)
        let expected = try page.rows(pair.whole.rows(query), of: pair.whole.columns())
        let fetched = try await pair.asked.fetch(query, page: page)
        let rows = try page.rows(fetched.rows(query), of: fetched.columns())
        let (ids, whole) = (ObjectIDs(fetched.columns()), ObjectIDs(pair.whole.columns()))
        #expect(
          rows.map { ids.id(ofRow: $0) } == expected.map { whole.id(ofRow: $0) }, "\(name): \(field.name)")
        let isWhole = field.name == "n"
        #expect(isWhole || fetched.columns().rowCount <= 12, "\(name): \(field.name)")
        pages += 1
      }
    }
    #expect(pages > 45)
  }

  @Test("Object ids are selected in the database, and hidden ones are left out here")
  func objectIDs() async throws {
    let pair = try await pair("incidents")
    var conditions = QueryConditions()
    conditions.question.objectIDs = [5, 9, 1_000_000, -3]
    #expect(try await pair.asked.count(conditions.query(for: .query)) == 2)
    #expect(pair.statements.taken().first?.contains("= ANY ('{-3,5,9,1000000}'::bigint[])") ?? false)
    conditions.question.objectIDs = nil
    conditions.hiddenIDs = [5]
    let drawn = try conditions.query(for: .drawing)
    #expect(try await pair.asked.count(drawn) == pair.whole.count(drawn))
  }

  @Test("Answers stay those of one instant while others change the table")
  func snapshot() async throws {
    try database.rows("CREATE TABLE removing AS SELECT id, geom FROM points")
    try database.rows("ALTER TABLE removing ADD PRIMARY KEY (id)")
    let pair = try await pair("removing")
    var conditions = QueryConditions()
    conditions.question.whereClause = "id > 100"
    let query = try conditions.query(for: .query)
    let before = try await pair.asked.count(query)
    try database.rows("DELETE FROM removing WHERE id % 2 = 0")
    #expect(try await pair.asked.count(query) == before && before == 4900)
    #expect(try await pair.asked.fetch(query).count(query) == before)
  }

  @Test("An open map does not keep others from changing the table, and notices if its rows are gone")
  func changedTables() async throws {
    try database.rows(
      "CREATE TABLE z_altered AS SELECT id, geom FROM points; ALTER TABLE z_altered ADD PRIMARY KEY (id)")
    try database.rows("ALTER TABLE z_altered ADD COLUMN a int DEFAULT 1, ADD COLUMN b int DEFAULT 2")
    let query = try QueryConditions().query(for: .query)
    var conditions = QueryConditions()
    conditions.question.whereClause = "a = 1"
    let asked = try conditions.query(for: .query)
    func expectChanged(_ statements: String) async throws {
      let pair = try await pair("z_altered")
      #expect(try await pair.asked.count(asked) == pair.whole.count(asked))
      // Without the lock of an open map, the change does not wait.
      try database.rows("SET lock_timeout = '3s'; \(statements)")
      let error = await #expect(throws: ServiceError.self) { try await pair.asked.count(asked) }
      #expect(
        error?.reason == "the table has been changed since this map was opened; open the map again",
        "\(statements): \(String(describing: error))")
    }
    let open = try await pair("z_altered")
    try database.rows("SET lock_timeout = '3s'; ALTER TABLE z_altered ADD COLUMN later int")
    try database.rows("SET lock_timeout = '3s'; UPDATE z_altered SET a = 3 WHERE id < 100")
    #expect(try await open.asked.count(asked) == 5000)
    #expect(try await open.asked.fetch(query).count(query) == 5000)
    try await expectChanged(
      "ALTER TABLE z_altered RENAME COLUMN a TO c; ALTER TABLE z_altered RENAME COLUMN b TO a")
    try await expectChanged("ALTER TABLE z_altered ALTER COLUMN later TYPE text USING later::text")
    try await expectChanged("ALTER TABLE z_altered DROP COLUMN c")
    try await expectChanged("TRUNCATE z_altered")
    try database.rows("INSERT INTO z_altered (id, geom) SELECT id, geom FROM points")
    let gone = try await pair("z_altered")
    try database.rows("SET lock_timeout = '3s'; DROP TABLE z_altered")
    await #expect(throws: ServiceError.self) { try await gone.asked.count(asked) }
  }

  @Test("A question after the server has ended the transaction is an error")
  func endedTransaction() async throws {
    // A database of its own, because others use the connections to the tables at the same time.
    let address = try DatabaseAddress(database.address("notes", database: "plain"))
    let layer = try await DatabaseTable.openPart(
      address, DatabaseAccess(environment: [:]), operations: .installed)
    let source = try await ServiceSource(layer, operations: .installed)
    try database.rows(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'plain'"
    )
    var conditions = QueryConditions()
    conditions.question.whereClause = "id > 100"
    let query = try conditions.query(for: .query)
    let error = await #expect(throws: ServiceError.self) { try await source.count(query) }
    #expect(
      error?.reason.hasPrefix("the transaction that keeps the rows of this map has ended; open the map again")
        ?? false,
      "\(String(describing: error))")
  }

  @Test("Parts of a table in several databases answer as the whole table")
  func parts() async throws {
    try database.rows(
      """
      CREATE TABLE early AS SELECT * FROM samples WHERE id < 900;
      CREATE TABLE middle AS SELECT * FROM samples WHERE false;
      CREATE TABLE late AS SELECT * FROM samples WHERE id >= 900
      """)
    for name in ["early", "middle", "late"] { try database.rows("ALTER TABLE \(name) ADD PRIMARY KEY (id)") }
    let access = DatabaseAccess(environment: [:])
    func part(_ name: String) async throws -> DatabaseLayer {
      try await DatabaseTable.openPart(
        DatabaseAddress(database.address(name)), access, operations: .installed)
    }
    let (early, middle, late) = (try await part("early"), try await part("middle"), try await part("late"))
    let joined = try await ServiceSource(DatabaseParts([early, middle, late]), operations: .installed)
    let pair = Pair(
      asked: joined.askedEveryTime,
      whole: try InMemorySource(try await database.read("samples"), operations: .installed),
      statements: Statements())
    var generator = QuestionGenerator(pair.whole.columns(), seed: 150)
    var asked = 0
    for number in 0..<60 {
      var question = FeatureQuestion(area: .everywhere)
      question.whereClause = generator.filter()
      if number % 3 == 0, let box = generator.place()?.envelope { question.area = .envelope(box) }
      guard try await compare(pair, question, "\(question)") != nil else { continue }
      var conditions = QueryConditions()
      conditions.question = question
      let query = try conditions.query(for: .query)
      let statistics = generator.statistics()
      guard let expected = try? await pair.whole.statistics(statistics, of: query) else { continue }
      #expect(try await pair.asked.statistics(statistics, of: query) == expected, "\(question)")
      asked += 1
    }
    #expect(asked > 40)
    #expect(joined.metadata.extent == pair.whole.extent && joined.rowCount == 3000)
    #expect(
      joined.warnings.first
        == "the rows of 3 databases are joined: those of each are of one instant, which differs between them")
    let swapped = #expect(throws: ServiceError.self) { try DatabaseParts([late, early]) }
    #expect(
      swapped?.reason
        == "its keys from 1 on do not follow those of the part before it, which end with 3000; the parts must be in the "
        + "order of their keys")
    let other = try await part("points")
    #expect(throws: ServiceError.self) { try DatabaseParts([early, other]) }
  }

  @Test("Text of filters cannot leave its literal")
  func literals() async throws {
    let pair = try await pair("samples")
    for text in ["it''s", "''; DROP TABLE points; --", "a\\", "\\''", "'\u{301}' OR 1=1 --", "$1", "''''"] {
      var question = FeatureQuestion(area: .everywhere)
      question.whereClause = "word = '\(text.hasPrefix("'\u{301}") ? "''\u{301}'' OR 1=1 --" : text)'"
      let count = try await compare(pair, question, text)
      #expect(count != nil)
    }
    #expect(try database.rows("SELECT count(*) FROM points") == [["5000"]])
  }
}
