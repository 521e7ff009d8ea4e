import MapJSON
import MapScript
public import MapState
import MapSystem

/// The files of a Git repository that differ from those of a revision, and those that are not in it.
public struct ChangedFiles: Sendable {
  /// The revision, as given.
  public let revision: String
  /// The paths of the files, and of what they link to.
  private let paths: Set<String>

  /// Asks Git for the changes of the repository that contains a folder.
  ///
  /// - Throws: `MapStateError` of kind usage for a text that is no revision, and of kind input if Git cannot answer.
  public init(since revision: String, near folder: String) throws(MapStateError) {
    self.revision = revision
    guard SourceRevision.isPlain(revision) else {
      throw MapStateError(.usage, "--since: \"\(revision)\" is no revision")
    }
    let top = try Self.git(["-C", folder, "rev-parse", "--show-toplevel"]).first ?? folder
    let changed = try Self.git([
      "-C", top, "--no-pager", "diff", "--name-only", "--no-ext-diff", "-z", revision, "--",
    ])
    let added = try Self.git(["-C", top, "ls-files", "--others", "--exclude-standard", "-z"])
    paths = Set((changed + added).flatMap { Self.names(of: "\(top)/\($0)") })
  }

  /// Returns the path without links in its folder, which a deleted file has too, and the path that it links to.
  private static func names(of path: String) -> [String] {
    let folder = FileAccess.realPath(FilePath.folder(of: path)).map { "\($0)/\(FilePath.name(of: path))" }
    return [folder ?? path] + (FileAccess.realPath(path).map { [$0] } ?? [])
  }

  private static func git(_ words: [String]) throws(MapStateError) -> [String] {
    let output: ChildProcess.Output
    do { output = try ChildProcess.run("git", words) } catch {
      throw MapStateError(.input, "--since: Git cannot be run, which lists changed files: \(error.reason)")
    }
    guard output.code == 0 else {
      let line = output.errors.split(separator: "\n").first.map { String($0) } ?? "failed"
      throw MapStateError(.input, "--since: git: \(line)")
    }
    return output.bytes.split { $0 == 0 || $0 == UInt8(ascii: "\n") }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Returns whether a case may draw something else than at the revision: one of its files differs, it has a style or asks
  /// a service, or another version of MapState recorded it.
  public func concern(_ snapshot: SnapshotCase) -> Bool {
    guard let files = snapshot.files, snapshot.isOfThisVersion else { return true }
    return files.contains { file in Self.names(of: file).contains { differs($0) } }
  }

  /// Returns whether a file differs, or one below a folder.
  private func differs(_ path: String) -> Bool {
    if paths.contains(path) { return true }
    guard (try? FileAccess.checkFolder(path)) != nil else { return false }
    return paths.contains { $0.hasPrefix("\(path)/") }
  }
}

extension SnapshotCase {
  /// Whether this version of MapState recorded the reference.
  fileprivate var isOfThisVersion: Bool {
    guard let found = try? SnapshotReference(in: folder) else { return false }
    return !found.isOfOtherVersion
  }

  /// The files in the folder, and those that the case and its document name, with files of the same name and another
  /// ending; nil if one is a style, a layer is read from a service, or a file cannot be read.
  fileprivate var files: [String]? {
    guard let names = try? FileAccess.names(in: folder) else { return nil }
    var files = names.map { "\(folder)/\($0)" }
    for other in others {
      for name in (try? FileAccess.names(in: "\(folder)/\(other.name)")) ?? [] {
        files.append("\(folder)/\(other.name)/\(name)")
      }
    }
    guard !asksService(json["map"]), json["data"]?.string?.contains("://") != true else { return nil }
    let own = Self.named(in: json, from: folder)
    files += own
    let joined = ((try? request())?.joins(in: [folder]).possibleFiles ?? []).filter { !$0.isEmpty }
    guard !joined.contains(where: { $0.contains("://") }) else { return nil }
    files += joined
    if let document = json["document"]?.string {
      guard !document.contains("://") else { return nil }
      let path = FilePath.join(folder, Self.withoutFragment(document))
      guard FileAccess.exists(path), let bytes = try? FileAccess.read(path) else { return nil }
      // A data file is no document, and names no other file. A style names its files in other ways.
      if FilePath.pathExtension(of: path) == "json", let map = try? JSONValue(parsing: bytes),
        Self.layerLists.contains(where: { map[$0] != nil })
      {
        guard !asksService(map) else { return nil }
        files += Self.named(in: map, from: FilePath.folder(of: path))
      }
    }
    guard !files.contains(where: Self.isStyle) else { return nil }
    return files
  }

  /// Returns whether a file is a MapLibre style.
  private static func isStyle(_ path: String) -> Bool {
    FilePath.pathExtension(of: path) == "json" && (try? SourceCatalog.style(at: path)) != nil
  }

  /// The members by which a document has layers, also in a document that describes drawings alone.
  private static let layerLists = [
    "operationalLayers", "layers", "layerDefinition", "drawingInfo", "renderer",
  ]

  private func asksService(_ map: JSONValue?) -> Bool {
    let values = map?["operationalLayers"].map { [$0] } ?? [map ?? .null]
    return values.contains { value in
      Self.texts(in: value).contains { $0.isAddress && $0.text.contains("://") }
    }
  }

  private static func withoutFragment(_ text: String) -> String { String(text.prefix { $0 != "#" }) }

  /// Returns the files that texts of a value may name, with their companions, such as those of shapefiles.
  private static func named(in value: JSONValue, from folder: String) -> [String] {
    var found: [String] = []
    for (text, _) in texts(in: value) where text.utf8.count < 1024 && !text.contains("\0") {
      // The files of a template, such as tiles/{z}/{x}/{y}.png, are below its folder.
      let start = text.prefix { $0 != "{" }
      let isTemplate = start.count < text.count && start.contains("/")
      let path = FilePath.join(
        folder, withoutFragment(isTemplate ? FilePath.folder(of: String(start)) : text))
      guard text.contains(".") || text.contains("/") else { continue }
      found.append(path)
      guard FileAccess.exists(path) else { continue }
      let (own, stem) = (FilePath.folder(of: path), FilePath.stem(of: path))
      for name in (try? FileAccess.names(in: own)) ?? [] where FilePath.stem(of: name) == stem {
        found.append(FilePath.join(own, name))
      }
    }
    return found
  }

  /// Returns all texts of a value, and whether each is the address of a layer.
  private static func texts(in value: JSONValue, isAddress: Bool = false) -> [(text: String, isAddress: Bool)]
  {
    switch value {
    case .string(let text): [(text, isAddress)]
    case .array(let elements): elements.flatMap { texts(in: $0) }
    case .object(let object):
      object.members.filter { !["featureSet", "features"].contains($0.name) }.flatMap {
        texts(in: $0.value, isAddress: $0.name == "url")
      }
    default: []
    }
  }
}
