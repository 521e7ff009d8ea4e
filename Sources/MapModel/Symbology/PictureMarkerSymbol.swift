public import MapImages

/// A picture at a point, its middle on the place.
///
/// Upright pictures lie on whole pixels, so that they are as sharp as they were drawn. Where the picture cannot be had the
/// standard marker stands in, and a warning says why.
///
/// - Units: sizes in pixels of 1/96 inch, whatever the picture's pixel ratio; documents write points of 1/72 inch.
public struct PictureMarkerSymbol: Symbol, Hashable {
  /// The picture, or why there is none.
  public var picture: Result<SymbolPicture, SymbolPictureError>
  /// Where it came from, as a document names it; empty for none.
  public var url: String
  /// Width in pixels of 1/96 inch; 0 is what the height makes it, or the picture's own.
  public var width = 0.0
  /// Height in pixels of 1/96 inch; 0 is what the width makes it, or the picture's own.
  public var height = 0.0
  /// 0 is clear, 1 opaque.
  public var opacity = 1.0
  /// Turn about its own centre, clockwise, in degrees; documents count the other way round.
  public var angle = 0.0
  /// What the turn is counted from.
  public var angleAlignment = SymbolAngleAlignment.screen
  /// Shift to the right after turning, in pixels.
  public var offsetX = 0.0
  /// Shift upwards after turning, in pixels.
  public var offsetY = 0.0
  /// The frame that a selected one gets.
  package var frame: SimpleLineSymbol?

  /// A symbol of a picture in memory.
  public init(image: Bitmap) { self.init(picture: .success(SymbolPicture(image))) }

  /// A symbol of a picture, or of none.
  public init(picture: Result<SymbolPicture, SymbolPictureError>, url: String = "") {
    (self.picture, self.url) = (picture, url)
  }

  /// Itself, in the closed family.
  public var form: SymbolForm { .picture(self) }

  /// The size that it is drawn in; nil without a picture.
  package var drawnSize: (width: Double, height: Double)? {
    guard case .success(let picture) = picture else { return nil }
    let (ownWidth, ownHeight) = (Double(picture.width), Double(picture.height))
    if width > 0, height > 0 { return (width, height) }
    if width > 0 { return (width, width * ownHeight / ownWidth) }
    return height > 0 ? (height * ownWidth / ownHeight, height) : (ownWidth, ownHeight)
  }
}
