import Dispatch
public import Foundation

/// The built tool, run as a separate process.
public enum Tool {
  /// The result of a run.
  public struct Run {
    /// The exit code.
    public let code: Int32
    /// Whether the run ended by a signal, such as a trap.
    public let isSignal: Bool
    /// The text of standard output.
    public let out: String
    /// The text of standard error.
    public let err: String

    /// Lines of standard error that start with `error: `.
    public var errors: [String] {
      err.split(separator: "\n").map(String.init).filter { $0.hasPrefix("error: ") }
    }
  }

  /// The folder into which the tests and the tool are built.
  public static let builtFolder: URL = {
    let own =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: own).deletingLastPathComponent()
  }()
  /// The tool.
  public static var url: URL { builtFolder.appendingPathComponent("mapstate") }

  /// The root of the project.
  public static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()
  /// Returns the path of a file in `Styles`.
  public static func style(_ name: String) -> String { project.appendingPathComponent("Styles/\(name)").path }

  /// The document of points.
  public static let incidents = style("san-francisco-incidents.json")
  /// The document of areas.
  public static let counties = style("us-counties.json")
  /// The document of cities.
  public static let cities = style("world-cities.json")
  /// The document of lines.
  public static let rivers = style("world-rivers.json")
  /// The cities as a table.
  public static let cityData = style("data/world-cities.csv")
  /// The rivers as a table.
  public static let riverData = style("data/world-rivers.csv")
  /// The points of `incidents`.
  public static let incidentData = style("data/san-francisco-incidents.geojson")
  /// The areas of `counties`.
  public static let countyData = style("data/us-counties.geojson")

  /// Runs the tool to its end.
  public static func run(_ arguments: String..., input: String = "", folder: URL? = nil) async throws -> Run {
    try await run(arguments, input: input, folder: folder)
  }

  /// Runs the tool, or another program, to its end.
  public static func run(
    _ arguments: [String], input: String = "", folder: URL? = nil, program: URL? = nil,
    environment: [String: String] = [:]
  ) async throws -> Run {
    await RunSlots.shared.take()
    defer { Task { await RunSlots.shared.giveBack() } }
    // Files instead of pipes: a pipe that is not read in time would block the tool.
    let scratch = try ScratchFolder()
    let (inURL, outURL, errURL) = (scratch.url("in"), scratch.url("out"), scratch.url("err"))
    try Data(input.utf8).write(to: inURL)
    try Data().write(to: outURL)
    try Data().write(to: errURL)
    let process = Process()
    process.executableURL = program ?? url
    process.arguments = arguments
    process.currentDirectoryURL = folder ?? scratch.root
    // A trap is detected by its signal; a backtrace would only take time.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .merging(environment) { $1 }
    let input = try FileHandle(forReadingFrom: inURL)
    let (output, errors) = (try FileHandle(forWritingTo: outURL), try FileHandle(forWritingTo: errURL))
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    // Foundation's Process writes past the end of a buffer when a thousand file descriptors are open.
    defer { for handle in [input, output, errors] { try? handle.close() } }
    try await process.runToEnd()
    return Run(
      code: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal,
      out: String(decoding: try Data(contentsOf: outURL), as: UTF8.self),
      err: String(decoding: try Data(contentsOf: errURL), as: UTF8.self))
  }
}

/// Limits the number of concurrent tool runs: all tests start together, and each run keeps three file
/// descriptors open.
private actor RunSlots {
  static let shared = RunSlots()
  private var free = 160
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Waits for a slot.
  func take() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Releases a slot to the task that has waited longest.
  func giveBack() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

extension Process {
  /// Starts the process and waits for its end without blocking a thread.
  public func runToEnd() async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      terminationHandler = { _ in done.resume() }
      do { try start() } catch {
        terminationHandler = nil
        done.resume(throwing: error)
      }
    }
  }
}
