// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SystemCalls

/// An operation that a program performs by a system call, and that is of interest to an auditor.
struct AuditedOperation: Sendable {
  /// The identifier for programs.
  var id: String
  /// The description, as the end of a question.
  var summary: String
  /// The calls that perform the operation; one is sufficient.
  var patterns: [CallPattern]

  /// A call with a condition on its arguments.
  struct CallPattern: Sendable {
    /// The name of the call.
    var call: String
    /// The condition on an argument, or `nil` if any arguments perform the operation.
    var condition: (index: Int, mask: UInt64, value: UInt64)?

    /// Creates a pattern from a call and a condition.
    init(_ call: String, _ condition: (index: Int, mask: UInt64, value: UInt64)? = nil) {
      self.call = call
      self.condition = condition
    }
  }

  /// Creates an operation that each of several calls performs.
  init(_ id: String, _ words: String, _ calls: [String]) {
    self.init(id, words, calls.map { CallPattern($0) })
  }

  /// Creates an operation from its parts.
  init(_ id: String, _ words: String, _ ways: [CallPattern]) {
    self.id = id
    self.summary = words
    self.patterns = ways
  }

  /// Returns the permitted calls that perform the operation.
  func calls(_ permitted: CallSet) throws(AnalysisError) -> [String] {
    let space = permitted.space
    let table = CallTable.of(.native)
    let own = try permitted.intersection(space.architecture(CallArchitecture.native.auditArchitecture))
    var names: [String] = []
    for way in patterns {
      guard let number = table.number(of: way.call), !names.contains(way.call) else { continue }
      var made = try own.intersection(space.numbers(number...number))
      if let condition = way.condition {
        made = try made.intersection(
          space.argument(condition.index, mask: condition.mask, equals: condition.value)
        )
      }
      if !made.isEmpty { names.append(way.call) }
    }
    return names
  }
}

extension AuditedOperation {
  /// Returns a call of socket(2) with an address family.
  private static func socket(_ family: UInt64) -> CallPattern {
    CallPattern("socket", (0, 0xFFFF_FFFF, family))
  }

  /// Returns a call of clone(2) with a flag. The flags are the first argument on every supported
  /// architecture.
  private static func clone(_ flag: UInt64) -> CallPattern { CallPattern("clone", (0, flag, flag)) }

  /// The operations in a report, the most serious first.
  static let all: [AuditedOperation] = [
    AuditedOperation("internet", "open network sockets (IPv4, IPv6)", [socket(2), socket(10)]),
    AuditedOperation("localSocket", "open sockets to programs of this machine (Unix)", [socket(1)]),
    AuditedOperation("rawSocket", "open packet or netlink sockets", [socket(16), socket(17)]),
    AuditedOperation("vsock", "open sockets to the hypervisor (AF_VSOCK)", [socket(40)]),
    AuditedOperation(
      "namespaces",
      "create or enter namespaces",
      [
        CallPattern("unshare"), CallPattern("setns"), CallPattern("clone3"), clone(0x1000_0000),
        clone(0x2_0000), clone(0x4000_0000),
      ]
    ),
    AuditedOperation(
      "mounts",
      "change mounts or the root",
      [
        "mount", "umount2", "pivot_root", "chroot", "fsopen", "fsmount", "move_mount", "open_tree",
        "mount_setattr",
      ]
    ),
    AuditedOperation(
      "otherProcesses",
      "read or change other processes",
      ["ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp"]
    ),
    AuditedOperation("kernelPrograms", "load programs into the kernel", ["bpf", "perf_event_open"]),
    AuditedOperation(
      "ioUring",
      "use io_uring, whose operations bypass the filter",
      ["io_uring_setup", "io_uring_enter", "io_uring_register"]
    ),
    AuditedOperation("keyrings", "use the kernel's keyrings", ["add_key", "request_key", "keyctl"]),
    AuditedOperation("userFaults", "stall the kernel with userfaultfd", ["userfaultfd"]),
    AuditedOperation("fileHandles", "open files by handle, without a path", ["open_by_handle_at"]),
    AuditedOperation(
      "modules",
      "load kernel modules or another kernel, or reboot",
      ["init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot"]
    ),
    AuditedOperation(
      "clock",
      "set the clocks of the machine",
      ["settimeofday", "clock_settime", "adjtimex", "clock_adjtime"]
    ),
    AuditedOperation(
      "typing",
      "insert input into a terminal (ioctl TIOCSTI)",
      [CallPattern("ioctl", (1, 0xFFFF_FFFF, 0x5412))]
    ),
    AuditedOperation(
      "identity",
      "change its UIDs or GIDs",
      ["setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups"]
    ),
    AuditedOperation("deviceFiles", "create device files", ["mknod", "mknodat"]),
    AuditedOperation(
      "personality",
      "disable address space randomization (personality)",
      [CallPattern("personality", (0, 0xFFFF_FFFF, 0x004_0000))]
    ),
    AuditedOperation(
      "sharedMemory",
      "create persistent System V objects",
      ["shmget", "semget", "msgget"]
    ),
    AuditedOperation(
      "writtenCode",
      "map memory that is writable and executable",
      [
        CallPattern("mmap", (2, 6, 6)), CallPattern("mprotect", (2, 6, 6)),
      ]
    ),
    AuditedOperation("programs", "start other programs", ["execve", "execveat"]),
  ]
}
