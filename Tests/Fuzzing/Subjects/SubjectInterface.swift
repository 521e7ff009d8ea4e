import CMapState
import Dispatch
import MapJSON
import MapStateC

/// Calls of the C interface, one per line, at most forty; bytes that are not JSON or UTF-8 reach it unchanged.
///
/// `+OPTIONS` creates a session, `-` destroys the last one and calls it again, and another line is a step for it.
enum SubjectInterface {
  static func calls(_ bytes: [UInt8], folder: String) async -> Bool {
    SubjectDocuments.writeData("data.geojson", in: folder)
    // The functions block, which threads of tasks must not.
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: perform(bytes, folder)) }
    }
  }

  private static func perform(_ bytes: [UInt8], _ folder: String) -> Bool {
    var session = mapstate_session()
    var answered = false
    func open(_ options: [UInt8]) {
      destroy(session)
      let result = unsafe call(with: options) { unsafe create($0, options.count, &session, $1) }
      precondition((result == MAPSTATE_DONE) == (session != 0))
    }
    open(Array(#"{"folder": "\#(folder)"}"#.utf8))
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(40) {
      switch line.first {
      case UInt8(ascii: "+"): open(inside(folder, Array(line.dropFirst()), members: options(folder)))
      case UInt8(ascii: "-"):
        destroy(session)
        destroy(session)
        let result = unsafe call(with: Array(line)) { unsafe request(session, $0, line.count, $1) }
        precondition(result == MAPSTATE_USAGE)
        open(Array(#"{"folder": "\#(folder)"}"#.utf8))
      default:
        guard let step = step(folder, Array(line)) else { continue }
        let result = unsafe call(with: step) { unsafe request(session, $0, step.count, $1) }
        answered = answered || result == MAPSTATE_DONE
      }
    }
    destroy(session)
    return answered
  }

  /// Calls a function with bytes, and checks and frees its answer.
  private static func call(
    with bytes: [UInt8],
    _ function: (UnsafePointer<CChar>?, UnsafeMutablePointer<mapstate_answer>) -> mapstate_result
  ) -> mapstate_result {
    var answer = unsafe mapstate_answer()
    let characters = bytes.map { CChar(bitPattern: $0) }
    let result = unsafe characters.withUnsafeBufferPointer { unsafe function($0.baseAddress, &answer) }
    let text = unsafe Array(UnsafeRawBufferPointer(start: answer.json, count: answer.json_length))
    precondition(unsafe answer.json?[answer.json_length] == 0, "the text ends with a zero byte")
    precondition((try? JSONValue(parsing: text))?["ok"] == .boolean(result == MAPSTATE_DONE))
    unsafe freeAnswer(&answer)
    precondition(unsafe answer.json == nil && answer.data == nil)
    return result
  }

  /// Returns a step that reads and writes only files in the folder; nil for a large image.
  private static func step(_ folder: String, _ line: [UInt8]) -> [UInt8]? {
    guard var step = (try? JSONValue(parsing: line))?.object else { return line }
    guard !SubjectDocuments.isLarge(.object(step)) else { return nil }
    SubjectDocuments.keepInside(folder, &step)
    for (name, path) in [("folder", "reference"), ("artifacts", "failed")] where step[name]?.string != nil {
      step[name] = .string("\(folder)/\(path)")
    }
    return Array(JSONValue.object(step).text().utf8)
  }

  /// The options that name files, and the paths in the folder that replace theirs.
  private static func options(_ folder: String) -> [(String, JSONValue)] {
    [
      ("folder", .string(folder)), ("allowPath", .array([.string(folder)])),
      ("services", .string("\(folder)/data.geojson")), ("record", .string("\(folder)/recorded")),
      ("replay", .string("\(folder)/recorded")),
    ]
  }

  private static func inside(
    _ folder: String, _ line: [UInt8], members: [(String, JSONValue)]
  ) -> [UInt8] {
    guard var object = (try? JSONValue(parsing: line))?.object else { return line }
    for (name, path) in members where object[name]?.string != nil || object[name]?.array != nil {
      object[name] = path
    }
    return Array(JSONValue.object(object).text().utf8)
  }
}
