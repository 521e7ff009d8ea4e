import MapReaders
import MapSystem
import Synchronization

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
  /// The first bytes; none if others were fetched first.
  package let head: [UInt8]
  /// Whether it is a Parquet file, by the mark at its start or end.
  package let isParquet: Bool
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

  /// The number of bytes that are fetched first, from the start or the end.
  ///
  /// - Source: design decision; they contain the header of a FlatGeobuf file and the upper levels of its index, and the
  ///   footers of most Parquet files.
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

  /// Creates a file with its first or last bytes.
  init(_ transfer: FileTransfer, _ part: ServedPart, at range: Range<Int>, size: Int) {
    (self.transfer, self.size, listedTag) = (transfer, size, nil)
    let isStart = range.lowerBound == 0
    head = isStart ? part.bytes : []
    isParquet = ParquetReader.looksLikeParquet(Array(isStart ? part.bytes.prefix(4) : part.bytes.suffix(4)))
    var state = State()
    state.version = .some(part.version)
    state.store.add(part.bytes, at: range.lowerBound)
    (state.requests, state.bytes) = (1, range.count)
    self.state = Mutex(state)
    report(range, requests: 1, bytes: range.count)
  }

  /// Creates a Parquet file of a list, which states its size and its tag.
  package init(_ transfer: FileTransfer, listed object: ListedObject) {
    (self.transfer, size, head, isParquet) = (transfer, object.size, [], true)
    listedTag = object.tag.isEmpty ? nil : object.tag
    state = Mutex(State())
  }

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
    (request.range, request.version, request.largestBody) = (.bytes(range), known ?? listedTag, range.count)
    let response = try await transfer.client.response(to: request)
    if response.status == 416 || response.status == 412 { throw transfer.error(Self.changed) }
    let part = try response.part(.bytes(range))
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
    // The first bytes may have been fetched already.
    try take(head)
    let pieces = (head.count..<size).pieces(of: Self.pieceBytes)
    for window in pieces.indices.pieces(of: Self.mostRequests / 2) {
      for part in try await parts(Array(pieces[window])) { try take(part) }
      progress(pieces[window.upperBound - 1].upperBound)
    }
  }
}

extension ServiceError {
  /// Whether a file has changed while it was read.
  package var isOfChangedFile: Bool { reason == ServedFile.changed }
}
