import MapJSON
import MapScript
import MapState
import MapSystem

extension MapSession {
  /// Creates a session from the options of `mapstate_create`; nil is no options.
  init(options bytes: [UInt8]?) throws(MapStateError) {
    do {
      let options = JSONNode(try bytes.map { try JSONValue(parsing: $0) } ?? [:])
      try options.refuseUnknown(Self.optionNames)
      var catalog = SourceCatalog()
      catalog.allowedFolders = try options["allowPath"]?.strings() ?? []
      catalog.standIns = try options.string("services").map { try StandInCatalog(file: $0) }
      catalog.services.allowsPrivateAddresses = try options.boolean("allowPrivate") ?? false
      catalog.services.fetchesTiles = try options.boolean("online") ?? false
      catalog.services.isOffline = try options.boolean("offline") ?? false
      if catalog.services.fetchesTiles, catalog.services.isOffline {
        throw MapStateError(.usage, "\"online\" contradicts \"offline\"; give one of them")
      }
      catalog.services.portal = try options.string("portal")
      if let portal = catalog.services.portal, !ServiceAccess.isPortal(portal) {
        throw MapStateError(
          .usage, "\"portal\" is \"\(portal)\"; expected an address such as https://gis.example.org/portal")
      }
      catalog.services.hosts = HostRules(
        allowed: try Self.hosts(options, "allowHost"), denied: try Self.hosts(options, "denyHost"))
      #if Services
        catalog.services.allowsPlainHTTP = try options.boolean("allowHttp") ?? false
        if let bytes = try options.integer("maxDownload") {
          guard bytes > 0 else {
            throw MapStateError(.usage, "\"maxDownload\" is \(bytes); it must be at least 1 byte")
          }
          catalog.services.downloadBytes = bytes
        }
        if let folder = try options.string("record") {
          catalog.services.record(into: folder, isResumed: try options.boolean("resume") ?? false)
        }
        if let folder = try options.string("replay") { catalog.services.replay(from: folder) }
      #endif
      let threads = try options.integer("threads") ?? Processors.count
      guard threads > 0 else {
        throw MapStateError(.usage, "\"threads\" is \(threads); it must be at least 1")
      }
      self.init(
        folder: try options.string("folder") ?? ".", catalog: catalog, threads: threads, returnsData: true)
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the rules about hosts of an option.
  private static func hosts(_ options: JSONNode, _ name: String) throws -> [String] {
    let rules = try options[name]?.strings() ?? []
    guard let rule = rules.first(where: { !HostRules.isRule($0) }) else { return rules }
    throw MapStateError(
      .usage, "\"\(name)\" has \"\(rule)\"; expected a host such as example.org or *.example.org")
  }

  private static let optionNames = [
    "folder", "allowPath", "services", "allowHttp", "allowPrivate", "record", "replay", "threads",
    "online", "offline", "maxDownload", "allowHost", "denyHost", "resume",
    "portal",
  ]
}
