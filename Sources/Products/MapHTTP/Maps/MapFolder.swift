import Glibc
import MapJSON
import MapScript
import MapSnapshots
package import MapState
import MapSystem
import Synchronization

/// The documents of folders, each opened at its first request and again after a change of its files.
package final class MapFolder: Sendable {
  private struct Entry {
    let number: Int
    /// The revision of the document before it was read.
    let revision: FileRevision
    let task: Task<Opened, any Error>
    /// The opened document, once a request has got it.
    var opened: Opened?
  }

  private struct Opened {
    let map: ServedMap
    /// The revisions of the document and its files; nil if a file may have changed while it was read.
    let files: [FileRevision?]?
    let paths: [String]

    /// Whether no file has changed since it was read.
    var isCurrent: Bool { files == paths.map { FileRevision($0) } }
  }

  /// A folder of documents, or one file.
  private struct Place {
    let folder: String
    /// The name of the file; nil for all documents of the folder.
    let only: String?

    init(_ path: String) throws(MapStateError) {
      if FileRevision(path) != nil {
        (folder, only) = (FilePath.folder(of: path), FilePath.name(of: path))
        return
      }
      do { try FileAccess.checkFolder(path) } catch { throw MapStateError(error) }
      (folder, only) = (path, nil)
    }

    /// The ids of the maps.
    var names: [String] {
      let files = only.map { [$0] } ?? (try? FileAccess.names(in: folder)) ?? []
      return files.filter { name in
        (only != nil || FilePath.pathExtension(of: name) == "json") && !name.hasPrefix(".")
          && FileRevision(FilePath.join(folder, name)) != nil
      }.map { FilePath.stem(of: $0) }
    }

    /// Returns the path of the map with an id, which may have been removed; nil for an id of no map.
    func path(of name: String) -> String? {
      guard let only else {
        return name.contains("/") || name.hasPrefix(".") ? nil : FilePath.join(folder, name + ".json")
      }
      return FilePath.stem(of: only) == name ? FilePath.join(folder, only) : nil
    }
  }

  private let places: [Place]
  private let catalog: SourceCatalog
  private let entries = Mutex<(last: Int, byName: [String: Entry])>((0, [:]))
  private let opened = Mutex(0)

  /// Creates the maps of a folder or of one document.
  ///
  /// - Throws: `MapStateError` without such a file or folder.
  package convenience init(_ path: String, catalog: SourceCatalog = SourceCatalog()) throws(MapStateError) {
    try self.init(paths: [path], catalog: catalog)
  }

  /// Creates the maps of folders, documents and data sources.
  ///
  /// - Throws: `MapStateError` without such a file or folder, or if two maps have the same id.
  package init(paths: [String], catalog: SourceCatalog = SourceCatalog()) throws(MapStateError) {
    self.catalog = catalog
    var places: [Place] = []
    for path in paths { places.append(try Place(path)) }
    self.places = places
    var known: [String: String] = [:]
    for (path, place) in zip(paths, places) {
      for name in place.names {
        guard let other = known.updateValue(path, forKey: name) else { continue }
        throw MapStateError(
          .usage,
          "two maps have the id \"\(name)\", from \(other) and \(path); rename a file, or serve one of them")
      }
    }
  }

  /// The number of times that a document was opened.
  package var openings: Int { opened.withLock { $0 } }

  /// The ids of the maps in order: the names of the JSON files of folders, and of other files, without their ending.
  package var names: [String] { Set(places.flatMap(\.names)).sorted() }

  /// Returns the map with an id if it is open and its files have not changed; never waits.
  package func opened(_ name: String) -> ServedMap? {
    let found = entries.withLock { $0.byName[name]?.opened }
    return found?.isCurrent == true ? found?.map : nil
  }

  /// Returns the map with an id.
  ///
  /// - Throws: ``HTTPFault``: 404 without such a document, 503 for one that cannot be read.
  package func map(_ name: String) async throws(HTTPFault) -> ServedMap {
    let paths = places.compactMap { $0.path(of: name) }
    guard let path = paths.first(where: { FileRevision($0) != nil }) else { throw unknown(name) }
    var last: ServedMap?
    // A second attempt, if the files have changed since they were read.
    for _ in 0..<2 {
      guard let revision = FileRevision(path) else { throw unknown(name) }
      let entry = entry(name, path, revision)
      do {
        let found = try await entry.task.value
        if found.isCurrent {
          entries.withLock { if $0.byName[name]?.number == entry.number { $0.byName[name]?.opened = found } }
          return found.map
        }
        last = found.map
        forget(name, entry.number)
      } catch {
        forget(name, entry.number)
        let reason = MapStateError(error).description.replacing(FilePath.folder(of: path) + "/", with: "")
        throw HTTPFault(503, "map \"\(name)\" cannot be read: \(reason)")
      }
    }
    guard let last else { throw unknown(name) }
    return last
  }

  /// The refusal of an id that no map has, with the nearest one.
  func unknown(_ name: String) -> HTTPFault {
    let names = names
    let nearest = NearestName.of(name, among: names)
    return HTTPFault(
      404,
      "no map named \"\(name)\"; \(nearest.map { "did you mean \"\($0)\"? " } ?? "")"
        + "available: \(names.prefix(50).joined(separator: ", "))", suggestion: nearest)
  }

  private func forget(_ name: String, _ number: Int) {
    entries.withLock { if $0.byName[name]?.number == number { $0.byName[name] = nil } }
  }

  /// Returns the entry of a map, which is opened unless it is known.
  private func entry(_ name: String, _ path: String, _ revision: FileRevision) -> Entry {
    entries.withLock { entries in
      if let known = entries.byName[name], known.revision == revision { return known }
      entries.last += 1
      let entry = Entry(
        number: entries.last, revision: revision,
        task: Task.detached { [self] in try await open(path, revision) })
      entries.byName[name] = entry
      return entry
    }
  }

  private func open(_ path: String, _ revision: FileRevision) async throws -> Opened {
    opened.withLock { $0 += 1 }
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    let start = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
    let bytes = try FileAccess.read(path)
    var choice = LayerChoice()
    // A map with a missing layer is still useful; the layer is listed as unavailable.
    choice.skipsUnavailable = true
    let document = try await MapDocument.open(path, catalog: catalog, choice: choice)
    let paths = [path] + document.inputs.filter { $0 != path }
    let files = paths.map { FileRevision($0) }
    // The file system rounds times down to 10 ms at most.
    let isSettled = files.allSatisfy { ($0?.changed ?? 0) < start - 10_000_000 }
    let text = files.map { $0?.text ?? "none" }.joined(separator: " ")
    let map = ServedMap(
      document, text: String(decoding: bytes, as: UTF8.self),
      revision: StableHash.hexadecimal(of: Array(text.utf8)), inputs: paths)
    return Opened(map: map, files: isSettled ? files : nil, paths: paths)
  }
}
