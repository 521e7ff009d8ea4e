import Glibc
package import MapState

/// An address of the internet protocol: 4 bytes, or 16.
package struct NetworkAddress: Hashable, Sendable {
  let bytes: [UInt8]

  /// Creates an address; one of version 4 in the form of version 6 becomes its 4 bytes.
  private init(_ bytes: [UInt8]) {
    let isMapped = bytes.count == 16 && bytes[..<12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    self.bytes = isMapped ? Array(bytes[12...]) : bytes
  }

  /// Reads an address such as `127.0.0.1` or `::1`; nil for another text.
  package init?(_ text: String) {
    var (four, six) = (in_addr(), in6_addr())
    if unsafe inet_pton(AF_INET, text, &four) == 1 {
      self.init(unsafe withUnsafeBytes(of: &four) { unsafe Array($0) })
    } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
      self.init(unsafe withUnsafeBytes(of: &six) { unsafe Array($0) })
    } else {
      return nil
    }
  }

  /// Returns the address at the other end of a connection; nil if it has none.
  static func peer(ofSocket number: Int32) -> NetworkAddress? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let bytes: [UInt8]? = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
      let result = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getpeername(number, $0, &size)
      }
      guard result == 0 else { return nil }
      let all = unsafe Array(UnsafeRawBufferPointer(start: pointer, count: 32))
      // The address follows the family and the port, and in version 6 also the flow (netinet/in.h).
      switch unsafe Int32(pointer.pointee.ss_family) {
      case AF_INET: return Array(all[4..<8])
      case AF_INET6: return Array(all[8..<24])
      default: return nil
      }
    }
    return bytes.map { NetworkAddress($0) }
  }
}

/// A range of addresses that begin with the same bits.
package struct NetworkRange: Hashable, Sendable {
  private let start: NetworkAddress
  private let bits: Int

  /// Reads the value of `--trusted-proxy`: an address, or a range such as `10.0.0.0/8`.
  ///
  /// - Throws: `MapStateError` of kind usage.
  package init(text: String) throws(MapStateError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let start = NetworkAddress(parts[0]) else { throw Self.malformed(text) }
    let most = start.bytes.count * 8
    guard let bits = parts.count == 2 ? Int(parts[1]) : most, (0...most).contains(bits) else {
      throw Self.malformed(text)
    }
    (self.start, self.bits) = (start, bits)
  }

  private static func malformed(_ text: String) -> MapStateError {
    MapStateError(
      .usage,
      "--trusted-proxy \(text): expected an address such as 127.0.0.1 or ::1, or a range such as 10.0.0.0/8")
  }

  /// Whether an address is in the range.
  func contains(_ address: NetworkAddress) -> Bool {
    guard address.bytes.count == start.bytes.count else { return false }
    return (0..<bits).allSatisfy { bit in
      let mask = UInt8(0x80) >> (bit % 8)
      return address.bytes[bit / 8] & mask == start.bytes[bit / 8] & mask
    }
  }
}
