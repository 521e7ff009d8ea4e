import Glibc

/// The processor cores of this machine.
package enum Processors {
  /// The number of cores, at least 1.
  package static var count: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
