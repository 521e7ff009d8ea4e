import FoundationEssentials
public import MapFeatures
import MapJSON

/// Local data that answer for services: an address on one side, a table on the other.
///
/// Every other address is asked over the network.
public struct StandInCatalog: Sendable {
  /// What stands in for an address.
  enum Place: Sendable {
    case file(String)
    /// The address of another service.
    case service(String)
    case source(any FeatureSource)
  }

  private let places: [String: Place]

  /// No address has a stand-in.
  public init() { places = [:] }
  /// True when no address has a stand-in.
  public var isEmpty: Bool { places.isEmpty }

  /// Tables by address: that of a feature layer, or of an OGC collection as `…/collections/NAME`.
  public init(sources: [String: any FeatureSource]) {
    places = Dictionary(
      sources.map { (Self.normalized($0.key), Place.source($0.value)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Files by address, as a JSON object in a file says: `{"https://…/FeatureServer/0": "cities.fgb"}`.
  ///
  /// Paths are taken from that file's folder; `#` names a layer. An address may stand in for another.
  /// - Throws: ``SourceError``.
  public init(file: String) throws(SourceError) {
    let json: JSONValue
    do { json = try JSONValue(parsing: FileAccess.read(file)) } catch let error as FileError {
      throw SourceError("\(error)")
    } catch {
      throw SourceError("\(file): \(error)")
    }
    guard let members = json.object?.members else {
      throw SourceError("\(file): is no object of addresses and the files that stand in for them")
    }
    let folder = FilePath.folder(of: file)
    var places: [String: Place] = [:]
    for member in members {
      guard case .string(let path) = member.value else {
        throw SourceError("\(file): \"\(member.name)\": expected the path of a file")
      }
      places[Self.normalized(member.name)] =
        SourceCatalog.scheme(of: path) == nil ? .file(FilePath.join(folder, path)) : .service(path)
    }
    self.places = places
  }

  /// The stand-ins that the environment variable `MAPSTATE_SERVICES` names by a file; none without it.
  ///
  /// - Throws: ``SourceError``.
  public static func environment() throws(SourceError) -> StandInCatalog {
    guard let file = ProcessInfo.processInfo.environment["MAPSTATE_SERVICES"], !file.isEmpty else {
      return StandInCatalog()
    }
    do { return try StandInCatalog(file: file) } catch {
      throw SourceError("MAPSTATE_SERVICES: \(error)", kind: error.kind)
    }
  }

  /// What stands in for an address; nil for one that is asked itself.
  func place(of url: String) -> Place? { places[Self.normalized(url)] }

  private static func normalized(_ url: String) -> String {
    // A query is no part of which table is meant, and may hold a secret.
    var url = url.prefix { $0 != "?" }
    while url.hasSuffix("/") { url = url.dropLast() }
    return String(url)
  }

  /// The word before the kind of service, else the last: `…/Cities/FeatureServer/0` is Cities.
  static func name(of url: String) -> String {
    let words = normalized(url).split(separator: "/")
    let kind = words.lastIndex { $0.hasSuffix("Server") }
    return String(kind.flatMap { $0 > 0 ? words[$0 - 1] : nil } ?? words.last ?? "")
  }
}
