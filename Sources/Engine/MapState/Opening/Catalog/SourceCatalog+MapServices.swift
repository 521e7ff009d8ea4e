import MapDocuments
import MapJSON
import MapReaders
import MapSystem

#if Services
  import MapServices
#endif

extension SourceCatalog {
  /// Returns the answers of the map services in a document, whose sublayers must be known before it is read.
  ///
  /// Hidden map services are not asked if only visible layers are read.
  func mapServices(in json: JSONValue, _ choice: LayerChoice) async -> [String: MapServiceAnswer] {
    var answers: [String: MapServiceAnswer] = [:]
    for (url, parameters) in MapServiceAnswer.addresses(in: json, includesHidden: choice.mayReadHidden)
    where answers[url] == nil {
      do throws(MapStateError) {
        answers[url] = .described(try await mapService(at: url, adding: parameters))
      } catch {
        answers[url] = .failed("\(error)")
      }
    }
    return answers
  }

  /// Returns the description of a map service: of its stand-in, of the stand-ins of its sublayers, or its own.
  ///
  /// - Throws: ``MapStateError``.
  private func mapService(
    at url: String, adding parameters: [ServiceParameter]
  ) async throws(MapStateError) -> JSONValue {
    switch try standIn(for: url) {
    case .file(let path):
      let bytes: [UInt8]
      do { bytes = try FileAccess.read(path) } catch { throw MapStateError(error) }
      return try Self.description(bytes, of: path)
    case .service(let other): return try await described(other, isNamedByDocument: false, adding: [])
    case .source, nil:
      let standIns = if let standIns { standIns } else { try StandInCatalog.environment() }
      let numbers = standIns.sublayers(of: url)
      guard numbers.isEmpty else {
        return ["layers": .array(numbers.map { ["id": .number($0)] })]
      }
      guard SourceAddress.scheme(of: url) != nil else {
        throw MapStateError(.input, "\(url): is not the address of a map service")
      }
      return try await described(url, isNamedByDocument: true, adding: parameters)
    }
  }

  private func described(
    _ url: String, isNamedByDocument: Bool, adding parameters: [ServiceParameter]
  ) async throws(MapStateError) -> JSONValue {
    let bytes = try await services.data(
      at: url, isNamedByDocument: isNamedByDocument, asks: [("f", "json")], adding: parameters)
    return try Self.description(bytes, of: SourceAddress.shown(url))
  }

  private static func description(_ bytes: [UInt8], of place: String) throws(MapStateError) -> JSONValue {
    let json: JSONValue
    do { json = try JSONValue(parsing: bytes, limits: WebMap.limits) } catch {
      throw MapStateError(.service, "\(place): \(error)", cause: error)
    }
    if let reason = json["error"]?["message"]?.string {
      throw MapStateError(.service, "\(place): answered: \(reason)")
    }
    guard json["layers"]?.array != nil else {
      throw MapStateError(.service, "\(place): describes no map service: it has no list \"layers\"")
    }
    return json
  }
}
