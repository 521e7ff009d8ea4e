/// The release of MapState that this code is.
public enum Release {
  /// The version number, such as 0.1.0.
  ///
  /// - Source: Semantic Versioning 2.0.0. Before 1.0, names outside the documented contract may change.
  public static let version: StaticString = "0.1.0"
}
