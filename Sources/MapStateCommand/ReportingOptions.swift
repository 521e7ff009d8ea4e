import ArgumentParser
import MapState

/// The options of every command: what becomes of warnings, and which addresses documents may lead to.
struct ReportingOptions: ParsableArguments {
  @Flag(help: "Exit with 1 if there was any warning.")
  var strict = false
  @Flag(name: .shortAndLong, help: "Print no warnings, notes or progress.")
  var quiet = false
  @Flag(help: "Let documents, links and redirects lead to loopback, private and link-local addresses.")
  var allowPrivate = false

  /// How services are asked.
  var services: ServiceAccess {
    var services = ServiceAccess()
    services.allowsPrivateAddresses = allowPrivate
    return services
  }

  func validate() throws { Warnings.configure(isStrict: strict, isQuiet: quiet) }
}
