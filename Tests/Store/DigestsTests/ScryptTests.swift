// SPDX-License-Identifier: Apache-2.0

import Digests
import LinuxPrimitives
import Testing

@Suite struct ScryptTests {
  @Test func `computes the examples of RFC 7914`() throws {
    let one = try #require(ScryptParameters(costExponent: 10, blockSize: 8, parallelization: 16))
    #expect(
      try digest("password", "NaCl", one)
        == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
    )
    let other = try #require(ScryptParameters(costExponent: 14, blockSize: 8, parallelization: 1))
    #expect(
      try digest("pleaseletmein", "SodiumChloride", other)
        == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
    )
  }

  @Test func `rejects scrypt parameters that require excessive memory`() {
    #expect(ScryptParameters(costExponent: 24, blockSize: 8, parallelization: 1) == nil)
    #expect(ScryptParameters(costExponent: 0, blockSize: 8, parallelization: 1) == nil)
    #expect(ScryptParameters(costExponent: 18, blockSize: 8, parallelization: 1) != nil)
  }

  @Test func `compares digests byte by byte`() {
    #expect(Scrypt.constantTimeEqual([1, 2, 3], [1, 2, 3]))
    #expect(!Scrypt.constantTimeEqual([1, 2, 3], [1, 2, 4]))
    #expect(!Scrypt.constantTimeEqual([1, 2, 3], [1, 2]))
  }

  private func digest(_ secret: String, _ salt: String, _ work: ScryptParameters) throws -> String {
    let bytes = Array(secret.utf8)
    return hexadecimalText(
      try bytes.withUnsafeBytes { bytes throws(DigestError) in
        try Scrypt.digest(of: bytes, salt: Array(salt.utf8), work: work, bytes: 64)
      }
    )
  }
}
