import MapCairo
import MapDrawing
import MapImages
import MapModel
import MapTestSupport
import Testing

@Suite struct IDPainterTests {
  @Test("The topmost item of the topmost layer owns the pixel")
  func laterItemsAndLayersOwnThePixel() throws {
    let square = filled(.square, 10)
    let list = DisplayList(
      width: 40, height: 40, background: .white,
      layers: [
        DisplayLayer(
          index: 0, name: "below", opacity: 0.3,
          batches: [markers(square, at: [(10, 20)]), markers(square, at: [(10, 20), (15, 20)])]),
        DisplayLayer(index: 3, name: "above", opacity: 1, batches: [markers(square, at: [(21, 20)])]),
      ])
    let image = try IDPainter.image(of: list)
    #expect(image[0, 20] == nil)
    #expect(image[6, 20] == IDImage.Owner(layer: 0, row: 0))
    #expect(image[12, 20] == IDImage.Owner(layer: 0, row: 1))
    #expect(image[17, 20] == IDImage.Owner(layer: 3, row: 0))
    #expect(image.rows(ofLayer: 0) == [0, 1])
    #expect(image.rows(ofLayer: 3) == [0])
    #expect(image.rows(ofLayer: 1).isEmpty)
  }

  @Test("Items own pixels unless their colour is fully transparent", arguments: [0, 1, 128] as [UInt8])
  func alpha(alpha: UInt8) throws {
    let color = Color(red: 9, green: 9, blue: 9, alpha: alpha)
    let image = try IDPainter.image(of: oneLayer([markers(filled(.circle, 20, color), at: [(20, 20)])]))
    #expect((image[20, 20] == nil) == (alpha == 0))
  }

  @Test("Every item number is read back, whatever its bytes")
  func numbers() throws {
    // One pixel per item, over 2^16 items, with rows in descending order.
    let (width, height) = (300, 300)
    var batch = MarkerBatch(styles: [filled(.square, 1)])
    for item in 0..<width * height {
      batch.x.append(Double(item % width) + 0.5)
      batch.y.append(Double(item / width) + 0.5)
      batch.style.append(0)
      batch.row.append(Int32(width * height - item))
    }
    let image = try IDPainter.image(of: oneLayer([.markers(batch)], width: width, height: height))
    #expect(image.row == batch.row)
    #expect(image.layer.allSatisfy { $0 == 0 })
  }

  @Test("A pixel belongs to the circle that contains its centre")
  func pixelCentres() throws {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<50 {
      let (x, y) = (Double.random(in: 10...30, using: &random), Double.random(in: 10...30, using: &random))
      let size = Double.random(in: 2...19, using: &random)
      let image = try IDPainter.image(of: oneLayer([markers(filled(.circle, size), at: [(x, y)])]))
      for row in 0..<40 {
        for column in 0..<40 {
          let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
          let distance = (dx * dx + dy * dy).squareRoot() - size / 2
          // Cairo's flattening is exact within 0.1 px.
          if abs(distance) > 0.11 { #expect((image[column, row] != nil) == (distance < 0)) }
        }
      }
    }
  }

  @Test("Pixels fully painted by the reference painter are owned, and unpainted ones are not")
  func agreesWithTheReference() throws {
    var lists = RandomLists(seed: 77, width: 200, height: 200)
    var ownedInAll = 0
    for _ in 0..<10 {
      var list = lists.list(layers: 2, itemsPerBatch: 8)
      list = DisplayList(width: 200, height: 200, background: nil, layers: list.layers)
      let (image, bitmap) = try (IDPainter.image(of: list), CairoPainter.bitmap(of: list))
      var (owned, clear) = (0, 0)
      for y in 0..<200 {
        for x in 0..<200 {
          if bitmap[x, y].alpha == 255 {
            #expect(image[x, y] != nil)
            owned += 1
          } else if bitmap[x, y].alpha == 0, image[x, y] != nil {
            clear += 1
          }
        }
      }
      ownedInAll += owned
      // Colours of alpha 1 or 2 at an opacity of 0.1 round to zero.
      #expect(clear < 2000)
    }
    #expect(ownedInAll > 5000)
  }

  @Test("A layer index outside 16 bits is refused", arguments: [-1, 32_768])
  func refusesLayerIndex(index: Int) throws {
    let layer = DisplayLayer(index: index, name: "", opacity: 1, batches: [])
    var painter = try IDPainter(width: 2, height: 2)
    do throws(PaintError) {
      try painter.paint(layer)
      Issue.record("the index is not refused")
    } catch {
      #expect("\(error)".contains("\(index)"))
    }
  }

  @Test("A layer without an index owns no pixel of the id image of a list")
  func leavesOutLayersWithoutIndex() throws {
    var markers = MarkerBatch(styles: [
      MarkerStyle(
        shape: .square, size: 2, fill: Color(red: 9, green: 9, blue: 9), outline: nil, classIndex: 0)
    ])
    (markers.x, markers.y, markers.style, markers.row) = ([1], [1], [0], [0])
    func image(index: Int) throws -> IDImage {
      let layer = DisplayLayer(index: index, name: "", opacity: 1, batches: [.markers(markers)])
      return try IDPainter.image(of: DisplayList(width: 2, height: 2, background: nil, layers: [layer]))
    }
    #expect(try image(index: 0)[1, 1] != nil)
    #expect(try image(index: -1)[1, 1] == nil)
  }
}
