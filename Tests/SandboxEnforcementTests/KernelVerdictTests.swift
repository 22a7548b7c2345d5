// SPDX-License-Identifier: Apache-2.0

import Glibc
import SandboxEnforcement
import SandboxPolicy
import Testing

/// The compiled programs, judged by the kernel itself: a Python process loads one and tries calls.
@Suite(
  .enabled(if: access("/usr/bin/python3", X_OK) == 0, "python3 is not installed"),
  .enabled(if: MachineArchitecture.native == .x86, "the probe has the call numbers of x86-64"),
  .timeLimit(.minutes(1))
)
struct KernelVerdictTests {
  /// Loads the filter in its first argument (hexadecimal; may be empty), tries one call each, prints the errno.
  ///
  /// Every probe is harmless outside a sandbox: it names a file that cannot be, or asks for nothing.
  static let probe = """
    import ctypes, os, subprocess, sys, threading
    libc = ctypes.CDLL(None, use_errno=True)
    program = bytes.fromhex(sys.argv[1])
    class Program(ctypes.Structure):
        _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_char_p)]
    def call(number, *arguments):
        ctypes.set_errno(0)
        libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
        return ctypes.get_errno()
    if program:
        assert libc.prctl(38, 1, 0, 0, 0) == 0
        assert libc.prctl(22, 2, ctypes.byref(Program(len(program) // 8, program)), 0, 0) == 0
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

  /// What the probe finds, under a filter or none.
  static func results(_ filter: SeccompFilter?) throws -> [String: Int] {
    let digits = Array("0123456789abcdef")
    let program = String(
      (filter?.instructions ?? []).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    )
    let script = probe.split(separator: "'").joined(separator: "'\\''")
    let stream = try #require(popen("/usr/bin/python3 -c '\(script)' '\(program)' 2>&1", "r"))
    defer { pclose(stream) }
    var text: [UInt8] = []
    while case let next = fgetc(stream), next != EOF { text.append(UInt8(next)) }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let pairs = lines.compactMap { line -> (String, Int)? in
      let parts = line.split(separator: "=")
      return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
    }
    #expect(pairs.count == lines.count, "\(lines)")
    return Dictionary(pairs) { $1 }
  }

  @Test func `the kernel judges as the policy says`() throws {
    let inside = try Self.results(try SeccompCompiler.compile(try Compiled("base").policy))
    #expect(
      inside
        == [
          "getpid": 0, "socket": EPERM, "unshare": EPERM, "clone3": ENOSYS, "unassigned": ENOSYS,
          "minus one": ENOSYS, "future": ENOSYS, "symlinkat": EPERM, "create setuid": EPERM, "create": ENOENT,
          "TIOCSTI": EPERM, "FIONREAD": 0, "thread": 0, "program": 0, "x32 signal": SIGSYS,
        ].mapValues(Int.init)
    )
  }

  @Test func `without a filter the same probes are not refused`() throws {
    let outside = try Self.results(nil)
    for name in ["getpid", "socket", "unshare", "FIONREAD", "thread", "program"] {
      #expect(outside[name] == 0, "\(name)")
    }
    for name in ["symlinkat", "create setuid", "create"] { #expect(outside[name] == Int(ENOENT), "\(name)") }
    #expect(outside["TIOCSTI"] == Int(ENOTTY) && outside["x32 signal"] == 0)
    #expect(outside["clone3"] == Int(EINVAL))
  }
}
