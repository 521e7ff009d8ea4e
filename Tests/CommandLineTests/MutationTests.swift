import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Small files changed at random with a fixed seed.
///
/// Each run exits with 0 or 2, without a signal or a half-written file.
@Suite("mutations")
struct MutationTests {
  private static let lanes = 4

  /// Runs the tool once per text, several processes at a time, and checks each result.
  private func run(
    _ texts: [(note: String, data: Data)], name: String, in folder: ScratchFolder, command: [String]
  )
    async throws
  {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<Self.lanes {
        group.addTask {
          let own = "lane\(lane)"
          try folder.write(SmallMap.places, to: "\(own)/data/places.geojson")
          try folder.write(SmallMap.square, to: "\(own)/data/square.geojson")
          let output = folder.path("\(own)/out.png")
          for index in stride(from: lane, to: texts.count, by: Self.lanes) {
            let path = try folder.write(texts[index].data, to: "\(own)/\(name)")
            let arguments = command + [path] + (command[0] == "render" ? ["-o", output] : [])
            let run = try await Tool.run(arguments)
            let note = texts[index].note
            // A URL may become a network address by chance.
            #expect([0, 2, 3].contains(run.code), "\(note): \(run)")
            #expect(!run.isSignal, "\(note): \(run)")
            #expect(run.errors.count == (run.code == 0 ? 0 : 1), "\(note): \(run.err)")
            #expect(
              (run.code == 0)
                == run.err.split(separator: "\n").allSatisfy {
                  $0.hasPrefix("warning: ") || $0.hasPrefix("note: ")
                },
              "\(note): \(run.err)")
            if command[0] == "render" {
              #expect(FileManager.default.fileExists(atPath: output) == (run.code == 0), "\(note)")
              try? FileManager.default.removeItem(atPath: output)
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path(own)).sorted()
            #expect(left == ["data", name].sorted(), "\(note)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("A document with a value of a wrong kind at any path does not crash the tool")
  func wrongKindsAtEveryPath() async throws {
    let folder = try ScratchFolder()
    let root = try JSONSerialization.jsonObject(with: Data(SmallMap.document().utf8))
    let others: [(String, Any)] = [
      ("null", NSNull()), ("true", true), ("a number", -1.5), ("a huge number", 1e300), ("a text", "x"),
      ("[]", [Any]()),
      ("{}", [String: Any]()), ("[[{}]]", [[[String: Any]()]]),
    ]
    var texts: [(String, Data)] = []
    let paths = Self.paths(of: root)
    #expect(paths.count > 60)
    var source = SeededGenerator(seed: 1)
    for path in paths {
      // Three kinds per path keep the run short; the seed still covers null and the wrong container over all
      // paths.
      for (name, other) in others.shuffled(using: &source).prefix(3) {
        let changed = Self.replacing(path[...], in: root, by: other)
        texts.append(
          (
            "\(path) is \(name)",
            try JSONSerialization.data(withJSONObject: changed, options: .fragmentsAllowed)
          ))
      }
    }
    #expect(texts.count > 180)
    try await run(texts, name: "map.json", in: folder, command: ["render", "--size", "40x30"])
  }

  private static func paths(of value: Any) -> [[String]] {
    var found: [[String]] = [[]]
    if let object = value as? [String: Any] {
      for (key, child) in object.sorted(by: { $0.key < $1.key }) {
        found += paths(of: child).map { [key] + $0 }
      }
    } else if let list = value as? [Any] {
      for (index, child) in list.enumerated() { found += paths(of: child).map { ["\(index)"] + $0 } }
    }
    return found
  }

  private static func replacing(_ path: ArraySlice<String>, in value: Any, by other: Any) -> Any {
    guard let first = path.first else { return other }
    if var object = value as? [String: Any], let child = object[first] {
      object[first] = replacing(path.dropFirst(), in: child, by: other)
      return object
    }
    if var list = value as? [Any], let index = Int(first) {
      list[index] = replacing(path.dropFirst(), in: list[index], by: other)
      return list
    }
    return value
  }

  @Test(
    "A document or data file with changed bytes does not crash the tool",
    arguments: [("map.json", 200), ("places.geojson", 200), ("square.geojson", 100), ("table.csv", 150)])
  func changedBytes(name: String, count: Int) async throws {
    let folder = try ScratchFolder()
    let text = [
      "map.json": SmallMap.document(), "places.geojson": SmallMap.places, "square.geojson": SmallMap.square,
    ][name]
    let bytes = [UInt8]((text ?? SmallMap.csv).utf8)
    var source = SeededGenerator(seed: UInt64(count) + UInt64(bytes.count))
    let texts = (0..<count).map { number -> (String, Data) in
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &source) {
        let at = Int.random(in: changed.indices, using: &source)
        switch Int.random(in: 0..<5, using: &source) {
        case 0: changed[at] ^= 1 << UInt8.random(in: 0..<8, using: &source)
        case 1: changed[at] = UInt8.random(in: 0...255, using: &source)
        case 2: changed.remove(at: at)
        case 3:
          changed.insert(contentsOf: [UInt8]("9e-,[]{}\":".utf8).shuffled(using: &source).prefix(2), at: at)
        default:
          let end = min(changed.count, at + Int.random(in: 1...40, using: &source))
          changed.insert(contentsOf: changed[at..<end], at: Int.random(in: changed.indices, using: &source))
        }
      }
      return ("\(name) \(number): \(String(decoding: changed, as: UTF8.self))", Data(changed))
    }
    try await run(texts, name: name, in: folder, command: ["render", "--size", "40x30"])
  }
}
