/// The time of each image of an animation, and the number of times that it plays.
package struct AnimationTiming: Hashable, Sendable {
  /// The time of each image in milliseconds.
  package var milliseconds = 500
  /// The number of times that the animation plays; 0 is without end.
  package var plays = 0

  /// The times of an image in milliseconds that every format and browser shows.
  ///
  /// - Source: browsers show a GIF image of less than 20 ms for 100 ms; APNG counts to 65,535.
  package static let milliseconds = 20...60_000
  /// The numbers of times that every format can store.
  ///
  /// - Source: GIF and WebP store them in 16 bits.
  package static let plays = 0...65_535

  /// Creates a timing: half a second for each image, without end.
  package init() {}
}
