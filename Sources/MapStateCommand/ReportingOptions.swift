import ArgumentParser
import MapState

/// The options of every command that decide what becomes of warnings.
struct ReportingOptions: ParsableArguments {
  @Flag(help: "Exit with 1 if there was any warning.")
  var strict = false
  @Flag(name: .shortAndLong, help: "Print no warnings, notes or progress.")
  var quiet = false

  func validate() throws { Warnings.configure(isStrict: strict, isQuiet: quiet) }
}
