import CBundled

/// The files of the basemap that are part of the program.
enum BundledBytes {
  /// Lends the bytes of a level; none for a level that there is not.
  static func with<Result>(level: Int32, _ body: (Span<UInt8>) -> Result) -> Result {
    var count = 0
    guard let start = unsafe cbundled_basemap(level, &count) else { return body([UInt8]().span) }
    // Constants of the program: never freed, never changed.
    return body(unsafe Span(_unsafeStart: start, count: count))
  }
}
