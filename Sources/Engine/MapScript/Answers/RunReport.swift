package import MapJSON
import MapSystem

/// The members of a report about a run: the files that it read and wrote, with their digests, and its time.
package struct RunReport {
  private let start = ContinuousClock.now
  /// The files that were written, with their bytes.
  private var outputs: [JSONValue] = []

  /// Creates the report of a run that begins now.
  package init() {}

  /// Adds a file that is written.
  package mutating func add(_ bytes: [UInt8], at path: String) {
    outputs.append(Self.file(path, bytes))
  }

  /// Returns a report with the members `inputs`, `outputs` and `seconds`.
  ///
  /// Files that were read and have changed or gone since have no digest; folders have none, either.
  /// - Parameter inputs: the paths of the files that were read.
  /// - Cost: reading these files once more.
  package func adding(to report: JSONValue, inputs: [String]) -> JSONValue {
    var object = report.object ?? JSONObject()
    var known: Set<String> = []
    let read = inputs.filter { known.insert($0).inserted }.map { path in
      guard let bytes = try? FileAccess.read(path) else { return JSONValue.object(["path": .string(path)]) }
      return Self.file(path, bytes)
    }
    object["inputs"] = .array(read)
    object["outputs"] = .array(outputs)
    object["seconds"] = .number(start.duration(to: .now) / .seconds(1))
    return .object(object)
  }

  private static func file(_ path: String, _ bytes: [UInt8]) -> JSONValue {
    [
      "path": .string(path), "bytes": .number(bytes.count),
      "sha256": .string(SHA256.hexadecimal(SHA256.digest(bytes))),
    ]
  }
}
