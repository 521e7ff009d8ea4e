/// The limits on a vector tile, so that a small file cannot take much time or memory.
///
/// - Source: design decision; tippecanoe and planetiler keep tiles below 1 MB and 200,000 features.
package struct VectorTileLimits: Sendable {
  /// The maximum number of bytes of a tile, uncompressed.
  package var bytes = 32 << 20
  /// The maximum number of layers.
  package var layers = 4096
  /// The maximum number of features in all layers.
  package var features = 1 << 20
  /// The maximum number of vertices in all layers.
  package var vertices = 1 << 23
  /// The maximum number of keys and values in all layers.
  package var values = 1 << 22
  /// The maximum number of values in the table of a layer: features times fields.
  package var cells = 1 << 26

  /// Creates the project's limits.
  package init() {}
}
