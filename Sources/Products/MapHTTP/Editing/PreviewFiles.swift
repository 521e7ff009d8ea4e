import Glibc
import MapJSON
import MapScript
import MapSnapshots
package import MapState
import MapSystem

/// The files that the page of a map may write, which the start of the server names.
package struct PreviewFiles: Sendable {
  /// The path of the saved document; nil if none may be saved.
  package let document: String?
  /// The folder of new snapshot cases; nil if none may be made.
  package let cases: String?
  /// The path of the map.
  private let source: String

  /// Creates the files for the map at a path.
  ///
  /// - Throws: `MapStateError` for a document in another folder than the map, whose data it names relative to itself,
  ///   and without the folder of cases.
  package init(of source: String, document: String?, cases: String?) throws(MapStateError) {
    (self.source, self.document, self.cases) = (source, document, cases)
    if let document {
      let (own, other) = (FilePath.folder(of: source), FilePath.folder(of: document))
      guard let folder = FileAccess.realPath(other), folder == FileAccess.realPath(own) else {
        throw MapStateError(
          .usage, "--save-to \(document): name a file in the folder of \(source), which its data start from")
      }
      guard FilePath.pathExtension(of: document) == "json" else {
        throw MapStateError(.usage, "--save-to \(document): the name of a document ends with .json")
      }
    }
    if let cases {
      do { try FileAccess.checkFolder(cases) } catch { throw MapStateError(error) }
    }
  }

  /// Writes the map with the changes of a request.
  func save(_ asked: MapRequest) async throws -> HTTPResponse {
    guard let document else { throw HTTPFault(405, "start the server with --save-to to save the document") }
    try checkRevision(asked)
    let json = try await asked.map.saved(
      asked.view(), asked.classChanges(), at: document, keepsView: asked.boolean("keepView"))
    // The data of the map would be lost; its document may be replaced.
    let path = asked.map.document.path
    let kept = asked.map.document.isPlainData ? asked.map.inputs : asked.map.inputs.filter { $0 != path }
    // Another save or an editor may have been faster.
    try checkRevision(asked)
    let now = asked.map.inputs.map { FileRevision($0)?.text ?? "none" }.joined(separator: " ")
    guard StableHash.hexadecimal(of: Array(now.utf8)) == asked.map.revision else {
      throw HTTPFault(409, "the document or its data have changed meanwhile; look at the map again")
    }
    do {
      try FileAccess.write(
        [(Array((json.text(style: .pretty) + "\n").utf8), document)], keeping: kept)
    } catch {
      throw HTTPFault(409, error.reason)
    }
    return HTTPResponse(json: ["saved": .string(FilePath.name(of: document))])
  }

  /// Makes a snapshot case of the view of a request, with its reference image.
  func record(_ asked: MapRequest) async throws -> HTTPResponse {
    guard let cases else { throw HTTPFault(405, "start the server with --cases to make snapshot cases") }
    try checkRevision(asked)
    let name = try Self.checked(asked.text("name") ?? "")
    guard try asked.classChanges().isEmpty else {
      throw HTTPFault(409, "a case draws the document as it is; save the changed classes first")
    }
    guard let root = FileAccess.realPath(cases), let map = FileAccess.realPath(source) else {
      throw HTTPFault(409, "the folder of cases or the map is no longer there")
    }
    let folder = "\(root)/\(name)"
    guard !FileAccess.exists(folder) else { throw HTTPFault(409, "\(name): this case exists already") }
    // A link in the folder of cases could lead out of it.
    var made: [String] = []
    var place = root
    for part in name.split(separator: "/") {
      place += "/\(part)"
      if !FileAccess.exists(place) {
        made.append(place)
      } else if FileAccess.realPath(place) != place {
        throw HTTPFault(403, "\(name): the case would be outside of the folder of cases")
      }
    }
    var json = JSONObject()
    json["title"] = asked.parameters["title"]
    json["document"] = .string(Self.path(to: map, from: folder))
    for item in asked.parameters.members where !["name", "title", "revision"].contains(item.name) {
      json[item.name] = item.value
    }
    _ = try asked.view()
    let snapshot = try SnapshotCase(.object(json), folder: folder, name: name)
    do {
      // The path of the document starts in the folder of the case.
      try Self.make(made, name)
      try await snapshot.record(snapshot.view().freeze())
      try FileAccess.write(
        Array((JSONValue.object(json).text(style: .pretty) + "\n").utf8), to: folder + "/case.json")
    } catch let fault as HTTPFault {
      throw fault
    } catch {
      // An image without features is no case; only empty folders are removed.
      for folder in made.reversed() { unsafe rmdir(folder) }
      throw error
    }
    return HTTPResponse(json: ["case": .string(name)])
  }

  /// Makes the folders of a case; the last one is new, also if another request makes the same case at this time.
  private static func make(_ folders: [String], _ name: String) throws(HTTPFault) {
    for (number, folder) in folders.enumerated() where unsafe mkdir(folder, 0o777) != 0 {
      let isLast = number == folders.count - 1
      guard errno == EEXIST else {
        throw HTTPFault(409, "\(name): the folder cannot be made: \(unsafe String(cString: strerror(errno)))")
      }
      if isLast { throw HTTPFault(409, "\(name): this case exists already") }
    }
  }

  private func checkRevision(_ asked: MapRequest) throws(HTTPFault) {
    guard let revision = asked.text("revision") else {
      throw HTTPFault(400, "revision is missing; give that of the map")
    }
    guard revision == asked.map.revision else {
      throw HTTPFault(409, "the document or its data have changed meanwhile; look at the map again")
    }
  }

  /// Returns the name of a case, unless it is another than one to three words between slashes.
  private static func checked(_ name: String) throws(HTTPFault) -> String {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isName =
      (1...3).contains(parts.count) && name.utf8.count <= 100
      && parts.allSatisfy { part in
        !part.isEmpty && part.first != "-"
          && part.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
      }
    guard isName else {
      throw HTTPFault(
        400, "name: write one to three words of a-z, 0-9 and - between slashes, such as filters/large-cities")
    }
    return name
  }

  /// Returns a path relative to a folder; both are absolute and without links.
  private static func path(to file: String, from folder: String) -> String {
    let (file, folder) = (file.split(separator: "/"), folder.split(separator: "/"))
    let common = zip(file, folder).prefix { $0 == $1 }.count
    return (folder.dropFirst(common).map { _ in ".." } + file.dropFirst(common)).joined(separator: "/")
  }
}
