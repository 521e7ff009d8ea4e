import ArgumentParser
import MapHTTP
import MapState
import MapSystem

struct MapsCommand: ServingCommand {
  static let configuration = CommandConfiguration(
    commandName: "maps",
    abstract: "Serve the maps of folders, documents and data sources.",
    usage: "mapstate-serve [maps] [<path> ...] [<options>]",
    discussion: """
      Each map is opened at its first request, and again after a change of its files. Requests cannot change a map and \
      name no file and no host. Without a path, serves the folder maps.

      The page at / has examples for Leaflet, MapLibre, OpenLayers, QGIS and <img>. /maps/{id}/preview is a page that \
      shows a map with both of its filters, with its definition only and without filters, with the number of features at \
      each stage.

      Listens on the loopback interface unless --address names another one; --host allows further names of this server. \
      The paths and their parameters are in /openapi.json. Each request gives a line of JSON on standard error.

      EXAMPLES:
        mapstate-serve Styles
        mapstate-serve Styles/world-cities.json --port 8081
        mapstate-serve Styles cities.geojson roads.gpkg
        mapstate-serve maps --allow-origin https://example.org --max-age 60
        mapstate-serve --public-url https://example.org --token-file token.txt
      """)
  @Argument(
    help: "Folders with web maps, documents and data sources; default: maps.", completion: .file())
  var path: [String] = []
  @OptionGroup(title: "Web pages") var web: WebOptions
  @OptionGroup var options: ServerOptions

  func serve() throws(MapStateError) {
    // In "maps cities.csv", the first word is the subcommand; the user may mean the folder.
    if CommandLine.arguments.dropFirst().first == "maps", !path.isEmpty, !path.contains("maps"),
      (try? FileAccess.checkFolder("maps")) != nil
    {
      RunningServer.write("warning: the folder maps is not served; to serve it, too, write ./maps")
    }
    let check = try web.check(hosts: options.host)
    let service = MapService(
      try MapFolder(paths: path.isEmpty ? ["maps"] : path), limits: options.limits, origin: check,
      maxAge: web.maxAge)
    try RunningServer.run(
      options, origins: check.origins, log: { service.count($0) }, handler: { service.begin($0) })
  }
}
