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

  @Flag(help: "Fetch tiles and styles from the network; keep them in the user's cache folder.")
  var online = false
  @Flag(help: "Send no requests; use only files and kept tiles.")
  var offline = false

  func validate() throws {
    if online, offline {
      throw ValidationError("--online contradicts --offline; give one of them.")
    }
  }

  /// The access to services.
  var services: ServiceAccess {
    var services = ServiceAccess()
    services.allowsPrivateAddresses = allowPrivate
    services.fetchesTiles = online
    services.isOffline = offline
    return services
  }
}
