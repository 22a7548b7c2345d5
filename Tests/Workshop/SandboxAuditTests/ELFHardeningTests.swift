// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

@testable import SandboxAudit

@Suite(.timeLimit(.minutes(20))) struct ELFHardeningTests {
  /// A temporary directory with a C program.
  private final class CompiledProgram {
    let directory = "/tmp/darkroom-hardening-\(Randomness.hexadecimal(bytes: 8))"

    init() throws {
      try FileSystem.makeDirectories(directory)
      let source = """
        #include <stdio.h>
        #include <string.h>
        int main(int count, char **words) {
          char text[64];
          strcpy(text, words[0]);
          return printf("%s%d", text, count) < 0;
        }

        """
      try FileSystem.replaceContents("\(directory)/main.c", with: Array(source.utf8))
    }

    deinit { try? FileSystem.removeTree(directory) }

    /// Compiles the program with the given options.
    func program(_ options: String) throws -> [UInt8] {
      try runShell("cc -w \(options) -o '\(directory)/main' '\(directory)/main.c'")
      return try #require(try FileSystem.contents("\(directory)/main", limit: 1 << 26))
    }
  }

  @Test func `finds every hardening property of a hardened program`() throws {
    let options =
      "-O2 -fPIE -pie -Wl,-z,relro,-z,now,-z,noexecstack -fstack-protector-all -D_FORTIFY_SOURCE=2"
    let found = try #require(ELFHardening(try CompiledProgram().program(options)))
    #expect(found.properties.map(\.answer) == [.yes, .yes, .yes, .yes, .yes, .yes])
    #expect(!found.isStatic)
  }

  @Test(arguments: [
    ("positionIndependent", "-O2 -no-pie"), ("noExecutableData", "-Wl,-z,execstack"),
    ("relro", "-Wl,-z,norelro"), ("boundAtStart", "-Wl,-z,lazy"),
    ("stackProtector", "-fno-stack-protector"), ("fortifySource", "-O2 -U_FORTIFY_SOURCE"),
  ]) func `reports a hardening property that the linker or compiler omitted`(name: String, options: String)
    throws
  {
    let found = try #require(ELFHardening(try CompiledProgram().program(options)))
    #expect(found.properties.first { $0.name == name }?.answer == .no)
  }

  @Test func `a stripped static program hides its compiler options`() throws {
    let found = try #require(ELFHardening(try CompiledProgram().program("-static -s -fstack-protector-all")))
    #expect(found.isStatic && found.boundAtStart == .yes)
    #expect(found.stackProtector == .unknown && found.fortified == .unknown)
  }

  @Test func `parses damaged ELF files without a crash`() throws {
    let bytes = try CompiledProgram().program("-O2")
    for length in stride(from: 0, to: bytes.count, by: 61) { _ = ELFHardening(Array(bytes[..<length])) }
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0..<8 {
        changed[Int.random(in: 0..<min(2048, bytes.count), using: &generator)] = .random(
          in: 0...255,
          using: &generator
        )
      }
      _ = ELFHardening(changed)
    }
    #expect(ELFHardening([]) == nil && ELFHardening(Array("#!/bin/sh\n".utf8)) == nil)
  }
}
