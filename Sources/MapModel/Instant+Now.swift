import Glibc
public import MapFilter

extension Instant {
  /// The system's clock, to the microsecond.
  public static var now: Instant {
    var time = timespec()
    // The call writes into a variable of our own; it fails only for clocks that a system does not have.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
