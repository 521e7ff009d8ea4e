import MapModel
import Testing

/// Handling of numbers that no image can show.
@Suite struct SymbolNumberTests {
  static let all: [SymbolNumber] = [.size, .width, .offset, .dash, .ratio, .rotation]
  static let hostile = [
    0, -0.0, 1e-300, 1e-25, .leastNonzeroMagnitude, 0.0009, 1, -1, 719.9, 1e6, -1e6, 1e300, -1e300,
    .greatestFiniteMagnitude,
    .infinity, -.infinity, .nan, .signalingNaN,
  ]

  @Test("Every symbol number is bounded to its limits", arguments: all)
  func limits(kind: SymbolNumber) {
    #expect(Self.hostile.count == 18)
    for number in Self.hostile {
      let bounded = kind.bounded(number)
      #expect(abs(bounded) <= kind.limit, "\(number) -> \(bounded)")
      #expect(kind.bounded(bounded) == bounded, "\(number)")
    }
  }

  @Test("Ordinary symbol numbers are unchanged")
  func ordinary() {
    for number in [0.01, 0.5, 1, 12, 100.25, 300] {
      for kind in Self.all { #expect(kind.bounded(number) == number) }
      for kind in [SymbolNumber.offset, .rotation] { #expect(kind.bounded(-number) == -number) }
    }
  }

  @Test("Extreme and invalid symbol numbers become a bound, zero or an equivalent angle")
  func none() {
    for number in [1e-25, 0, -1, .nan, -.infinity] {
      #expect(SymbolNumber.size.bounded(number) == 0)
      #expect(SymbolNumber.width.bounded(number) == 0)
      #expect(SymbolNumber.dash.bounded(number) == 0.001)
    }
    #expect(SymbolNumber.offset.bounded(.nan) == 0)
    #expect(SymbolNumber.offset.bounded(-.infinity) == -65_536)
    #expect(SymbolNumber.ratio.bounded(.infinity) == 65_536)
    #expect(SymbolNumber.ratio.bounded(-1) == 0)
    #expect(SymbolNumber.rotation.bounded(.infinity) == 0)
    #expect(SymbolNumber.rotation.bounded(765) == 45)
  }
}
