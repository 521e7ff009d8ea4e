internal import CCairo

/// The handling of freed memory in this process.
public enum FreedMemory {
  /// Keeps up to 64 MiB of freed memory for reuse, and requests memory in steps of 16 MiB.
  ///
  /// By default, the system takes freed memory back and returns it page by page. Each request stops all threads.
  ///
  /// Use it in programs that draw many images. It affects the whole process, so a library does not call it by
  /// itself. In pairs of runs on 2 cores, 100,000 lines were drawn in 231 ms instead of 272 ms, and a small
  /// document took 0.94 of the time. Memory that is requested but not used is not resident.
  ///
  /// - Source: mallopt(3) of the GNU C library; blocks of 32 MiB and more are still returned at once.
  public static func keepForReuse() {
    _ = mallopt(M_TRIM_THRESHOLD, 64 << 20)
    _ = mallopt(M_MMAP_THRESHOLD, 32 << 20)
    _ = mallopt(M_TOP_PAD, 16 << 20)
  }

  /// Keeps some freed memory for reuse, and the free memory between blocks in use low.
  ///
  /// Use it in programs that run for long and draw on many threads, such as servers. By default, threads take memory
  /// from many arenas, and none of them gives back what lies below a block in use: after some minutes of mixed
  /// requests, `mapstate-serve` held 450 MiB and used 200 of them.
  ///
  /// Blocks of 8 MiB and more are returned to the system at once. They were from 256 KiB on before: then the system
  /// cleared the pages of every image again, which took half of the server's processor time (5.7 and 2.4 ms for an
  /// image of 640 by 480 pixels). It held 188 to 218 MiB then, and 261 to 290 now.
  ///
  /// - Parameter arenas: the number of arenas at most.
  /// - Source: mallopt(3) of the GNU C library. A fixed threshold turns off its growth.
  package static func keepLow(arenas: Int) {
    _ = mallopt(M_ARENA_MAX, Int32(clamping: max(1, arenas)))
    _ = mallopt(M_MMAP_THRESHOLD, 8 << 20)
    _ = mallopt(M_TRIM_THRESHOLD, 32 << 20)
    _ = mallopt(M_TOP_PAD, 1 << 20)
  }

  /// Returns all free memory to the system; takes some milliseconds, during which other threads may wait for memory.
  ///
  /// Free memory between blocks in use grows slowly: in an hour of mixed requests without this function,
  /// `mapstate-serve` held 228, 253, 282 and 309 MiB by quarters.
  ///
  /// - Source: malloc_trim(3) of the GNU C library.
  package static func giveBack() { _ = malloc_trim(0) }
}
