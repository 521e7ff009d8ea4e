public import MapImages
import MapJSON
import MapScript

/// The allowed difference between an image and its reference image.
///
/// The difference is measured by colour channel (default: one step, no pixel beyond it) or by perceived colour.
public struct SnapshotTolerance: Hashable, Sendable {
  /// The criterion for a differing pixel.
  public var metric = PixelMetric.channel(1)
  /// The maximum number of differing pixels.
  public var pixels = 0
  /// The maximum number of differing pixels in one square of side ``windowSide``; nil for no separate limit.
  public var windowPixels: Int?
  /// The side of that square.
  public var windowSide = 32

  /// Creates the default tolerance: one step of a channel, no differing pixel.
  ///
  /// - Source: resvg's tests.
  public init() {}

  /// Creates a tolerance by colour channel.
  ///
  /// - Parameters:
  ///   - channel: The largest difference of a channel that is ignored, 0 to 255.
  ///   - pixels: The maximum number of pixels that differ by more.
  public init(channel: UInt8, pixels: Int = 0) {
    (metric, self.pixels) = (.channel(channel), pixels)
  }

  /// Whether the tolerance is wider than the default, so that a case must give a reason.
  var isWiderThanUsual: Bool {
    switch metric {
    case .channel(let step): step > 1 || pixels > 0
    // The perceptual metric ignores anti-aliasing, however small its threshold is.
    case .perceptual: true
    }
  }

  /// Returns whether a difference is within the tolerance.
  public func allows(_ difference: ImageDifference) -> Bool {
    difference.differing <= pixels
      && windowPixels.map { difference.worstWindow(side: windowSide) <= $0 } ?? true
  }

  /// Reads the tolerance of a case.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    try node.refuseUnknown([
      "channel", "pixels", "perceptual", "countAntialiasing", "windowPixels", "windowSide",
    ])
    if let threshold = try node.double("perceptual") {
      guard threshold >= 0, threshold <= 1 else { throw node.invalid("\"perceptual\" must be 0 to 1") }
      guard node["channel"] == nil else {
        throw node.invalid("\"channel\" and \"perceptual\" exclude each other; give one of them")
      }
      metric = .perceptual(
        threshold: threshold, countsAntialiasing: try node.boolean("countAntialiasing") ?? false)
    } else {
      guard node["countAntialiasing"] == nil else {
        throw node.invalid("\"countAntialiasing\" goes with \"perceptual\", which is missing")
      }
      guard let channel = UInt8(exactly: try node.integer("channel") ?? 1) else {
        throw node.invalid("\"channel\" must be 0 to 255")
      }
      metric = .channel(channel)
    }
    pixels = try node.integer("pixels") ?? 0
    windowPixels = try node.integer("windowPixels")
    windowSide = try node.integer("windowSide") ?? 32
    guard pixels >= 0, windowPixels ?? 0 >= 0 else {
      throw node.invalid("\"pixels\" and \"windowPixels\" must be 0 or more")
    }
    guard (1...Bitmap.maximumSide).contains(windowSide) else {
      throw node.invalid("\"windowSide\" must be 1 to \(Bitmap.maximumSide)")
    }
  }
}

/// A part of an image with a larger allowed difference.
public struct SnapshotMask: Hashable, Sendable {
  /// The area and the allowed difference.
  public enum Area: Hashable, Sendable {
    /// A rectangle in output pixels with the allowed difference of a channel.
    case rectangle(PixelRectangle, channel: UInt8)
    /// The name of an image beside the case whose red value is the allowed difference of a channel; white ignores
    /// the pixel.
    case picture(String)
  }

  /// The area and the allowed difference.
  public let area: Area
  /// The reason for the mask.
  public let reason: String

  /// Reads the mask of a case.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    try node.refuseUnknown(["rectangle", "picture", "channel", "reason"])
    reason = try node.required("reason").string()
    guard !reason.isEmpty else { throw node.invalid("a mask needs a \"reason\"") }
    if let picture = try node.string("picture") {
      guard node["rectangle"] == nil, node["channel"] == nil else {
        throw node.invalid("a mask is either a \"picture\" or a \"rectangle\" with a \"channel\"")
      }
      guard !picture.isEmpty, !picture.contains("/") else {
        throw node.invalid("the image of a mask must be in the case's folder")
      }
      area = .picture(picture)
      return
    }
    let sides = try node.required("rectangle").elements()
    guard sides.count == 4 else { throw node.invalid("expected [x, y, width, height]") }
    let n = [try sides[0].integer(), try sides[1].integer(), try sides[2].integer(), try sides[3].integer()]
    guard n[2] > 0, n[3] > 0 else {
      throw node.invalid("the rectangle is empty; width and height must be above 0")
    }
    guard let channel = UInt8(exactly: try node.integer("channel") ?? 255), channel > 0 else {
      throw node.invalid("\"channel\" must be 1 to 255")
    }
    area = .rectangle(PixelRectangle(x: n[0], y: n[1], width: n[2], height: n[3]), channel: channel)
  }
}
