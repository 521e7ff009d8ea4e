public import Foundation

/// A folder that is deleted with its last reference.
public final class ScratchFolder: Sendable {
  /// The folder.
  public let root: URL

  /// Creates an empty folder.
  public init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("mapstate-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// Returns the address of a file in the folder.
  public func url(_ name: String) -> URL { root.appendingPathComponent(name) }
  /// Returns the path of a file in the folder.
  public func path(_ name: String) -> String { url(name).path }

  /// Writes a text file, creating parent folders, and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

  /// Writes a file, creating parent folders, and returns its path.
  @discardableResult
  public func write(_ data: Data, to name: String) throws -> String {
    let target = url(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: target)
    return target.path
  }

  /// The sorted names in the folder, which may not include half-written files.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
  }
}
