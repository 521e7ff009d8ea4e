/// The medium on which an image is seen, which sets the resolution of the image and the size of what is drawn.
public enum ImageMedium: String, CaseIterable, Sendable {
  /// Paper: 300 output pixels per inch, unless a resolution is given.
  case print
  /// A screen: the resolution and sizes of the request.
  case screen
  /// A projected image that is seen from far away: texts, lines and symbols are 1.5 times as large in an image of the same
  /// size.
  case projector

  /// The output pixels per inch of printed images.
  ///
  /// - Source: the usual requirement of printers for images.
  static let printed = 300.0
  /// The enlargement of what is drawn on projected images.
  ///
  /// - Source: design decision.
  static let enlargement = 1.5
}

extension ViewRequest {
  /// Gives the request the size and the pixel ratio of its medium, which it then no longer names.
  ///
  /// - Parameter dotsPerInch: the output pixels per inch that are asked for; nil for the pixel ratio, or those of the medium.
  /// - Returns: the output pixels per inch that a file should state; nil for none.
  @discardableResult
  package mutating func applyMedium(dotsPerInch: Double? = nil) -> Double? {
    let dotsPerInch = dotsPerInch ?? (medium == .print && pixelRatio == 1 ? ImageMedium.printed : nil)
    if let dotsPerInch { pixelRatio = dotsPerInch / 96 }
    if medium == .projector {
      let factor = ImageMedium.enlargement
      size = ViewSize(width: size.width / factor, height: size.height / factor)
      pixelRatio *= factor
    }
    medium = .screen
    return dotsPerInch
  }

  /// The request with the size and the pixel ratio of its medium.
  var onScreen: ViewRequest {
    var request = self
    request.applyMedium()
    return request
  }
}
