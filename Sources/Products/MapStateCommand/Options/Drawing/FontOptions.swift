import ArgumentParser
import MapScript
import MapState

/// The fonts of the user.
struct FontOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Font for labels of its family and for letters that Noto Sans lacks; repeat for more.",
      valueName: "file"),
    completion: .file())
  var font: [String] = []

  /// Opens the fonts.
  func fonts() throws(MapStateError) -> [FontFile] {
    guard font.count <= FontFile.largestCount else {
      throw MapStateError(
        .usage, "--font is given \(font.count) times; at most \(FontFile.largestCount) fonts are used")
    }
    var fonts: [FontFile] = []
    for path in font { fonts.append(try FontFile(path: path)) }
    return fonts
  }

  /// Warns if the fonts have no text to set.
  func warnOfUse(in document: MapDocument, _ request: ViewRequest) async throws(MapStateError) {
    guard !font.isEmpty, try await !document.view(request).freeze().drawsText else { return }
    Warnings.add("--font has no effect: the image has no text")
  }
}
