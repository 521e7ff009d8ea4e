import Foundation
public import MapImages

extension Bitmap {
  /// Reads an image that a test drew.
  public init(file path: String) throws {
    try self.init(pngData: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
  }

  /// Returns red, green and blue of a pixel as one text, such as `255,0,0`.
  public func color(_ x: Int, _ y: Int) -> String {
    let pixel = self[x, y]
    return "\(pixel.red),\(pixel.green),\(pixel.blue)"
  }
}
