import CPostgreSQL
import Glibc
import MapServices
import MapSystem

/// A connection to a database, closed when the object is released.
///
/// While it waits for the server it gives way to other tasks, notices the cancellation of its task, and ends at its
/// deadline. Closing the connection ends the server's work, because the server is asked to watch it.
///
/// It is used by one task. The class is not `Sendable`, so the compiler enforces that.
final class DatabaseConnection {
  private let calls: cpostgresql_functions
  private let handle: OpaquePointer
  private let place: String
  private let secrets: [String]
  private let started = ContinuousClock.now
  private let deadline: ContinuousClock.Instant
  /// Whether the server ends its work when the connection closes.
  private(set) var isWatchful = false
  /// The number of bytes received since the last complete row or answer.
  private var unread = 0
  /// The number of bytes that a TCP connection had received when it was last counted.
  private var counted = 0
  /// The version of the server, such as 150018 for 15.18.
  var serverVersion: Int { Int(calls.PQserverVersion(handle)) }

  /// The oldest supported version: indexes have `indnkeyatts` since 11.
  private static let oldestVersion = 110_000
  /// The version since which a server watches its connections: `client_connection_check_interval`.
  private static let watchfulVersion = 140_000
  /// The time for which one wait keeps the thread, in milliseconds.
  ///
  /// - Source: design decision; cancellation is noticed within it.
  private static let nap: Int32 = 10
  /// The size in bytes at which received rows are read.
  private static let pieceSize = 1 << 18
  /// The largest answer about the catalog, in bytes, and its largest number of rows.
  ///
  /// - Source: design decision; a table has at most 1,600 columns.
  private static let largestAnswer = (bytes: 16 << 20, rows: 10_000)
  /// The largest row in bytes, which libpq holds in memory before it is read.
  private static let largestRow = 256 << 20
  /// The largest message of the server, in characters.
  private static let longestMessage = 2000

  /// Connects to a database.
  ///
  /// - Throws: ``ServiceError``.
  static func open(
    _ address: DatabaseAddress, _ access: DatabaseAccess
  ) async throws(ServiceError) -> DatabaseConnection {
    let parameters = try access.parameters(for: address)
    let calls: cpostgresql_functions
    do throws(PostgreSQLLibrary.Missing) { calls = try PostgreSQLLibrary.shared.get().calls } catch {
      throw ServiceError(error.reason, at: address.shown, kind: .missingLibrary)
    }
    let names = parameters.map { strdup($0.name) } + [nil]
    let values = parameters.map { strdup($0.value) } + [nil]
    defer { for text in names + values { free(text) } }
    let handle = calls.PQconnectStartParams(
      names.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 0)
    guard let handle else {
      throw ServiceError("no memory for a connection", at: address.shown, kind: .memory)
    }
    let connection = DatabaseConnection(calls, handle, address, access)
    try await connection.connect(within: access.limits)
    return connection
  }

  private init(
    _ calls: cpostgresql_functions, _ handle: OpaquePointer, _ address: DatabaseAddress,
    _ access: DatabaseAccess
  ) {
    (self.calls, self.handle, place) = (calls, handle, address.shown)
    secrets = access.secrets(for: address)
    deadline = started + access.limits.operation
    // libpq would print notices to the standard error.
    _ = calls.PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { calls.PQfinish(handle) }

  private func connect(within limits: ServiceLimits) async throws(ServiceError) {
    var isReading = false
    while calls.PQstatus(handle) != CONNECTION_BAD {
      // The first state is writing, by libpq's documentation.
      try await wait(
        for: Int16(isReading ? POLLIN : POLLOUT), before: min(deadline, started + limits.request))
      switch calls.PQconnectPoll(handle) {
      case PGRES_POLLING_OK: return try check(serverVersion)
      case PGRES_POLLING_READING: isReading = true
      case PGRES_POLLING_WRITING: isReading = false
      default: throw connectionFault()
      }
    }
    throw connectionFault()
  }

  private func check(_ version: Int) throws(ServiceError) {
    guard version >= Self.oldestVersion else {
      throw fault("the server has version \(version / 10_000) of PostgreSQL; 11 is the oldest supported")
    }
  }

  /// Begins a transaction that sees the rows of one instant, and in which the server ends its work in time.
  ///
  /// - Parameter snapshot: The instant of another transaction; nil takes a new one.
  func begin(in snapshot: DatabaseSnapshot? = nil) async throws(ServiceError) {
    // Only servers on Linux watch connections for certain, and others refuse the setting. They are asked before the
    // transaction has a snapshot.
    if let snapshot {
      isWatchful = snapshot.isWatchful
    } else if serverVersion >= Self.watchfulVersion {
      isWatchful = try await rows("SELECT pg_catalog.version()").first?.first??.contains("linux") ?? false
    }
    try await run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    if let snapshot {
      do {
        try await run("SET TRANSACTION SNAPSHOT '\(snapshot.id)'")
      } catch {
        guard error.kind == .answer else { throw error }
        throw ServiceError(
          "the transaction that keeps the rows of this map has ended; open the map again (\(error.reason))",
          at: place,
          kind: .connection)
      }
    }
    // Settings of the transaction, because a pool of connections may give the session to others afterwards. The limit
    // is a second longer than here, so that it is reported in one way.
    let milliseconds = Int64(clamping: min((deadline - .now) / .milliseconds(1), 2e9)) + 1000
    try await run("SET LOCAL statement_timeout = \(min(max(milliseconds, 1), 2_000_000_000))")
    // Texts of statements are literals, and numbers in answers keep all digits.
    try await run("SET LOCAL standard_conforming_strings = on")
    try await run("SET LOCAL extra_float_digits = 3")
    if isWatchful {
      try await run("SET LOCAL client_connection_check_interval = '1s'")
    }
  }

  // MARK: Statements

  /// Runs a statement without result.
  func run(_ statement: String) async throws(ServiceError) { _ = try await rows(statement) }

  /// Returns the rows of a query as texts; nil is null.
  func rows(_ query: String, _ parameters: [String] = []) async throws(ServiceError) -> [[String?]] {
    let values = parameters.map { strdup($0) }
    defer { for value in values { free(value) } }
    guard
      calls.PQsendQueryParams(
        handle, query, Int32(values.count), nil, values.map { UnsafePointer($0) }, nil, nil, 0) == 1
    else { throw lost() }
    // Otherwise libpq would hold all rows, however many the server sends.
    _ = calls.PQsetSingleRowMode(handle)
    var rows: [[String?]] = []
    var size = 0
    while let result = try await nextResult(largest: Self.largestAnswer.bytes) {
      defer { calls.PQclear(result) }
      switch calls.PQresultStatus(result) {
      case PGRES_COMMAND_OK: break
      case PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE:
        for row in 0..<calls.PQntuples(result) {
          rows.append(
            (0..<calls.PQnfields(result)).map { field in
              guard calls.PQgetisnull(result, row, field) == 0,
                let text = calls.PQgetvalue(result, row, field)
              else { return nil }
              size += Int(calls.PQgetlength(result, row, field))
              return String(cString: text)
            })
        }
        guard size <= Self.largestAnswer.bytes, rows.count <= Self.largestAnswer.rows else {
          throw tooLarge()
        }
      default: throw fault(of: result)
      }
    }
    return rows
  }

  private func tooLarge() -> ServiceError { fault("its answer about the table is too large") }

  /// Runs a `COPY … TO STDOUT` and passes what the server sends to a reader of rows.
  ///
  /// - Throws: ``ServiceError`` for a fault of the server, the connection or the rows.
  func copy(_ statement: String, into rows: inout CopyRows) async throws(ServiceError) {
    guard calls.PQsendQuery(handle, statement) == 1 else { throw lost() }
    guard let start = try await nextResult(largest: Self.largestAnswer.bytes) else { throw lost() }
    do {
      defer { calls.PQclear(start) }
      guard calls.PQresultStatus(start) == PGRES_COPY_OUT else { throw fault(of: start) }
    }
    var piece: [UInt8] = []
    loop: while true {
      var bytes: UnsafeMutablePointer<CChar>?
      let size = calls.PQgetCopyData(handle, &bytes, 1)
      switch size {
      case 0: try await receive(largest: Self.largestRow)
      case -1: break loop
      case ..<0: throw lost()
      default:
        unread = 0
        piece.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: Int(size)))
        calls.PQfreemem(bytes)
        if piece.count >= Self.pieceSize {
          try read(piece, &rows)
          piece.removeAll(keepingCapacity: true)
          // Rows may arrive without a wait, so that only this notices a cancellation.
          try check(before: deadline)
        }
      }
    }
    while let result = try await nextResult(largest: Self.largestAnswer.bytes) {
      defer { calls.PQclear(result) }
      guard calls.PQresultStatus(result) == PGRES_COMMAND_OK else { throw fault(of: result) }
    }
    try read(piece, &rows)
    do throws(CopyFault) { try rows.finish() } catch { throw fault(error.reason) }
  }

  private func read(_ piece: [UInt8], _ rows: inout CopyRows) throws(ServiceError) {
    do throws(CopyFault) { try rows.read(piece) } catch { throw fault(error.reason) }
  }

  private func nextResult(largest size: Int) async throws(ServiceError) -> OpaquePointer? {
    while calls.PQisBusy(handle) != 0 {
      try await receive(largest: size)
      // libpq reads as long as bytes arrive, so an answer that is too large may be complete by now.
      guard unread <= size else { throw tooLarge() }
    }
    unread = 0
    return calls.PQgetResult(handle)
  }

  /// Receives more bytes, while those of an incomplete row or answer are not too many.
  private func receive(largest size: Int) async throws(ServiceError) {
    // The encryption may hold bytes that the socket no longer announces, so libpq is asked after every nap.
    try await wait(for: Int16(POLLIN), before: deadline, once: true)
    let isCounted = countReceived()
    var announced: Int32 = 0
    if !isCounted, ioctl(calls.PQsocket(handle), UInt(FIONREAD), &announced) == 0 {
      unread += max(0, Int(announced))
    }
    guard unread <= size else { throw tooLarge() }
    guard calls.PQconsumeInput(handle) == 1 else { throw lost() }
    _ = countReceived()
  }

  /// Adds the bytes received since the last count; returns false for a local socket, which has no count.
  private func countReceived() -> Bool {
    let received = Int(cpostgresql_received(calls.PQsocket(handle)))
    guard received >= 0 else { return false }
    unread += received - counted
    counted = received
    return true
  }

  // MARK: Waiting

  private func wait(
    for event: Int16, before end: ContinuousClock.Instant, once: Bool = false
  ) async throws(ServiceError) {
    while true {
      try check(before: end)
      var descriptor = pollfd(fd: calls.PQsocket(handle), events: event, revents: 0)
      let count = poll(&descriptor, 1, Self.nap)
      if count > 0 { return }
      guard count == 0 || errno == EINTR else { throw lost() }
      await Task.yield()
      if once { return }
    }
  }

  private func check(before end: ContinuousClock.Instant) throws(ServiceError) {
    guard !Task.isCancelled else { throw ServiceError("was cancelled", at: place, kind: .cancelled) }
    guard ContinuousClock.now < end else { throw late(after: end) }
  }

  private func late(after end: ContinuousClock.Instant) -> ServiceError {
    let seconds = Double(Int(clamping: ((end - started) / .milliseconds(100)).rounded(.up))) / 10
    return ServiceError("gave no complete answer within \(seconds) s", at: place, kind: .deadline)
  }

  // MARK: Faults

  /// Returns an error about the database's content.
  func fault(_ reason: String) -> ServiceError { ServiceError(reason, at: place) }

  private func connectionFault() -> ServiceError {
    let reason = message(calls.PQerrorMessage(handle))
    let advice =
      reason.hasSuffix("but SSL was required")
      ? "; allow a connection without encryption with --allow-http" : ""
    return ServiceError("no connection: \(reason)\(advice)", at: place, kind: .connection)
  }

  private func lost() -> ServiceError {
    let reason = message(calls.PQerrorMessage(handle))
    return ServiceError(
      "the connection ended before the answer did" + (reason.isEmpty ? "" : ": \(reason)"), at: place,
      kind: .connection)
  }

  private func fault(of result: OpaquePointer) -> ServiceError {
    let state = calls.PQresultErrorField(result, Int32(PG_DIAG_SQLSTATE)).map { String(cString: $0) } ?? ""
    let reason = message(calls.PQresultErrorMessage(result))
    // On a busy machine, the server's own limit ends a statement before this program looks at the clock.
    if state == "57014", ContinuousClock.now >= deadline { return late(after: deadline) }
    // Class 57: operator intervention, such as a shutdown.
    let kind: ServiceError.Kind =
      switch state {
      case "57014": .deadline
      case "42501": .refused
      case _ where state.hasPrefix("57") || state.hasPrefix("08"): .connection
      default: .answer
      }
    return ServiceError("the database answered: \(reason)", at: place, kind: kind)
  }

  /// Returns libpq's text in one line, without secrets and without the words that this program adds itself.
  private func message(_ text: UnsafeMutablePointer<CChar>?) -> String {
    guard let text else { return "" }
    var line = String(cString: text).split(separator: "\n").map { line in
      let words = line.drop { $0 == " " || $0 == "\t" }
      return words.hasPrefix("ERROR:  ") ? String(words.dropFirst(8)) : String(words)
    }.joined(separator: "; ")
    for secret in secrets { line = line.replacing(secret, with: "REDACTED") }
    return line.count > Self.longestMessage ? line.prefix(Self.longestMessage) + "…" : line
  }
}
