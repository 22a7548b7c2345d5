// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// A session whose host was killed while its session init was stopped.
enum StoppedInit {
  /// Runs `exec` until `isRunning`, stops the session init, and kills the host.
  ///
  /// The returned command is a shell in the host's process group. Without it, the kernel would continue the
  /// stopped processes when the host dies (orphaned process groups, setpgid(2)).
  static func runAndKillHost(
    in home: TestHome,
    _ arguments: [String],
    isRunning: () throws -> Bool
  ) throws -> Command {
    let script = #"number=$1; shift; "$@" & echo $! >"$number"; exec sleep 600"#
    let host = [home.programs.darkroom, "exec", "--root", home.root, "--app", TestHome.app]
    let shell = try home.start(["sh", "-c", script, "sh", home.file("host")] + host + arguments)
    try shell.wait(until: isRunning)
    try stop(in: home)
    let text = String(decoding: try FileSystem.contents(home.file("host")) ?? [], as: UTF8.self)
    let number = try #require(Int32(text.dropLast()))
    #expect(kill(number, SIGKILL) == 0)
    // Only the host's shell could wait for the zombie.
    try shell.wait {
      let status = try FileSystem.contents("/proc/\(number)/status") ?? []
      return status.isEmpty || String(decoding: status, as: UTF8.self).contains("State:\tZ")
    }
    return shell
  }

  private static func stop(in home: TestHome) throws {
    let session = try #require(try home.names("sessions").first)
    let number = try #require(
      try FileSystem.names(in: "/proc").compactMap { Int32($0) }.first { number in
        (try? FileSystem.contents("/proc/\(number)/cmdline")) == Array("darkroom-init\0\(session)\0".utf8)
      }
    )
    #expect(kill(number, SIGSTOP) == 0)
    let isStopped = try TestTimeout.waitUntil {
      let status = String(decoding: try FileSystem.contents("/proc/\(number)/status") ?? [], as: UTF8.self)
      return status.contains("State:\tT")
    }
    #expect(isStopped, "the init does not stop")
  }
}
