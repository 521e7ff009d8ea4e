import MapFeatures
import MapFilter
import MapGeometry
import MapReaders
import Testing

/// Styles of KML, and placemarks with several kinds of geometry.
@Suite struct KMLStyleTests {
  private func layer(_ text: String) throws -> KMLReader.Layer {
    let layers = try KMLReader.read(Array("<kml><Document>\(text)</Document></kml>".utf8), name: "file")
    #expect(layers.count == 1)
    return layers[0]
  }

  private static let line = "<LineString><coordinates>0,0 1,1</coordinates></LineString>"
  private static let point = "<Point><coordinates>5,5</coordinates></Point>"
  private static let area =
    "<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>"

  @Test("A placemark with several kinds of geometry is a row of each kind, with the same values")
  func severalKinds() throws {
    let table = try layer(
      """
      <Placemark><name>a</name><MultiGeometry>\(Self.point)\(Self.line)<MultiGeometry>\(Self.area)\(Self.point)\(Self.line)
      </MultiGeometry></MultiGeometry></Placemark><Placemark><name>b</name>\(Self.line)</Placemark>
      """
    ).table
    #expect(table.rowCount == 4)
    #expect((0..<4).map { table.columns[0].value(at: $0) } == ["a", "a", "a", "b"].map { .text($0) })
    let kinds = (0..<4).map { table.buffer(ofRow: $0)?.kind }
    #expect(kinds == [.multipoint, .polyline, .polygon, .polyline])
    #expect(table.buffer(ofRow: 0)?.vertexCount == 2)
    #expect(table.buffer(ofRow: 1)?.parts(ofRow: 1).count == 2)
    #expect(table.warnings == ["1 placemark has several kinds of geometry: a row of each kind was read"])
  }

  @Test(
    "The normal style of a style map, shared styles and own styles are found, also before their definition")
  func resolution() throws {
    let layer = try layer(
      """
      <Placemark><styleUrl>#m</styleUrl>\(Self.line)</Placemark>
      <Placemark><styleUrl>#s</styleUrl>\(Self.line)</Placemark><Placemark>\(Self.line)</Placemark>
      <StyleMap id="m"><Pair><key>highlight</key><styleUrl>#h</styleUrl></Pair>
      <Pair><key>normal</key><styleUrl> #s </styleUrl></Pair></StyleMap>
      <Style id="s"><LineStyle><color>7f0a0b0c</color><width>3</width></LineStyle></Style>
      <Style id="h"><LineStyle><width>9</width></LineStyle></Style>
      """)
    let styles = try #require(layer.styles)
    #expect(styles.fieldName == "styleUrl" && styles.classes.map(\.value) == ["#m", "#s"])
    #expect(styles.unstyledKinds == [.polyline])
    for item in styles.classes {
      let color = try #require(item.style.lineColor)
      #expect([color.red, color.green, color.blue, color.alpha] == [0x0C, 0x0B, 0x0A, 0x7F])
      #expect(item.style.lineWidth == 3 && item.style.fillColor == nil && item.kinds == [.polyline])
    }
    #expect(layer.table.warnings == [])
  }

  @Test("Styles of Google Earth on the web are read, also above another one")
  func cascadingStyles() throws {
    let layer = try layer(
      """
      <gx:CascadingStyle kml:id="n"><styleUrl>#base</styleUrl><Style><LineStyle><width>4</width></LineStyle></Style>
      </gx:CascadingStyle><gx:CascadingStyle kml:id="h"><Style><LineStyle><width>9</width></LineStyle></Style>
      </gx:CascadingStyle><gx:CascadingStyle kml:id="base"><Style><LineStyle><color>ff0000ff</color></LineStyle></Style>
      </gx:CascadingStyle><StyleMap id="m"><Pair><key>normal</key><styleUrl>#n</styleUrl></Pair>
      <Pair><key>highlight</key><styleUrl>#h</styleUrl></Pair></StyleMap>
      <Placemark><styleUrl>#m</styleUrl>\(Self.line)</Placemark>
      """)
    let style = try #require(layer.styles?.classes.first?.style)
    #expect(style.lineWidth == 4 && style.lineColor?.red == 255 && layer.table.warnings == [])
  }

  @Test("Own styles of placemarks are above shared ones, and a field names the style of each row")
  func ownStyles() throws {
    let layer = try layer(
      """
      <Style id="s"><LineStyle><color>ff0000ff</color><width>3</width></LineStyle></Style>
      <Placemark><styleUrl>#s</styleUrl>\(Self.line)</Placemark>
      <Placemark><styleUrl>#s</styleUrl><Style><LineStyle><width>5</width></LineStyle></Style>\(Self.line)</Placemark>
      <Placemark><Style><PolyStyle><fill>0</fill></PolyStyle></Style>\(Self.area)</Placemark>
      <Placemark><Style><PolyStyle><fill>0</fill></PolyStyle></Style>\(Self.area)</Placemark>
      """)
    let styles = try #require(layer.styles)
    let field = try #require(layer.table.schema.fields.firstIndex { $0.name == "style" })
    #expect(styles.fieldName == "style" && styles.classes.map(\.value) == ["#s", "style 2", "style 3"])
    let values = (0..<4).map { layer.table.columns[field].value(at: $0) }
    #expect(values == ["#s", "style 2", "style 3", "style 3"].map { .text($0) })
    #expect(styles.classes[1].style.lineWidth == 5 && styles.classes[1].style.lineColor?.red == 255)
    #expect(styles.classes[2].style.isFilled == false && styles.classes[2].kinds == [.polygon])
    let one = try self.layer(
      "<Placemark><Style><LineStyle><width>2</width></LineStyle></Style>\(Self.line)</Placemark>")
    #expect(one.styles?.fieldName == nil && one.styles?.classes.count == 1)
    #expect(one.table.schema.fields.isEmpty)
  }

  @Test("Parts of styles that are not drawn are counted by their names, and missing styles are reported")
  func reports() throws {
    let layer = try layer(
      """
      <Style id="s"><IconStyle><heading>90</heading><Icon><href>http://localhost:1/a.png</href></Icon></IconStyle>
      <LabelStyle><scale>big</scale></LabelStyle><LineStyle><color>red</color><colorMode>random</colorMode></LineStyle>
      <BalloonStyle><text>t</text></BalloonStyle><PolyStyle><fill>2</fill></PolyStyle></Style>
      <Placemark><styleUrl>#s</styleUrl>\(Self.point)</Placemark>
      <Placemark><styleUrl>#none</styleUrl><Region/>\(Self.point)</Placemark><Region/>
      <Placemark><styleUrl>http://localhost:1/other.kml#x</styleUrl>\(Self.point)<Region/></Placemark>
      <NetworkLink><name>n</name></NetworkLink><GroundOverlay/><ScreenOverlay/><PhotoOverlay/>
      """)
    #expect(
      layer.table.warnings == [
        "elements that are not read: 1 <IconStyle/heading> (line 1), 1 <LabelStyle/scale> (line 2), "
          + "1 <LineStyle/color> (line 2), 1 <LineStyle/colorMode> (line 2), 1 <PolyStyle/fill> (line 3), "
          + "3 <Region> (first in line 5), 1 <NetworkLink> (line 7), 1 <GroundOverlay> (line 7), "
          + "1 <ScreenOverlay> (line 7), 1 <PhotoOverlay> (line 7)",
        "2 placemarks name styles that are not in the file, such as \"#none\"",
        "the images of icons are not drawn: points are circles in the icons' colour and size",
      ])
  }

  @Test("A selection of fields keeps the field that names the style")
  func selection() throws {
    let text =
      "<kml><Document><Style id='s'><LineStyle><width>5</width></LineStyle></Style>"
      + "<Placemark><name>a</name><styleUrl>#s</styleUrl>\(Self.line)</Placemark>"
      + "<Placemark><name>b</name>\(Self.line)</Placemark></Document></kml>"
    let layer = try KMLReader.read(Array(text.utf8), name: "f", fields: FieldSelection(["Name"]))[0]
    #expect(layer.table.schema.fields.map(\.name) == ["Name", "styleUrl"])
  }

  @Test("Hostile styles and geometries are refused or read, and end")
  func hostile() throws {
    let loop =
      "<StyleMap id='a'><Pair><key>normal</key><styleUrl>#b</styleUrl></Pair></StyleMap>"
      + "<StyleMap id='b'><Pair><key>normal</key><styleUrl>#a</styleUrl></Pair></StyleMap>"
    let deep = String(repeating: "<MultiGeometry>", count: 300)
    let texts = [
      loop + "<Placemark><styleUrl>#a</styleUrl></Placemark>", "<Style id='s'>", "<Style id=''/>",
      "<StyleMap id='m'/>",
      "<StyleMap><Pair><Pair><Pair/></Pair></Pair></StyleMap>",
      "<Style><LineStyle><color>\u{0}</color></LineStyle></Style>",
      "<Style><LineStyle><color>zzzzzzzz</color></LineStyle></Style>",
      "<Style><LineStyle><width>1e999</width></LineStyle></Style>",
      "<Style><LineStyle><width>nan</width></LineStyle></Style>",
      "<Style><LineStyle><width>-5</width></LineStyle></Style>",
      "<Style><IconStyle><scale>1e300</scale></IconStyle></Style>",
      "<Style><IconStyle><color>éééé</color></IconStyle></Style>",
      "<Placemark><Style>\(Self.line)</Style></Placemark>",
      "<Placemark><styleUrl>#</styleUrl>\(Self.point)</Placemark>",
      "<Placemark><styleUrl>" + String(repeating: "#", count: 100_000)
        + "</styleUrl>\(Self.point)</Placemark>",
      "<Placemark>\(deep)</Placemark>",
      "<Placemark><MultiGeometry>\(Self.point)<Model/></MultiGeometry></Placemark>",
      "<Placemark><gx:Track><when>x</when><gx:coord>1 2 3 4</gx:coord></gx:Track></Placemark>",
      "<Placemark><gx:MultiTrack><gx:Track/><gx:Track/></gx:MultiTrack></Placemark>",
      (0..<3000).map {
        "<Placemark><Style><LineStyle><width>\(Double($0) / 10)</width></LineStyle></Style>\(Self.line)</Placemark>"
      }
      .joined(),
      "<Placemark><Polygon><innerBoundaryIs><LinearRing><coordinates>0,0 1,1 2,0</coordinates></LinearRing></innerBoundaryIs></Polygon>\(Self.point)</Placemark>",
    ]
    #expect(texts.count == 21)
    for text in texts {
      do { #expect(try layer(text).table.rowCount <= 3000) } catch { #expect(!"\(error)".isEmpty) }
    }
  }
}
