/// A colour in sRGB, not multiplied by its opacity.
package struct StyleColor: Hashable, Sendable {
  /// Red, from 0 to 1.
  package var red: Double
  /// Green, from 0 to 1.
  package var green: Double
  /// Blue, from 0 to 1.
  package var blue: Double
  /// The opacity, from 0 to 1.
  package var alpha: Double

  /// Creates a colour.
  package init(_ red: Double, _ green: Double, _ blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  static let black = StyleColor(0, 0, 0)
  static let transparent = StyleColor(0, 0, 0, alpha: 0)

  /// Creates a colour from the elements of an array: red, green and blue times opacity from 0 to 255, and the opacity.
  ///
  /// - Source: MapLibre GL JS 5, which takes such numbers as already multiplied by the opacity.
  init(premultiplied red: Double, _ green: Double, _ blue: Double, alpha: Double) {
    let scale = alpha == 0 ? 0 : 1 / (255 * alpha)
    self.init(red * scale, green * scale, blue * scale, alpha: alpha)
  }

  /// The colour as `to-string` writes it.
  var text: String {
    let parts = [red, green, blue].map { StyleText.number(($0 * 255 + 0.5).rounded(.down)) }
    return "rgba(\(parts.joined(separator: ",")),\(StyleText.number(alpha)))"
  }

  /// Returns what is wrong with the parts of a colour; nil for a valid one.
  static func fault(_ red: StyleValue?, _ green: StyleValue?, _ blue: StyleValue?, _ alpha: StyleValue?)
    -> String?
  {
    let channels = [red, green, blue]
    let texts = channels.map { $0.map(StyleText.text) ?? "" }
    let isInRange = channels.allSatisfy { channel in
      if case .number(let number)? = channel { (0...255).contains(number) } else { false }
    }
    guard isInRange else {
      var texts = texts
      if case .number(let number)? = alpha { texts.append(StyleText.number(number)) }
      return
        "Invalid rgba value [\(texts.joined(separator: ", "))]: 'r', 'g', and 'b' must be between 0 and 255."
    }
    guard let alpha else { return nil }
    if case .number(let number) = alpha, (0...1).contains(number) { return nil }
    let all = texts + [StyleText.text(alpha)]
    return "Invalid rgba value [\(all.joined(separator: ", "))]: 'a' must be between 0 and 1."
  }
}

/// The spaces in which colours are interpolated.
package enum StyleColorSpace: Hashable, Sendable {
  case rgb, hcl, lab
}

extension StyleColor {
  /// Returns the colour between this one and another; 0 is this one.
  func mixed(with other: StyleColor, _ share: Double, in space: StyleColorSpace = .rgb) -> StyleColor {
    func mix(_ first: Double, _ second: Double) -> Double { first + share * (second - first) }
    let opacity = mix(alpha, other.alpha)
    switch space {
    case .rgb:
      return StyleColor(
        mix(red, other.red), mix(green, other.green), mix(blue, other.blue), alpha: opacity)
    case .lab:
      let (a, b) = (LabColor(self), LabColor(other))
      let between = LabColor(lightness: mix(a.lightness, b.lightness), a: mix(a.a, b.a), b: mix(a.b, b.b))
      return between.color(alpha: opacity)
    case .hcl:
      let (a, b) = (LabColor(self), LabColor(other))
      let (first, second) = (a.hue, b.hue)
      var chroma = mix(a.chroma, b.chroma)
      let hue: Double
      switch (first, second) {
      case (let first?, let second?):
        var turn = second - first
        if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
        hue = first + share * turn
      case (let first?, nil):
        hue = first
        if b.lightness == 1 || b.lightness == 0 { chroma = a.chroma }
      case (nil, let second?):
        hue = second
        if a.lightness == 1 || a.lightness == 0 { chroma = b.chroma }
      case (nil, nil): hue = 0
      }
      return LabColor(hue: hue, chroma: chroma, lightness: mix(a.lightness, b.lightness)).color(
        alpha: opacity)
    }
  }
}
