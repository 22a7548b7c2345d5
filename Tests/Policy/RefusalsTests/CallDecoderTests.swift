// SPDX-License-Identifier: Apache-2.0

import Refusals
import SandboxPolicy
import SystemCalls
import Testing

@Suite struct CallDecoderTests {
  /// A call with memory contents and its printed form. The numbers are those of the kernel headers.
  struct Sample: Sendable {
    var call: String
    var arguments: [UInt64]
    var memory: [Int: [UInt8]] = [:]
    var text: String
  }

  static let minus100 = UInt64(bitPattern: -100)

  static let network: [Sample] = [
    Sample(call: "socket", arguments: [2, 1, 6], text: "socket(AF_INET, SOCK_STREAM, IPPROTO_TCP)"),
    Sample(
      call: "socket",
      arguments: [2, 0x80801, 262],
      text: "socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC|SOCK_NONBLOCK, IPPROTO_MPTCP)"
    ),
    Sample(call: "socket", arguments: [16, 3, 0], text: "socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE)"),
    Sample(call: "socket", arguments: [40, 5, 0], text: "socket(AF_VSOCK, SOCK_SEQPACKET, 0)"),
    Sample(
      call: "socket",
      arguments: [1 << 32 | 2, 1, 0],
      text: "socket(AF_INET (and 0x1 in the upper 32 bits), SOCK_STREAM, IPPROTO_IP)"
    ),
    Sample(call: "socket", arguments: [99, 1, 0], text: "socket(99, SOCK_STREAM, 0)"),
    Sample(
      call: "socketpair",
      arguments: [1, 2, 0, 0x1000],
      text: "socketpair(AF_UNIX, SOCK_DGRAM, 0, …)"
    ),
    Sample(
      call: "connect",
      arguments: [3, 0x1000, 16],
      memory: [1: [2, 0, 0x01, 0xBB, 192, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
      text: "connect(3, {AF_INET, 192.0.2.1:443}, 16)"
    ),
    Sample(
      call: "bind",
      arguments: [3, 0x1000, 28],
      memory: [
        1: [10, 0, 0, 80, 0, 0, 0, 0, 0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [
          1, 0, 0, 0, 0,
        ]
      ],
      text: "bind(3, {AF_INET6, [2001:db8::1]:80}, 28)"
    ),
    Sample(
      call: "connect",
      arguments: [3, 0x1000, 110],
      memory: [1: [1, 0] + RefusalFixture.text("/run/dbus/system_bus_socket")],
      text: #"connect(3, {AF_UNIX, "/run/dbus/system_bus_socket"}, 110)"#
    ),
    Sample(
      call: "connect",
      arguments: [3, 0x1000, 9],
      memory: [1: [1, 0, 0] + Array("a\u{1}b\"c".utf8)],
      text: #"connect(3, {AF_UNIX, abstract "a\x01b\"c"}, 9)"#
    ),
    Sample(call: "connect", arguments: [3, 0x1000, 16], memory: [1: [2]], text: "connect(3, 0x1000, 16)"),
    Sample(call: "sendto", arguments: [3, 0x1000, 5, 0, 0, 0], text: "sendto(3, …, 5, 0x0, NULL, 0)"),
  ]

  static let files: [Sample] = [
    Sample(
      call: "openat",
      arguments: [minus100, 0x1000, 0x80241, 0o4755],
      memory: [1: RefusalFixture.text("/session/x")],
      text: #"openat(AT_FDCWD, "/session/x", O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, S_ISUID|0o755)"#
    ),
    Sample(
      call: "openat",
      arguments: [UInt64(UInt32(bitPattern: -100)), 0x1000, 0, 0o777],
      memory: [1: RefusalFixture.text("/etc/passwd")],
      text: #"openat(AT_FDCWD, "/etc/passwd", O_RDONLY)"#
    ),
    Sample(
      call: "openat2",
      arguments: [minus100, 0x1000, 0x2000, 24],
      memory: [
        1: RefusalFixture.text("x"),
        2: RefusalFixture.bytes(0x42) + RefusalFixture.bytes(0o600) + RefusalFixture.bytes(8),
      ],
      text: #"openat2(AT_FDCWD, "x", {flags=O_RDWR|O_CREAT, mode=0o600, resolve=RESOLVE_BENEATH}, 24)"#
    ),
    Sample(
      call: "linkat",
      arguments: [minus100, 0x1000, 5, 0x2000, 0x400],
      memory: [1: RefusalFixture.text("a"), 3: RefusalFixture.text("b")],
      text: #"linkat(AT_FDCWD, "a", 5, "b", AT_SYMLINK_FOLLOW)"#
    ),
    Sample(
      call: "mknodat",
      arguments: [minus100, 0x1000, 0o20666, 0x103],
      memory: [1: RefusalFixture.text("null")],
      text: #"mknodat(AT_FDCWD, "null", S_IFCHR|0o666, makedev(1, 3))"#
    ),
    Sample(
      call: "fchmodat2",
      arguments: [minus100, 0x1000, 0o6755, 0x1000],
      memory: [1: [0xFF, 0x0A, 0xC3, 0xBC, 0]],
      text: #"fchmodat2(AT_FDCWD, "\xff\nü", S_ISUID|S_ISGID|0o755, AT_EMPTY_PATH)"#
    ),
    Sample(
      call: "mount",
      arguments: [0, 0x1000, 0x2000, 0x1001, 0],
      memory: [1: RefusalFixture.text("/mnt"), 2: RefusalFixture.text("tmpfs")],
      text: #"mount(NULL, "/mnt", "tmpfs", MS_RDONLY|MS_BIND, NULL)"#
    ),
    Sample(
      call: "move_mount",
      arguments: [3, 0x1000, minus100, 0x2000, 4],
      memory: [1: [0], 3: RefusalFixture.text("/x")],
      text: #"move_mount(3, "", AT_FDCWD, "/x", MOVE_MOUNT_F_EMPTY_PATH)"#
    ),
    Sample(
      call: "memfd_create",
      arguments: [0x1000, 3],
      memory: [0: RefusalFixture.text("code")],
      text: #"memfd_create("code", MFD_CLOEXEC|MFD_ALLOW_SEALING)"#
    ),
    Sample(call: "memfd_create", arguments: [0x1000, 0], text: "memfd_create(0x1000, 0)"),
    Sample(
      call: "execveat",
      arguments: [minus100, 0x1000, 0x2000, 0x3000, 0],
      memory: [1: RefusalFixture.text("/usr/bin/id")],
      text: #"execveat(AT_FDCWD, "/usr/bin/id", …, …, 0)"#
    ),
  ]

  static let kernel: [Sample] = [
    Sample(
      call: "clone",
      arguments: [0x1000_0011, 0, 0, 0, 0],
      text: "clone(CLONE_NEWUSER|SIGCHLD, NULL, NULL, NULL, NULL)"
    ),
    Sample(call: "unshare", arguments: [0x4002_0000], text: "unshare(CLONE_NEWNS|CLONE_NEWNET)"),
    Sample(call: "setns", arguments: [4, 0x80], text: "setns(4, CLONE_NEWTIME)"),
    Sample(
      call: "clone3",
      arguments: [0x1000, 88],
      memory: [
        0: RefusalFixture.bytes(0x2000_0100) + Array(repeating: 0, count: 24) + RefusalFixture.bytes(17)
      ],
      text: "clone3({flags=CLONE_VM|CLONE_NEWPID, exit_signal=SIGCHLD}, 88)"
    ),
    Sample(call: "ptrace", arguments: [16, 1, 0, 0], text: "ptrace(PTRACE_ATTACH, 1, NULL, NULL)"),
    Sample(
      call: "prctl",
      arguments: [22, 2, 0x1000, 0, 0],
      text: "prctl(PR_SET_SECCOMP, 0x2, 0x1000, 0x0, 0x0)"
    ),
    Sample(
      call: "ioctl",
      arguments: [0, 1 << 32 | 0x5412, 0x1000],
      text: "ioctl(0, TIOCSTI (and 0x1 in the upper 32 bits), 0x1000)"
    ),
    Sample(call: "ioctl", arguments: [0, 0xFFFF_FFFF_8004_5430, 0], text: "ioctl(0, TIOCGPTN, 0x0)"),
    Sample(call: "ioctl", arguments: [0, 0xABCD_EF01, 0], text: "ioctl(0, 0xabcdef01, 0x0)"),
    Sample(
      call: "add_key",
      arguments: [0x1000, 0x2000, 0x3000, 6, UInt64(bitPattern: -3)],
      memory: [0: RefusalFixture.text("user"), 1: RefusalFixture.text("secret")],
      text: #"add_key("user", "secret", …, 6, KEY_SPEC_SESSION_KEYRING)"#
    ),
    Sample(call: "keyctl", arguments: [11, 7, 0, 0, 0], text: "keyctl(KEYCTL_READ, 0x7, 0x0, 0x0, 0x0)"),
    Sample(call: "bpf", arguments: [5, 0x1000, 120], text: "bpf(BPF_PROG_LOAD, …, 120)"),
    Sample(
      call: "perf_event_open",
      arguments: [0x1000, UInt64(UInt32.max), 0, UInt64(UInt32.max), 8],
      memory: [
        0: RefusalFixture.bytes(1, count: 4) + RefusalFixture.bytes(112, count: 4) + RefusalFixture.bytes(3)
      ],
      text: "perf_event_open({type=PERF_TYPE_SOFTWARE, config=0x3}, -1, 0, -1, PERF_FLAG_FD_CLOEXEC)"
    ),
    Sample(call: "kill", arguments: [UInt64(bitPattern: -1), 9], text: "kill(-1, SIGKILL)"),
    Sample(call: "personality", arguments: [0x40008], text: "personality(PER_LINUX32|ADDR_NO_RANDOMIZE)"),
    Sample(
      call: "sched_setscheduler",
      arguments: [0, 1, 0x1000],
      text: "sched_setscheduler(0, SCHED_FIFO, …)"
    ),
    Sample(
      call: "seccomp",
      arguments: [1, 8, 0x1000],
      text: "seccomp(SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, …)"
    ),
    Sample(call: "io_uring_setup", arguments: [8, 0x1000], text: "io_uring_setup(8, …)"),
    Sample(call: "setuid", arguments: [0], text: "setuid(0)"),
    Sample(call: "sync", arguments: [1, 2, 3], text: "sync()"),
  ]

  @Test(arguments: network + files + kernel)
  func `prints a call with the notation of its man page`(_ sample: Sample) throws {
    let refusal = try RefusalFixture.refusal(sample.call, sample.arguments, memory: sample.memory)
    #expect(refusal.callText == sample.text)
  }

  @Test func `bounds memory requests and makes none for null addresses`() {
    #expect(CallDecoder.requests(call: "connect", arguments: [3, 0x1000, .max]).first?.length == 128)
    #expect(CallDecoder.requests(call: "mount", arguments: [0, 0, 0, 0, 0]) == [])
    #expect(CallDecoder.requests(call: "open", arguments: []) == [])
    #expect(CallDecoder.requests(call: "no such call", arguments: [1, 1, 1, 1, 1, 1]) == [])
    #expect(
      CallDecoder.requests(call: "rename", arguments: [0x10, 0x20])
        == [
          MemoryRequest(argument: 0, address: 0x10, length: 1024, kind: .text),
          MemoryRequest(argument: 1, address: 0x20, length: 1024, kind: .text),
        ]
    )
  }

  @Test func `truncates a long string and stops at the terminating zero byte`() throws {
    let long = try RefusalFixture.refusal(
      "chroot",
      [0x1000],
      memory: [0: Array(repeating: 0x61, count: 1024)]
    )
    #expect(long.callText.hasSuffix("\"…)"))
    #expect(long.callText.utf8.count < 300)
    let short = try RefusalFixture.refusal("chroot", [0x1000], memory: [0: Array("a\0b".utf8)])
    #expect(short.callText == #"chroot("a")"#)
  }

  @Test func `escapes terminal control and text direction characters`() throws {
    let text = "\u{1B}[2J\u{202E}x\u{9B}\u{2028}\u{7F}\\"
    let refusal = try RefusalFixture.refusal("chroot", [0x1000], memory: [0: RefusalFixture.text(text)])
    #expect(refusal.callText == #"chroot("\x1b[2J\u{202e}x\u{9b}\u{2028}\x7f\\")"#)
  }

  @Test func `an unknown call number is printed with its six arguments`() throws {
    let denied = DeniedCall(
      number: 99_999,
      arguments: [1, 2, 3, 4, 5, 6, 7],
      thread: 1,
      program: "",
      at: 0,
      memory: []
    )
    let refusal = Refusal(denied, policy: try RefusalFixture.policy("base"))
    #expect(refusal.callText == "call 99999(0x1, 0x2, 0x3, 0x4, 0x5, 0x6)")
    #expect(refusal.sentence.hasPrefix("the extension (thread 1) was refused"))
    #expect(refusal.origin == .unknown && refusal.fix.policy == nil)
  }

  /// Names of each kind that policies use. The decoder and the policy grammar have independent tables.
  private static let decodedNames = [
    "AF_INET6", "AF_NETLINK", "CLONE_FILES", "CLONE_NEWUSER", "CLONE_VFORK", "FIOCLEX", "FIONREAD",
    "F_ADD_SEALS", "F_DUPFD_CLOEXEC", "F_SETFL", "F_SETPIPE_SZ", "O_CREAT", "PROT_EXEC", "PROT_WRITE",
    "PR_CAP_AMBIENT", "PR_GET_NAME", "PR_SET_MM", "PR_SET_NO_NEW_PRIVS", "PR_SET_VMA", "S_ISGID", "S_ISUID",
    "S_ISVTX", "TCGETS", "TCGETS2", "TCSETSW2", "TCXONC", "TIOCGWINSZ", "TIOCLINUX", "TIOCSTI",
  ]

  @Test func `decoded names match the constants of the policy grammar`() {
    let samples: [(prefix: String, call: String, index: Int)] = [
      ("PR_", "prctl", 0), ("TC", "ioctl", 1), ("TIO", "ioctl", 1), ("FIO", "ioctl", 1),
      ("CLONE_", "unshare", 0),
      ("AF_", "socket", 0), ("F_", "fcntl", 1), ("S_IS", "chmod", 1), ("O_", "open", 1),
      ("PROT_", "mprotect", 2),
    ]
    for name in Self.decodedNames {
      guard let value = ConstantTable.narrowValue(of: name),
        let sample = samples.first(where: { name.hasPrefix($0.prefix) })
      else {
        Issue.record("\(name) is not a known constant")
        continue
      }
      var arguments: [UInt64] = [0, 0, 0, 0, 0, 0]
      arguments[sample.index] = UInt64(value)
      let decoded = CallDecoder.decode(call: sample.call, arguments: arguments)[sample.index].text
      #expect(decoded.split(separator: "|").contains(Substring(name)), "\(name) reads \(decoded)")
    }
  }

  @Test func `each call of the machine has a signature`() {
    let unknown = SystemCallTable.native.names.values.filter { call in
      CallDecoder.decode(call: call, arguments: []).first?.name == "argument0"
    }
    // Calls that no kernel has implemented for twenty years, or that only the kernel itself makes.
    let undocumented: Set = [
      "create_module", "get_kernel_syms", "query_module", "nfsservctl", "getpmsg", "putpmsg", "afs_syscall",
      "tuxcall",
      "security", "vserver", "epoll_ctl_old", "epoll_wait_old", "uprobe", "uretprobe", "set_thread_area",
      "get_thread_area", "rseq_slice_yield",
    ]
    #expect(Set(unknown).subtracting(undocumented) == [])
  }
}
