// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import TestSupport
import Testing

@Suite struct DynamicProgramTests {
  private static let sample = SampleProgram(
    loader: "/lib64/loader.so",
    entries: [(1, "liba.so"), (1, "libb.so"), (29, "$ORIGIN/lib:/opt/lib"), (15, "/old")]
  )

  @Test func `reads the loader, the libraries and their directories`() throws {
    let program = try #require(DynamicProgram(byteReader(Self.sample.bytes)))
    #expect(program.loader == "/lib64/loader.so")
    #expect(program.libraries == ["liba.so", "libb.so"])
    #expect(program.runPath == ["$ORIGIN/lib", "/opt/lib"])
    #expect(program.inheritedPath == ["/old"])
    let library = try #require(DynamicProgram(byteReader(SampleProgram().bytes)))
    #expect(library.loader == nil && library.libraries.isEmpty)
  }

  @Test(arguments: ["/usr/bin/env", "/usr/bin/python3", "/bin/sh"])
  func `reads the loader and the libraries of system programs`(path: String) throws {
    guard let file = try? FileSystem.open(path, .read) else { return }
    let program = try #require(DynamicProgram { (try? file.bytes(at: Int64($0), count: $1)) ?? [] })
    #expect(program.loader?.contains("ld-linux") == true)
    #expect(program.libraries.contains("libc.so.6"))
  }

  @Test func `rejects files that are not 64-bit little-endian ELF`() {
    let bytes = Self.sample.bytes
    #expect(DynamicProgram(byteReader([])) == nil)
    #expect(DynamicProgram(byteReader(Array("#!/bin/sh\n".utf8))) == nil)
    for (place, value) in [(4, 1), (5, 2), (54, 57)] as [(Int, UInt8)] {
      var other = bytes
      other[place] = value
      #expect(DynamicProgram(byteReader(other)) == nil, "\(place)")
    }
  }

  @Test func `parses truncated and corrupted ELF files without a trap`() {
    let bytes = Self.sample.bytes
    for end in bytes.indices { _ = DynamicProgram(byteReader(Array(bytes[..<end]))) }
    for place in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var other = bytes
        other[place] = value
        _ = DynamicProgram(byteReader(other))
      }
    }
  }

  @Test func `parses ELF offsets that overflow without a trap`() {
    let bytes = Self.sample.bytes
    // The offset of the program header table, and the offset, address and size in each program header.
    for place in [32] + (0..<3).flatMap({ header in [8, 16, 32].map { 64 + header * 56 + $0 } }) {
      for value in [UInt64.max, UInt64.max >> 1, UInt64.max - 8, 1 << 63] {
        var other = bytes
        other.replaceSubrange(place..<place + 8, with: SampleProgram.encoded(value, 8))
        _ = DynamicProgram(byteReader(other))
      }
    }
  }

  @Test func `reads a bounded part of a large ELF file`() throws {
    var sample = SampleProgram(loader: "/l", entries: [])
    for number in 0..<6000 { sample.entries.append((1, "lib\(number).so")) }
    let bytes = sample.bytes
    var (calls, read) = (0, 0)
    let program = try #require(
      DynamicProgram { offset, count in
        calls += 1
        read += count
        return byteReader(bytes)(offset, count)
      }
    )
    #expect(program.libraries.count <= 256)
    #expect(calls < 600 && read < 1 << 20, "\(calls) calls, \(read) bytes")
  }
}
