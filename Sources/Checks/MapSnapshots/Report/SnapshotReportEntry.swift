import MapImages
import MapJSON
import MapState

/// The entry of a case in a report: its lines and the URLs of its images.
struct SnapshotReportEntry {
  let result: SnapshotResult
  /// The command that accepts the new image as reference image; nil if there is nothing to accept.
  let acceptCommand: String?
  /// The image URLs: `#` and the id of an element of the page for an embedded image, or a relative URL.
  var expected: String?
  var actual: String?
  var difference: String?
  /// Whether the new image and the difference image are parts that belong over the reference image.
  var isPatched = false
  /// The number of the case among those that failed, from 1; nil for one that passed or was skipped.
  var number: Int?
  /// The areas with differing pixels.
  let spots: [PixelRectangle]
  private let slightPixels: Int

  init(_ result: SnapshotResult, root: String, report: String) {
    var own = SnapshotResult(
      name: result.name, title: result.title, outcome: result.outcome, changes: result.changes,
      numbers: result.numbers, seconds: result.seconds)
    own.notes = result.notes
    self.result = own
    (spots, slightPixels) = (result.pictures?.spots ?? [], result.pictures?.slightPixels ?? 0)
    // A name that may be read as an option or as the number of a case is given with its folder.
    let isPlain = !result.name.hasPrefix("-") && Int(result.name) == nil
    let name = isPlain ? result.name : "\(root)/\(result.name)"
    let words = ["mapstate", "snapshot", "accept", root, name, "--report-dir", report]
    // A comparison without a folder of cases has no references.
    acceptCommand =
      result.pictures?.reference.isEmpty ?? true || root.isEmpty
      ? nil : words.map(Self.quoted).joined(separator: " ")
  }

  /// The images of a failed case, with their paths below the folder of the report.
  var pictureFiles: [(name: String, path: String)] {
    guard result.outcome.isFailure, actual != nil else { return [] }
    return [
      ("before", expected, "expected.png"), ("now", actual, "reference.png"),
      ("difference", difference, "difference.png"),
    ].filter { $0.1 != nil }.map { ($0.0, "cases/\(result.name)/\($0.2)") }
  }

  /// Returns a word quoted for a shell, on one line.
  ///
  /// - Source: POSIX.1-2024, section 2.2.4, for `$'…'`, with control characters as octal numbers.
  static func quoted(_ word: String) -> String {
    if word.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "$'"
        + word.unicodeScalars.map { scalar in
          switch scalar.value {
          case 0x27, 0x5C: "\\\(scalar)"
          case ..<0x20, 0x7F:
            "\\" + String(repeating: "0", count: scalar.value < 8 ? 2 : scalar.value < 64 ? 1 : 0)
              + String(scalar.value, radix: 8)
          default: String(scalar)
          }
        }.joined() + "'"
    }
    let plain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./,:@%+=".contains($0)) }
    // Scalars are compared, because a quote followed by a combining character is a different character.
    return plain && !word.isEmpty
      ? word : "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  /// Returns the report as JSON.
  static func json(_ entries: [SnapshotReportEntry], root: String, report: String, hasPictures: Bool)
    -> JSONValue
  {
    let outcomes = entries.map(\.result.outcome)
    let causes = SnapshotCause.all(of: entries)
    var numbers: [String: [Int]] = [:]
    for cause in causes {
      for name in cause.cases { numbers[name, default: []].append(cause.number) }
    }
    return [
      "root": .string(root), "passed": .number(outcomes.count(where: \.isPass)),
      "failed": .number(outcomes.count(where: \.isFailure)),
      "skipped": .number(outcomes.count(where: \.isSkip)),
      "causes": .array(causes.map { $0.json(report: report) }),
      "cases": .array(
        entries.map { $0.json(causes: numbers[$0.result.name] ?? [], hasPictures: hasPictures) }),
    ]
  }

  /// The largest number of changes of a case in the page, which `report.json` has all.
  private static let pageLimit = 50

  private func json(causes: [Int], hasPictures: Bool) -> JSONValue {
    var object: JSONObject = ["name": .string(result.name), "outcome": .string(result.outcome.word)]
    if let detail = result.outcome.detail { object["detail"] = .string(detail) }
    if let title = result.title { object["title"] = .string(title) }
    object["seconds"] = .number((result.seconds * 1000).rounded() / 1000)
    if let number { object["number"] = .number(number) }
    if !causes.isEmpty { object["causes"] = .array(causes.map { .number($0) }) }
    let limit = hasPictures ? Self.pageLimit : result.changes.count
    object["changes"] = .array(result.changes.prefix(limit).map(\.json))
    if result.changes.count > limit { object["moreChanges"] = .number(result.changes.count - limit) }
    object["numbers"] = .array(result.numbers.map { .string($0) })
    if !result.notes.isEmpty { object["notes"] = .array(result.notes.map { .string($0) }) }
    if let acceptCommand { object["accept"] = .string(acceptCommand) }
    if slightPixels > 0 { object["slightPixels"] = .number(slightPixels) }
    if !spots.isEmpty {
      object["spots"] = .array(
        spots.map { .array([$0.x, $0.y, $0.width, $0.height].map { .number($0) }) })
    }
    guard hasPictures else { return .object(object) }
    if isPatched { object["patched"] = true }
    for (name, url) in [("expected", expected), ("actual", actual), ("difference", difference)] {
      if let url { object[name] = .string(url) }
    }
    return .object(object)
  }
}

extension SnapshotChange {
  fileprivate var json: JSONValue {
    [
      "layer": layer.map { .string($0) } ?? .null, "labels": .boolean(isLabels),
      "class": className.map { .string($0) } ?? .null, "property": property.map { .string($0) } ?? .null,
      "before": before.map { .string($0) } ?? .null, "after": after.map { .string($0) } ?? .null,
      "summary": .string(summary), "cause": .string(cause), "effect": .boolean(isEffect),
      "featureCount": .number(featureCount),
      "features": .array(features.map { ["id": .number(JSONNumber($0.id)), "text": .string($0.text)] }),
      "pixels": [
        "changed": .number(pixels.changed), "lost": .number(pixels.lost), "gained": .number(pixels.gained),
      ],
    ]
  }
}

/// The Base64 encoding of bytes.
enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns bytes in Base64.
  ///
  /// - Source: RFC 4648, section 4.
  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var word = UInt32(bytes[start]) << 16
      if count > 1 { word |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { word |= UInt32(bytes[start + 2]) }
      for place in 0..<4 {
        text.append(place <= count ? letters[Int(word >> UInt32(18 - 6 * place) & 63)] : 0x3D)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
