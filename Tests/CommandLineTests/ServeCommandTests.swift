import Foundation
import MapTestSupport
import Testing

@Suite struct ServeCommandTests {
  private static let server = Tool.builtFolder.appendingPathComponent("mapstate-serve")

  /// Starts the server in a folder, waits for the address that it prints, and runs lines of a shell with it.
  ///
  /// The lines have `$page` without the token, `$origin`, `$token` and the function `status`, which prints that of a
  /// request.
  private static func serve(_ arguments: String, in folder: URL, _ lines: String) async throws -> Tool.Run {
    let script = """
      "\(server.path)" \(arguments) --port 0 --quiet > address 2> messages &
      trap "kill $!" EXIT
      n=0
      while ! [ -s address ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
      read -r address < address
      page=${address%%#*}
      token=${address##*token=}
      origin=$(echo "$page" | cut -d/ -f1-3)
      status() { curl -s -o answer -w '%{http_code}\\n' "$@"; }
      \(lines)
      """
    return try await Tool.run(["-c", script], folder: folder, program: URL(fileURLWithPath: "/bin/sh"))
  }

  private static let points = """
    {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"n": 1},
    "geometry": {"type": "Point", "coordinates": [1, 2]}}]}
    """

  @Test("The page of preview saves the document only with the token of the printed address")
  func preview() async throws {
    let scratch = try ScratchFolder()
    try Data(Self.points.utf8).write(to: scratch.url("points.geojson"))
    let folder = scratch.url("points.geojson").deletingLastPathComponent()
    let run = try await Self.serve(
      "preview points.geojson --save-to map.json", in: folder,
      """
      status "$page"
      map=${page%/preview}
      revision=$(curl -s "$map/revision" | sed 's/.*"revision":"\\([0-9a-f]*\\)".*/\\1/')
      save="$map/save?revision=$revision&definition=n%3D1"
      status -X POST -H "Origin: $origin" "$save"
      status -X POST -H "Origin: $origin" -H "X-MapState-Token: 0" "$save"
      status -X POST -H "X-MapState-Token: $token" "$save"
      status -X POST -H "Origin: $origin" -H "X-MapState-Token: $token" -d body "$save"
      status -H "X-MapState-Token: $token" "$save"
      ls map.json
      status -X POST -H "Origin: $origin" -H "X-MapState-Token: $token" "$save"
      grep -c '"n=1"' map.json
      echo ${#token}
      """)
    #expect(run.out == "200\n403\n403\n403\n400\n405\n200\n1\n32\n")
  }

  @Test("A preview without files to write prints an address without a token")
  func readsOnly() async throws {
    let scratch = try ScratchFolder()
    try Data(Self.points.utf8).write(to: scratch.url("points.geojson"))
    let run = try await Self.serve(
      "preview points.geojson", in: scratch.url("points.geojson").deletingLastPathComponent(),
      """
      echo "$address" | sed 's/:[0-9][0-9]*\\//:PORT\\//'
      status -X POST -H "Origin: $origin" -H "X-MapState-Token: " "${page%/preview}/save?revision=0"
      """)
    #expect(run.out == "http://127.0.0.1:PORT/maps/points/preview\n405\n")
  }

  /// Each line has the status and the number of headers that let the page read the answer.
  @Test(
    "The folder maps is served to pages of an allowed origin, also with faults, and no token is in the log")
  func servesPages() async throws {
    let scratch = try ScratchFolder()
    try Data("{".utf8).write(to: scratch.url("broken.json"))
    let script = """
      mkdir maps && cp broken.json maps/
      "\(Self.server.path)" maps --port 0 --allow-origin http://app.example --token 0123456789abcdef 2> log &
      trap "kill $!" EXIT
      n=0
      while ! grep -q listening log && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
      page=$(sed -n 's/.*"url":"\\([^"]*\\)".*/\\1/p' log)
      ask() {
        curl -s -D headers -o answer -w '%{http_code} ' "$@"
        grep -c -i '^access-control-allow-origin: http://app.example' headers
      }
      ask -H "Origin: http://app.example" "${page}maps?token=0123456789abcdef"
      ask -H "Origin: http://app.example" -H "Authorization: Bearer 0123456789abcdef" "${page}maps"
      ask -H "Origin: http://app.example" "${page}maps"
      ask -H "Origin: http://app.example" "${page}maps/broken/image?token=0123456789abcdef"
      ask -H "Origin: http://app.example" "${page}nothing?token=0123456789abcdef"
      ask -H "Origin: http://app.example" -d body "${page}maps"
      ask -H "Origin: http://app.example" -H "Access-Control-Request-Method: GET" -X OPTIONS "${page}maps"
      ask -H "Origin: http://evil.example" "${page}maps?token=0123456789abcdef"
      ask -H "Host: 10.0.0.1" "${page}health"
      grep -c 0123456789abcdef log
      """
    let run = try await Tool.run(
      ["-c", script], folder: scratch.root, program: URL(fileURLWithPath: "/bin/sh"))
    #expect(
      run.out == "200 1\n200 1\n401 1\n503 1\n404 1\n400 1\n204 1\n403 0\n200 0\n0\n", "\(run.out) \(run.err)"
    )
  }

  /// Wrong arguments, and a part of the error.
  private static let refused = [
    ("preview none.json", "none.json: no such file"), ("preview .", ".: no such file"),
    ("preview points.geojson --save-to /tmp/points.json", "in the folder of points.geojson"),
    ("preview points.geojson --save-to points.txt", "ends with .json"),
    ("preview points.geojson --cases none", "none: no such file"), ("review none", "report.json"),
    ("review . --port 99999", "0 to 65535"), ("maps none", "none"), ("none", "none"),
    ("maps", "maps: no such file"), (". --allow-origin example.org", "is no origin"),
    (". --public-url maps", "--public-url maps: expected"),
    (". --trusted-proxy proxy", "--trusted-proxy proxy"),
    (". --token a=b", "letters, digits"), (". --token a --token-file b", "give one of them"),
    (". --max-age -1", "max-age"),
  ]

  @Test("Wrong arguments are refused before the server listens")
  func refuses() async throws {
    #expect(Self.refused.count == 16)
    let scratch = try ScratchFolder()
    try Data(Self.points.utf8).write(to: scratch.url("points.geojson"))
    let folder = scratch.url("points.geojson").deletingLastPathComponent()
    for (arguments, reason) in Self.refused {
      let run = try await Tool.run(
        arguments.split(separator: " ").map { String($0) }, folder: folder, program: Self.server)
      #expect(run.code != 0 && !run.isSignal && run.err.contains(reason), "\(arguments): \(run.err)")
    }
  }
}
