// SPDX-License-Identifier: Apache-2.0

import Digests
import Glibc
import LinuxPrimitives
import Testing

@Suite struct SHA256DigestTests {
  /// The examples of FIPS 180-4 and of the NIST list for long messages.
  static let examples: [(message: [UInt8], digest: String)] = [
    ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: examples) func `computes the digests of the standard examples`(
    _ example: (message: [UInt8], digest: String)
  ) throws {
    #expect(try SHA256Digest.of(example.message).description == "sha256:" + example.digest)
  }

  @Test(arguments: examples) func `computes the digest of a file`(
    _ example: (message: [UInt8], digest: String)
  ) throws {
    let file = try MemoryFile.makeSealed(name: "message", bytes: example.message)
    #expect(try SHA256Digest.of(file).description == "sha256:" + example.digest)
  }

  @Test(arguments: [
    [(1, 0)], [(0, 300_000)], [(5, 1_000_000), (7, 0)], [(0, 1 << 20), (3, 1 << 21)],
    [(140_000, 131_072), (262_144, 131_073)],
  ])
  func `computes the digest of a sparse file`(_ pieces: [(data: Int, hole: Int)]) throws {
    let file = try MemoryFile.make(name: "sparse", size: 0)
    var bytes: [UInt8] = []
    for piece in pieces {
      let data = [UInt8](repeating: 7, count: piece.data)
      #expect(lseek(file.rawValue, off_t(bytes.count), SEEK_SET) == bytes.count)
      try file.writeAll(data)
      bytes += data + [UInt8](repeating: 0, count: piece.hole)
    }
    try file.truncate(to: Int64(bytes.count))
    #expect(lseek(file.rawValue, 0, SEEK_SET) == 0)
    #expect(try SHA256Digest.of(file) == SHA256Digest.of(bytes))
  }

  @Test func `computes the same digest incrementally`() throws {
    var hasher = try SHA256Hasher.make()
    for piece in ["a", "", "bc"] { hasher.update(Array(piece.utf8)) }
    #expect(try hasher.finish() == SHA256Digest.of(Array("abc".utf8)))
  }

  @Test func `reports an unreadable descriptor`() throws {
    let pipe = try Pipe.make()
    let error = #expect(throws: DigestError.self) { try SHA256Digest.of(pipe.writeEnd) }
    guard case .unreadable(let cause) = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
    #expect(cause.call == "read")
  }

  @Test func `parses the text form of a digest`() throws {
    let digest = try SHA256Digest.of([1, 2, 3])
    #expect(SHA256Digest(digest.description) == digest)
  }

  @Test(arguments: [
    "", "sha256:", "sha256:abc", "sha512:" + String(repeating: "0", count: 64),
    "sha256:" + String(repeating: "G", count: 64), "sha256:" + String(repeating: "A", count: 64),
    "sha256:" + String(repeating: "0", count: 65),
  ]) func `rejects invalid digest texts`(_ text: String) {
    #expect(SHA256Digest(text) == nil)
  }
}
