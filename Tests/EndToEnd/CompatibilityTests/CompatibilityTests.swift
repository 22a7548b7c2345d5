// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of unmodified Debian programs under the default policy. `programs.json` and the table in
/// CompatiblePrograms.md list them.
///
/// `DARKROOM_COMPATIBILITY=all` tests every program and fails if a package is missing.
@Suite(.timeLimit(.minutes(30)), .serialized, .waitingSerially) struct CompatibilityTests {
  private static let triesAll = CurrentProcess.environment("DARKROOM_COMPATIBILITY") == "all"

  /// The programs that this test run covers.
  private static let programs: [CompatibleProgram] = {
    guard let all = try? CompatibleProgram.all.get() else { return [] }
    let chosen = triesAll ? all : all.filter(\.isQuick)
    return chosen.filter { program in
      if triesAll || program.isInstalled { return true }
      print("SKIP: the compatibility of \(program.name): the package \(program.package) is not installed")
      return false
    }
  }()

  @Test(arguments: Trial.User.available, programs)
  func `under exec, each program behaves as the table of programs states`(
    user: Trial.User,
    program: CompatibleProgram
  ) throws {
    try Self.expect(program, try Trial(user).run(program, .exec))
  }

  @Test(arguments: Trial.User.available, programs.filter { $0.runsAsExtension && $0.runs })
  func `each program that runs under exec also runs as an installed extension`(
    user: Trial.User,
    program: CompatibleProgram
  ) throws {
    try Self.expect(program, try Trial(user).run(program, .run))
  }

  private static func expect(_ program: CompatibleProgram, _ result: Trial.Result) throws {
    // timeout(1) exits with 124 if a program hangs; no program may hang.
    #expect((result.code == 0) == program.runs && result.code != 124, "\(result)")
    guard program.runs else { return }
    if let pattern = program.outputPattern {
      let lines = try Regex(pattern).anchorsMatchLineEndings()
      #expect(result.output.contains(lines), "\(result)")
    }
    #expect(result.captured.isSuperset(of: program.expectedFiles), "\(result)")
  }

  @Test func `the article about programs has the table row of each tested program`() throws {
    let rows = try CompatibleProgram.all.get().map(\.row)
    let document = "\(PackageDirectory.path)/Sources/Darkroom.docc/Reference/CompatiblePrograms.md"
    let text = String(decoding: try #require(try FileSystem.contents(document)), as: UTF8.self)
    let found = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map(String.init)
    #expect(found == rows)
  }

  /// Runs `gst-launch-1.0` as an extension that reads camera frames from standard input.
  @Test(arguments: Trial.User.available)
  func `GStreamer encodes camera frames that an extension reads from standard input`(user: Trial.User)
    throws
  {
    let trial = try Trial(user)
    let arguments = [
      "gst-launch-1.0", "-q", "fdsrc", "fd=0", "!", "avdemux_yuv4mpegpipe", "!", "videoconvert", "!",
      "jpegenc", "!",
      "multifilesink", "location=/session/%d.jpg",
    ]
    let result = try trial.runWithCamera(arguments, seconds: 1)
    #expect(result.code == 0, "\(result)")
    #expect(result.captured.count > 3 && result.captured.contains("0.jpg"), "\(result)")
  }
}
