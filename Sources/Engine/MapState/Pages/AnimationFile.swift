package import MapImages
import MapModel
package import MapSystem
import MapTiles

/// A file of images that are shown one after the other; each image is written when it is added.
///
/// - Cost: memory for two images, and for the colours of one.
package struct AnimationFile: ~Copyable {
  /// The formats of animations, by the ending of the file.
  package enum Format: String, Sendable {
    /// At most 256 new colours in each image.
    case gif
    /// Without loss.
    case apng
    /// Without loss; needs the library libwebp.
    case webp
  }

  private let format: Format
  private let timing: AnimationTiming
  private let count: Int
  private let dotsPerInch: Double?
  private var file: FileInPieces
  private var size = 0
  private var number = 0
  private var last: Bitmap?

  /// Begins a file, which replaces the one at its path when it is finished.
  ///
  /// - Parameters:
  ///   - count: the number of images.
  ///   - dotsPerInch: the resolution to write into an APNG file; nil writes none.
  ///   - inputs: the files that may not be replaced.
  /// - Throws: ``MapStateError``.
  package init(
    _ path: String, _ format: Format, _ timing: AnimationTiming, count: Int, dotsPerInch: Double? = nil,
    keeping inputs: [String] = []
  ) throws(MapStateError) {
    file = try Self.begun(path, keeping: inputs)
    (self.format, self.timing, self.count, self.dotsPerInch) = (format, timing, count, dotsPerInch)
  }

  private static func begun(
    _ path: String, keeping inputs: [String]
  ) throws(MapStateError) -> FileInPieces {
    do { return try FileInPieces(path, keeping: inputs) } catch { throw MapStateError(error) }
  }

  /// Adds an image of the same size as the others.
  ///
  /// - Throws: ``MapStateError``, also if libwebp is missing.
  package mutating func add(_ image: Bitmap) throws(MapStateError) {
    let image = format == .gif ? image.overWhite() : image
    let patch = try last.map { last throws(MapStateError) in try ImagePatch(from: last, to: image) }
    let bytes: [UInt8]
    do {
      bytes =
        (patch == nil ? start(width: image.width, height: image.height) : [])
        + (try encoded(patch ?? ImagePatch(image)))
    } catch {
      throw MapStateError(error)
    }
    try add(bytes)
    (last, number) = (image, number + 1)
  }

  /// Ends the file, and gives it its path.
  ///
  /// - Throws: ``MapStateError``; the file at the path stays as it was.
  package mutating func finish() throws(MapStateError) {
    switch format {
    case .gif: try add(GIFEncoder.end)
    case .apng: try add(APNGEncoder.end)
    case .webp:
      guard let bytes = WebPAnimation.size(of: size) else {
        throw MapStateError(.input, "the animation is larger than 4 GiB, the most of WebP; write .apng")
      }
      do { try file.replace(bytes, at: 4) } catch { throw MapStateError(error) }
    }
    do { try file.finish() } catch { throw MapStateError(error) }
  }

  private mutating func add(_ bytes: [UInt8]) throws(MapStateError) {
    do { try file.add(bytes) } catch { throw MapStateError(error) }
    size += bytes.count
  }

  private func start(width: Int, height: Int) -> [UInt8] {
    switch format {
    case .gif: GIFEncoder(width: width, height: height, timing).start
    case .apng:
      APNGEncoder(width: width, height: height, count: count, timing).start(dotsPerInch: dotsPerInch)
    case .webp: WebPAnimation.start(width: width, height: height, plays: timing.plays)
    }
  }

  private func encoded(_ patch: ImagePatch) throws -> [UInt8] {
    let (width, height) = (patch.pixels.width, patch.pixels.height)
    switch format {
    case .gif: return GIFEncoder(width: width, height: height, timing).image(patch)
    case .apng:
      return try APNGEncoder(width: width, height: height, count: count, timing).image(patch, number: number)
    case .webp:
      do { return try WebPAnimation.image(patch, milliseconds: timing.milliseconds) } catch {
        throw MapStateError(
          .input, "the animation cannot be written: \(error); .gif and .apng need no further library")
      }
    }
  }
}
