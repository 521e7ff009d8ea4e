import Foundation
import MapScript
import MapStateCommand
import Testing

/// The commands that draw pages, legends and series.
@Suite struct PageCommandTests {
  @Test("The ending of the output chooses PNG, SVG or PDF, and other endings are an error with the list")
  func formats() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    for (name, start) in [("a.png", "\u{89}PNG"), ("a.svg", "<?xml"), ("a.pdf", "%PDF")] {
      let run = try await Tool.run([
        "render", map, "-o", folder.path(name), "--size", "300x200", "--title", "A", "--legend",
        "--scale-bar",
      ])
      #expect(run.code == 0, "\(run)")
      let bytes = try Data(contentsOf: folder.url(name))
      #expect(bytes.starts(with: start.unicodeScalars.map { UInt8($0.value) }), "\(name)")
    }
    let wrong = try await Tool.run(["render", map, "-o", folder.path("a.gif")])
    #expect(wrong.code == 64 && wrong.err.contains("available: .png, .svg, .pdf"), "\(wrong)")
  }

  @Test("A resolution sets the pixels of a PNG and is written into it, and a world file lies beside it")
  func resolution() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let run = try await Tool.run([
      "render", map, "-o", folder.path("a.png"), "--size", "300x200", "--dpi", "192", "--world-file",
      "--viewpoint", "0,0,3779520",
    ])
    #expect(run.code == 0, "\(run)")
    let bytes = [UInt8](try Data(contentsOf: folder.url("a.png")))
    // The width in IHDR, and 192 / 0.0254 pixels per metre in pHYs.
    #expect(Array(bytes[16..<20]) == [0, 0, 2, 88])
    #expect(Data(bytes).range(of: Data("pHYs".utf8) + Data([0, 0, 0x1D, 0x87, 0, 0, 0x1D, 0x87, 1])) != nil)
    let world = try String(contentsOf: folder.url("a.pgw"), encoding: .utf8)
    // 1000 m per view pixel, and the centre of the upper left of 600 by 400 pixels.
    let numbers = world.split(separator: "\n").compactMap { Double($0) }
    let expected = [500, 0, 0, -500, -149_750, 99_750.0]
    #expect(numbers.count == 6 && zip(numbers, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(world)")
  }

  @Test("A series draws one image per feature, with names that stay in the folder and never collide")
  func series() async throws {
    let folder = try ScratchFolder()
    try folder.write(
      """
      name,longitude,latitude
      Bern,7.4,46.9
      ../Bern,7.5,46.8
      bern,7.6,46.7
      .,7.7,46.6
      """, to: "towns.csv")
    let run = try await Tool.run([
      "series", folder.path("towns.csv"), "--by", "0", "-o", folder.path("out/{name}.png"), "--title",
      "{name}",
      "--size", "200x150",
    ])
    #expect(run.code == 0, "\(run)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(names == ["Bern-2.png", "Bern.png", "_.png", "bern-3.png"])
    let unknown = try await Tool.run([
      "series", folder.path("towns.csv"), "--by", "0", "-o", folder.path("out/{nme}.png"),
    ])
    #expect(unknown.code == 2 && unknown.err.contains("did you mean \"name\"?"), "\(unknown)")
  }

  @Test("The legend as JSON has the labels, the counts and the symbols as PNG")
  func legend() async throws {
    let folder = try ScratchFolder()
    let map = try SmallMap.write(to: folder)
    let run = try await Tool.run(["legend", map, "-o", folder.path("legend.json"), "--counts"])
    #expect(run.code == 0, "\(run)")
    let text = try String(contentsOf: folder.url("legend.json"), encoding: .utf8)
    #expect(text.contains("\"layer\": \"Places\"") && text.contains("\"png\": \"iVBORw0KGgo"), "\(text)")
    #expect(text.contains("\"count\": 2"), "\(text)")
  }
}
