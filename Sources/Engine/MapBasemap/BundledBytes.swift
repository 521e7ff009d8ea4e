import CBundled

/// The basemap files bundled with the program.
package enum BundledBytes {
  /// Passes the bytes of a level to a closure; an unknown level has no bytes.
  static func with<Result>(level: Int32, _ body: (Span<UInt8>) -> Result) -> Result {
    var count = 0
    guard let start = unsafe cbundled_basemap(level, &count) else { return body([UInt8]().span) }
    // The bytes are constants of the program: they are never freed or changed.
    return body(unsafe Span(_unsafeStart: start, count: count))
  }

  /// Returns the bytes of a file of the street styles; an unknown file has none.
  static func streets(_ file: Int32) -> [UInt8] {
    var count = 0
    guard let start = unsafe cbundled_streets(file, &count) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// The table of names.
  package static var names: [UInt8] {
    var count = 0
    guard let start = unsafe cbundled_names(&count) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }
}
