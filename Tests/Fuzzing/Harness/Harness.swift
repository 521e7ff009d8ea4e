import Dispatch
import FuzzSubjects
import Glibc

/// The subject named by FUZZ_SUBJECT, whose files are in the folder FUZZ_FOLDER.
private let subject: FuzzSubject = {
  let name = variable("FUZZ_SUBJECT")
  guard let subject = FuzzSubject(rawValue: name) else {
    fatalError("no subject \"\(name)\"; available: \(FuzzSubject.allCases.map(\.rawValue))")
  }
  return subject
}()
private let folder = variable("FUZZ_FOLDER")

private func variable(_ name: String) -> String {
  unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
}

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let (subject, folder) = (subject, folder)
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    await subject.run(bytes, folder: folder)
    done.signal()
  }
  done.wait()
  return 0
}
