import CCurl

/// What came of an exchange, copied out of C.
struct CurlAnswer: Sendable {
  let outcome: ccurl_outcome
  let status: Int
  let header: String
  /// Empty where there is no whole answer.
  let body: [UInt8]
  /// How many bytes of the body came.
  let received: Int
  let reach: NetworkReach?
  let address: String
  let detail: String

  fileprivate init(_ answer: ccurl_answer) {
    // The answer and all that it points to live until the callback that brought it returns.
    unsafe outcome = answer.outcome
    unsafe status = answer.status
    reach = unsafe NetworkReach(rawValue: Int(answer.reach))
    unsafe address = String(cString: answer.address)
    unsafe detail = String(cString: answer.detail)
    unsafe header = answer.header.withMemoryRebound(to: UInt8.self, capacity: answer.header_size) {
      unsafe String(decoding: UnsafeBufferPointer(start: $0, count: answer.header_size), as: UTF8.self)
    }
    unsafe received = answer.body_size
    body =
      unsafe answer.outcome == CCURL_ANSWERED
      ? unsafe Array(UnsafeBufferPointer(start: answer.body, count: answer.body_size)) : []
  }
}

/// libcurl or zlib is not there.
struct CurlMissing: Error { let reason: String }

/// A question in the form that C takes.
///
/// Unsafe where memory is lent to C, which copies it before the call returns.
struct CurlExchange: Sendable {
  let url, host, proxy, authorities, header: String
  let isPost: Bool
  let body: [UInt8]
  let milliseconds: Int64
  let largestBody: Int
  let innermost: NetworkReach

  /// Asks and waits; cancelling the task ends it at once.
  func answer() async -> Result<CurlAnswer, CurlMissing> {
    let id = ccurl_new_id()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(id, Waiting(continuation))
        // Cancelled before the start, it was told of an exchange that was not there yet.
        if Task.isCancelled { ccurl_cancel(id) }
      }
    } onCancel: {
      ccurl_cancel(id)
    }
  }

  /// Who waits for an answer, as C holds it.
  private final class Waiting: Sendable {
    private let continuation: CheckedContinuation<Result<CurlAnswer, CurlMissing>, Never>

    init(_ continuation: CheckedContinuation<Result<CurlAnswer, CurlMissing>, Never>) {
      self.continuation = continuation
    }

    func end(_ result: Result<CurlAnswer, CurlMissing>) { continuation.resume(returning: result) }
  }

  private func start(_ id: UInt64, _ waiting: Waiting) {
    // Released by the callback, which comes exactly once; or below, where it will not come.
    let context = unsafe Unmanaged.passRetained(waiting)
    var error = [CChar](repeating: 0, count: Int(CCURL_ERROR_SIZE))
    let started = unsafe withRequest { request in
      unsafe ccurl_start(
        id, request,
        { context, answer in
          unsafe Unmanaged<Waiting>.fromOpaque(context).takeRetainedValue()
            .end(.success(CurlAnswer(answer.pointee)))
        }, context.toOpaque(), &error)
    }
    guard started == 0 else { return }
    unsafe context.release()
    waiting.end(
      .failure(
        CurlMissing(
          reason: String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))))
  }

  private func withRequest(_ body: (UnsafePointer<ccurl_request>) -> Int32) -> Int32 {
    unsafe url.withCString { url in
      unsafe host.withCString { host in
        unsafe proxy.withCString { proxy in
          unsafe authorities.withCString { authorities in
            unsafe header.withCString { header in
              unsafe self.body.withUnsafeBufferPointer { bytes in
                var request = unsafe ccurl_request(
                  url: url, host: host, proxy: proxy, ca_file: authorities, header: header,
                  body: bytes.baseAddress, body_size: bytes.count, is_post: isPost ? 1 : 0,
                  milliseconds: milliseconds, largest_body: largestBody, innermost: Int32(innermost.rawValue))
                return unsafe body(&request)
              }
            }
          }
        }
      }
    }
  }
}
