package import MapFeatures
import MapGeometry
import MapImages
package import MapModel

/// The images of a service, which are asked for the extent and size of each view.
package final class ServiceImages: TileSource {
  /// Sends a request with parameters, and returns the status and the content of the answer.
  package typealias Fetch =
    @Sendable (_ parameters: [(name: String, value: String)]) async throws(TileError) -> (Int, [UInt8])

  /// A grid of tiles that the service can draw, for callers that want tiles.
  package let scheme: TileScheme
  package let place: String
  package var name: String { "" }
  package var attribution: String { "" }
  private let service: ImageService
  private let fetch: Fetch

  /// Creates the images of a service.
  ///
  /// - Parameter place: the address for messages.
  /// - Throws: ``TileFileError`` for a spatial reference without a grid.
  package init(_ service: ImageService, place: String, fetch: @escaping Fetch) throws(TileFileError) {
    (self.service, self.place, self.fetch) = (service, place, fetch)
    let reference = service.reference(for: .webMercator)
    let world = Envelope.worldWidth(of: reference) ?? 2 * WebMercator.halfWorld
    let height = reference == .wgs84 ? world / 2 : world
    let whole = Envelope(
      xMin: -world / 2, yMin: -height / 2, xMax: world / 2, yMax: height / 2, spatialReference: reference)
    let stated = service.extent?.projected(to: reference).flatMap { whole.contains($0) ? $0 : nil }
    guard
      let scheme = TileScheme(
        reference: reference, originX: whole.xMin, originY: whole.yMax, tileSize: 256,
        levels: (0...19).map { TileScheme.Level(zoom: $0, resolution: world / 256 / Double(1 << $0)) },
        extent: stated ?? whole)
    else { throw TileFileError(place, "has no spatial reference that can be drawn") }
    self.scheme = scheme
  }

  /// Returns the images of tiles of the grid, each from a request of its own.
  package func images(at tiles: [TileIndex]) async -> [TileIndex: Result<TileImage?, TileError>] {
    let conditions = ImageConditions(reference: scheme.reference, pixelRatio: 1, time: nil)
    return await TileRequests.results(of: Set(tiles).sorted(), noun: "images") { [self] tile in
      do throws(TileError) {
        guard let level = scheme.levels.first(where: { $0.zoom == tile.zoom }) else { return .success(nil) }
        let side = level.resolution * Double(scheme.tileSize)
        let (west, north) = (
          scheme.originX + Double(tile.column) * side, scheme.originY - Double(tile.row) * side
        )
        let part = ImagePart(
          tile: tile, x: 0, y: 0, width: scheme.tileSize, height: scheme.tileSize,
          extent: Envelope(xMin: west, yMin: north - side, xMax: west + side, yMax: north))
        return .success(TileImage(try await image(of: part, conditions)))
      } catch { return .failure(error) }
    }
  }

  /// Returns the images of a view as tiles of a grid of their own, with warnings; nil if nothing of the view can be in an
  /// image.
  ///
  /// - Parameter time: the view's time; nil for any.
  /// - Throws: ``TileError`` with the reason why an image is missing. There is none of the others then.
  package func images(
    of view: ViewState, width: Int, height: Int,
    time: (start: ImageConditions.Time?, end: ImageConditions.Time?)?, operations: SpatialOperations
  ) async throws(TileError) -> (tiles: any TileSource, warnings: [String])? {
    let reference = service.reference(for: view.spatialReference)
    guard
      let plan = try ImagePlan(
        view, width: width, height: height, in: reference, largest: service.largestSide,
        operations: operations)
    else { return nil }
    let conditions = ImageConditions(reference: reference, pixelRatio: view.pixelRatio, time: time)
    let results: [ImagePart: Result<Bitmap, TileError>] = await TileRequests.results(
      of: plan.parts, noun: "images"
    ) { [self] part in
      do throws(TileError) { return .success(try await image(of: part, conditions)) } catch {
        return .failure(error)
      }
    }
    var tiles = FetchedTiles(plan.scheme)
    var isEmpty = true
    for part in plan.parts {
      guard let image = try results[part]?.get() else { continue }
      if isEmpty { isEmpty = Self.isTransparent(image) }
      tiles.add(image, part)
    }
    var warnings: [String] = []
    if service.losesTime(conditions) {
      warnings.append("the time of the view is not sent, because WMS has no times without a start or an end")
    }
    let ground = plan.scheme.extent.projected(to: .wgs84)
    if isEmpty, let stated = service.extent, let ground, stated.meets(ground) {
      warnings.append(
        "the image is transparent, although the view is in the extent that the document states; if the service has "
          + "something there, see its order of axes (\"version\") and its layers")
    }
    return (try tiles.source(), warnings)
  }

  private static func isTransparent(_ image: Bitmap) -> Bool {
    let bytes = image.pixels.span
    for index in stride(from: 3, to: bytes.count, by: 4) where bytes[index] != 0 { return false }
    return true
  }

  /// Returns the image of a part.
  private func image(of part: ImagePart, _ conditions: ImageConditions) async throws(TileError) -> Bitmap {
    let (status, body) = try await fetch(service.parameters(of: part, in: conditions))
    return try ImageAnswer.image(body, status: status, width: part.width, height: part.height)
  }
}

/// The images of a view, joined to square tiles.
private struct FetchedTiles {
  private final class Source: TileSource {
    let scheme: TileScheme
    private let tiles: [TileIndex: TileImage]
    let (name, place, attribution) = ("", "", "")

    init(_ scheme: TileScheme, _ tiles: [TileIndex: TileImage]) {
      (self.scheme, self.tiles) = (scheme, tiles)
    }

    func images(at wanted: [TileIndex]) async -> [TileIndex: Result<TileImage?, TileError>] {
      // The rest of a tile, and of the grid, is beyond the world.
      var found: [TileIndex: Result<TileImage?, TileError>] = [:]
      for tile in wanted { if let image = tiles[tile] { found[tile] = .success(image) } }
      return found
    }
  }

  private let scheme: TileScheme
  private var pixels: [TileIndex: [UInt8]] = [:]

  init(_ scheme: TileScheme) { self.scheme = scheme }

  /// Copies an image into its tile.
  mutating func add(_ image: Bitmap, _ part: ImagePart) {
    let side = scheme.tileSize
    var tile = pixels.removeValue(forKey: part.tile) ?? [UInt8](repeating: 0, count: side * side * 4)
    for row in 0..<part.height {
      let at = ((part.y + row) * side + part.x) * 4
      let start = row * part.width * 4
      tile.replaceSubrange(at..<at + part.width * 4, with: image.pixels[start..<start + part.width * 4])
    }
    pixels[part.tile] = tile
  }

  func source() throws(TileError) -> any TileSource {
    let side = scheme.tileSize
    var tiles: [TileIndex: TileImage] = [:]
    for (tile, pixels) in pixels {
      do { tiles[tile] = TileImage(try Bitmap(width: side, height: side, pixels: pixels)) } catch {
        throw TileError("\(error)")
      }
    }
    return Source(scheme, tiles)
  }
}
