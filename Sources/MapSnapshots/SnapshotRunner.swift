import MapImages
public import MapState

/// What became of a case.
public enum SnapshotOutcome: Sendable {
  /// Within its tolerance.
  case same
  /// Beyond its tolerance.
  case differs(pixels: Int, largest: Int)
  /// Another size.
  case sizeDiffers(expected: String, actual: String)
  /// There is no reference.
  case noReference
  /// Not drawn, with the case's reason.
  case skipped(String)
  /// Could not be drawn or compared.
  case error(String)

  /// One word for tables.
  public var word: String {
    switch self {
    case .same: "same"
    case .differs: "differs"
    case .sizeDiffers: "size-differs"
    case .noReference: "no-reference"
    case .skipped: "skipped"
    case .error: "error"
    }
  }

  /// What there is to say beyond the word.
  public var detail: String? {
    switch self {
    case .same: nil
    case .differs(let pixels, let largest): "\(pixels) pixels differ, by up to \(largest)"
    case .sizeDiffers(let expected, let actual): "the reference is \(expected), the picture \(actual)"
    case .noReference: "record one with: mapstate snapshot record"
    case .skipped(let reason): reason
    case .error(let message): message
    }
  }

  /// True for the outcomes that do not fail a run.
  public var isPass: Bool {
    switch self {
    case .same, .skipped: true
    default: false
    }
  }
}

extension SnapshotCase {
  /// The names of all cases below a folder, in order, or those given when they are there.
  ///
  /// - Throws: `MapError` when the folder cannot be listed or a name is not there.
  public static func names(in root: String, named names: [String] = []) throws(MapError) -> [String] {
    let found: [String]
    do {
      found = try FileAccess.folders(below: root).filter { FileAccess.exists("\(root)/\($0)/case.json") }
        .sorted()
    } catch {
      throw MapError(error)
    }
    for name in names where !found.contains(name) {
      let list = found.isEmpty ? "none" : found.joined(separator: ", ")
      throw MapError(.input, "there is no case \"\(name)\" in \(root); there are \(list)")
    }
    return names.isEmpty ? found : names
  }

  /// A case by its path below a folder of cases.
  ///
  /// - Throws: `MapError` when it cannot be read.
  public init(_ name: String, in root: String) throws(MapError) {
    try self.init(folder: root.hasSuffix("/") ? root + name : "\(root)/\(name)", name: name)
  }

  /// All cases below a folder, by name, or those named.
  ///
  /// - Throws: `MapError` when the folder cannot be listed, a name is not there, or a case cannot be read.
  public static func all(in root: String, named names: [String] = []) throws(MapError) -> [SnapshotCase] {
    var cases: [SnapshotCase] = []
    for name in try self.names(in: root, named: names) { cases.append(try SnapshotCase(name, in: root)) }
    return cases
  }

  /// The reference picture; nil when there is none.
  ///
  /// - Throws: `MapError` when it is no picture.
  public func reference() throws(MapError) -> Bitmap? {
    guard FileAccess.exists(referencePath) else { return nil }
    do { return try Bitmap(pngData: FileAccess.read(referencePath)) } catch let error as FileError {
      throw MapError(error)
    } catch {
      throw MapError(.input, "\(referencePath): \(error)")
    }
  }

  /// Draws the case and compares it with its reference; never writes.
  public func verify() async -> SnapshotOutcome {
    if isSkipped { return .skipped(reason ?? "") }
    do {
      let actual = try await render()
      guard let reference = try reference() else { return .noReference }
      switch ImageComparison(expected: reference, actual: actual, tolerance: tolerance.channel) {
      case .same: return .same
      case .differs(let difference) where difference.differing <= tolerance.pixels: return .same
      case .differs(let difference):
        return .differs(pixels: difference.differing, largest: difference.largest)
      case .sizeDiffers(let expected, let actual):
        return .sizeDiffers(expected: "\(expected)", actual: "\(actual)")
      }
    } catch {
      return .error("\(error)")
    }
  }

  /// Draws the case and writes its reference.
  ///
  /// - Throws: `MapError`.
  public func record() async throws(MapError) {
    let bitmap = try await render()
    do { try FileAccess.write(bitmap.pngData(), to: referencePath) } catch { throw MapError(error) }
  }
}
