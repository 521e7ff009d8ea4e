internal import CCairo

extension CairoPainter {
  /// The version of Cairo that runs, such as `1.16.0`.
  public static var libraryVersion: String { unsafe String(cString: cairo_version_string()) }
}
