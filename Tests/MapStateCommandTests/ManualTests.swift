import Foundation
import MapStateCommand
import MapTestSupport
import Testing

/// The man pages and completion scripts that `Scripts/install` installs.
@Suite("Man pages and completion")
struct ManualTests {
  @Test("Every command has a man page with its options, its examples and no fault that groff reports")
  func pages() async throws {
    let folder = try ScratchFolder()
    let written = try await Tool.run("generate-manual", folder.root.path)
    #expect(written.code == 0, "\(written.err)")
    try await check(
      CommandInfo.tool(), sections: ["NAME", "SYNOPSIS", "OPTIONS", "EXAMPLES", "SEE ALSO"], in: folder)
  }

  @Test("The server has man pages, too")
  func serverPages() async throws {
    let folder = try ScratchFolder()
    let server = Tool.builtFolder.appendingPathComponent("mapstate-serve")
    let dump = try await Tool.run(["--experimental-dump-help"], program: server)
    let source = try ScratchFolder()
    try source.write(dump.out, to: "dump")
    let written = try await Tool.run("generate-manual", folder.root.path, "--dump", source.path("dump"))
    #expect(written.code == 0, "\(written.err)")
    let info = try CommandInfo(dump: Array(dump.out.utf8))
    #expect(
      info.all.map { $0.path.joined(separator: "-") }.sorted() == [
        "mapstate-serve", "mapstate-serve-maps", "mapstate-serve-preview", "mapstate-serve-review",
      ])
    try await check(info, sections: ["NAME", "SYNOPSIS", "OPTIONS", "SEE ALSO"], in: folder)
    let preview = try String(contentsOfFile: folder.path("mapstate-serve-preview.1"), encoding: .utf8)
    #expect(preview.contains("mapstate\\-serve preview <file> [<options>]"))
  }

  /// Checks the pages of a program: all, their sections and options, and what groff says of them.
  private func check(_ program: CommandInfo, sections: [String], in folder: ScratchFolder) async throws {
    let commands = program.all
    #expect(try folder.names() == commands.map { $0.path.joined(separator: "-") + ".1" }.sorted())
    let groff = URL(fileURLWithPath: "/usr/bin/groff")
    for command in commands {
      let path = folder.path(command.path.joined(separator: "-") + ".1")
      let page = try String(contentsOfFile: path, encoding: .utf8)
      for section in sections {
        #expect(page.contains("\n.SH \(section)\n"), "\(path) \(section)")
      }
      for option in command.options {
        for name in option.names {
          #expect(page.contains(name.replacing("-", with: "\\-")), "\(path) \(name)")
        }
      }
      guard FileManager.default.isExecutableFile(atPath: groff.path) else { continue }
      let check = try await Tool.run(["-man", "-ww", "-b", "-z", "-Tutf8", path], program: groff)
      #expect(check.code == 0)
      #expect(check.err == "", "\(path)")
    }
  }

  @Test(
    "Bash completes subcommands, options and values",
    arguments: [
      ("mapstate st", "statistics"), ("mapstate count --wh", "--where"),
      ("mapstate count x --format js", "json"), ("mapstate snapshot ve", "verify"),
    ])
  func completion(line: String, word: String) async throws {
    let folder = try ScratchFolder()
    let script = try await Tool.run("--generate-completion-script", "bash")
    #expect(script.code == 0)
    try folder.write(script.out, to: "completion")
    try folder.write(
      """
      source completion
      COMP_WORDS=(\(line)) COMP_LINE="\(line)" COMP_POINT=\(line.count)
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _mapstate mapstate "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """, to: "test")
    let run = try await Tool.run(
      ["test"], folder: folder.root, program: URL(fileURLWithPath: "/bin/bash"))
    #expect(run.out.split(separator: "\n") == [Substring(word)], "\(run)")
  }

  @Test("The tool writes completion scripts for zsh and fish", arguments: ["zsh", "fish"])
  func otherShells(shell: String) async throws {
    let run = try await Tool.run("--generate-completion-script", shell)
    #expect(run.code == 0)
    for word in ["statistics", "where"] { #expect(run.out.contains(word)) }
  }
}
