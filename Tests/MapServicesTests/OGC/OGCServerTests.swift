import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapJSON
import MapReaders
import MapServices
import Testing

/// Collections of real servers started by `Scripts/checks/servers/ogc`: each has the features, counts and answers of
/// its file, and those that GDAL's client reads from it.
@Suite(.enabled(if: OGCServers.environment != nil, "Scripts/checks/servers/ogc starts the servers"))
struct OGCServerTests {
  struct Collection: Sendable, CustomTestStringConvertible {
    let server: String
    let name: String
    let file: String
    /// The number of fields that the service adds to those of the file.
    let fieldsBeside: Int
    /// Fields that the service changes.
    var otherFields: Set<String> = []
    /// The allowed distance of coordinates from the file's.
    var tolerance = 0.0
    var testDescription: String { "\(server) \(name)" }
  }

  static let collections = [
    Collection(server: "pygeoapi", name: "counties", file: OGCServers.counties, fieldsBeside: 1),
    Collection(
      server: "mapserver", name: "TransportationGroundCrv", file: OGCServers.roads, fieldsBeside: 1,
      // MapServer writes null as empty text, so that its field becomes text, and only the digits of 32-bit
      // numbers.
      otherFields: ["id", "ZI001_SDV"], tolerance: 1e-5),
    Collection(server: "tipg", name: "public.counties", file: OGCServers.counties, fieldsBeside: 2),
    Collection(server: "pygeoapi", name: "incidents", file: OGCServers.incidents, fieldsBeside: 1),
    Collection(server: "tipg", name: "public.incidents", file: OGCServers.incidents, fieldsBeside: 2),
  ]

  private static let clauses = [
    OGCServers.counties: [
      "STATE_NAME = 'Maine'", "unemployment_rate > 15", "NAME LIKE 'San %' AND unemployment_rate > 10",
      "STATE_NAME IN ('Maine', 'Ohio') OR NAME < 'Ad'",
    ],
    OGCServers.roads: ["F_CODE = 'AP010'", "F_CODE LIKE 'AQ%'"],
    OGCServers.incidents: [
      "req_type = 'Graffiti'", "status <> 'Open' AND req_id < 1000100",
      "req_date > TIMESTAMP '2010-06-01 00:00:00'",
    ],
  ]

  private static let boxes = [
    OGCStub.box(-125, 24, -100, 40), OGCStub.box(-122.45, 37.74, -122.40, 37.78),
    OGCStub.box(-90, 40, -89, 41),
    OGCStub.box(-180, 50, -170, 60), OGCStub.box(170, 50, 180, 60),
  ]

  @Test("A real server's collection equals the file behind it", arguments: collections)
  func hasTheFeaturesOfTheFile(_ collection: Collection) async throws {
    let file = InMemorySource(try OGCServers.read(collection.file))
    let layer = try await OGCServers.open(collection.server, collection.name)
    let own = try await layer.features(try OGCStub.query())
    let table = file.columns()
    #expect(own.rowCount == table.rowCount)
    #expect(table.rowCount > 1000)
    #expect(own.schema.geometryKind == table.schema.geometryKind)
    #expect(try await layer.count(try OGCStub.query()) == table.rowCount)

    // In the order of the file, which all these servers keep.
    for (field, column) in zip(table.schema.fields, table.columns)
    where !collection.otherFields.contains(field.name) {
      let place = try #require(own.schema.index(ofField: field.name), "\(field.name)")
      let differing = (0..<table.rowCount).first {
        !Self.agree(own.columns[place].value(at: $0), column.value(at: $0))
      }
      if let row = differing {
        Issue.record(
          "\(field.name), row \(row): \(own.columns[place].value(at: row)), file \(column.value(at: row))")
      }
    }
    #expect(own.schema.fields.count <= table.schema.fields.count + collection.fieldsBeside)
    let (mine, theirs) = (try #require(own.geometry), try #require(table.geometry))
    #expect(mine.vertexCount == theirs.vertexCount)
    #expect(zip(mine.x, theirs.x).allSatisfy { abs($0 - $1) <= collection.tolerance })
    #expect(zip(mine.y, theirs.y).allSatisfy { abs($0 - $1) <= collection.tolerance })

    var counted = 0
    for clause in Self.clauses[collection.file] ?? [] {
      let query = try OGCStub.query(where: clause)
      let expected = try file.count(query)
      let pushed = layer.pushable(query)
      // A condition that the service does not support is evaluated over all features.
      let count = pushed == query ? try await layer.count(query) : try InMemorySource(own).count(query)
      #expect(count == expected, "\(clause)")
      #expect(expected > 0, "\(clause)")
      counted += 1
    }
    for box in Self.boxes where collection.tolerance == 0 {
      let query = try OGCStub.query(in: [box])
      #expect(layer.pushable(query) == query)
      #expect(try await layer.count(query) == (try file.count(query)), "\(box)")
      counted += 1
    }
    // Across the antimeridian: a part on each side.
    let around = try OGCStub.query(in: Array(Self.boxes.suffix(2)))
    #expect(try await layer.features(around).rowCount == (try file.count(around)))
    #expect(counted >= 2)
  }

  @Test(
    "A real server's collection equals what GDAL reads from it",
    arguments: [
      "pygeoapi": "counties", "mapserver": "TransportationGroundCrv", "tipg": "public.counties",
    ])
  func hasTheFeaturesThatGDALReads(_ server: String, _ name: String) async throws {
    let layer = try await OGCServers.open(server, name)
    let own = try await layer.features(try OGCStub.query())
    let path = try #require(OGCServers.environment?.folder) + "/\(server)-\(name).geojson"
    let table = try OGCServers.read(path)
    #expect(own.rowCount == table.rowCount)
    #expect(table.rowCount > 1000)
    for name in name == "TransportationGroundCrv" ? ["F_CODE"] : ["NAME", "STATE", "unemployment_rate"] {
      let mine = try #require(own.schema.index(ofField: name))
      let theirs = try #require(table.schema.index(ofField: name))
      let same = (0..<own.rowCount).allSatisfy {
        own.columns[mine].value(at: $0) == table.columns[theirs].value(at: $0)
      }
      #expect(same, "\(name)")
    }
    // GDAL writes seven decimals.
    let (mine, theirs) = (try #require(own.geometry), try #require(table.geometry))
    #expect(mine.vertexCount == theirs.vertexCount)
    #expect(zip(mine.x, theirs.x).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  /// Runs the sample "Query with CQL filters" on every server and on its local data.
  @Test(
    "Real servers answer the CQL2 sample as its local data does",
    arguments: [
      "pygeoapi": "TransportationGroundCrv", "mapserver": "TransportationGroundCrv", "tipg": "public.roads",
    ])
  func answersTheSample(_ server: String, _ name: String) async throws {
    let layer = try await OGCServers.open(server, name)
    let source = try await ServiceSource(layer, operations: .builtIn)
    let info = TimeInfo(startField: "ZI001_SDV")
    let span = TimeExtent(
      start: Instant(rfc3339: "2011-06-13T00:00:00Z"), end: Instant(rfc3339: "2012-01-07T00:00:00Z"))
    let clauses = [
      ("", 1300), ("F_CODE = 'AP010'", 365),
      (#"{ "op": "=", "args": [ { "property": "F_CODE" }, "AP010" ] }"#, 365), ("F_CODE LIKE 'AQ%'", 170),
      (
        #"{"op": "and", "args": [{"op": "=", "args": [{"property": "F_CODE"}, "AP010"]}, "#
          + #"{"op": "t_before", "args": [{"property": "ZI001_SDV"}, "2013-01-01"]}]}"#, nil
      ),
    ]
    let file = InMemorySource(try OGCServers.read(OGCServers.roads))
    for (clause, expected) in clauses {
      let query = try OGCStub.query(cql2: clause)
      let count = try await source.count(query)
      #expect(count == (try file.count(query)), "\(clause)")
      if let expected { #expect(count == expected) }
    }
    // MapServer writes null as empty text, so that its field becomes text.
    if server != "mapserver" {
      let query = try OGCStub.query(time: span, timeInfo: info)
      #expect(try await source.count(query) == (try file.count(query)))
      #expect(try file.count(query) > 10)
    }
    // Supported filters are sent to the service, and otherwise a notice is given.
    let pushed = layer.pushable(try OGCStub.query(cql2: "F_CODE = 'AP010'"))
    #expect(pushed.filters.count == (server == "tipg" ? 1 : 0))
    #expect(layer.notices.contains { $0.hasPrefix("filters are evaluated locally") } == (server != "tipg"))
  }

  /// Whether two values are equal, also when a service declares whole numbers as general numbers.
  private static func agree(_ own: AttributeValue, _ file: AttributeValue) -> Bool {
    if case (.real(let decimal), .integer(let whole)) = (own, file) { return decimal == Double(whole) }
    return own == file
  }

  @Test(
    "A missing collection on a real server is a one-line error that names it",
    arguments: ["pygeoapi", "mapserver", "tipg"])
  func saysWhatIsMissing(_ server: String) async throws {
    let url = try #require(OGCServers.environment?.servers[server])
    do {
      _ = try await OGCServers.open(server, "nowhere")
      Issue.record("no error")
    } catch {
      let line = "\(error)"
      #expect(line.hasPrefix(url), "\(line)")
      #expect(line.contains("nowhere"), "\(line)")
      #expect(!line.contains("\n"), "\(line)")
    }
  }
}

/// The servers started by `Scripts/checks/servers/ogc`.
enum OGCServers {
  struct Environment: Sendable {
    let servers: [String: String]
    let folder: String
  }

  static let environment: Environment? = {
    guard let text = ProcessInfo.processInfo.environment["MAPSTATE_OGC_SERVERS"],
      let json = try? JSONValue(parsing: text), let folder = json["folder"]?.string
    else { return nil }
    let members = json["servers"]?.object?.members ?? []
    return Environment(
      servers: Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.string ?? "") }),
      folder: folder)
  }()

  private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  static let counties = top + "/Styles/data/us-counties.geojson"
  static let incidents = top + "/Styles/data/san-francisco-incidents.geojson"
  static let roads = top + "/Sources/Products/MapStateSamples/Resources/roads.geojson"

  static func read(_ path: String) throws -> FeatureColumns {
    try GeoJSONReader.read(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  static func open(_ server: String, _ collection: String) async throws -> OGCFeatureCollection {
    try await OGCFeatureCollection.open(
      try #require(environment?.servers[server]) + "/collections/\(collection)",
      client: ServiceClient(transport: RedirectingTransport(over: CurlTransport(environment: [:]))))
  }
}
