import FoundationEssentials
package import MapFeatures
import MapJSON
import MapSystem

/// A catalogue of stand-ins: local tables or files that are used instead of service addresses.
///
/// All other addresses are queried over the network.
public struct StandInCatalog: Sendable {
  /// The stand-in for an address.
  enum Place: Sendable {
    case file(String)
    /// The address of another service.
    case service(String)
    case source(any FeatureSource)
  }

  private let places: [String: Place]

  /// Creates a catalogue without stand-ins.
  public init() { places = [:] }
  /// Whether the catalogue has no stand-ins.
  public var isEmpty: Bool { places.isEmpty }

  /// Creates a catalogue of tables by address.
  ///
  /// An address is that of a feature layer, of an OGC collection as `…/collections/NAME`, or of a type of features of a
  /// Web Feature Service as `URL#NAME`.
  package init(sources: [String: any FeatureSource]) {
    places = Dictionary(
      sources.map { (Self.normalized($0.key), Place.source($0.value)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Creates a catalogue from a JSON file that maps addresses to files.
  ///
  /// An example is `{"https://…/FeatureServer/0": "cities.fgb"}`.
  ///
  /// Relative paths start at the folder of the JSON file, and `#` adds a layer name. An address may also map to
  /// another address.
  /// - Throws: ``MapStateError``.
  public init(file: String) throws(MapStateError) {
    let json: JSONValue
    do { json = try JSONValue(parsing: FileAccess.read(file)) } catch let error as FileError {
      throw MapStateError(error)
    } catch {
      throw MapStateError(.input, "\(file): \(error)", cause: error)
    }
    guard let members = json.object?.members else {
      throw MapStateError(.input, "\(file): is not a JSON object that maps addresses to files")
    }
    let folder = FilePath.folder(of: file)
    var places: [String: Place] = [:]
    for member in members {
      guard case .string(let path) = member.value else {
        throw MapStateError(.input, "\(file): \"\(member.name)\": expected the path of a file")
      }
      places[Self.normalized(member.name)] =
        SourceAddress.scheme(of: path) == nil ? .file(FilePath.join(folder, path)) : .service(path)
    }
    self.places = places
  }

  /// Returns the stand-ins of the file in the environment variable `MAPSTATE_SERVICES`; none without the variable.
  ///
  /// - Throws: ``MapStateError``.
  public static func environment() throws(MapStateError) -> StandInCatalog {
    guard let file = ProcessInfo.processInfo.environment["MAPSTATE_SERVICES"], !file.isEmpty else {
      return StandInCatalog()
    }
    do { return try StandInCatalog(file: file) } catch {
      throw MapStateError(error.kind, "MAPSTATE_SERVICES: \(error)", cause: error)
    }
  }

  /// Returns the stand-in for an address; nil if there is none.
  func place(of url: String) -> Place? { places[Self.normalized(url)] }

  /// Returns the numbers of the sublayers of a map service that have stand-ins, ascending.
  func sublayers(of url: String) -> [Int] {
    let service = Self.normalized(url) + "/"
    return places.keys.compactMap { $0.hasPrefix(service) ? Int($0.dropFirst(service.count)) : nil }.sorted()
  }

  private static func normalized(_ url: String) -> String {
    // A query does not identify the table, and may contain a secret. The name of a type of features does.
    let address = url.prefix { $0 != "#" }
    var path = address.prefix { $0 != "?" }
    let names = address[path.endIndex...].dropFirst().split(separator: "&").filter {
      ["typenames", "typename"].contains($0.prefix { $0 != "=" }.lowercased())
    }
    let name = names.first.map { String($0.drop { $0 != "=" }.dropFirst()) }
    let fragment = address.endIndex < url.endIndex ? String(url[address.endIndex...].dropFirst()) : name
    while path.hasSuffix("/") { path = path.dropLast() }
    return path + (fragment.map { "#\(PercentEncoding.decode($0) ?? $0)" } ?? "")
  }

  /// Returns the word before the kind of service, else the last word: `…/Cities/FeatureServer/0` gives Cities.
  static func name(of url: String) -> String {
    let words = normalized(url).split(separator: "/")
    let kind = words.lastIndex { $0.hasSuffix("Server") }
    return String(kind.flatMap { $0 > 0 ? words[$0 - 1] : nil } ?? words.last ?? "")
  }
}
