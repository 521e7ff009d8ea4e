import Glibc

/// The processor cores of this machine.
enum Processors {
  /// The number of cores, at least 1.
  static var count: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
