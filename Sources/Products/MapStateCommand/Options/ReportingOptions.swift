import ArgumentParser
import MapState

/// The options of every command about warnings and notes.
struct ReportingOptions: ParsableArguments {
  @Flag(help: "Exit with 1 if there was any warning.")
  var strict = false
  @Flag(name: .shortAndLong, help: "Print no warnings, notes or progress.")
  var quiet = false

  func validate() throws { Warnings.configure(isStrict: strict, isQuiet: quiet) }
}

/// The options that allow and forbid requests.
struct ReachOptions: ParsableArguments {
  @Flag(help: "Allow documents and redirects to name loopback and private network addresses.")
  var allowPrivate = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Send requests only to this host, or with *. to all below a domain; repeatable.", valueName: "host"))
  var allowHost: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Send no requests to this host, or with *. to those below a domain; repeatable.", valueName: "host"))
  var denyHost: [String] = []

  @Flag(help: "Fetch tiles, styles and portal items from the network; keep tiles in the user's cache.")
  var online = false
  @Flag(help: "Send no requests; use only files and kept tiles.")
  var offline = false
  @Option(
    help: ArgumentHelp(
      "Portal of item:ID and of items that documents name; default: https://www.arcgis.com.",
      valueName: "url"))
  var portal: String?

  func validate() throws {
    if online, offline {
      throw ValidationError("--online contradicts --offline; give one of them.")
    }
    if let portal, !ServiceAccess.isPortal(portal) {
      throw ValidationError("--portal \(portal): expected an address such as https://gis.example.org/portal.")
    }
    for (name, rules) in [("--allow-host", allowHost), ("--deny-host", denyHost)] {
      if let rule = rules.first(where: { !HostRules.isRule($0) }) {
        throw ValidationError("\(name) \(rule): expected a host such as example.org or *.example.org.")
      }
    }
  }

  /// The access to services.
  var services: ServiceAccess {
    var services = ServiceAccess()
    services.allowsPrivateAddresses = allowPrivate
    services.fetchesTiles = online
    services.isOffline = offline
    services.portal = portal
    services.hosts = HostRules(allowed: allowHost, denied: denyHost)
    return services
  }
}
