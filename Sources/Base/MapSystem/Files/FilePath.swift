/// Functions on paths as text; the file system is not accessed.
package enum FilePath {
  /// Returns the folder of a path's last part; "." if the path names no folder.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last part.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns the last part without its last extension.
  package static func stem(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Returns the text after the last dot of the last part, in lower case; empty without a dot.
  package static func pathExtension(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// Returns `path` relative to `folder`; an absolute path stays unchanged.
  package static func join(_ folder: String, _ path: String) -> String {
    path.hasPrefix("/") || folder == "." || folder.isEmpty
      ? path : folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// Returns the path as a relative URL: all bytes except letters, digits and `-._~/` are percent-encoded.
  ///
  /// - Source: RFC 3986, section 2.
  package static func percentEncoded(_ path: String) -> String {
    path.utf8.map { byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-._~/".utf8.contains(byte)
      if isPlain { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}
