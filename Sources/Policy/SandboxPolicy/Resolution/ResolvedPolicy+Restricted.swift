// SPDX-License-Identifier: Apache-2.0

extension ResolvedPolicy {
  /// Returns the policy reduced to the calls that are safe in a session without namespaces.
  ///
  /// Outside namespaces, the extension runs with the user's UID. Calls that take a process ID or a name then
  /// reach every process and file of the user.
  ///
  /// `signalsAreScoped` is whether Landlock restricts signals to the session. Otherwise, the session can
  /// signal only its own process group: a filter compares with constants, and no process ID is known in
  /// advance.
  package func restricted(signalsAreScoped: Bool) -> ResolvedPolicy {
    var policy = self
    let forbidden = RestrictedCalls.forbidden.union(signalsAreScoped ? [] : RestrictedCalls.signals)
    policy.calls = calls.filter { !forbidden.contains($0.call) }.flatMap { rule in
      RestrictedCalls.limited(rule, signalsAreScoped: signalsAreScoped)
    }
    return policy
  }
}

/// The calls that a session without namespaces may not make, or only with certain arguments.
package enum RestrictedCalls {
  /// Returns the reason for which a session without namespaces may not make a call that its policy allows, or
  /// `nil` if the lack of namespaces is not the reason.
  package static func reason(for call: String, signalsAreScoped: Bool) -> String? {
    switch call {
    case _ where metadata.contains(call):
      "without namespaces, the call can change or read attributes of every file of the user, which Landlock does not "
        + "prevent"
    case _ where watches.contains(call):
      "without namespaces, the call reveals the names of the user's files, which Landlock does not prevent"
    case _ where objects.contains(call): "without namespaces, the call uses objects of the whole machine"
    case "setsid", "setpgid":
      "without namespaces, a session is terminated by its process group, which no process may leave"
    case "fcntl": "without namespaces, the call could signal, block or watch other processes of the user"
    case "prctl": "without namespaces, the extension must die with the session's init"
    case _ where processes.contains(call):
      "without namespaces, the call reaches other processes of the user"
    case "kill" where !signalsAreScoped, _ where signals.contains(call) && !signalsAreScoped:
      "without namespaces and without Landlock's signal scope (requires Linux 6.12), the call reaches other "
        + "processes of the user"
    default: nil
    }
  }

  /// The calls that are denied regardless of the policy.
  static let forbidden: Set<String> = metadata.union(watches).union(objects).union(processes)

  /// Calls that Landlock does not restrict. The user owns the files, so these calls could change owner, mode,
  /// times and attributes of each of them by name. By descriptor, they could also change files that are
  /// exposed read-only.
  static let metadata: Set<String> = [
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "fchownat", "lchown", "utime", "utimes",
    "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr",
    "lremovexattr",
    "fremovexattr", "removexattrat", "getxattr", "lgetxattr", "getxattrat", "listxattr", "llistxattr",
    "listxattrat", "file_getattr", "file_setattr", "mincore", "cachestat",
  ]

  /// Calls that Landlock does not restrict either; a watch on a directory reveals the names in it.
  static let watches: Set<String> = [
    "inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch",
  ]

  /// System V objects and message queues; without a namespace, they are shared with the whole machine.
  static let objects: Set<String> = [
    "shmget", "shmat", "shmdt", "shmctl", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd",
    "msgrcv",
    "msgctl", "mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr",
  ]

  /// Calls that name other processes, and calls that leave the process group by which the session is
  /// terminated.
  static let processes: Set<String> = [
    "setsid", "setpgid", "pidfd_open", "process_mrelease", "migrate_pages", "move_pages", "get_robust_list",
  ]

  /// Calls that signal a process by its ID; `kill` on the own process group stays allowed.
  static let signals: Set<String> = [
    "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal",
  ]

  /// The commands of fcntl(2) that stay allowed. Commands are excluded that make the kernel send signals
  /// (`F_SETOWN`, `F_SETOWN_EX`), block other processes (`F_SETLEASE`) or watch a directory (`F_NOTIFY`).
  static let fileCommands: [UInt32] = Array(0...7) + [9, 10, 11, 16, 36, 37, 38, 1025] + Array(1027...1038)

  /// Returns the rule with additional conditions: several rules if several values stay allowed.
  static func limited(_ rule: SyscallRule, signalsAreScoped: Bool) -> [SyscallRule] {
    switch rule.call {
    case "fcntl": return fileCommands.compactMap { rule.requiring(1, $0) }
    // The extension receives a signal when its init process exits, and may not disable it
    // (`PR_SET_PDEATHSIG`).
    case "prctl": return rule.conditions.contains(ArgumentCondition(index: 0, value: 1)) ? [] : [rule]
    case "kill" where !signalsAreScoped: return [rule.requiring(0, 0)].compactMap(\.self)
    default: return [rule]
    }
  }
}

extension SyscallRule {
  /// Returns the rule with the additional condition that an argument has this value, or `nil` if the rule
  /// requires another value.
  fileprivate func requiring(_ index: Int, _ value: UInt32) -> SyscallRule? {
    let condition = ArgumentCondition(index: index, value: value)
    guard let present = conditions.first(where: { $0.index == index }) else {
      var rule = self
      rule.conditions.append(condition)
      return rule
    }
    // A filter compares each argument once, so the exact comparison replaces a looser one.
    guard value & present.mask == present.value else { return nil }
    var rule = self
    rule.conditions = conditions.map { $0.index == index ? condition : $0 }
    return rule
  }
}
