internal import CPNGGuard

extension PNGCodec {
  /// The version of the libpng library in use, such as `1.6.39`.
  package static var libraryVersion: String { unsafe String(cString: cpngguard_version()) }
}
