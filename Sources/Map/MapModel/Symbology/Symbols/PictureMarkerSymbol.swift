public import MapImages

/// A symbol that draws an image centred on a point.
///
/// Images without rotation are aligned with whole pixels, so they stay sharp. Without an image the standard marker is
/// drawn, and a warning has the reason.
///
/// - Units: sizes in pixels of 1/96 inch, independent of the image's pixel ratio; documents use points of 1/72 inch.
public struct PictureMarkerSymbol: Hashable, Sendable {
  /// The image, or the reason for its absence.
  public var picture: Result<SymbolPicture, SymbolPictureError>
  /// The address or path of the image in its document; empty for none.
  public var url: String
  /// The width in pixels of 1/96 inch; 0 derives it from the height, or else from the image.
  public var width = 0.0
  /// The height in pixels of 1/96 inch; 0 derives it from the width, or else from the image.
  public var height = 0.0
  /// The opacity, from 0 (transparent) to 1 (opaque).
  public var opacity = 1.0
  /// The rotation about the image's centre, clockwise in degrees; documents count counter-clockwise.
  public var angle = 0.0
  /// The direction that the angle is measured from.
  public var angleAlignment = SymbolAngleAlignment.screen
  /// The offset to the right after rotation, in pixels.
  public var offsetX = 0.0
  /// The offset upwards after rotation, in pixels.
  public var offsetY = 0.0
  /// The frame of a selected symbol; nil for none.
  package var frame: SimpleLineSymbol?

  /// Creates a symbol from an image in memory.
  public init(image: Bitmap) { self.init(picture: .success(SymbolPicture(image))) }

  /// Creates a symbol from an image, or without one.
  public init(picture: Result<SymbolPicture, SymbolPictureError>, url: String = "") {
    (self.picture, self.url) = (picture, url)
  }

  /// The size in which the image is drawn; nil without an image.
  package var drawnSize: (width: Double, height: Double)? {
    guard case .success(let picture) = picture else { return nil }
    let (ownWidth, ownHeight) = (
      Double(picture.width) / picture.density, Double(picture.height) / picture.density
    )
    if width > 0, height > 0 { return (width, height) }
    if width > 0 { return (width, width * ownHeight / ownWidth) }
    return height > 0 ? (height * ownWidth / ownHeight, height) : (ownWidth, ownHeight)
  }
}
