import FoundationEssentials
import MapState

/// The service addresses that the samples use; local files replace all of them.
enum Services {
  /// Returns a table by its address without the scheme.
  static func table(_ address: String) throws -> ServiceFeatureTable {
    guard let url = URL(string: "https://\(address)") else { throw SampleError(address: address) }
    return ServiceFeatureTable(url: url, standIns: try standIns)
  }

  /// The cities of the world.
  static let cities = "sampleserver6.arcgisonline.com/arcgis/rest/services/SampleWorldCities/MapServer/0"
  /// The counties of the United States.
  static let counties =
    "services.arcgis.com/jIL9msH9OI208GCb/arcgis/rest/services/Counties_Obesity_Inactivity_Diabetes_2013/FeatureServer/0"
  /// The requests to the city of San Francisco.
  static let incidents =
    "services2.arcgis.com/ZQgQTuoyBrtmoGdP/arcgis/rest/services/SF_311_Incidents/FeatureServer/0"
  /// An OGC API with roads around Daraa.
  static let daraa = "demo.ldproxy.net/daraa"

  /// The files of this project that replace the services of the samples.
  static var standIns: StandInCatalog {
    get throws {
      let named = try StandInCatalog.environment()
      guard named.isEmpty else { return named }
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
      return try StandInCatalog(file: folder.appending(path: "Resources/services.json").path)
    }
  }
}

/// An error for an invalid address.
struct SampleError: Error {
  let address: String
}

extension [String: any Sendable] {
  /// The values sorted by name, one per line.
  var lines: String {
    sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }.joined(separator: "\n")
  }
}
