// SPDX-License-Identifier: Apache-2.0

extension ResolvedPolicy {
  /// What is left of the policy's calls in a session without namespaces, where the extension is the user itself and
  /// every process and file of the user is in reach of a call that takes its number or its name.
  ///
  /// `signalsAreScoped` says that Landlock keeps signals inside the session. Where it cannot, nobody can be signalled
  /// but the session's own process group: a filter compares numbers with constants, and no number is known beforehand.
  package func restricted(signalsAreScoped: Bool) -> ResolvedPolicy {
    var policy = self
    let forbidden = RestrictedCalls.forbidden.union(signalsAreScoped ? [] : RestrictedCalls.signals)
    policy.calls = calls.filter { !forbidden.contains($0.call) }.flatMap { rule in
      RestrictedCalls.limited(rule, signalsAreScoped: signalsAreScoped)
    }
    return policy
  }
}

/// What a session without namespaces may not call, or only with certain arguments.
package enum RestrictedCalls {
  /// Why a session without namespaces may not make a call that its policy allows; nil if that is not the reason.
  package static func reason(for call: String, signalsAreScoped: Bool) -> String? {
    switch call {
    case _ where metadata.contains(call):
      "without namespaces every file of the user is in reach of it, and Landlock does not see it"
    case _ where watches.contains(call):
      "without namespaces it tells the names of the user's files, and Landlock does not see it"
    case _ where objects.contains(call): "without namespaces the objects that it names are the machine's"
    case "setsid", "setpgid":
      "without namespaces a session is ended by its process group, which nobody can leave"
    case "fcntl": "without namespaces it could signal, hold up or watch others of the user"
    case "prctl": "the extension of a session without namespaces dies with the session's init"
    case _ where processes.contains(call):
      "without namespaces it reaches other processes of the user"
    case "kill" where !signalsAreScoped, _ where signals.contains(call) && !signalsAreScoped:
      "without namespaces, and without Landlock's scopes (Linux 6.12), it reaches other processes of the user"
    default: nil
    }
  }

  /// The calls that are denied whatever a policy says.
  static let forbidden: Set<String> = metadata.union(watches).union(objects).union(processes)

  /// Landlock does not see these. The user owns the files, so that owner, mode, times and attributes of every one of
  /// them could be changed by name, and of those that are only shown for reading by descriptor, too.
  static let metadata: Set<String> = [
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "fchownat", "lchown", "utime", "utimes",
    "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr",
    "lremovexattr",
    "fremovexattr", "removexattrat", "getxattr", "lgetxattr", "getxattrat", "listxattr", "llistxattr",
    "listxattrat", "file_getattr", "file_setattr",
  ]

  /// Landlock does not see these either; a watch on a directory tells the names in it.
  static let watches: Set<String> = [
    "inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch",
  ]

  /// System V objects and message queues: without a namespace they are the machine's.
  static let objects: Set<String> = [
    "shmget", "shmat", "shmdt", "shmctl", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd",
    "msgrcv",
    "msgctl", "mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr",
  ]

  /// Calls that name other processes, and those that leave the process group by which the session is ended.
  static let processes: Set<String> = [
    "setsid", "setpgid", "pidfd_open", "process_mrelease", "migrate_pages", "move_pages", "get_robust_list",
  ]

  /// Calls that signal a process by its number; `kill` of the own group is left.
  static let signals: Set<String> = [
    "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal",
  ]

  /// The commands of fcntl(2) that are left: none that makes the kernel signal somebody (`F_SETOWN`, `F_SETOWN_EX`),
  /// holds others up (`F_SETLEASE`) or watches a directory (`F_NOTIFY`).
  static let fileCommands: [UInt32] = Array(0...7) + [9, 10, 11, 16, 36, 37, 38, 1025] + Array(1027...1038)

  /// A rule with what must hold beside it; several where a call is left for several values.
  static func limited(_ rule: SyscallRule, signalsAreScoped: Bool) -> [SyscallRule] {
    switch rule.call {
    case "fcntl": return fileCommands.compactMap { rule.requiring(1, $0) }
    // The extension is told when its init dies; it may not decline.
    case "prctl": return rule.conditions.contains(ArgumentCondition(index: 0, value: 1)) ? [] : [rule]
    case "kill" where !signalsAreScoped: return [rule.requiring(0, 0)].compactMap(\.self)
    default: return [rule]
    }
  }
}

extension SyscallRule {
  /// The rule, if it also asks that an argument has this value; nil if it asks for another one.
  fileprivate func requiring(_ index: Int, _ value: UInt32) -> SyscallRule? {
    let condition = ArgumentCondition(index: index, value: value)
    guard let present = conditions.first(where: { $0.index == index }) else {
      var rule = self
      rule.conditions.append(condition)
      return rule
    }
    // A filter compares an argument once; a looser comparison gives way to the exact one.
    guard value & present.mask == present.value else { return nil }
    var rule = self
    rule.conditions = conditions.map { $0.index == index ? condition : $0 }
    return rule
  }
}
