/// A number or none in eight bytes: NaN stands for none, and none equals none.
///
/// `Double?` takes sixteen in a value of several, and every vertex of the public geometries has two.
struct OptionalNumber: Hashable, Sendable {
  private let stored: Double

  init(_ value: Double?) { stored = value ?? .nan }

  var value: Double? { stored.isNaN ? nil : stored }
  var isThere: Bool { !stored.isNaN }

  /// The smaller of two; one that is not there adds nothing, as IEEE 754 has it.
  static func minimum(_ first: OptionalNumber, _ second: OptionalNumber) -> OptionalNumber {
    OptionalNumber(.minimum(first.stored, second.stored))
  }

  /// The larger of two; one that is not there adds nothing.
  static func maximum(_ first: OptionalNumber, _ second: OptionalNumber) -> OptionalNumber {
    OptionalNumber(.maximum(first.stored, second.stored))
  }

  static func == (first: OptionalNumber, second: OptionalNumber) -> Bool { first.value == second.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
