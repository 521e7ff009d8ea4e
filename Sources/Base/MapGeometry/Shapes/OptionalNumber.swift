/// An optional number in eight bytes: NaN means no value, and two missing values are equal.
///
/// `Double?` takes sixteen bytes within a larger value, and every vertex of the public geometries has two.
struct OptionalNumber: Hashable, Sendable {
  private let stored: Double

  init(_ value: Double?) { stored = value ?? .nan }

  var value: Double? { stored.isNaN ? nil : stored }
  var isThere: Bool { !stored.isNaN }

  /// Returns the smaller of two numbers; a missing one is ignored, as in IEEE 754.
  static func minimum(_ first: OptionalNumber, _ second: OptionalNumber) -> OptionalNumber {
    OptionalNumber(.minimum(first.stored, second.stored))
  }

  /// Returns the larger of two numbers; a missing one is ignored.
  static func maximum(_ first: OptionalNumber, _ second: OptionalNumber) -> OptionalNumber {
    OptionalNumber(.maximum(first.stored, second.stored))
  }

  static func == (first: OptionalNumber, second: OptionalNumber) -> Bool { first.value == second.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
