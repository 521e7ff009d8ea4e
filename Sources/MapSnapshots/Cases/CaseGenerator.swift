import MapDocuments
import MapGeometry
import MapJSON
import MapModel
import MapScript
public import MapState
import MapSystem

/// A generator of snapshot cases for the symbology of a document.
///
/// It makes a case for each class of each layer's renderer, in each filter mode that has an effect, at scales
/// around the document's own.
public struct CaseGenerator: Sendable {
  /// A case that can be written.
  public struct Case: Sendable {
    /// The path below the folder of cases: `LAYER/CLASS-FILTERS-SCALE`.
    public let name: String
    /// The text of `case.json`.
    public let text: String
    /// Whether the image has a single colour, so that it shows nothing.
    public let isBlank: Bool
  }

  /// The width and height of the images in view pixels.
  public var size = (width: 320.0, height: 240.0)
  /// The access to services that the document names.
  public var services = ServiceAccess()
  private let document: String

  /// The scales by name, as factors of the document's own scale denominator.
  private static let scales = [("near", 0.25), ("middle", 1.0), ("far", 4.0)]

  /// Creates a generator for a document at a path.
  public init(document: String) { self.document = document }

  /// Generates the cases for a folder, and draws each one to find out whether it is blank.
  ///
  /// - Throws: `MapStateError` if the document cannot be opened or drawn.
  public func generate(
    into root: String, _ receive: (Case) throws(MapStateError) -> Void
  ) async throws(MapStateError) {
    let opened = try await open()
    var request = ViewRequest()
    request.size = ViewSize(width: size.width, height: size.height)
    let start = try await opened.view(request).viewpoint
    var taken: Set<String> = []
    for (index, item) in opened.layers.enumerated() {
      let title = item.layer.title.isEmpty ? item.layer.id : item.layer.title
      let isAmbiguous =
        title.isEmpty || opened.layers.count { $0.layer.title == title || $0.layer.id == title } > 1
      let layer = isAmbiguous ? "\(index)" : title
      var topic = Self.slug(title, or: "layer-\(index)")
      if !taken.insert(topic).inserted { topic += "-\(index)" }
      let renderer = item.layer.renderer.form
      let classes = Array(renderer.classSymbols.indices) + (renderer.defaultSymbol == nil ? [] : [-1])
      for classIndex in classes {
        let label = classIndex < 0 ? "default" : renderer.classLabels[classIndex]
        let className = classIndex < 0 ? "default" : Self.numbered(classIndex, label)
        for mode in Self.modes(of: item) {
          for (word, factor) in Self.scales {
            let name = "\(topic)/\(className)-\(mode.rawValue)-\(word)"
            let json: JSONValue = [
              "title": .string(
                "\(title.isEmpty ? "Layer \(index)" : title), class \(label.isEmpty ? "\(classIndex)" : label): "
                  + "filters \(mode.rawValue), \(word) scale."),
              "document": .string(Self.relative(document, from: "\(root)/\(name)")),
              "size": [.number(size.width), .number(size.height)],
              "viewpoint": [
                "center": [
                  "x": .number(start.center.x), "y": .number(start.center.y),
                  "spatialReference": ["wkid": 3857],
                ], "scale": .number(start.scale * factor), "rotation": .number(start.rotation),
              ],
              "filters": .string(mode.rawValue),
              "only": ["layer": .string(layer), "class": .number(classIndex)],
            ]
            let drawn = try await SnapshotCase(json, folder: "\(root)/\(name)", name: name)
              .draw(document: open())
            try receive(Case(name: name, text: json.text(style: .pretty) + "\n", isBlank: drawn.isBlank))
          }
        }
      }
    }
  }

  private func open() async throws(MapStateError) -> MapDocument {
    do {
      return try await MapDocument.open(
        document, catalog: SourceCatalog(allowedFolders: ["/"], services: services))
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the filter modes that differ for a layer.
  private static func modes(of item: OpenedLayer) -> [FilterMode] {
    let hasDefinition = !item.document.definitionExpression.isEmpty
    let hasDisplay = item.document.displayFilter != nil
    return [.none] + (hasDefinition ? [.definition] : []) + (hasDisplay ? [.display] : [])
      + (hasDefinition && hasDisplay ? [.document] : [])
  }

  private static func numbered(_ index: Int, _ label: String) -> String {
    let words = slug(label, or: "")
    return words.isEmpty ? "\(index)" : "\(index)-\(words)"
  }

  /// Returns a text as part of a path: ASCII letters and digits in lower case, with a hyphen for all other
  /// characters.
  private static func slug(_ text: String, or other: String) -> String {
    let parts = text.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    return parts.isEmpty ? other : String(parts.joined(separator: "-").prefix(40))
  }

  /// Returns a path relative to a folder that may not exist yet.
  private static func relative(_ path: String, from folder: String) -> String {
    let fragment = path.lastIndex(of: "#").map { String(path[$0...]) } ?? ""
    let file = FileAccess.realPath(String(path.dropLast(fragment.count))) ?? path
    // The existing part of the folder may be a link.
    var (known, rest) = (folder, [Substring]())
    while FileAccess.realPath(known.isEmpty ? "." : known) == nil, !known.isEmpty {
      rest.insert(known.split(separator: "/").last ?? "", at: 0)
      known = FilePath.folder(of: known)
    }
    let base = (FileAccess.realPath(known) ?? known).split(separator: "/") + rest
    let target = file.split(separator: "/")
    let common = zip(base, target).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: base.count - common)
    return (up + target[common...].map { String($0) }).joined(separator: "/") + fragment
  }
}
