internal import CCairo

extension CairoPainter {
  /// The version of the Cairo library in use, such as `1.16.0`.
  public static var libraryVersion: String { unsafe String(cString: cairo_version_string()) }
}
