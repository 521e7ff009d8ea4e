import Foundation
import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import MapServices
import MapTestSupport
import Testing

/// GDAL's own reader of ArcGIS services compared with ours over the test server; part of `Scripts/test
/// --full`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["MAPSTATE_FULL_TESTS"] == "1"))
struct ArcGISGDALTests {
  @Test(
    "GDAL reads the same features from the service",
    arguments: [ArcGISServer.cities, ArcGISServer.counties, ArcGISServer.incidents, ArcGISServer.rivers])
  func gdalReadsTheSameFeatures(layer: Int) async throws {
    let table = try await ArcGISServer.table(layer)
    // The page size divides none of the layers.
    let address = try ArcGISServer.address("Places/FeatureServer/\(layer)/query", "page/617")
    let query = "?where=1%3D1&outFields=*&orderByFields=OBJECTID&resultRecordCount=617&f=json"
    let other = try GeoJSONReader.read(
      Self.output([
        "-f", "GeoJSON", "-lco", "RFC7946=NO", "-lco", "COORDINATE_PRECISION=15", "/vsistdout/",
        "ESRIJSON:" + address + query,
      ]))
    #expect(other.rowCount == table.rowCount)
    for (place, field) in table.schema.fields.enumerated() {
      let column = other.columns[try #require(other.schema.index(ofField: field.name))]
      let differing = (0..<table.rowCount).filter { row in
        // GDAL writes dates in its own form, without milliseconds.
        if field.fieldType == .date { return table.columns[place].isValid(row) != column.isValid(row) }
        return table.columns[place].value(at: row) != column.value(at: row)
      }
      #expect(differing == [], "\(field.name)")
    }
    let (first, second) = (try #require(table.geometry), try #require(other.geometry))
    let differing = (0..<table.rowCount).filter { row in
      let (a, b) = (first.envelope(ofRow: row), second.envelope(ofRow: row))
      let sides = [(a.xMin, b.xMin), (a.yMin, b.yMin), (a.xMax, b.xMax), (a.yMax, b.yMax)]
      return !sides.allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
        || first.vertices(ofRow: row).count != second.vertices(ofRow: row).count
    }
    #expect(differing == [])
  }

  private static func output(_ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/ogr2ogr")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.start()
    let bytes = Array(try output.fileHandleForReading.readToEnd() ?? Data())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return bytes
  }
}
