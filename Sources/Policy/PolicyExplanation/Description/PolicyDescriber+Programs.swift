// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyDescriber {
  /// The section about executing programs and creating processes.
  var programs: Section {
    var statements = execution + processes
    statements.append(namespaces)
    statements += operations(
      "Among its own processes it can:",
      "Among its own processes it can't",
      [
        "send signals": [
          "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal",
        ],
        "wait for others": ["wait4", "waitid"],
        "form groups and sessions": ["setpgid", "setsid"],
        "change priority, scheduling and processors": [
          "setpriority", "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler",
        ],
      ]
    )
    let inspectionCalls = permittedCalls.intersection([
      "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp",
    ])
    statements.append(
      inspectionCalls.isEmpty
        ? Statement(.cannot, "It can't look into another process, not even one of its own.")
        : Statement(
          .warning,
          "It can look into other processes (\(inspectionCalls.joined(separator: ", "))).",
          about: inspectionCalls
        )
    )
    return Section(title: "What it can execute", statements: statements)
  }

  /// The statements about executing programs.
  private var execution: [Statement] {
    let place = " (\(policy.executeOrigin))"
    switch policy.execute {
    case .once:
      return [
        Statement(
          .cannot,
          "It can start no program: its own is the first and the last.\(place)",
          about: permittedCalls.intersection(["execve", "execveat"])
        )
      ]
    case .any:
      let shown = policy.readOnly.isEmpty ? "" : " and those in the paths of the host that it sees"
      var statements = [
        Statement(
          .can,
          "It can start any program that it sees, as often as it likes: those of its bundle\(shown).\(place)",
          about: permittedCalls.intersection(["execve", "execveat"])
        )
      ]
      let noExec = "It can't start a file that it has written to /session or /container"
      if permittedCalls.permits("memfd_create") {
        statements.append(
          Statement(
            .warning,
            "\(noExec), but one that it has written into memory (memfd_create, execveat).",
            about: ["memfd_create"]
          )
        )
      } else {
        statements.append(Statement(.cannot, "\(noExec)."))
      }
      return statements
    }
  }

  /// The statements about creating processes and threads.
  private var processes: [Statement] {
    let thread: UInt32 = 0x1_0000
    let byClone = permittedCalls.permits("clone", ArgumentCondition(index: 0, mask: thread, value: 0))
    let calls = permittedCalls.intersection(["fork", "vfork"]) + (byClone ? ["clone"] : [])
    let threads = permittedCalls.permits("clone", ArgumentCondition(index: 0, mask: thread, value: thread))
    let number = "\(limit(.processes)) at the same time\(originSuffix(.limit(.processes)))"
    if !calls.isEmpty {
      return [
        Statement(
          .can,
          "It can make further processes (\(calls.joined(separator: ", ")))\(threads ? " and threads" : ""): all together "
            + "\(number).",
          about: calls
        )
      ]
    }
    let none = Statement(.cannot, "It can make no second process.")
    return threads
      ? [
        none, Statement(.can, "It can make threads (clone with CLONE_THREAD): \(number).", about: ["clone"]),
      ]
      : [none, Statement(.cannot, "It can make no thread.")]
  }

  /// The statement about creating and entering namespaces.
  private var namespaces: Statement {
    let flags = (0..<32).map { UInt32(1) << $0 }.filter { PolicyCore.namespaceFlags & $0 != 0 }
    let byClone = flags.contains {
      permittedCalls.permits("clone", ArgumentCondition(index: 0, mask: $0, value: $0))
    }
    let calls = permittedCalls.intersection(["unshare", "setns", "clone3"]) + (byClone ? ["clone"] : [])
    return calls.isEmpty
      ? Statement(.cannot, "It can make and enter no namespace.")
      : Statement(
        .warning,
        "It can make or enter namespaces (\(calls.joined(separator: ", "))).",
        about: calls
      )
  }
}
