import FoundationEssentials
import Glibc
import MapJSON
import MapSystem

/// Answers of servers, kept as files between runs.
///
/// Each answer is one file: a line of JSON that describes it, then its body. The hash of a request selects one of
/// ``groups`` folders. If a folder exceeds its share of the limit, its oldest answers are removed. The size is thus
/// limited without a list of all files. A file that cannot be read or written is treated as absent.
package struct AnswerCache: Sendable {
  /// The folder, which is made when the first answer is kept.
  package let folder: String
  /// The greatest size of all files in bytes.
  package let limit: Int
  /// The number of folders.
  ///
  /// - Source: design decision; at the default limit, a folder has about 300 tiles.
  package static let groups = 128

  /// Creates a cache in a folder.
  package init(folder: String, limit: Int) { (self.folder, self.limit) = (folder, limit) }

  /// Returns the user's folder for tiles; nil if the environment has neither `XDG_CACHE_HOME` nor `HOME`.
  ///
  /// - Source: XDG Base Directory Specification; a path in `XDG_CACHE_HOME` that is not absolute is ignored.
  package static func userFolder(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/mapstate/tiles" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.cache/mapstate/tiles"
  }

  /// A kept answer.
  struct Entry {
    var status: Int
    /// The time after which the server is asked again, in seconds since 1970.
    var expires: Int
    /// The field `ETag`; nil without one.
    var tag: String?
    /// The field `Last-Modified`; nil without one.
    var modified: String?
    /// The reach of the address that answered.
    var reach: NetworkReach
    var type: String
    /// The field `Content-Range`; nil for an answer with all of the content.
    var contentRange: String?
    var body: [UInt8]

    /// The tag of the content, or else its date.
    var version: String? { tag ?? modified }
  }

  private static func place(of key: ExchangeKey) -> (group: String, name: String) {
    let name = key.fileName
    let number = Int(name.suffix(4), radix: 16) ?? 0
    return (String(number % groups, radix: 16), name)
  }

  /// Returns the answer to a request; nil if there is none.
  func entry(for key: ExchangeKey) -> Entry? {
    let (group, name) = Self.place(of: key)
    guard let bytes = try? FileAccess.read("\(folder)/\(group)/\(name)", limit: limit / Self.groups),
      let end = bytes.prefix(1 << 16).firstIndex(of: 0x0A),
      let json = try? JSONValue(parsing: Array(bytes[..<end])),
      // The name is a hash, so another request may have the same one.
      json["url"]?.string == key.url, json["range"]?.string ?? "" == key.range,
      let status = json["status"]?.integer, 200...599 ~= status,
      let expires = json["expires"]?.integer, json["size"]?.integer == bytes.count - end - 1,
      let reach = json["reach"]?.integer.flatMap(NetworkReach.init(rawValue:))
    else { return nil }
    return Entry(
      status: status, expires: expires, tag: json["tag"]?.string, modified: json["modified"]?.string,
      reach: reach, type: json["type"]?.string ?? "", contentRange: json["contentRange"]?.string,
      body: Array(bytes[(end + 1)...]))
  }

  /// Keeps the answer to a request; an answer larger than a folder's share is left out.
  func keep(_ entry: Entry, for key: ExchangeKey) {
    let (group, name) = Self.place(of: key)
    var object: JSONObject = [
      "url": .string(key.url), "status": .number(entry.status), "expires": .number(entry.expires),
      "reach": .number(entry.reach.rawValue), "size": .number(entry.body.count), "type": .string(entry.type),
    ]
    object["tag"] = entry.tag.map { .string($0) }
    object["modified"] = entry.modified.map { .string($0) }
    if !key.range.isEmpty { object["range"] = .string(key.range) }
    object["contentRange"] = entry.contentRange.map { .string($0) }
    let head = JSONValue.object(object).bytes()
    guard head.count < 1 << 16, !head.contains(0x0A), head.count + 1 + entry.body.count <= limit / Self.groups
    else { return }
    let path = "\(folder)/\(group)"
    do {
      // Only the user may read the tiles: some come from private servers.
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try FileAccess.write(head + [0x0A] + entry.body, to: "\(path)/\(name)")
    } catch { return }
    trim(path)
  }

  /// Removes the oldest files of a folder until the others take no more than its share.
  private func trim(_ path: String) {
    var files: [(path: String, size: Int, age: Int)] = []
    for name in (try? FileAccess.names(in: path)) ?? [] {
      let file = "\(path)/\(name)"
      var status = stat()
      // The system's own call: Foundation also looks up the names of the owners, which takes ten times as long.
      guard unsafe lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      files.append((file, Int(status.st_size), status.st_mtim.tv_sec))
    }
    var size = files.reduce(0) { $0 + $1.size }
    guard size > limit / Self.groups else { return }
    for file in files.sorted(by: { ($0.age, $0.path) < ($1.age, $1.path) })
    where size > limit / Self.groups {
      unsafe unlink(file.path)
      size -= file.size
    }
  }
}
