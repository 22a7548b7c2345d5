// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Facts about a refused call that do not depend on the policy.
struct CallAdvice {
  /// The reason why no policy can allow the call, if it is more specific than that of the core area.
  private(set) var rationale: String?
  /// An alternative for the program, as an imperative.
  private(set) var alternative: String?
  /// A restriction of the call's effect or use that remains if a policy allows it.
  private(set) var caveat: String?
  /// The only directory in which Landlock permits the call, or `nil` if Landlock does not restrict the call to
  /// one directory.
  private(set) var directory: String?
  /// The mechanism that refuses the call under every policy, or `nil` if there is none.
  private(set) var obstacle: String?

  /// The rationale and the alternative for calls on sockets.
  private static let socketCalls: [String: (rationale: String, alternative: String)] = {
    let several = (
      "a filter cannot read the flags of several messages", "use sendmsg or recvmsg for each message"
    )
    let outOfBand = (
      "out-of-band data would expose kernel code that no extension needs",
      "use read and write, or omit MSG_OOB"
    )
    let option = (
      "this option loads filters into the kernel or enlarges socket buffers", "do not change the option"
    )
    return [
      "sendmmsg": several, "recvmmsg": several, "sendmsg": outOfBand, "recvmsg": outOfBand,
      "recvfrom": outOfBand, "getsockopt": option, "setsockopt": option,
      "sendto": (
        "an extension cannot send to an address or send out-of-band data",
        "use write, or send without an address and without MSG_OOB"
      ),
    ]
  }()

  /// Creates the advice for a call with its arguments.
  ///
  /// In a session with namespaces, the host answers calls that set an unchanged ID, so a refused call would
  /// change the ID. `mayBeRestricted` is whether the session may have no namespaces.
  init(_ call: String, _ arguments: [UInt64], mayBeRestricted: Bool) {
    if let own = Self.calls[call] { (alternative, caveat) = own }
    if let own = Self.socketCalls[call] { (rationale, alternative) = own }
    let words = (0..<6).map { arguments.indices.contains($0) ? UInt32(truncatingIfNeeded: arguments[$0]) : 0 }
    switch (call, arguments.first.map { UInt32(truncatingIfNeeded: $0) }) {
    case ("socket", 1):
      rationale = "an extension cannot connect to services of the host"
      alternative = "use pipes between the session's processes, and write files for the app to /session"
    case ("socketpair", 1):
      rationale = "a pair of datagram sockets could send to every named socket of the machine"
      alternative =
        Self.isConnected(type: arguments)
        ? "use pipes between the session's processes" : "use SOCK_STREAM or SOCK_SEQPACKET"
    case ("socket", 16):
      rationale = "an extension can access neither the network nor its configuration"
      alternative = "do not list network interfaces; a session has none"
    // A thread is not a process that threads could replace.
    case ("clone", let flags?) where flags & (PolicyCore.namespaceFlags | Self.threadFlag) == 0:
      alternative = Self.processes.0
    case ("ioctl", _):
      rationale = "the request injects input into a terminal, takes it over or changes file attributes"
    case ("symlink", _), ("symlinkat", _):
      alternative = "create a regular file instead of the link"
      directory = "/container"
    case ("mknod", _): adviseOnNode(type: words[1] & Self.fileType)
    case ("mknodat", _): adviseOnNode(type: words[2] & Self.fileType)
    case ("mmap", _), ("mprotect", _), ("pkey_mprotect", _):
      if words[2] & Self.executable != 0 { alternative = "do not create code at run time" }
    case ("prctl", let option?): obstacle = Self.privilegedOptions[option]
    case ("setgroups", _): obstacle = "a session lacks the capability CAP_SETGID"
    case _ where Self.identityCalls.contains(call):
      alternative = "do not change users or groups; a session has one user and one group"
      caveat = "a session has no capabilities, so the call can only set the current ID"
      if !mayBeRestricted { obstacle = "a session has no capabilities to change its user or group" }
    default:
      if let index = Self.modes[call], words[index] & Self.specialBits != 0 {
        alternative = "omit the set-user-ID, set-group-ID and sticky bits"
        caveat = "the special bits are cleared before the app receives the file"
      }
    }
  }

  /// Sets the advice for mknod(2). Landlock permits regular files in all writable directories, and named pipes
  /// only below `/container`.
  private mutating func adviseOnNode(type: UInt32) {
    switch type {
    case 0, 0x8000: alternative = "use open with O_CREAT"
    case 0x1000:
      alternative = "use a pipe between the session's processes"
      directory = "/container"
    default: obstacle = "Landlock refuses device nodes and sockets"
    }
  }

  /// Returns whether the type argument of socketpair(2) creates ends that stay connected to each other.
  private static func isConnected(type arguments: [UInt64]) -> Bool {
    guard arguments.count > 1 else { return false }
    return [1, 5].contains(arguments[1] & 0xF)
  }

  /// The corresponding constant is `CLONE_THREAD`.
  private static let threadFlag: UInt32 = 0x1_0000
  /// The corresponding constant is `PROT_EXEC`.
  private static let executable: UInt32 = 0x4
  /// The corresponding constant is `S_IFMT`.
  private static let fileType: UInt32 = 0xF000
  /// The corresponding constants are `S_ISUID`, `S_ISGID` and `S_ISVTX`.
  private static let specialBits: UInt32 = 0xE00

  /// The calls that set a mode, with the index of the mode.
  private static let modes = [
    "open": 2, "openat": 3, "creat": 1, "mkdir": 1, "mkdirat": 2, "chmod": 1, "fchmod": 1, "fchmodat": 2,
    "fchmodat2": 2,
  ]

  /// The reasons why options of prctl(2) always fail: `PR_CAPBSET_DROP`, `PR_SET_SECUREBITS` and
  /// `PR_SET_IO_FLUSHER`.
  private static let privilegedOptions: [UInt32: String] = [
    24: "a session lacks the capability CAP_SETPCAP", 28: "a session lacks the capability CAP_SETPCAP",
    57: "a session lacks the capability CAP_SYS_RESOURCE",
  ]

  /// The calls that set user or group IDs.
  private static let identityCalls: Set<String> = [
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid",
  ]

  private static let capabilities = (
    "do not change capabilities; a session has none" as String?,
    "a session has no capabilities, so the call cannot add any" as String?
  )

  private static let sharedMemory = (
    "share memory by mmap with MAP_SHARED before fork, or by memfd_create" as String?, nil as String?
  )

  private static let messages = ("use pipes between the session's processes" as String?, nil as String?)

  private static let links = (
    "copy or rename the file" as String?, "hard links in /session are not delivered to the app" as String?
  )

  private static let attributes = (
    "store the data in a file" as String?,
    "attributes are removed before the app receives a file" as String?
  )

  private static let processes = ("use threads in one process" as String?, nil as String?)

  /// The alternatives and the caveats of calls, regardless of their arguments.
  private static let calls: [String: (String?, String?)] = [
    "setgroups": ("do not change groups; a session has no supplementary groups" as String?, nil as String?),
    "capset": capabilities,
    "shmget": sharedMemory, "shmat": sharedMemory, "semget": messages, "msgget": messages,
    "mq_open": messages, "link": links, "linkat": links, "setxattr": attributes,
    "lsetxattr": attributes, "fsetxattr": attributes, "setxattrat": attributes,
    "fork": processes, "vfork": processes, "execve": processes, "execveat": processes,
    "memfd_create": ("use a file in /container" as String?, nil as String?),
    "openat2": ("use openat" as String?, nil as String?),
    "memfd_secret": ("use memfd_create" as String?, nil as String?),
  ]
}

extension CoreArea {
  /// The reason why the policy core refuses the area for every extension.
  var rationale: String {
    switch self {
    case .network: "an extension has no network access"
    case .namespaces: "an extension cannot create or enter namespaces"
    case .mounts: "an extension cannot see or change mounts"
    case .asynchronousCalls: "io_uring executes operations that bypass the filter"
    case .keyrings: "the kernel's keyrings belong to the host"
    case .otherProcesses: "an extension cannot inspect other processes"
    case .scheduling: "an extension can change only its own scheduling"
    case .kernelPrograms: "an extension cannot load programs into the kernel or trace it"
    case .userFaults: "page faults that a program handles help to exploit the kernel"
    case .fileHandles: "file handles can open files that are not visible in the session"
    case .machine: "an extension cannot change the machine"
    case .clock: "an extension cannot set the machine's clocks"
    case .hardware: "an extension has no direct hardware access"
    case .personality: "other personalities disable protections of the kernel"
    case .filterListeners: "a filter with a listener would let an extension handle its own calls"
    case .deviceRequests: "requests to drivers are allowed only individually"
    case .hiddenFlags: "a filter cannot read the flags of clone3"
    }
  }

  /// An alternative for the program, as an imperative.
  var alternative: String {
    switch self {
    case .network: "write files to /session, and let the app send them"
    case .namespaces: "disable the program's own sandbox; the program already runs in a sandbox"
    case .mounts: "use the existing paths; \"readOnly\" in a policy adds more"
    case .asynchronousCalls: "use read, write and epoll"
    case .keyrings: "keep secrets in the program's memory"
    case .otherProcesses: "debug the program outside the sandbox"
    case .scheduling: "call it in each thread, with 0 as the process ID"
    case .kernelPrograms: "measure the program outside the sandbox"
    case .userFaults: "touch the memory beforehand"
    case .fileHandles: "open the file by its path"
    case .machine: "have the host's administrator do it"
    case .clock: "use the current time"
    case .hardware: "take frames from the host with camera/start"
    case .personality: "run the program without setarch"
    case .filterListeners: "omit SECCOMP_FILTER_FLAG_NEW_LISTENER"
    case .deviceRequests: "omit the request"
    case .hiddenFlags: "use clone, as C libraries do automatically"
    }
  }
}
