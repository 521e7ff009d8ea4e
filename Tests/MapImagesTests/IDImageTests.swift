import MapImages
import Testing

@Suite struct IDImageTests {
  @Test("Later layers replace the pixel owners of earlier ones")
  func laterLayersOwnThePixel() throws {
    var image = try IDImage(width: 3, height: 2)
    #expect(image[2, 1] == nil)
    #expect(image.rows(ofLayer: 0).isEmpty)
    let rows: [Int32] = [40, 7, 40]
    let below: [UInt32] = [1, 2, 3, 0, 2, 0]
    image.overlay(from: 0, items: below.span, layer: 0, rows: rows.span)
    #expect(image.rows(ofLayer: 0) == [7, 40])
    // The highest byte is ignored; numbers without a row change nothing.
    let above: [UInt32] = [0xFF00_0001, 0, 9]
    image.overlay(from: 1, items: above.span, layer: 5, rows: rows.span)
    #expect(image[0, 1] == IDImage.Owner(layer: 5, row: 40))
    #expect(image[1, 1] == IDImage.Owner(layer: 0, row: 7))
    #expect(image[2, 1] == nil)
    #expect(image.layer == [0, 0, 0, 5, 0, -1])
    #expect(image.row == [40, 7, 40, 40, 7, -1])
    #expect(image.rows(ofLayer: 5) == [40])
  }
}
