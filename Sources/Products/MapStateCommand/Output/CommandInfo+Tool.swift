/// The description of the tool, apart from that of any command, which names none.
extension CommandInfo {
  /// The description of the whole tool.
  package static func tool() throws -> CommandInfo { try CommandInfo(MapStateCommand.self) }
}
