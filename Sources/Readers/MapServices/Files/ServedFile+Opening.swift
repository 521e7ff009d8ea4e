import MapReaders

/// The part of a file that is asked for first.
package enum FirstRequest: Sendable {
  /// The first bytes, which show the format.
  case start
  /// The last bytes, in which a Parquet file has its footer.
  case end
  /// All bytes, which servers may compress.
  case whole

  fileprivate var range: ByteRange? {
    switch self {
    case .start: .bytes(0..<ServedFile.firstBytes)
    case .end: .last(ServedFile.firstBytes)
    case .whole: nil
    }
  }
}

/// The content of a file on a server, when it is opened.
package enum ServedContent: Sendable {
  /// All bytes of the file, and whether the server has byte ranges, as far as it was asked.
  case whole([UInt8], hasRanges: Bool)
  /// A larger file, which is read by byte ranges.
  case parts(ServedFile)

  /// Whether it is a Parquet file.
  package var isParquet: Bool {
    switch self {
    case .whole(let bytes, _): ParquetReader.looksLikeParquet(Array(bytes.prefix(4)))
    case .parts(let file): file.isParquet
    }
  }
}

extension ServedFile {
  /// Opens a file.
  ///
  /// A server that gives no last bytes, and a file that does not end as Parquet does, are asked for the first bytes.
  ///
  /// - Parameters:
  ///   - first: The part that is asked for first.
  ///   - refreshes: Whether the cache is not used.
  /// - Throws: ``ServiceError``, also for a web page instead of a file.
  package static func open(
    _ transfer: FileTransfer, asking first: FirstRequest, refreshes: Bool = false
  ) async throws(ServiceError) -> ServedContent {
    var request = HTTPRequest(get: transfer.url)
    (request.range, request.refreshes) = (first.range, refreshes)
    // Servers without such ranges send the whole file, which is not received.
    request.largestBody = first == .end ? firstBytes : transfer.budget.limit
    let response: HTTPResponse
    let time = first == .whole ? wholeTime : transfer.client.limits.request
    do throws(ServiceError) {
      let endReport = transfer.reportArrival()
      defer { endReport() }
      response = try await transfer.client.response(to: request, within: time)
    } catch {
      if error.kind == .deadline, first != .whole, error.reason.contains(someReceived) {
        // The server has no byte ranges, and sends the whole file.
        return try await open(transfer, asking: .whole, refreshes: refreshes)
      }
      guard error.reason == HTTPResponse.wholeInsteadOfPart || error.reason.hasPrefix(tooLarge) else {
        throw error
      }
      guard first != .end else { return try await openByStart(transfer, refreshes) }
      let cause =
        first == .whole ? "the file is larger" : "the server has no byte ranges, and the file is larger"
      throw transfer.error("\(cause) than \(transfer.limitText); allow more, or use a local copy")
    }
    if let type = response.header["content-type"]?.lowercased(), type.hasPrefix("text/html") {
      throw transfer.error("answered with a web page (text/html), not with a file")
    }
    switch response.status {
    case 200:
      transfer.report?("GET \(transfer.place): the whole file, \(ByteText.text(response.body.count))")
      return .whole(response.body, hasRanges: first == .whole)
    // Of a file that is not empty, the first bytes can be given (RFC 9110, 14.1.2).
    case 416 where first == .start || response.header["content-range"] == "bytes */0":
      return .whole([], hasRanges: true)
    case 206:
      guard let range = first.range else { throw transfer.error(response.refusal) }
      let part: ServedPart
      do throws(ServiceError) { part = try response.part(range) } catch {
        guard first == .end else { throw error }
        return try await openByStart(transfer, refreshes)
      }
      guard let size = part.size, size <= largestSize else {
        throw transfer.error("answered 206 without a valid size of the file")
      }
      guard part.bytes.count < size else {
        transfer.report?("GET \(transfer.place): the whole file, \(ByteText.text(size))")
        return .whole(part.bytes, hasRanges: true)
      }
      guard first != .end || ParquetReader.looksLikeParquet(Array(part.bytes.suffix(4))) else {
        return try await openByStart(transfer, refreshes)
      }
      return .parts(ServedFile(transfer, part, at: range.range(in: size), size: size))
    case 400, 416:
      guard first == .end else { throw transfer.error(response.refusal) }
      return try await openByStart(transfer, refreshes)
    default: throw transfer.error(response.refusal)
    }
  }

  /// Opens a file whose last bytes were not given, or are not those of Parquet.
  private static func openByStart(
    _ transfer: FileTransfer, _ refreshes: Bool
  ) async throws(ServiceError) -> ServedContent {
    transfer.report?("GET \(transfer.place): no footer of Parquet in its last bytes, or no last bytes")
    return try await open(transfer, asking: .start, refreshes: refreshes)
  }

  /// The greatest size of a file, one pebibyte.
  ///
  /// - Source: design decision; readers multiply sizes.
  static let largestSize = 1 << 50
  /// The part of the error for an answer that has begun when the time is over.
  private static let someReceived = "; received"
  /// The start of the error for an answer that is larger than permitted.
  private static let tooLarge = "its answer is larger than"
  /// The time limit of a request for a whole file without byte ranges.
  private static let wholeTime = Duration.seconds(600)
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
