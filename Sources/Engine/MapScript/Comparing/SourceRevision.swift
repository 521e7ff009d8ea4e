import MapDocuments
import MapJSON
package import MapState
import MapStyles
package import MapSystem

/// A source as users name it for a comparison: a file or address, or a file at a revision of its Git repository.
package struct SourceRevision: Sendable {
  /// The text as given.
  package let text: String
  /// The file or address.
  package let source: String
  /// The revision; nil for the file as it is now.
  package let revision: String?

  /// Reads `PATH` or `PATH@REVISION`; a file with that whole name, and an address, have no revision.
  ///
  /// - Throws: `MapStateError` of kind usage for a revision that Git could take for an option or a path.
  package init(_ text: String) throws(MapStateError) {
    self.text = text
    let marks = text.indices.filter { text[$0] == "@" && $0 != text.startIndex }
    guard !text.contains("://"), !FileAccess.exists(text), !marks.isEmpty else {
      (source, revision) = (text, nil)
      return
    }
    // A revision may contain an @, as in HEAD@{1}.
    let known = marks.first { FileAccess.exists(String(text[..<$0])) }
    let mark = known ?? marks[marks.count - 1]
    let name = String(text[text.index(after: mark)...])
    guard Self.isPlain(name) else {
      throw MapStateError(
        .usage, "\(text): \"\(name)\" is no revision; write PATH@REVISION, such as map.json@HEAD~1")
    }
    (source, revision) = (String(text[..<mark]), name)
  }

  /// Returns whether Git cannot take a text for an option, a path or a range.
  package static func isPlain(_ name: String) -> Bool {
    let hasPlainCharacters = name.unicodeScalars.allSatisfy { scalar in
      scalar.value > 0x20 && scalar.value != 0x7F && scalar != ":" && scalar != "\\"
    }
    return hasPlainCharacters && (1...200).contains(name.utf8.count) && !name.hasPrefix("-")
      && !name.contains("..")
  }

  /// Opens the source; a document or style at a revision reads the files that are in its folder now.
  ///
  /// - Parameter folder: keeps a data file of a revision; it must live as long as the document.
  /// - Throws: `MapStateError`; of kind input if Git or the revision is missing.
  package func open(
    catalog: SourceCatalog, choice: LayerChoice
  ) async throws(MapStateError) -> (document: MapDocument, folder: PrivateFolder?) {
    do {
      guard revision != nil else {
        return (try await MapDocument.open(source, catalog: catalog, choice: choice), nil)
      }
      let bytes = try contents()
      if let json = try? JSONValue(parsing: bytes, limits: WebMap.limits),
        WebMap.isWebMap(json) || DrawingDocument.webMap(json, data: nil) != nil || StyleDocument.isStyle(json)
      {
        let document = try await MapDocument.open(
          json: json, name: text, folder: FilePath.folder(of: source), catalog: catalog, choice: choice)
        return (document, nil)
      }
      let folder = try PrivateFolder()
      let file = try folder.write(FilePath.name(of: source)) { try $0(bytes[...]) }
      return (try await MapDocument.open(file, catalog: catalog, choice: choice), folder)
    } catch {
      throw MapStateError(error)
    }
  }

  /// Returns the bytes of the file at the revision.
  ///
  /// - Throws: `MapStateError`.
  private func contents() throws(MapStateError) -> [UInt8] {
    let output: ChildProcess.Output
    do {
      // The path begins with ./ and the revision not with -, so that neither is an option.
      output = try ChildProcess.run(
        "git",
        [
          "-C", FilePath.folder(of: source), "--no-pager", "show", "--no-textconv", "--no-ext-diff",
          "\(revision ?? ""):./\(FilePath.name(of: source))",
        ])
    } catch {
      throw MapStateError(
        .input, "\(text): Git cannot be run, which reads files at a revision: \(error.reason)")
    }
    guard output.code == 0 else {
      let line = output.errors.split(separator: "\n").first.map { String($0) } ?? "failed"
      throw MapStateError(.input, "\(text): git: \(line)")
    }
    return output.bytes
  }
}
