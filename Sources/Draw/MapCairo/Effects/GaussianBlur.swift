import Glibc
internal import MapSystem

/// A blur with a Gaussian curve; outside the image nothing is drawn.
///
/// From a standard deviation of 2 on, three boxes in a row replace the curve. Below, its weights are used themselves, in
/// units of 1/65,536.
///
/// - Source: W3C Filter Effects Module Level 1, section 9.16 (`feGaussianBlur`), also for the sizes of the boxes.
struct GaussianBlur {
  /// A sum over neighbouring pixels of a row.
  private enum Pass {
    /// The mean of `size` pixels, beginning `before` pixels to the left.
    case box(size: Int, before: Int)
    /// Weights for the pixel itself and for both at each distance.
    case weights([UInt32])
  }

  private let passes: [Pass]

  /// Whether the blur changes an image.
  var changes: Bool { !passes.isEmpty }

  /// Creates a blur with a standard deviation in pixels.
  init(deviation: Double) {
    guard deviation > 0, deviation.isFinite else {
      passes = []
      return
    }
    guard deviation < 2 else {
      let size = Int(clamping: (deviation * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down))
      let half = size / 2
      passes =
        size % 2 == 1
        ? Array(repeating: .box(size: size, before: half), count: 3)
        : [
          .box(size: size, before: half), .box(size: size, before: half - 1),
          .box(size: size + 1, before: half),
        ]
      return
    }
    let curve = (0...Int(clamping: (3 * deviation).rounded(.up))).map { distance in
      exp(-Double(distance * distance) / (2 * deviation * deviation))
    }
    let sum = 2 * curve.reduce(0, +) - 1
    var weights = curve.map { UInt32(clamping: Int(clamping: ($0 / sum * 65536).rounded())) }
    // The weights have the sum 1, so that an even area keeps its colour.
    weights[0] = 65536 - 2 * weights.dropFirst().reduce(0, +)
    passes = weights[0] < 65536 ? [.weights(weights)] : []
  }

  /// Returns the blurred pixels of an image.
  func applied(to pixels: [EffectImage.Pixel], width: Int) -> [EffectImage.Pixel] {
    guard width > 0 else { return pixels }
    let height = pixels.count / width
    let rows = Self.transposed(Self.blurred(pixels, width: width, passes), width: width)
    return Self.transposed(Self.blurred(rows, width: height, passes), width: height)
  }

  private static func transposed(_ pixels: [EffectImage.Pixel], width: Int) -> [EffectImage.Pixel] {
    let height = pixels.count / width
    var result = [EffectImage.Pixel](repeating: .zero, count: pixels.count)
    for row in 0..<height {
      for column in 0..<width { result[column * height + row] = pixels[row * width + column] }
    }
    return result
  }

  private static func blurred(
    _ pixels: [EffectImage.Pixel], width: Int, _ passes: [Pass]
  ) -> [EffectImage.Pixel] {
    guard width > 0 else { return pixels }
    var result = pixels
    var line = [EffectImage.Pixel](repeating: .zero, count: width)
    for start in stride(from: 0, to: pixels.count, by: width) {
      // Most rows of a layer with few features are empty.
      guard result[start..<start + width].contains(where: { $0.w > 0 }) else { continue }
      for pass in passes {
        for column in 0..<width { line[column] = result[start + column] }
        switch pass {
        case .box(let size, let before): blur(line, size, before) { result[start + $0] = $1 }
        case .weights(let weights): blur(line, weights) { result[start + $0] = $1 }
        }
      }
    }
    return result
  }

  private static func blur(
    _ line: [EffectImage.Pixel], _ size: Int, _ before: Int, _ write: (Int, EffectImage.Pixel) -> Void
  ) {
    let count = UInt32(clamping: size)
    var sum = SIMD4<UInt32>.zero
    for column in 0..<min(line.count, max(0, size - before - 1)) {
      sum &+= SIMD4<UInt32>(truncatingIfNeeded: line[column])
    }
    for column in line.indices {
      let (entering, leaving) = (column - before + size - 1, column - before - 1)
      if entering < line.count { sum &+= SIMD4<UInt32>(truncatingIfNeeded: line[entering]) }
      if leaving >= 0 { sum &-= SIMD4<UInt32>(truncatingIfNeeded: line[leaving]) }
      write(column, EffectImage.Pixel(truncatingIfNeeded: (sum &+ count / 2) / count))
    }
  }

  private static func blur(
    _ line: [EffectImage.Pixel], _ weights: [UInt32], _ write: (Int, EffectImage.Pixel) -> Void
  ) {
    for column in line.indices {
      // The weights have the sum 65,536, so the sum fits into 32 bits.
      var sum = SIMD4<UInt32>(truncatingIfNeeded: line[column]) &* weights[0] &+ 32768
      for distance in 1..<weights.count {
        if column >= distance {
          sum &+= SIMD4<UInt32>(truncatingIfNeeded: line[column - distance]) &* weights[distance]
        }
        if column + distance < line.count {
          sum &+= SIMD4<UInt32>(truncatingIfNeeded: line[column + distance]) &* weights[distance]
        }
      }
      write(column, EffectImage.Pixel(truncatingIfNeeded: sum &>> 16))
    }
  }
}
