import Foundation

/// A report that `render` wrote.
public struct WrittenReport {
  /// The whole report.
  public let json: [String: Any]

  /// Reads a file.
  public init(_ path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    guard let json = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.json = json
  }

  /// Returns the counts of a layer: the rows that each step of the selection left.
  public func funnel(_ layer: String) throws -> [String: Int] {
    let layers = json["layers"] as? [[String: Any]] ?? []
    guard let item = layers.first(where: { $0["layer"] as? String == layer }),
      let funnel = item["funnel"] as? [String: Int]
    else { throw CocoaError(.fileReadCorruptFile) }
    return funnel
  }
}
