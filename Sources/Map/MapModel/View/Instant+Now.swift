import Glibc
public import MapFilter

extension Instant {
  /// The current time of the system clock, to the microsecond.
  public static var now: Instant {
    var time = timespec()
    // Safe: the call writes to a local variable, and fails only for clocks that the system does not have.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
