// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Facts about a refused call that do not depend on the policy.
struct CallAdvice {
  /// The reason why no policy can allow the call, if it is more specific than that of the core area.
  private(set) var rationale: String?
  /// An alternative for the program, as an imperative.
  private(set) var alternative: String?
  /// The mechanism that refuses the call even if a policy allows it.
  private(set) var caveat: String?

  /// Creates the advice for a call with its arguments.
  init(_ call: String, _ arguments: [UInt64]) {
    if let own = Self.calls[call] { (alternative, caveat) = own }
    switch (call, arguments.first.map { UInt32(truncatingIfNeeded: $0) }) {
    case ("socket", 1):
      rationale = "an extension has no socket that leads out, so that it reaches no service of the host"
      alternative =
        "use pipes or socketpair between processes of its own, and the session directory for what the app should get"
    case ("socketpair", 1):
      rationale = "a pair of datagram sockets could send to every named socket of the machine"
      alternative =
        Self.isConnected(type: arguments)
        ? "use pipes between processes of its own" : "use SOCK_STREAM or SOCK_SEQPACKET"
    case ("socket", 16):
      rationale = "the network is never open to an extension, nor its configuration"
      alternative = "do without the list of interfaces; there is none to see"
    case ("sendmmsg", _), ("recvmmsg", _):
      rationale = "a filter cannot see the flags of several messages"
      alternative = "use sendmsg or recvmsg for each message"
    case ("sendmsg", _), ("recvmsg", _), ("recvfrom", _):
      rationale = "out-of-band data of sockets is kernel code that no extension needs"
      alternative = "use read and write, or leave out MSG_OOB"
    case ("sendto", _):
      rationale = "an extension sends to no address, and sends no out-of-band data"
      alternative = "use write, or send without an address and without MSG_OOB"
    case ("getsockopt", _), ("setsockopt", _):
      rationale = "this option loads filters into the kernel, or enlarges what it keeps for a socket"
      alternative = "leave the option as it is"
    case ("clone", let flags?) where flags & PolicyCore.namespaceFlags == 0: alternative = Self.processes.0
    case ("ioctl", _):
      rationale = "this request types into terminals, takes them over or changes what files mean"
    default: break
    }
  }

  /// Returns whether the type argument of socketpair(2) creates ends that stay connected to each other.
  private static func isConnected(type arguments: [UInt64]) -> Bool {
    guard arguments.count > 1 else { return false }
    return [1, 5].contains(arguments[1] & 0xF)
  }

  private static let userIdentity = (
    "run as the one user that there is inside" as String?,
    "the kernel then refuses it for want of a capability" as String?
  )

  private static let sharedMemory = (
    "share memory by mmap with MAP_SHARED before fork, or by memfd_create" as String?, nil as String?
  )

  private static let links = (
    "write a second file, or rename the first" as String?,
    "Landlock allows no hard link between directories, and one in /session would be kept from the app"
      as String?
  )

  private static let symbolicLinks = (
    "write the file itself where the link would be" as String?,
    "Landlock allows symbolic links below /container only" as String?
  )

  private static let nodes = (
    "use a pipe between processes of its own" as String?,
    "Landlock allows named pipes below /container only, and devices nowhere" as String?
  )

  private static let attributes = (
    "keep such facts in a file of their own" as String?,
    "attributes are removed before the app gets a file" as String?
  )

  private static let specialBits = (
    "leave out set-user-ID, set-group-ID and sticky bits" as String?,
    "the special bits are cleared before the app gets the file" as String?
  )

  private static let processes = ("do it in one process, with threads" as String?, nil as String?)

  private static let code = ("make no new code while the program runs" as String?, nil as String?)

  /// The alternatives, and the mechanisms that refuse the calls even if a policy allows them.
  private static let calls: [String: (String?, String?)] = [
    "setuid": userIdentity, "setgid": userIdentity, "setreuid": userIdentity, "setregid": userIdentity,
    "setresuid": userIdentity,
    "setresgid": userIdentity, "setfsuid": userIdentity, "setfsgid": userIdentity, "setgroups": userIdentity,
    "capset": userIdentity,
    "shmget": sharedMemory, "shmat": sharedMemory, "semget": sharedMemory, "msgget": sharedMemory,
    "mq_open": sharedMemory, "link": links, "linkat": links, "symlink": symbolicLinks,
    "symlinkat": symbolicLinks, "mknod": nodes, "mknodat": nodes, "setxattr": attributes,
    "lsetxattr": attributes, "fsetxattr": attributes, "setxattrat": attributes, "chmod": specialBits,
    "fchmod": specialBits, "fchmodat": specialBits, "fchmodat2": specialBits, "open": specialBits,
    "openat": specialBits, "creat": specialBits, "mkdir": specialBits, "mkdirat": specialBits,
    "fork": processes, "vfork": processes, "execve": processes, "execveat": processes, "mmap": code,
    "mprotect": code, "pkey_mprotect": code,
    "memfd_create": ("use a file in /container" as String?, nil as String?),
    "openat2": ("use openat" as String?, nil as String?),
    "memfd_secret": ("use memfd_create" as String?, nil as String?),
  ]
}

extension CoreArea {
  /// The reason why the policy core refuses the area for every extension.
  var rationale: String {
    switch self {
    case .network: "the network is never open to an extension"
    case .namespaces: "an extension makes and enters no namespaces"
    case .mounts: "an extension sees and changes no mounts"
    case .asynchronousCalls: "io_uring makes calls that no filter sees"
    case .keyrings: "the kernel's keys belong to the host"
    case .otherProcesses: "an extension looks into no other process"
    case .scheduling: "an extension has a hand on nobody's scheduling but its own"
    case .kernelPrograms: "an extension runs no programs in the kernel and traces nothing"
    case .userFaults: "page faults that a program handles help to attack the kernel"
    case .fileHandles: "file handles open files outside what an extension is shown"
    case .machine: "the machine is not an extension's to change"
    case .clock: "the machine's clocks are not an extension's to set"
    case .hardware: "an extension has no direct use of hardware"
    case .personality: "other personalities of the kernel switch protections off"
    case .filterListeners: "a filter with a listener would let an extension answer its own calls"
    case .deviceRequests: "requests to drivers are open one by one only"
    case .hiddenFlags: "no filter sees the flags of clone3"
    }
  }

  /// An alternative for the program, as an imperative.
  var alternative: String {
    switch self {
    case .network: "write to the session directory and let the app send it"
    case .namespaces: "switch off the program's own sandbox; it runs in one already"
    case .mounts: "use the paths as they are; \"readOnly\" in a policy shows more of them"
    case .asynchronousCalls: "use read, write and epoll"
    case .keyrings: "keep secrets in memory of its own"
    case .otherProcesses: "debug the program outside the sandbox"
    case .scheduling: "let each thread ask for itself, with 0 in the place of a number"
    case .kernelPrograms: "measure the program outside the sandbox"
    case .userFaults: "touch the memory beforehand"
    case .fileHandles: "open the file by its path"
    case .machine: "leave it to whoever administers the host"
    case .clock: "take the time as it is"
    case .hardware: "take frames from the host with camera/start"
    case .personality: "run the program without setarch"
    case .filterListeners: "leave out SECCOMP_FILTER_FLAG_NEW_LISTENER"
    case .deviceRequests: "do without the request"
    case .hiddenFlags: "use clone, as C libraries do by themselves"
    }
  }
}
