package import MapImages
import MapJSON
package import MapState

extension AnimationTiming {
  /// Returns a time in milliseconds from text, such as `500ms` or `0.5s`.
  ///
  /// - Throws: `MapStateError` of kind usage, also for a time that browsers do not show.
  package static func milliseconds(text: String) throws(MapStateError) -> Int {
    let text = text.lowercased().filter { $0 != " " }
    let isMilliseconds = text.hasSuffix("ms")
    guard text.hasSuffix("s"),
      let number = DecimalNumbers.read(String(text.dropLast(isMilliseconds ? 2 : 1)), counts: 1...1)?.first
    else {
      let rate = Double(text).map { _ in "has no unit" } ?? "is no time"
      throw MapStateError(.usage, "\"\(text)\" \(rate); write such as 500ms or 2s")
    }
    let time = Int(clamping: (isMilliseconds ? number : number * 1_000).rounded())
    guard milliseconds.contains(time) else {
      throw MapStateError(.usage, "\"\(text)\" is not from 20ms to 60s")
    }
    return time
  }
}

extension SeriesFiles {
  /// Reads the timing of a step.
  ///
  /// - Throws: `MapStateError`, also for a timing of files that are no animation.
  mutating func readTiming(_ step: JSONNode) throws(MapStateError) {
    let (time, plays) = try MapStateError.reading {
      (try step.string("frameTime"), try step.integer("loops"))
    }
    for (name, isGiven) in [("frameTime", time != nil), ("loops", plays != nil)] where isGiven {
      guard isAnimation else {
        throw MapStateError(.usage, "\"\(name)\" needs an \"output\" that ends in .gif, .apng or .webp")
      }
    }
    if let time { timing.milliseconds = try AnimationTiming.milliseconds(text: time) }
    if let plays {
      guard AnimationTiming.plays.contains(plays) else {
        throw MapStateError(.usage, "\"loops\" is \(plays); it must be 0 to 65535, 0 for no end")
      }
      timing.plays = plays
    }
  }

  /// Whether the file is an animation.
  package var isAnimation: Bool { if case .animation = form { true } else { false } }
}
