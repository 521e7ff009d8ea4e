import MapSystem
import Synchronization

/// The access to one file on a server.
package struct FileTransfer: Sendable {
  /// The client, whose largest answer is at least the limit of the budget.
  package let client: ServiceClient
  /// The address, without secrets.
  let url: String
  /// The address without its query, for messages.
  let place: String
  /// The bytes that may be fetched from the file, or from all files of a folder.
  let budget: FetchBudget
  /// The memory of the answers.
  private let memory: ResponseMemory
  /// Receives a line about each request; nil receives none.
  let report: (@Sendable (String) -> Void)?

  package init(
    client: ServiceClient, url: String, place: String, budget: FetchBudget,
    memory: ResponseMemory = .shared, report: (@Sendable (String) -> Void)?
  ) {
    (self.client, self.url, self.place, self.budget) = (client, url, place, budget)
    (self.memory, self.report) = (memory, report)
  }

  /// Returns the access to another file of the same host, within the same budget.
  package func of(_ url: String, place: String) -> FileTransfer {
    FileTransfer(client: client, url: url, place: place, budget: budget, memory: memory, report: report)
  }

  /// Begins to report the bytes of an answer while they arrive, every fifth of a second; returns the end of that.
  func reportArrival() -> @Sendable () -> Void {
    let id = CurrentWork.begin("fetching \(place)")
    let watch = Task { [memory] in
      while (try? await Task.sleep(for: .milliseconds(200))) != nil {
        let count = memory.taken.now
        if count > 0 { CurrentWork.report(ByteText.text(count), of: id) }
      }
    }
    return {
      watch.cancel()
      CurrentWork.end(id)
    }
  }

  /// The limit in messages, with its option.
  var limitText: String { "--max-download (\(ByteText.text(budget.limit)))" }

  func error(_ reason: String, _ kind: ServiceError.Kind = .answer) -> ServiceError {
    ServiceError(reason, at: place, kind: kind)
  }
}

/// The bytes that may be fetched from a file, or from all files of a folder.
package final class FetchBudget: Sendable {
  package let limit: Int
  private let taken = Mutex(0)

  package init(limit: Int) { self.limit = limit }

  /// Takes a number of bytes; false if there are fewer.
  func take(_ count: Int) -> Bool {
    taken.withLock { taken in
      guard count <= limit - taken else { return false }
      taken += count
      return true
    }
  }

  /// Begins anew, before a whole file is fetched.
  func begin() { taken.withLock { $0 = 0 } }
}

/// The content of a file on a server, when it is opened.
package enum ServedContent: Sendable {
  /// All bytes of the file, and whether the server has byte ranges, as far as it was asked.
  case whole([UInt8], hasRanges: Bool)
  /// A larger file, which is read by byte ranges.
  case parts(ServedFile)

  /// The first bytes.
  package var head: [UInt8] {
    switch self {
    case .whole(let bytes, _): Array(bytes.prefix(64))
    case .parts(let file): file.head
    }
  }
}

/// A file on a server that is read by byte ranges.
///
/// All parts are of one version of the file: they have the same tag, or else the same date, and the file has the same
/// size. Ranges that are announced together are merged, and fetched at the same time. A range that follows the last one
/// is fetched with the bytes after it.
///
/// - Source: RFC 9110, 14, for byte ranges.
package final class ServedFile: Sendable {
  /// The size in bytes.
  package let size: Int
  /// The first bytes.
  package let head: [UInt8]
  private let transfer: FileTransfer
  /// The tag that a list states, by which kept parts are found before the first answer; nil without a list.
  private let listedTag: String?
  private let state: Mutex<State>
  /// Held while bytes are fetched, because two threads may ask for the same ones.
  private let fetching = Mutex<Void>(())

  private struct State: Sendable {
    var store = ByteStore(limit: storedBytes)
    /// The tag of the file, or else its date, after the first answer; nil within if the server states neither.
    var version: String??
    /// The end of the last range that was read, and the bytes that were read ahead of it.
    var (lastEnd, ahead) = (0, 0)
    var (requests, bytes) = (0, 0)
  }

  /// The number of bytes that are fetched first.
  ///
  /// - Source: design decision; they contain the header of a FlatGeobuf file and the upper levels of its index.
  package static let firstBytes = 64 << 10
  /// The greatest number of bytes between two ranges that are fetched by one request.
  ///
  /// - Source: design decision; at 20 Mbit/s, 32 KB take as long as the way to a server and back, 13 ms.
  package static let gap = 32 << 10
  /// The least size of a request for a range that was not announced.
  package static let leastBytes = 16 << 10
  /// The greatest size of a request for several ranges, and of one ahead of them.
  ///
  /// - Source: design decision; the cache keeps no larger answers.
  package static let mergedBytes = 2 << 20
  /// The size of the requests for a whole file, which the cache does not keep.
  static let pieceBytes = 8 << 20
  /// The greatest number of requests at the same time.
  private static let mostRequests = 6
  /// The memory for parts in bytes.
  private static let storedBytes = 64 << 20
  /// The time limit of a request for a whole file without byte ranges.
  private static let wholeTime = Duration.seconds(600)

  private init(_ transfer: FileTransfer, _ part: ServedPart, size: Int) {
    (self.transfer, self.size, listedTag, head) = (transfer, size, nil, part.bytes)
    var state = State()
    state.version = .some(part.version)
    state.store.add(part.bytes, at: 0)
    (state.requests, state.bytes) = (1, part.bytes.count)
    self.state = Mutex(state)
  }

  /// Creates a file of a list, which states its size and its tag.
  package init(_ transfer: FileTransfer, listed object: ListedObject) {
    (self.transfer, size, head) = (transfer, object.size, [])
    listedTag = object.tag.isEmpty ? nil : object.tag
    state = Mutex(State())
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - asksWhole: Whether the first request is for the whole file, which servers may then compress.
  ///   - refreshes: Whether the cache is not used.
  /// - Throws: ``ServiceError``, also for a web page instead of a file.
  package static func open(
    _ transfer: FileTransfer, asksWhole: Bool, refreshes: Bool = false
  ) async throws(ServiceError) -> ServedContent {
    var request = HTTPRequest(get: transfer.url)
    if !asksWhole { request.range = 0..<firstBytes }
    (request.largestBody, request.refreshes) = (transfer.budget.limit, refreshes)
    let response: HTTPResponse
    let time = asksWhole ? wholeTime : transfer.client.limits.request
    do throws(ServiceError) {
      let endReport = transfer.reportArrival()
      defer { endReport() }
      response = try await transfer.client.response(to: request, within: time)
    } catch {
      if error.kind == .deadline, !asksWhole, error.reason.contains(someReceived) {
        // The server has no byte ranges, and sends the whole file.
        return try await open(transfer, asksWhole: true, refreshes: refreshes)
      }
      guard error.reason == HTTPResponse.wholeInsteadOfPart || error.reason.hasPrefix(tooLarge) else {
        throw error
      }
      let cause = asksWhole ? "the file is larger" : "the server has no byte ranges, and the file is larger"
      throw transfer.error("\(cause) than \(transfer.limitText); allow more, or use a local copy")
    }
    if let type = response.header["content-type"]?.lowercased(), type.hasPrefix("text/html") {
      throw transfer.error("answered with a web page (text/html), not with a file")
    }
    switch response.status {
    case 200:
      transfer.report?("GET \(transfer.place): the whole file, \(ByteText.text(response.body.count))")
      return .whole(response.body, hasRanges: asksWhole)
    case 416 where response.header["content-range"] == "bytes */0": return .whole([], hasRanges: true)
    case 206 where !asksWhole:
      let part = try response.part(0..<firstBytes)
      guard let size = part.size, size <= largestSize else {
        throw transfer.error("answered 206 without a valid size of the file")
      }
      guard part.bytes.count < size else {
        transfer.report?("GET \(transfer.place): the whole file, \(ByteText.text(size))")
        return .whole(part.bytes, hasRanges: true)
      }
      let file = ServedFile(transfer, part, size: size)
      file.report(0..<part.bytes.count, requests: 1, bytes: part.bytes.count)
      return .parts(file)
    default: throw transfer.error(response.refusal)
    }
  }

  /// The greatest size of a file, one pebibyte.
  ///
  /// - Source: design decision; readers multiply sizes.
  static let largestSize = 1 << 50
  /// The part of the error for an answer that has begun when the time is over.
  private static let someReceived = "; received"
  /// The start of the error for an answer that is larger than permitted.
  private static let tooLarge = "its answer is larger than"

  // MARK: Ranges

  /// Returns the bytes of a range; waits for those that were not fetched yet.
  ///
  /// - Throws: ``ServiceError``, also if the file has changed.
  package func bytes(_ range: Range<Int>) throws(ServiceError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= size else {
      throw transfer.error("has no bytes \(range.lowerBound)-\(range.upperBound - 1); it has \(size)")
    }
    if let known = known(range) { return known }
    return try fetching.withLock { _ throws(ServiceError) in
      if let known = known(range) { return known }
      guard range.count <= Self.storedBytes / 2 else {
        let pieces = range.pieces(of: Self.pieceBytes)
        return try fetch(pieces).reduce(into: []) { $0 += $1 }
      }
      let wanted = state.withLock { state in
        // A range after the last one: the next ones will follow, too.
        state.ahead =
          range.lowerBound == state.lastEnd ? min(max(2 * state.ahead, range.count), Self.mergedBytes) : 0
        let count = max(range.count, Self.leastBytes, state.ahead)
        return state.store.missing(in: range.lowerBound..<min(size, range.lowerBound + count))
      }
      try keep(wanted.flatMap { $0.pieces(of: Self.mergedBytes) })
      guard let bytes = known(range) else { throw transfer.error("gave no bytes of a range") }
      return bytes
    }
  }

  private func known(_ range: Range<Int>) -> [UInt8]? {
    state.withLock { state in
      guard let bytes = state.store.bytes(range) else { return nil }
      state.lastEnd = range.upperBound
      return bytes
    }
  }

  /// Fetches ranges that will be read, those near each other by one request, and all at the same time.
  ///
  /// Of ranges that take more memory than there is, the last are not fetched.
  /// - Throws: ``ServiceError``.
  package func announce(_ ranges: [Range<Int>]) throws(ServiceError) {
    try fetching.withLock { _ throws(ServiceError) in
      var missing = state.withLock { state in
        ranges.map { $0.clamped(to: 0..<size) }.flatMap { state.store.missing(in: $0) }
      }
      var room = Self.storedBytes / 2
      missing.sort { $0.lowerBound < $1.lowerBound }
      missing = missing.filter { range in
        room -= range.count
        return room >= 0
      }
      let merged = missing.merged(gap: Self.gap, limit: Self.mergedBytes)
      try keep(merged.flatMap { $0.whole.pieces(of: Self.mergedBytes) })
    }
  }

  /// Fetches ranges and keeps them in memory.
  private func keep(_ ranges: [Range<Int>]) throws(ServiceError) {
    guard !ranges.isEmpty else { return }
    let parts = try fetch(ranges)
    state.withLock { state in
      for (range, bytes) in zip(ranges, parts) { state.store.add(bytes, at: range.lowerBound) }
    }
  }

  private func fetch(_ ranges: [Range<Int>]) throws(ServiceError) -> [[UInt8]] {
    try BlockingRequest.value { [self] () async throws(ServiceError) in try await parts(ranges) }
  }

  /// Returns the bytes of ranges, fetched at the same time.
  private func parts(_ ranges: [Range<Int>]) async throws(ServiceError) -> [[UInt8]] {
    let count = ranges.reduce(0) { $0 + $1.count }
    guard transfer.budget.take(count) else {
      throw transfer.error(
        "would take more than \(transfer.limitText) of its \(ByteText.text(size)); allow more, or ask for a smaller extent"
      )
    }
    state.withLock { ($0.requests, $0.bytes) = ($0.requests + ranges.count, $0.bytes + count) }
    var results: [Int: Result<[UInt8], ServiceError>] = [:]
    await withTaskGroup(of: (Int, Result<[UInt8], ServiceError>).self) { group in
      var next = 0
      func start() {
        guard next < ranges.count else { return }
        let (index, range) = (next, ranges[next])
        next += 1
        // A closure that catches typed errors itself loses results with optimization (Swift 6.3.1).
        group.addTask { (index, await self.result(of: range)) }
      }
      for _ in 0..<Self.mostRequests { start() }
      while let (index, result) = await group.next() {
        results[index] = result
        if case .failure = result { next = ranges.count }
        start()
      }
    }
    var parts: [[UInt8]] = []
    for index in ranges.indices {
      switch results[index] {
      case .success(let bytes)?: parts.append(bytes)
      case .failure(let error)?: throw error
      // After a failure, later ranges are not fetched.
      case nil: throw transfer.error("gave no bytes of a range")
      }
    }
    if let first = ranges.first { report(first, requests: ranges.count, bytes: count) }
    return parts
  }

  private func result(of range: Range<Int>) async -> Result<[UInt8], ServiceError> {
    do throws(ServiceError) { return .success(try await part(range)) } catch { return .failure(error) }
  }

  private func part(_ range: Range<Int>) async throws(ServiceError) -> [UInt8] {
    var request = HTTPRequest(get: transfer.url)
    let known = state.withLock { $0.version }
    (request.range, request.version, request.largestBody) = (range, known ?? listedTag, range.count)
    let response = try await transfer.client.response(to: request)
    if response.status == 416 || response.status == 412 { throw transfer.error(Self.changed) }
    let part = try response.part(range)
    let version = state.withLock { state in
      if state.version == nil { state.version = .some(part.version) }
      return state.version
    }
    guard version == .some(part.version), part.size == nil || part.size == size,
      part.bytes.count == range.count
    else { throw transfer.error(Self.changed) }
    return part.bytes
  }

  /// The reason for refusing a file that is no longer the one that was opened.
  static let changed = "changed on the server while it was read; try again"

  private func report(_ first: Range<Int>, requests: Int, bytes: Int) {
    guard let report = transfer.report else { return }
    let all = state.withLock { ($0.requests, $0.bytes) }
    let what =
      requests == 1 ? "bytes \(first.lowerBound)-\(first.upperBound - 1)" : "\(requests) ranges"
    report(
      "GET \(transfer.place): \(what), \(ByteText.text(bytes)); in all \(all.0) \(all.0 == 1 ? "request" : "requests"), "
        + "\(ByteText.text(all.1)) of \(ByteText.text(size))")
  }

  /// Removes all parts from memory.
  package func forget() { state.withLock { $0.store = ByteStore(limit: Self.storedBytes) } }

  /// Fetches the last bytes of files at the same time, such as their footers.
  ///
  /// - Throws: ``ServiceError``.
  package static func fetchEnds(of files: [ServedFile], count: Int) async throws(ServiceError) {
    for window in files.indices.pieces(of: 2 * mostRequests) {
      var results: [Int: Result<[UInt8], ServiceError>] = [:]
      await withTaskGroup(of: (Int, Result<[UInt8], ServiceError>).self) { group in
        for index in window where files[index].size > 0 {
          let file = files[index]
          group.addTask { (index, await file.end(count)) }
        }
        while let (index, result) = await group.next() { results[index] = result }
      }
      for index in window {
        switch results[index] {
        case .success(let bytes)?:
          files[index].state.withLock { $0.store.add(bytes, at: files[index].size - bytes.count) }
        case .failure(let error)?: throw error
        case nil: break
        }
      }
    }
  }

  /// Returns the last bytes.
  private func end(_ count: Int) async -> Result<[UInt8], ServiceError> {
    do throws(ServiceError) {
      return .success(try await parts([max(0, size - count)..<size]).first ?? [])
    } catch { return .failure(error) }
  }

  // MARK: The whole file

  /// Passes all bytes on in order, in pieces.
  ///
  /// - Parameter progress: Receives the number of bytes so far.
  /// - Throws: ``ServiceError``, and errors of `take`.
  package func pass(
    progress: @Sendable (Int) -> Void, to take: ([UInt8]) throws -> Void
  ) async throws {
    guard size <= transfer.budget.limit else {
      throw transfer.error(
        "has \(ByteText.text(size)), more than \(transfer.limitText); allow more, or use a local copy")
    }
    transfer.budget.begin()
    // The first bytes were fetched already.
    try take(head)
    let pieces = (head.count..<size).pieces(of: Self.pieceBytes)
    for window in pieces.indices.pieces(of: Self.mostRequests / 2) {
      for part in try await parts(Array(pieces[window])) { try take(part) }
      progress(pieces[window.upperBound - 1].upperBound)
    }
  }
}

extension HTTPResponse {
  /// The status, with the code of the error and the region of the bucket that a store of objects states.
  var refusal: String {
    let text = String(decoding: body.prefix(4096), as: UTF8.self)
    let code = text.firstRange(of: "<Code>").map { text[$0.upperBound...].prefix { $0.isLetter } } ?? ""
    let region = header["x-amz-bucket-region"].map {
      $0.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
    return "answered \(status)" + (code.isEmpty ? "" : " (\(code.prefix(64)))")
      + (region.map {
        [301, 307, 400].contains(status)
          ? "; its bucket is in another region, set AWS_REGION=\($0.prefix(32))" : ""
      } ?? "")
  }
}

extension ServiceError {
  /// Whether a file has changed while it was read.
  package var isOfChangedFile: Bool { reason == ServedFile.changed }
}

/// Numbers of bytes in messages.
package enum ByteText {
  /// Returns a number of bytes with its unit, such as `1.5 MB`; a unit is 1024 of the one before it.
  package static func text(_ count: Int) -> String {
    var (value, unit) = (Double(count), 0)
    while value >= 1024, unit < 4 { (value, unit) = (value / 1024, unit + 1) }
    let tenths = (value * 10).rounded() / 10
    let number = Int(exactly: tenths).map { "\($0)" } ?? "\(tenths)"
    return number + " " + ["bytes", "KB", "MB", "GB", "TB"][unit]
  }
}
