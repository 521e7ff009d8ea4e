import ArgumentParser
import MapScript
import MapState

/// The option that fixes the current time.
struct ClockOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Current time of filters and expressions, a date or timestamp as in filters; default: the system clock.",
      valueName: "time"),
    transform: { try Instant(text: $0) })
  var now: Instant?
}
