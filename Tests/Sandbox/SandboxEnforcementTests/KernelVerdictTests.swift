// SPDX-License-Identifier: Apache-2.0

import Glibc
import SandboxEnforcement
import SandboxPolicy
import Testing

/// The compiled programs, evaluated by the kernel: a Python process installs a filter and tries calls.
@Suite(
  .enabled(if: FilteredCommand.isPossible, "python3 is not installed"),
  .enabled(if: MachineArchitecture.native == .x86, "the probe has the call numbers of x86-64"),
  .timeLimit(.minutes(20))
)
struct KernelVerdictTests {
  /// Tries calls and prints the errno of each.
  ///
  /// Every call is harmless outside a sandbox: it names a nonexistent file or requests nothing.
  static let probe = """
    import ctypes, os, subprocess, threading
    libc = ctypes.CDLL(None, use_errno=True)
    def call(number, *arguments):
        ctypes.set_errno(0)
        libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
        return ctypes.get_errno()
    path = ctypes.cast(ctypes.c_char_p(b"/nowhere/at/all"), ctypes.c_void_p).value
    read, write = os.pipe()
    results = {
        "getpid": call(39), "socket": call(41, 1, 1, 0), "unshare": call(272, 0), "clone3": call(435, 0, 0),
        "unassigned": call(400), "minus one": call(-1), "future": call(100000),
        "symlinkat": call(266, path, -100, path), "create setuid": call(257, -100, path, 0o101, 0o4755),
        "create": call(257, -100, path, 0o101, 0o644), "TIOCSTI": call(16, read, 0x5412 | 1 << 32, path),
        "FIONREAD": call(16, read, 0x541B, ctypes.addressof(ctypes.c_int())),
    }
    worker = threading.Thread(target=lambda: results.update({"thread": 0}))
    worker.start(); worker.join()
    results["program"] = subprocess.run(["/bin/true"]).returncode
    child = os.fork()
    if child == 0:
        call(0x40000000 | 39)
        os._exit(0)
    results["x32 signal"] = os.waitpid(child, 0)[1] & 0x7F
    for name, value in results.items():
        print(name, value, sep="=")
    """

  /// Returns the results of the probe with or without a filter.
  static func results(_ filter: SeccompFilter?) throws -> [String: Int] {
    let command = ["/usr/bin/python3", "-c", probe]
    let lines = try #require(FilteredCommand.run(command, under: filter)).lines
    let pairs = lines.compactMap { line -> (String, Int)? in
      let parts = line.split(separator: "=")
      return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
    }
    #expect(pairs.count == lines.count, "\(lines)")
    return Dictionary(pairs) { $1 }
  }

  @Test func `the kernel enforces the verdicts of the policy`() throws {
    let inside = try Self.results(try SeccompCompiler.compile(try CompiledPolicy("base").policy))
    #expect(
      inside
        == [
          "getpid": 0, "socket": EPERM, "unshare": EPERM, "clone3": ENOSYS, "unassigned": ENOSYS,
          "minus one": ENOSYS, "future": ENOSYS, "symlinkat": EPERM, "create setuid": EPERM, "create": ENOENT,
          "TIOCSTI": EPERM, "FIONREAD": 0, "thread": 0, "program": 0, "x32 signal": SIGSYS,
        ].mapValues(Int.init)
    )
  }

  @Test func `the probe calls succeed without a filter`() throws {
    let outside = try Self.results(nil)
    for name in ["getpid", "socket", "unshare", "FIONREAD", "thread", "program"] {
      #expect(outside[name] == 0, "\(name)")
    }
    for name in ["symlinkat", "create setuid", "create"] { #expect(outside[name] == Int(ENOENT), "\(name)") }
    #expect(outside["TIOCSTI"] == Int(ENOTTY) && outside["x32 signal"] == 0)
    #expect(outside["clone3"] == Int(EINVAL))
  }
}
