import MapGeometry
public import MapImages
import MapJSON
public import MapState

/// A regression test of a picture: a folder with `case.json`, what to draw, and `reference.png`, what it looked like.
///
/// - Source: the keys are ours.
public struct SnapshotCase: Sendable {
  /// How much may differ.
  public struct Tolerance: Hashable, Sendable {
    /// The greatest difference of a channel that counts as none, 0 to 255.
    public var channel: UInt8 = 1
    /// How many pixels may differ by more.
    public var pixels = 0

    /// True when it lets more pass than the default does, which a case must give a reason for.
    var isWiderThanUsual: Bool { channel > Tolerance().channel || pixels > Tolerance().pixels }
  }

  /// The folder's path below the folder of cases, such as `renderers/unique-values`.
  public let name: String
  /// The folder.
  public let folder: String
  /// What the picture shows, in a sentence for people.
  public let title: String?
  /// How much may differ.
  public let tolerance: Tolerance
  /// Why the tolerance is wider than usual or the case is skipped.
  public let reason: String?
  /// True when the case is not to be drawn now.
  public let isSkipped: Bool
  private let json: JSONValue

  /// Reads a case.
  ///
  /// - Throws: `MapError` that names the file and JSON path; an unknown key is an error, so that a misspelt one is not
  ///   passed over.
  public init(folder: String, name: String) throws(MapError) {
    (self.folder, self.name) = (folder, name)
    let path = "\(folder)/case.json"
    do {
      json = try JSONValue(parsing: FileAccess.read(path))
      let root = JSONNode(json)
      try Self.refuseUnknown(
        in: root,
        known: [
          "title", "document", "map", "viewpoint", "size", "pixelRatio", "filters", "time", "tolerance",
          "reason", "skip",
        ])
      title = try root.string("title")
      var tolerance = Tolerance()
      if let node = root["tolerance"] {
        try Self.refuseUnknown(in: node, known: ["channel", "pixels"])
        guard let channel = UInt8(exactly: try node.integer("channel") ?? 1) else {
          throw node.invalid("channel is not between 0 and 255")
        }
        tolerance = Tolerance(channel: channel, pixels: try node.integer("pixels") ?? 0)
        guard tolerance.pixels >= 0 else { throw node.invalid("pixels is below 0") }
      }
      self.tolerance = tolerance
      reason = try root.string("reason")
      isSkipped = try root.boolean("skip") ?? false
      if tolerance.isWiderThanUsual || isSkipped, reason?.isEmpty ?? true {
        throw root.invalid("a wider tolerance or a skip needs a \"reason\"")
      }
      guard (root["document"] == nil) != (root["map"] == nil) else {
        throw root.invalid("expected either \"document\" or \"map\"")
      }
    } catch let error as FileError {
      throw MapError(error)
    } catch {
      throw MapError(.input, "\(path): \(error)")
    }
  }

  /// The reference picture's path.
  public var referencePath: String { "\(folder)/reference.png" }

  /// Draws the case.
  ///
  /// - Throws: `MapError`.
  public func render(threads: Int = 1) async throws(MapError) -> Bitmap {
    try await view().freeze().render(threads: threads).bitmap
  }

  /// The view that the case draws.
  ///
  /// - Throws: `MapError`.
  public func view() async throws(MapError) -> MapView {
    let root = JSONNode(json)
    let path = "\(folder)/case.json"
    do {
      // Cases share the documents and data of the project, which lie outside their own folder.
      let catalog = SourceCatalog(allowedFolders: ["/"])
      let opened: MapDocument
      if let document = try root.string("document") {
        opened = try await MapDocument.open(FilePath.join(folder, document), catalog: catalog)
      } else {
        opened = try MapDocument.open(
          json: root.required("map").value, name: path, folder: folder, catalog: catalog)
      }
      return try await opened.view(options(root))
    } catch let error as MapError {
      throw MapError(error.kind, "\(path): \(error)", detail: error.detail)
    } catch {
      throw MapError(.input, "\(path): \(error)")
    }
  }

  private func options(_ root: JSONNode) throws(JSONDecodingError) -> ViewOptions {
    var options = ViewOptions()
    if let size = root["size"] {
      let sides = try size.elements()
      guard sides.count == 2 else { throw size.invalid("expected [width, height]") }
      (options.width, options.height) = (try sides[0].double(), try sides[1].double())
    }
    options.pixelRatio = try root.double("pixelRatio") ?? 1
    if let filters = root["filters"] {
      guard let mode = FilterMode(rawValue: try filters.string()) else {
        throw filters.invalid("expected document, none, definition or display")
      }
      options.filterMode = mode
    }
    if let time = root["time"] {
      guard let extent = TimeExtent(text: try time.string()) else { throw time.invalid("expected START/END") }
      options.time = extent
    }
    if let viewpoint = root["viewpoint"] {
      try Self.refuseUnknown(
        in: viewpoint, known: ["center", "scale", "bounds", "fit", "padding", "rotation"])
      options.place = try ViewOptions.Place(viewpoint)
    }
    return options
  }

  private static func refuseUnknown(
    in node: JSONNode, known: Set<String>
  ) throws(JSONDecodingError) {
    for member in try node.object().members where !known.contains(member.name) {
      throw node.invalid(
        "there is no key \"\(member.name)\"; there are \(known.sorted().joined(separator: ", "))")
    }
  }
}
