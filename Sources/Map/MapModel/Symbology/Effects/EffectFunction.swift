import MapSystem

/// A step of an effect, which changes the image of a layer.
///
/// - Source: W3C Filter Effects Module Level 1, section 5 (the functions of `filter`); web map specification, `effect`.
package enum EffectFunction: Hashable, Sendable {
  /// A change of colours or opacity by an amount.
  case amount(EffectAmount, Double)
  /// A rotation of the hues, in degrees.
  case hueRotate(Double)
  /// A blur with a standard deviation, in pixels of 1/96 inch.
  case blur(Double)
  /// A shadow below the image.
  case dropShadow(EffectShadow)
  /// A glow of the bright colours.
  case bloom(EffectBloom)

  /// The largest standard deviation of a blur, in pixels of 1/96 inch.
  ///
  /// - Source: design decision, as for ``largestOffset``: features are drawn as far outside the image as effects reach.
  package static let largestRadius = 128.0
  /// The largest distance of a shadow along an axis, in pixels of 1/96 inch.
  package static let largestOffset = 256.0

  /// The distance that the function moves ink, in pixels of 1/96 inch.
  ///
  /// Three boxes in a row, which replace a large Gaussian curve, reach 2.9 standard deviations.
  package var reach: Double {
    switch self {
    case .amount, .hueRotate: 0
    case .blur(let radius): radius > 0 ? 3 * radius + 2 : 0
    case .bloom(let bloom): bloom.radius > 0 ? 3 * bloom.radius + 2 : 0
    case .dropShadow(let shadow): max(abs(shadow.x), abs(shadow.y)) + 3 * shadow.radius + 2
    }
  }

  /// The function of the same kind that changes nothing.
  package var identity: EffectFunction {
    switch self {
    case .amount(let kind, _): .amount(kind, kind.identity)
    case .hueRotate: .hueRotate(0)
    case .blur: .blur(0)
    case .bloom(let bloom): .bloom(EffectBloom(strength: 0, radius: 0, threshold: bloom.threshold))
    case .dropShadow: .dropShadow(EffectShadow(x: 0, y: 0, radius: 0, color: .clear))
    }
  }

  /// Returns the function between this one (0) and another (1); nil for another kind.
  func mixed(with other: EffectFunction, at share: Double) -> EffectFunction? {
    func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
    switch (self, other) {
    case (.amount(let kind, let a), .amount(let other, let b)) where kind == other:
      return .amount(kind, between(a, b))
    case (.hueRotate(let a), .hueRotate(let b)): return .hueRotate(between(a, b))
    case (.blur(let a), .blur(let b)): return .blur(between(a, b))
    case (.bloom(let a), .bloom(let b)):
      return .bloom(
        EffectBloom(
          strength: between(a.strength, b.strength), radius: between(a.radius, b.radius),
          threshold: between(a.threshold, b.threshold)))
    case (.dropShadow(let a), .dropShadow(let b)):
      func channel(_ path: KeyPath<Color, UInt8>) -> UInt8 {
        UInt8(clamping: between(Double(a.color[keyPath: path]), Double(b.color[keyPath: path])).rounded())
      }
      return .dropShadow(
        EffectShadow(
          x: between(a.x, b.x), y: between(a.y, b.y), radius: between(a.radius, b.radius),
          color: Color(
            red: channel(\.red), green: channel(\.green), blue: channel(\.blue), alpha: channel(\.alpha))))
    default: return nil
    }
  }
}

/// A change of colours or opacity by an amount; the raw values are the names in documents.
package enum EffectAmount: String, CaseIterable, Hashable, Sendable {
  case brightness, contrast, grayscale, invert, opacity, saturate, sepia

  /// The amount that changes nothing.
  package var identity: Double {
    switch self {
    case .brightness, .contrast, .opacity, .saturate: 1
    case .grayscale, .invert, .sepia: 0
    }
  }

  /// The largest amount; larger ones count as this one.
  ///
  /// - Source: W3C Filter Effects for a limit of 1; design decision otherwise.
  package var largest: Double {
    switch self {
    case .grayscale, .invert, .opacity, .sepia: 1
    case .brightness, .contrast, .saturate: 1000
    }
  }
}

/// A blurred and moved copy of the opacity of an image in one colour, which lies below the image.
package struct EffectShadow: Hashable, Sendable {
  /// The distance to the right, in pixels of 1/96 inch.
  package var x: Double
  /// The distance down, in pixels of 1/96 inch.
  package var y: Double
  /// The standard deviation of the blur, in pixels of 1/96 inch.
  package var radius: Double
  /// The colour.
  package var color: Color

  /// Creates a shadow.
  package init(x: Double, y: Double, radius: Double, color: Color) {
    (self.x, self.y, self.radius, self.color) = (x, y, radius, color)
  }
}

/// A blurred copy of the bright colours of an image, which is added to the image.
///
/// - Source: ArcGIS Maps SDK for JavaScript, `bloom(strength, radius, threshold)`: colours of at least the threshold's
///   brightness glow, with a strength and a radius, additively. Esri publishes no formula. Design decision: the brightness
///   is the luminance of the W3C Filter Effects Module, the copy is multiplied by the strength, and the radius is the
///   standard deviation of its blur.
package struct EffectBloom: Hashable, Sendable {
  /// The factor of the copy; 1 adds it as it is.
  package var strength: Double
  /// The standard deviation of the blur, in pixels of 1/96 inch.
  package var radius: Double
  /// The least luminance of the colours that glow, from 0 to 1.
  package var threshold: Double

  /// The largest strength.
  ///
  /// - Source: design decision: above, every colour that glows is white or has a channel of 0.
  package static let largestStrength = 1000.0

  /// Creates a glow.
  package init(strength: Double, radius: Double, threshold: Double) {
    (self.strength, self.radius, self.threshold) = (strength, radius, threshold)
  }
}
