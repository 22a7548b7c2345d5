// SPDX-License-Identifier: Apache-2.0

import Glibc
import SystemCalls
import Testing

/// The table of this architecture, compared with the running kernel: a child tries call numbers and prints
/// which are implemented.
@Suite(.enabled(if: FilteredCommand.isPossible, "python3 is not installed"), .timeLimit(.minutes(20)))
struct KernelTableTests {
  /// The calls that have an effect or do not return even with invalid arguments.
  static let avoided: Set<String> = [
    "alarm", "clone", "exit", "exit_group", "fork", "pause", "restart_syscall", "rt_sigreturn", "sched_yield",
    "setsid", "sync", "syncfs", "umask", "vfork", "vhangup", "kill", "munlockall", "inotify_init", "getpid",
    "uretprobe", "uprobe", "iopl", "personality", "close", "close_range", "setpgid", "setfsuid", "setfsgid",
    "userfaultfd", "epoll_create", "eventfd", "msgget", "semget", "shmget", "io_setup", "reboot", "ptrace",
  ]

  /// Tries each number with invalid arguments: -1 is not a descriptor, address or flag.
  static let probe = """
    import ctypes, sys
    libc = ctypes.CDLL(None, use_errno=True)
    wrong = [ctypes.c_long(-1)] * 6
    for word in sys.argv[1].split(","):
        ctypes.set_errno(0)
        libc.syscall(ctypes.c_long(int(word)), *wrong)
        if ctypes.get_errno() == 38:
            print(word)
    print("done")
    """

  /// Returns the major and minor version of the kernel.
  static func kernel() -> [Int] {
    var name = utsname()
    uname(&name)
    let release = withUnsafeBytes(of: &name.release) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
  }

  @Test func `the kernel implements no call that is missing in the table`() throws {
    let table = CallTable.of(.native)
    let tried = (UInt32(0)...600).filter { !Self.avoided.contains(table.name(of: $0) ?? "") }
    let words = tried.map(String.init).joined(separator: ",")
    let result = try #require(FilteredCommand.run(["/usr/bin/python3", "-c", Self.probe, words], under: nil))
    #expect(result.lines.last == "done", "\(result.lines.suffix(3))")
    let absent = Set(result.lines.compactMap { UInt32($0) })
    let answered = tried.filter { !absent.contains($0) }
    #expect(answered.filter { table.name(of: $0) == nil } == [])
    #expect(answered.count > 220)
    // A call that is newer than the kernel must not be implemented.
    let running = Self.kernel()
    for number in answered {
      let name = table.name(of: number) ?? ""
      guard let since = CallTable.since(name)?.split(separator: ".").compactMap({ Int($0) }) else { continue }
      #expect(!running.lexicographicallyPrecedes(since), "\(name)")
    }
  }
}
