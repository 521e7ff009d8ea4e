import FoundationEssentials
import MapState

/// The addresses that the samples ask, all of which stand-ins answer.
enum Services {
  /// A table by its address under a host of Esri's.
  static func table(_ address: String) throws -> ServiceFeatureTable {
    guard let url = URL(string: "https://\(address)") else { throw SampleError(address: address) }
    return ServiceFeatureTable(url: url, standIns: try MapStateSamples.standIns)
  }

  /// Cities of the world.
  static let cities = "sampleserver6.arcgisonline.com/arcgis/rest/services/SampleWorldCities/MapServer/0"
  /// Counties of the United States.
  static let counties =
    "services.arcgis.com/jIL9msH9OI208GCb/arcgis/rest/services/Counties_Obesity_Inactivity_Diabetes_2013/FeatureServer/0"
  /// Requests to the city of San Francisco.
  static let incidents =
    "services2.arcgis.com/ZQgQTuoyBrtmoGdP/arcgis/rest/services/SF_311_Incidents/FeatureServer/0"
  /// An OGC API of roads around Daraa.
  static let daraa = "demo.ldproxy.net/daraa"
}

/// An address that is none.
struct SampleError: Error {
  let address: String
}

extension [String: any Sendable] {
  /// The values by name, a line each.
  var lines: String {
    sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }.joined(separator: "\n")
  }
}
