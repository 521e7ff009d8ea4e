public import MapImages
import MapJSON

/// How much of a picture may differ from its reference.
///
/// Either channel by channel, which is the default at one step and no pixel, or as eyes see it.
public struct SnapshotTolerance: Hashable, Sendable {
  /// When a pixel differs.
  public var metric = PixelMetric.channel(1)
  /// How many pixels may differ.
  public var pixels = 0
  /// How many of them may lie in one square of ``windowSide``; nil is no limit of its own.
  public var windowPixels: Int?
  /// The side of that square.
  public var windowSide = 32

  /// One step of a channel, no pixel.
  ///
  /// - Source: resvg's tests.
  public init() {}

  /// True when it lets more pass than the default does, which a case must give a reason for.
  var isWiderThanUsual: Bool {
    switch metric {
    case .channel(let step): step > 1 || pixels > 0
    // Anti-aliasing is let pass, however small the threshold.
    case .perceptual: true
    }
  }

  /// True when a difference is within it.
  public func allows(_ difference: ImageDifference) -> Bool {
    difference.differing <= pixels
      && windowPixels.map { difference.worstWindow(side: windowSide) <= $0 } ?? true
  }

  /// Reads it as cases write it.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    try node.refuseUnknown([
      "channel", "pixels", "perceptual", "countAntialiasing", "windowPixels", "windowSide",
    ])
    if let threshold = try node.double("perceptual") {
      guard threshold >= 0, threshold <= 1 else { throw node.invalid("perceptual is not between 0 and 1") }
      guard node["channel"] == nil else {
        throw node.invalid("\"channel\" and \"perceptual\" each say when a pixel differs; give one of them")
      }
      metric = .perceptual(
        threshold: threshold, countsAntialiasing: try node.boolean("countAntialiasing") ?? false)
    } else {
      guard node["countAntialiasing"] == nil else {
        throw node.invalid("\"countAntialiasing\" goes with \"perceptual\"")
      }
      guard let channel = UInt8(exactly: try node.integer("channel") ?? 1) else {
        throw node.invalid("channel is not between 0 and 255")
      }
      metric = .channel(channel)
    }
    pixels = try node.integer("pixels") ?? 0
    windowPixels = try node.integer("windowPixels")
    windowSide = try node.integer("windowSide") ?? 32
    guard pixels >= 0, windowPixels ?? 0 >= 0 else { throw node.invalid("a number of pixels is below 0") }
    guard (1...Bitmap.maximumSide).contains(windowSide) else {
      throw node.invalid("windowSide is not between 1 and \(Bitmap.maximumSide)")
    }
  }
}

/// A part of a picture that may differ by more.
public struct SnapshotMask: Hashable, Sendable {
  /// Where, and by how much.
  public enum Area: Hashable, Sendable {
    /// A rectangle in picture pixels, and what a channel may differ by there.
    case rectangle(PixelRectangle, channel: UInt8)
    /// A picture beside the case whose red is what a channel may differ by: white is not looked at.
    case picture(String)
  }

  /// Where, and by how much.
  public let area: Area
  /// Why.
  public let reason: String

  /// Reads it as cases write it.
  init(_ node: JSONNode) throws(JSONDecodingError) {
    try node.refuseUnknown(["rectangle", "picture", "channel", "reason"])
    reason = try node.required("reason").string()
    guard !reason.isEmpty else { throw node.invalid("a mask needs a \"reason\"") }
    if let picture = try node.string("picture") {
      guard node["rectangle"] == nil, node["channel"] == nil else {
        throw node.invalid("a mask is either a \"picture\" or a \"rectangle\" with a \"channel\"")
      }
      guard !picture.isEmpty, !picture.contains("/") else {
        throw node.invalid("the picture of a mask lies in the case's folder")
      }
      area = .picture(picture)
      return
    }
    let sides = try node.required("rectangle").elements()
    guard sides.count == 4 else { throw node.invalid("expected [x, y, width, height]") }
    let n = [try sides[0].integer(), try sides[1].integer(), try sides[2].integer(), try sides[3].integer()]
    guard n[2] > 0, n[3] > 0 else { throw node.invalid("a mask without pixels") }
    guard let channel = UInt8(exactly: try node.integer("channel") ?? 255), channel > 0 else {
      throw node.invalid("channel is not between 1 and 255")
    }
    area = .rectangle(PixelRectangle(x: n[0], y: n[1], width: n[2], height: n[3]), channel: channel)
  }
}

extension JSONNode {
  /// Throws for a member that is not among those known, so that a misspelt one is not passed over.
  func refuseUnknown(_ known: [String]) throws(JSONDecodingError) {
    for member in try object().members where !known.contains(member.name) {
      throw invalid("there is no key \"\(member.name)\"; there are \(known.sorted().joined(separator: ", "))")
    }
  }
}
