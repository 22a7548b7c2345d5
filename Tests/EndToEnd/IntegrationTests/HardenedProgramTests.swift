// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the hardening of shipped programs with readelf(1).
@Suite(.enabled(if: TestPrograms.has("readelf"))) struct HardenedProgramTests {
  /// Dynamically linked programs.
  private static let dynamic = [
    "darkroom", "darkroom-client", "darkroom-pam", "darkroom-viewfinder", "darkroom-window",
  ]
  /// Static programs: the demo's extension, the examples in C, and the probe of `darkroom attack`.
  private static let statics = ["Snapshot", "FrameLogger", "Misbehaving", "darkroom-probe"]

  /// Returns the headers, segments and dynamic entries of a program in the build directory. The installed
  /// copies are stripped.
  private func headers(_ program: String) throws -> [String] {
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    let output = "/tmp/darkroom-headers-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(output) }
    try runShell(
      "LC_ALL=C readelf --file-header --program-headers --dynamic --wide '\(built)/\(program)' >'\(output)'"
    )
    let text = String(decoding: try #require(try FileSystem.contents(output, limit: 1 << 28)), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// Returns the flags of a segment, or `nil` if it does not exist.
  private func flags(of segment: String, in headers: [String]) -> String? {
    let line = headers.first { $0.split(separator: " ").first == Substring(segment) }
    return line.map { line in line.split(separator: " ").dropFirst(6).dropLast().joined() }
  }

  @Test(arguments: dynamic + statics)
  func `no segment is writable and executable, and the stack is not executable`(program: String) throws {
    let headers = try headers(program)
    #expect(flags(of: "GNU_STACK", in: headers) == "RW")
    #expect(flags(of: "GNU_RELRO", in: headers) != nil)
    let loads = headers.filter { $0.split(separator: " ").first == "LOAD" }
    #expect(loads.count >= 2)
    for load in loads {
      let flags = load.split(separator: " ").dropFirst(6).dropLast().joined()
      #expect(!(flags.contains("W") && flags.contains("E")), "\(load)")
    }
    #expect(!headers.contains { $0.contains("TEXTREL") })
  }

  @Test(arguments: dynamic)
  func `dynamic programs are position-independent and use immediate binding`(program: String) throws {
    let headers = try headers(program)
    #expect(headers.contains { $0.contains("Type:") && $0.contains("DYN (") })
    #expect(headers.contains { $0.contains("(FLAGS_1)") && $0.contains("NOW") && $0.contains("PIE") })
    #expect(headers.contains { $0.contains("(FLAGS)") && $0.contains("BIND_NOW") })
  }

  @Test(arguments: statics) func `static programs have no dynamic loader`(program: String) throws {
    let headers = try headers(program)
    #expect(flags(of: "INTERP", in: headers) == nil && flags(of: "DYNAMIC", in: headers) == nil)
  }

  @Test(
    .enabled(if: TestPrograms.has("nm")),
    arguments: ["CLinux", "darkroom_client", "FrameLogger", "Misbehaving"]
  )
  func `C code uses stack protection`(target: String) throws {
    #expect(try symbols(of: target).contains("__stack_chk_fail"))
  }

  @Test(.enabled(if: TestPrograms.has("nm")))
  func `code between clone and execve does not call fortified C library functions`() throws {
    let symbols = try symbols(of: "CSandboxEntry")
    #expect(symbols.contains("syscall"))
    #expect(symbols.filter { $0.hasSuffix("_chk") || $0.hasPrefix("__stack_chk") } == [])
  }

  /// Returns the undefined symbols of the objects of a target.
  private func symbols(of target: String) throws -> Set<String> {
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    let output = "/tmp/darkroom-symbols-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(output) }
    try runShell("nm --undefined-only --format=just-symbols '\(built)/\(target).build'/*.o >'\(output)'")
    let text = String(decoding: try #require(try FileSystem.contents(output, limit: 1 << 24)), as: UTF8.self)
    return Set(text.split(separator: "\n").map(String.init))
  }
}
