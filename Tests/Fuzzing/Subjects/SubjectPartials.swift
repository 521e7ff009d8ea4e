import MapScript
import MapState

/// States of partial answers: the content of a state, without its digest, is read and merged with itself.
enum SubjectPartials {
  static func partial(_ bytes: [UInt8]) -> Bool {
    guard let state = try? PartialState(content: bytes[...]) else { return false }
    // What is read is written and read again.
    guard let again = try? PartialState(state.bytes) else {
      fatalError("a state that is written is not read")
    }
    guard
      let answer = try? MergedAnswer(
        [(name: "a", state: again)], expecting: again.ordinal + 1)
    else { return true }
    _ = answer.json(warnings: answer.warnings).text()
    if let canvas = answer.canvas, canvas.width * canvas.height <= 1 << 16 { _ = try? answer.bitmap() }
    return true
  }
}
