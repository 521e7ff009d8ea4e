import Glibc

/// The cores of this machine.
enum Processors {
  /// At least 1.
  static var count: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
