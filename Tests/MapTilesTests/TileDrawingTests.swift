import Foundation
import MapFeatures
import MapGeometry
import MapImages
import MapModel
import MapState
import MapTiles
import Synchronization
import Testing

/// Tiles whose red and green are waves of the tile pixel, 32 pixels long.
private final class WaveTiles: TileSource {
  let scheme: TileScheme
  let (name, place, attribution) = ("Waves", "waves", "")
  /// The tiles that were requested, each as often as it was.
  let requested = Mutex<[TileIndex]>([])
  let absent: Set<TileIndex>

  init?(zooms: ClosedRange<Int> = 0...12, absent: Set<TileIndex> = []) {
    guard let scheme = TileScheme.webMercator(zooms: zooms) else { return nil }
    (self.scheme, self.absent) = (scheme, absent)
  }

  static func wave(_ place: Double) -> Double { 128 + 100 * sin(2 * .pi * place / 32) }

  func images(at tiles: [TileIndex]) async -> [TileIndex: Result<TileImage?, TileError>] {
    requested.withLock { $0 += tiles }
    return Dictionary(
      uniqueKeysWithValues: tiles.map { tile in
        var pixels: [UInt8] = []
        for row in 0..<256 {
          for column in 0..<256 {
            let (red, green) = (Self.wave(Double(column) + 0.5), Self.wave(Double(row) + 0.5))
            pixels += [UInt8(red.rounded()), UInt8(green.rounded()), 0, 255]
          }
        }
        let bitmap = try? Bitmap(width: 256, height: 256, pixels: pixels)
        return (tile, .success(absent.contains(tile) ? nil : bitmap.map { TileImage($0) }))
      })
  }
}

@Suite struct TileDrawingTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    let wkid: Int, latitude: Double, longitude: Double, scale: Double, rotation: Double
    var testDescription: String { "\(wkid) at \(latitude), \(longitude), 1:\(scale), turned by \(rotation)" }
  }

  static let scenes: [Scene] = [
    Scene(wkid: 3857, latitude: 40, longitude: -100, scale: 4_000_000, rotation: 0),
    Scene(wkid: 3857, latitude: 40, longitude: 10, scale: 5_123_457, rotation: 0),
    Scene(wkid: 3857, latitude: -10, longitude: 179.9, scale: 3_333_333, rotation: 30),
    Scene(wkid: 4326, latitude: 45, longitude: 8, scale: 7_000_000, rotation: 0),
    Scene(wkid: 5070, latitude: 38, longitude: -96, scale: 25_000_000, rotation: 0),
    Scene(wkid: 5070, latitude: 33, longitude: -110, scale: 1_234_567, rotation: 77.5),
    Scene(wkid: 3035, latitude: 52, longitude: 10, scale: 9_999_999, rotation: 0),
    Scene(wkid: 32601, latitude: 60, longitude: -179.5, scale: 2_000_000, rotation: 0),
    Scene(wkid: 3995, latitude: 75, longitude: 100, scale: 20_000_000, rotation: 200),
  ]

  private static func view(_ scene: Scene) throws -> ViewState {
    let reference = SpatialReference(wkid: scene.wkid)
    let plane = try MapPlane.of(reference)
    let center = Point(x: scene.longitude, y: scene.latitude, spatialReference: .wgs84)
    let viewpoint = try ResolvedViewpoint.resolve(
      Viewpoint(center: center, scale: scene.scale, rotation: scene.rotation), on: plane, width: 300,
      height: 200)
    return ViewState(
      width: 300, height: 200, pixelRatio: 1, viewpoint: viewpoint, background: nil, timeExtent: nil,
      layers: [])
  }

  @Test("Every pixel is within a quarter of a pixel of its position", arguments: scenes)
  func positions(_ scene: Scene) async throws {
    let view = try Self.view(scene)
    let source = try #require(WaveTiles())
    let drawing = try await TileDrawing(
      view, width: 300, height: 200, source: source, missing: .fail, operations: .installed, threads: 1)
    let level = try #require(source.scheme.levels.first { $0.zoom == drawing.zoom })
    let (cosine, sine) = ResolvedViewpoint.cosineAndSine(scene.rotation)
    var (x, y): ([Double], [Double]) = ([], [])
    for row in 0..<200 {
      for column in 0..<300 {
        let right = (Double(column) + 0.5 - 150) * view.viewpoint.resolution
        let up = (100 - Double(row) - 0.5) * view.viewpoint.resolution
        x.append(view.viewpoint.center.x + right * cosine + up * sine)
        y.append(view.viewpoint.center.y + up * cosine - right * sine)
      }
    }
    try SpatialOperations.installed.project(x: &x, y: &y, from: view.spatialReference, to: .webMercator)
    let half = WebMercator.halfWorld
    var (checked, worst) = (0, 0.0)
    for index in x.indices where abs(y[index]) < half - 8 * level.resolution {
      // The size of a pixel in tile pixels, from its neighbour.
      let beside = index % 300 == 299 ? index - 1 : index + 1
      var step = abs(x[beside] - x[index])
      step = hypot(min(step, abs(step - 2 * half)), y[beside] - y[index]) / level.resolution
      let (u, v) = ((x[index] + half) / level.resolution, (half - y[index]) / level.resolution)
      let pixel = drawing.pixels[index]
      #expect(pixel >> 24 == 255)
      for (place, value) in [(u, pixel >> 16 & 255), (v, pixel >> 8 & 255)] {
        let found = Double(value)
        // Where the wave is steep, a difference of colour is a difference of position.
        let slope = abs(100 * cos(2 * .pi * place / 32)) * 2 * .pi / 32
        guard slope > 14 else { continue }
        worst = max(worst, (abs(found - WaveTiles.wave(place)) - 1) / slope / step)
        checked += 1
      }
    }
    #expect(checked > 20_000)
    #expect(worst <= 0.25, "\(worst) pixels")
  }

  @Test("Each tile is requested once, and the pixels do not depend on the number of threads")
  func threads() async throws {
    let view = try Self.view(Self.scenes[5])
    var images: [[UInt32]] = []
    for threads in [1, 2, 7] {
      let source = try #require(WaveTiles())
      let drawing = try await TileDrawing(
        view, width: 300, height: 200, source: source, missing: .fail, operations: .installed,
        threads: threads)
      let requested = source.requested.withLock { $0 }
      #expect(Set(requested).count == requested.count)
      #expect(requested.count == drawing.tileCount)
      images.append(drawing.pixels)
    }
    #expect(images[0] == images[1])
    #expect(images[0] == images[2])
  }

  @Test("A missing tile fails, is blank or is a cross, and is always reported")
  func missing() async throws {
    let view = try Self.view(Self.scenes[0])
    let all = try #require(WaveTiles())
    let whole = try await TileDrawing(
      view, width: 300, height: 200, source: all, missing: .fail, operations: .installed, threads: 1)
    let tile = try #require(all.requested.withLock { $0.first })
    for rule in MissingTiles.allCases {
      let source = try #require(WaveTiles(absent: [tile]))
      do {
        let drawing = try await TileDrawing(
          view, width: 300, height: 200, source: source, missing: rule, operations: .installed, threads: 1)
        #expect(rule != .fail)
        #expect(drawing.missing == [tile])
        #expect(drawing.warnings(rule).count == 1)
        #expect(drawing.pixels != whole.pixels)
        #expect(drawing.pixels.contains(0) == (rule == .blank))
      } catch {
        #expect(rule == .fail)
        #expect(error.description == "tile \(tile) is missing")
      }
    }
  }

  @Test("A view with no tile of the source stays blank")
  func elsewhere() async throws {
    let view = try Self.view(Scene(wkid: 3031, latitude: -90, longitude: 0, scale: 1_000_000, rotation: 0))
    let source = try #require(WaveTiles())
    let drawing = try await TileDrawing(
      view, width: 300, height: 200, source: source, missing: .fail, operations: .installed, threads: 1)
    #expect(drawing.tileCount == 0)
    #expect(drawing.pixels.allSatisfy { $0 == 0 })
  }
}
