import Foundation
import MapJSON
import MapTestSupport
import Testing

/// Access to portals: permission, sign-ins, recordings, stand-ins and faults.
@Suite("Access to portals")
struct PortalAccessTests {
  private static func expectNoSecret(_ run: Tool.Run, _ folder: ScratchFolder, except file: String = "")
    throws
  {
    var text = run.out + run.err
    for case let found as URL in FileManager.default.enumerator(
      at: folder.root, includingPropertiesForKeys: nil) ?? .init() where found.lastPathComponent != file
    {
      text += found.lastPathComponent
      text += (try? Data(contentsOf: found)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    #expect(!text.contains("planted") && !text.contains("-471"), "\(run)")
  }

  @Test("Nothing is asked of a portal without --online")
  func notAsked() async throws {
    let site = try PortalSite()
    let source = try await site.run(["count", PortalSite.item("3")])
    #expect(source.code == 3, "\(source)")
    #expect(
      source.err.contains(
        "\(site.address("3")): portal items are asked only with --online; or map this address to a file with --services"
      ), "\(source.err)")
    let map = try site.folder.write(
      #"{"operationalLayers": [{"id": "a", "layerType": "ArcGISFeatureLayer", "itemId": "\#(PortalSite.id("2"))"}]}"#,
      to: "map.json")
    let layer = try await site.run(["count", map])
    #expect(
      layer.err.contains(
        "$.operationalLayers[0]: not drawn: \(site.address("2")): portal items are asked only with --online"),
      "\(layer.err)")
    let offline = try await site.run(["count", PortalSite.item("3"), "--offline"])
    #expect(offline.code == 3 && offline.err.contains("--offline sends no requests"), "\(offline)")
    let denied = try await site.run(["count", PortalSite.item("3"), "--online", "--deny-host", "127.0.0.1"])
    #expect(denied.code == 3 && denied.err.contains("--deny-host names 127.0.0.1"), "\(denied)")
    #expect(try await site.log().isEmpty)
    let word = try await site.run(["count", "item:12", "--online"])
    #expect(word.code == 2 && word.err.contains("32 hexadecimal digits after \"item:\""), "\(word)")
    let wrong = try await Tool.run("count", PortalSite.item("3"), "--portal", "gis.example.org")
    #expect(
      wrong.code == 64 && wrong.err.contains("--portal gis.example.org: expected an address"), "\(wrong)")
  }

  @Test("A private item is read with a token, which is replaced when it ends, and appears nowhere")
  func signIn() async throws {
    let site = try PortalSite()
    let count = ["count", PortalSite.item("a"), "--online", "--bounds", "0,40,20,55", "--record", "kept"]
    let refused = try await site.run(["count", PortalSite.item("a"), "--online"])
    #expect(refused.code == 3 && refused.err.contains("error 499: Token Required."), "\(refused)")
    for (name, entry) in [
      ("user", #"{"user": "anna", "password": "planted-password-4711"}"#),
      ("client", #"{"client": "app", "secret": "planted-secret-4712"}"#),
    ] {
      let keys = try site.folder.write(#"{"\#(site.portal)": \#(entry)}"#, to: "keys.json")
      _ = try await site.log()
      let run = try await site.run(count.map { $0 == "kept" ? name : $0 }, credentials: keys)
      #expect(run.code == 0, "\(run)")
      // The map and its layer have four requests, and a token is valid for three.
      let asked = try await site.log()
      #expect(asked.count { $0.hasPrefix("POST") } == 2, "\(asked)")
      #expect(asked.count { $0.hasPrefix("GET") } == 5, "\(asked)")
      try Self.expectNoSecret(run, site.folder, except: "keys.json")
      // A replay needs neither a sign-in nor the network.
      let again = try await site.run([
        "count", PortalSite.item("a"), "--bounds", "0,40,20,55", "--replay", name,
      ])
      #expect(again.code == 0 && again.out == run.out, "\(again)")
    }
    let keys = try site.folder.write(
      #"{"\#(site.portal)": {"user": "anna", "password": "planted-other-4713"}}"#, to: "keys.json")
    let wrong = try await site.run(["count", PortalSite.item("a"), "--online"], credentials: keys)
    #expect(wrong.code == 3 && wrong.err.contains("gave no token for the sign-in"), "\(wrong)")
    try Self.expectNoSecret(wrong, site.folder, except: "keys.json")
  }

  @Test(
    "A fault of an item is an error for a source, and a warning for a layer of a map that is drawn without it",
    arguments: [
      ("0", "error 400: Item does not exist or is inaccessible"),
      ("5", "is of the type \"Dashboard\""), ("a", "error 499: Token Required"),
    ])
  func faults(digit: Character, reason: String) async throws {
    let site = try PortalSite()
    let source = try await site.run(["render", PortalSite.item(digit), "--online", "-o", "a.png"])
    #expect(source.code == 3 || source.code == 2, "\(source)")
    #expect(source.errors.count == 1 && source.err.contains(reason), "\(source)")
    let map = try site.folder.write(
      """
      {"operationalLayers": [{"id": "a", "itemId": "\(PortalSite.id(digit))"},
        {"id": "b", "title": "b", "itemId": "\(PortalSite.id("3"))"}]}
      """, to: "map.json")
    let run = try await site.run(["count", map, "--online", "--everywhere"])
    #expect(run.code == 0 && run.out == "1\n", "\(run)")
    #expect(run.err.contains("warning: $.operationalLayers[0]: not drawn: \(site.address(digit))"), "\(run)")
    #expect(run.err.contains(reason), "\(run)")
    let strict = try await site.run(["count", map, "--online", "--everywhere", "--strict"])
    #expect(strict.code == 1)
  }

  @Test(
    "A web map that is none, and a group that contains itself, are reported",
    arguments: [
      ("c", "is not a web map"), ("d", "web page \"Sign in\""), ("6", "the item contains itself"),
    ])
  func contents(digit: Character, reason: String) async throws {
    let site = try PortalSite()
    let run = try await site.run(["count", PortalSite.item(digit), "--online", "--everywhere"])
    #expect(run.err.contains(reason), "\(run)")
    // The other layer of the group is counted.
    #expect(digit == "6" ? run.code == 0 && run.out == "1\n" : run.code == 3, "\(run)")
  }

  @Test("A basemap is found by its title in all pages of the gallery; another title lists the nearest")
  func gallery() async throws {
    let site = try PortalSite()
    let data = try site.folder.write("name,lat,lon\nA,50,10\n", to: "a.csv")
    func render(_ title: String) async throws -> Tool.Run {
      try await site.run(["render", data, "-o", "a.png", "--basemap", title, "--online"])
    }
    let found = try await render("Empty")
    #expect(found.code == 3 && found.err.contains("is not a web map"), "\(found)")
    let near = try await render("Blue Wold")
    #expect(near.code == 64, "\(near)")
    #expect(near.err.contains("did you mean \"Blue World\"?"), "\(near)")
    #expect(near.err.contains("available: Blue World, Cities and Squares, Empty"), "\(near)")
    let part = try await render("squares")
    #expect(part.err.contains("did you mean \"Cities and Squares\"?"), "\(part)")
    let unnamed = try await Tool.run(
      "render", data, "-o", site.folder.path("a.png"), "--basemap", "Blue World")
    #expect(unnamed.code == 64 && unnamed.err.contains("no basemap named \"Blue World\""), "\(unnamed)")
  }

  @Test("Stand-ins replace items without a network, in documents and as sources")
  func standIns() async throws {
    let site = try PortalSite()
    let folder = site.folder
    try folder.write("name,lat,lon\nA,44,4\nB,45,5\n", to: "towns.csv")
    try folder.write(
      #"""
      {"layers": [{"layerDefinition": {"name": "p", "geometryType": "esriGeometryPoint", "fields": []},
        "featureSet": {"features": [{"attributes": {}, "geometry": {"x": 1, "y": 2}}]}}]}
      """#, to: "points.json")
    let services = try folder.write(
      #"{"\#(site.address("2"))": "towns.csv", "\#(site.address("3"))": "points.json", "\#(site.address("1"))": "map.json"}"#,
      to: "services.json")
    try folder.write(
      #"""
      {"operationalLayers": [
        {"id": "a", "title": "a", "layerType": "ArcGISFeatureLayer", "itemId": "\#(PortalSite.id("2"))"},
        {"id": "b", "title": "b", "type": "Feature Collection", "itemId": "\#(PortalSite.id("3"))"}]}
      """#, to: "map.json")
    for source in [folder.path("map.json"), PortalSite.item("1")] {
      let run = try await site.run(["count", source, "--everywhere", "--services", services])
      #expect(run.code == 0 && run.out == "a\t2\nb\t1\n", "\(run)")
    }
    #expect(try await site.log().isEmpty)
  }

  @Test("Cases of snapshots name items, and are verified with the recorded answers alone")
  func snapshots() async throws {
    let site = try PortalSite()
    try site.folder.write(
      #"{"document": "\#(PortalSite.item("1"))", "size": [120, 90]}"#, to: "cases/item/case.json")
    try site.folder.write(#"{"document": "../../map.json", "size": [120, 90]}"#, to: "cases/map/case.json")
    try site.folder.write(
      #"{"operationalLayers": [{"id": "a", "itemId": "\#(PortalSite.id("3"))"}]}"#, to: "map.json")
    let record = try await site.run(["snapshot", "record", "cases", "--all", "--online", "--record", "kept"])
    #expect(record.code == 0 && record.out == "recorded\titem\nrecorded\tmap\n", "\(record)")
    _ = try await site.log()
    let verify = try await site.run(["snapshot", "verify", "cases", "--replay", "kept"])
    #expect(verify.code == 0 && verify.out == "same\titem\nsame\tmap\n", "\(verify)")
    #expect(try await site.log().isEmpty)
  }

  @Test("Steps open items and take them as basemaps")
  func steps() async throws {
    let site = try PortalSite()
    let script = """
      {"step": "open", "source": "\(PortalSite.item("3"))", "size": [100, 80], "basemap": "Blue World"}
      {"step": "count", "everywhere": true}

      """
    try site.folder.write(script, to: "steps.run")
    let run = try await site.run(["run", "steps.run", "--online"])
    #expect(run.code == 0, "\(run)")
    #expect(run.out.contains("\"count\":1") || run.out.contains("\"count\": 1"), "\(run)")
  }
}
