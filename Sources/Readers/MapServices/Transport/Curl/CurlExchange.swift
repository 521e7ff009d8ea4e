import CCurl

/// The answer of an exchange, copied from C.
struct CurlAnswer: Sendable {
  let outcome: ccurl_outcome
  let status: Int
  let header: String
  /// The content; empty unless the answer is complete.
  let body: [UInt8]
  /// The number of bytes of the body received.
  let received: Int
  let reach: NetworkReach?
  let address: String
  let detail: String

  /// The reservation of the body's memory.
  let claim: ResponseMemory.Claim?

  fileprivate init(_ answer: ccurl_answer, _ memory: ResponseMemory) {
    // The answer and everything that it points to live until the callback returns.
    unsafe outcome = answer.outcome
    unsafe status = answer.status
    reach = unsafe NetworkReach(rawValue: Int(answer.reach))
    unsafe address = String(cString: answer.address)
    unsafe detail = String(cString: answer.detail)
    unsafe header = answer.header.withMemoryRebound(to: UInt8.self, capacity: answer.header_size) {
      unsafe String(decoding: UnsafeBufferPointer(start: $0, count: answer.header_size), as: UTF8.self)
    }
    unsafe received = answer.body_size
    let isWhole = unsafe answer.outcome == CCURL_ANSWERED
    claim = isWhole ? ResponseMemory.Claim(received, of: memory) : nil
    body =
      isWhole ? unsafe Self.moved(UnsafeBufferPointer(start: answer.body, count: answer.body_size)) : []
  }

  /// Copies bytes that are no longer needed, and releases their memory piece by piece.
  ///
  /// A large body is therefore never held twice.
  private static func moved(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let piece = 4 << 20
    guard let start = bytes.baseAddress, bytes.count > piece else { return unsafe Array(bytes) }
    return unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      for offset in stride(from: 0, to: bytes.count, by: piece) {
        let size = min(piece, bytes.count - offset)
        unsafe buffer.baseAddress.map { unsafe ($0 + offset).initialize(from: start + offset, count: size) }
        unsafe ccurl_forget(start + offset, size)
      }
      count = bytes.count
    }
  }
}

/// The error if libcurl or zlib cannot be loaded, or memory is short.
struct CurlMissing: Error { let reason: String }

/// A request in the form that C takes.
///
/// Unsafe because memory is lent to C, which copies it before the call returns.
struct CurlExchange: Sendable {
  let url, host, proxy, authorities, header: String
  let isPost: Bool
  let body: [UInt8]
  let milliseconds: Int64
  let largestBody: Int
  let innermost: NetworkReach
  let memory: ResponseMemory

  /// Runs the exchange and returns its answer; cancelling the task ends it at once.
  func answer() async -> Result<CurlAnswer, CurlMissing> {
    let id = ccurl_new_id()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(id, Waiting(continuation, memory))
        // The task may have been cancelled before the exchange existed; cancel it now.
        if Task.isCancelled { ccurl_cancel(id) }
      }
    } onCancel: {
      ccurl_cancel(id)
    }
  }

  /// The task that waits for an answer, as C holds it.
  private final class Waiting: Sendable {
    private let continuation: CheckedContinuation<Result<CurlAnswer, CurlMissing>, Never>

    /// The memory, kept alive while the exchange uses it.
    let memory: ResponseMemory

    init(
      _ continuation: CheckedContinuation<Result<CurlAnswer, CurlMissing>, Never>, _ memory: ResponseMemory
    ) {
      (self.continuation, self.memory) = (continuation, memory)
    }

    func end(_ result: Result<CurlAnswer, CurlMissing>) { continuation.resume(returning: result) }
  }

  private func start(_ id: UInt64, _ waiting: Waiting) {
    // Released by the callback, which runs exactly once, or below if the exchange does not start.
    let context = unsafe Unmanaged.passRetained(waiting)
    var error = [CChar](repeating: 0, count: Int(CCURL_ERROR_SIZE))
    let started = unsafe withRequest { request in
      unsafe ccurl_start(
        id, request,
        { context, answer in
          let waiting = unsafe Unmanaged<Waiting>.fromOpaque(context).takeRetainedValue()
          unsafe waiting.end(.success(CurlAnswer(answer.pointee, waiting.memory)))
        }, context.toOpaque(), &error)
    }
    guard started == 0 else { return }
    if unsafe memory.counter == nil { error = Array("no memory for the request".utf8CString) }
    unsafe context.release()
    waiting.end(
      .failure(
        CurlMissing(
          reason: String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))))
  }

  private func withRequest(_ body: (UnsafePointer<ccurl_request>) -> Int32) -> Int32 {
    guard let counter = unsafe memory.counter else { return 0 }
    return unsafe url.withCString { url in
      unsafe host.withCString { host in
        unsafe proxy.withCString { proxy in
          unsafe authorities.withCString { authorities in
            unsafe header.withCString { header in
              unsafe self.body.withUnsafeBufferPointer { bytes in
                var request = unsafe ccurl_request(
                  url: url, host: host, proxy: proxy, ca_file: authorities, header: header,
                  body: bytes.baseAddress, body_size: bytes.count, is_post: isPost ? 1 : 0,
                  milliseconds: milliseconds, largest_body: largestBody, memory: counter,
                  innermost: Int32(innermost.rawValue))
                return unsafe body(&request)
              }
            }
          }
        }
      }
    }
  }
}
