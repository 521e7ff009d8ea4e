extension SHA256 {
  /// Returns the authentication code of a message by a key, 32 bytes.
  ///
  /// - Source: RFC 2104; test cases in RFC 4231.
  package static func code(of message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    let block = 64
    var key = key.count > block ? digest(key) : key
    key += [UInt8](repeating: 0, count: block - key.count)
    let inner = digest(key.map { $0 ^ 0x36 } + message)
    return digest(key.map { $0 ^ 0x5C } + inner)
  }
}
