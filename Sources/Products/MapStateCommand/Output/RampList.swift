import Glibc
import MapState
import MapSystem

/// The answer of `--ramp list`: the names of the colour ramps with their colours.
enum RampList {
  /// Whether the command line asks for the list, whatever its other arguments.
  static func isAsked(_ arguments: [String]) -> Bool {
    arguments.contains("--ramp=list")
      || zip(arguments, arguments.dropFirst()).contains { $0 == ("--ramp", "list") }
  }

  /// Returns a line for each ramp: name, kind, whether it is safe with colour blindness, and its colours for five classes,
  /// or all colours of a qualitative one.
  ///
  /// - Parameter isTerminal: true to show the colours, false to write them in hexadecimal digits.
  static func text(isTerminal: Bool) -> String {
    ColorRamp.all.map { ramp in
      let words = [
        (ramp.name, 10), (ramp.kind.rawValue, 12), (ramp.isColorBlindSafe ? "colour-blind safe" : "", 19),
      ]
      let colors = ramp.colors(count: ramp.largestCount ?? 5).map { isTerminal ? swatch($0) : "\($0)" }
      return words.map { $0 + String(repeating: " ", count: max(1, $1 - $0.count)) }.joined()
        + colors.joined(separator: isTerminal ? "" : " ") + "\n"
    }.joined()
  }

  /// Whether standard output shows colours.
  ///
  /// - Source: no-color.org.
  static var isTerminal: Bool { unsafe isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil }

  /// Two cells with a background, by ISO 8613-6 (SGR 48;2).
  private static func swatch(_ color: Color) -> String {
    "\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m   \u{1B}[0m"
  }
}
