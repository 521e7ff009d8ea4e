import Foundation
import MapImages
import Testing

/// Comparison times for the images that `Scripts/compare/pixelmatch` names; skipped without them.
@Suite struct ComparisonSpeedTests {
  private static let folder = ProcessInfo.processInfo.environment["MAPSTATE_COMPARE_PICTURES"]

  @Test("Comparison times are printed for the images of a given folder", .enabled(if: folder != nil))
  func times() throws {
    let folder = try #require(Self.folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("-a.png") }
      .sorted()
    #expect(!names.isEmpty)
    for name in names {
      let before = try Bitmap(pngData: Array(Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
      let other = name.replacing("-a.png", with: "-b.png")
      let after = try Bitmap(pngData: Array(Data(contentsOf: URL(filePath: "\(folder)/\(other)"))))
      for (word, metric) in [
        ("channel", PixelMetric.channel(1)), ("perceptual", .perceptual(threshold: 0.1)),
      ] {
        var times: [Duration] = []
        var count = 0
        for _ in 0..<15 {
          times.append(
            ContinuousClock().measure {
              let comparison = ImageComparison(expected: before, actual: after, metric: metric)
              if case .differs(let difference) = comparison { count = difference.differing }
            })
        }
        times.sort()
        print("TIME\t\(name.dropLast(6))\t\(word)\t\(times[7] / .milliseconds(1))\t\(count)")
      }
    }
  }
}
