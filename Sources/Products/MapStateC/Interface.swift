public import CMapState
import MapJSON
import MapScript
import MapStateCommand
import MapSystem

// The functions of mapstate.h, which documents them. Swift 6.3 has the attribute `@c`; earlier compilers have
// `@_cdecl`.

/// Implements `mapstate_interface_version`.
#if compiler(>=6.3)
  @c(mapstate_interface_version)
#else
  @_cdecl("mapstate_interface_version")
#endif
public func interfaceVersion() -> Int32 { MAPSTATE_INTERFACE_VERSION }

/// Implements `mapstate_release`.
#if compiler(>=6.3)
  @c(mapstate_release)
#else
  @_cdecl("mapstate_release")
#endif
public func release() -> UnsafePointer<CChar> {
  // A static string ends with a zero byte, and is never freed.
  unsafe UnsafeRawPointer(Release.version.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Implements `mapstate_create`.
#if compiler(>=6.3)
  @c(mapstate_create)
#else
  @_cdecl("mapstate_create")
#endif
public func create(
  _ options: UnsafePointer<CChar>?, _ length: Int, _ session: UnsafeMutablePointer<mapstate_session>?,
  _ answer: UnsafeMutablePointer<mapstate_answer>?
) -> mapstate_result {
  let (number, given) = unsafe SessionTable.create(bytes(options, length))
  unsafe session?.pointee = number
  return unsafe given.write(to: answer)
}

/// Implements `mapstate_request`.
#if compiler(>=6.3)
  @c(mapstate_request)
#else
  @_cdecl("mapstate_request")
#endif
public func request(
  _ session: mapstate_session, _ step: UnsafePointer<CChar>?, _ length: Int,
  _ answer: UnsafeMutablePointer<mapstate_answer>?
) -> mapstate_result {
  unsafe SessionTable.request(session, bytes(step, length)).write(to: answer)
}

/// Implements `mapstate_cancel`.
#if compiler(>=6.3)
  @c(mapstate_cancel)
#else
  @_cdecl("mapstate_cancel")
#endif
public func cancel(_ session: mapstate_session) { SessionTable.cancel(session) }

/// Implements `mapstate_progress`.
#if compiler(>=6.3)
  @c(mapstate_progress)
#else
  @_cdecl("mapstate_progress")
#endif
public func progress(
  _ session: mapstate_session, _ done: UnsafeMutablePointer<UInt64>?, _ count: UnsafeMutablePointer<UInt64>?
) {
  let found = SessionTable.progress(session)
  unsafe done?.pointee = UInt64(clamping: found.done)
  unsafe count?.pointee = UInt64(clamping: found.count)
}

/// Implements `mapstate_run_tool`.
#if compiler(>=6.3)
  @c(mapstate_run_tool)
#else
  @_cdecl("mapstate_run_tool")
#endif
public func runTool(
  _ words: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) -> Int32 {
  guard let words = unsafe words, count >= 0 else { return MAPSTATE_USAGE.exitCode }
  let texts = (0..<count).compactMap { index in unsafe words[index].map { unsafe String(cString: $0) } }
  MapStateCommand.run(texts)
}

extension mapstate_result {
  fileprivate var exitCode: Int32 { Int32(clamping: rawValue) }
}

/// Implements `mapstate_answer_free`.
#if compiler(>=6.3)
  @c(mapstate_answer_free)
#else
  @_cdecl("mapstate_answer_free")
#endif
public func freeAnswer(_ answer: UnsafeMutablePointer<mapstate_answer>?) {
  unsafe answer?.pointee.json?.deallocate()
  unsafe answer?.pointee.data?.deallocate()
  unsafe answer?.pointee = mapstate_answer()
}

/// Implements `mapstate_destroy`.
#if compiler(>=6.3)
  @c(mapstate_destroy)
#else
  @_cdecl("mapstate_destroy")
#endif
public func destroy(_ session: mapstate_session) { SessionTable.destroy(session) }

/// Returns the bytes of a text; nil for a null pointer.
private func bytes(_ text: UnsafePointer<CChar>?, _ length: Int) -> [UInt8]? {
  guard let text = unsafe text, length >= 0 else { return nil }
  return unsafe Array(UnsafeRawBufferPointer(start: text, count: length))
}

extension MapSession.Answer {
  /// Copies the answer to memory that the caller frees, and returns its result.
  fileprivate func write(to answer: UnsafeMutablePointer<mapstate_answer>?) -> mapstate_result {
    if let answer = unsafe answer {
      let text = Array(json.text().utf8)
      var written = unsafe mapstate_answer()
      unsafe written.json = copy(text + [0]).assumingMemoryBound(to: CChar.self).baseAddress
      unsafe written.json_length = text.count
      if let data {
        unsafe written.data = copy(data).assumingMemoryBound(to: UInt8.self).baseAddress
        unsafe written.data_length = data.count
      }
      unsafe answer.pointee = written
    }
    return mapstate_result(rawValue: UInt32(failure?.kind.exitCode ?? 0))
  }

  private func copy(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    unsafe memory.copyBytes(from: bytes)
    return unsafe memory
  }
}
