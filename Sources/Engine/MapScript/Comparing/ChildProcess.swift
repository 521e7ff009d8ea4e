import Glibc
package import MapSystem

/// A program that runs to its end, with its output read into memory.
///
/// Unsafe code is limited to passing texts and descriptors to the system's own calls.
package enum ChildProcess {
  /// The result of a run.
  package struct Output: Sendable {
    /// The bytes of standard output.
    package let bytes: [UInt8]
    /// The text of standard error, at most 4 KiB.
    package let errors: String
    /// The exit code; nil if a signal ended the program.
    package let code: Int32?
  }

  /// Runs a program, found by its name in `PATH`, without a shell and with an empty standard input.
  ///
  /// - Parameter limit: the maximum number of bytes of its output; a program that writes more is stopped.
  /// - Throws: ``FileError`` if it cannot be started, or writes too much.
  package static func run(
    _ program: String, _ arguments: [String], limit: Int = FileAccess.largestInput
  ) throws(FileError) -> Output {
    var (outEnds, errorEnds): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    func closeAll() { for end in outEnds + errorEnds where end >= 0 { close(end) } }
    guard unsafe pipe(&outEnds) == 0, unsafe pipe(&errorEnds) == 0 else {
      let code = errno
      closeAll()
      throw FileError(path: program, reason: Self.reason(of: code))
    }
    for end in outEnds + errorEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var process: pid_t = 0
    let code = start(program, arguments, &process, out: outEnds[1], errors: errorEnds[1])
    close(outEnds[1])
    close(errorEnds[1])
    (outEnds[1], errorEnds[1]) = (-1, -1)
    defer { closeAll() }
    guard code == 0 else { throw FileError(path: program, reason: Self.reason(of: code)) }
    let (bytes, errors, isTooLong) = read(outEnds[0], errorEnds[0], limit)
    if isTooLong { kill(process, SIGKILL) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard !isTooLong else {
      throw FileError(path: program, reason: "writes more than \(limit) bytes")
    }
    // The low seven bits are the signal, and the next eight the exit code.
    return Output(
      bytes: bytes, errors: String(decoding: errors, as: UTF8.self),
      code: status & 0x7F == 0 ? status >> 8 & 0xFF : nil)
  }

  private static func reason(of code: Int32) -> String {
    // The text of strerror is valid until the next call on this thread, so it is copied at once.
    unsafe String(cString: strerror(code)).lowercased()
  }

  /// Starts the program; returns 0 or an error number.
  private static func start(
    _ program: String, _ arguments: [String], _ process: inout pid_t, out: Int32, errors: Int32
  ) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) }
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe words.append(nil)
    return unsafe posix_spawnp(&process, program, &actions, nil, words, environ)
  }

  /// Reads both pipes to their ends, or until the output is too long.
  private static func read(
    _ out: Int32, _ errors: Int32, _ limit: Int
  ) -> (bytes: [UInt8], errors: [UInt8], isTooLong: Bool) {
    var (bytes, texts) = ([UInt8](), [UInt8]())
    var ends = [
      pollfd(fd: out, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while ends.contains(where: { $0.fd >= 0 }) {
      guard unsafe poll(&ends, nfds_t(ends.count), -1) >= 0 || errno == EINTR else { break }
      for index in ends.indices where ends[index].fd >= 0 && ends[index].revents != 0 {
        let count = unsafe Glibc.read(ends[index].fd, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          ends[index].fd = -1
          continue
        }
        if index == 0 {
          guard bytes.count + count <= limit else { return (bytes, texts, true) }
          bytes += buffer[..<count]
        } else if texts.count < 4096 {
          texts += buffer[..<min(count, 4096 - texts.count)]
        }
      }
    }
    return (bytes, texts, false)
  }
}
