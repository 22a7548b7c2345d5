// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyDescriber {
  /// The section about executing programs and creating processes.
  var programs: Section {
    var statements = execution + processes
    statements.append(namespaces)
    statements += operations(
      "With its own processes, the extension can:",
      "With its own processes, the extension cannot",
      [
        "send signals": [
          "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal",
        ],
        "wait for child processes": ["wait4", "waitid"],
        "create process groups and sessions": ["setpgid", "setsid"],
        "change priority, scheduling and CPU affinity": [
          "setpriority", "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler",
        ],
      ]
    )
    let inspectionCalls = permittedCalls.intersection([
      "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp",
    ])
    statements.append(
      inspectionCalls.isEmpty
        ? Statement(
          .cannot,
          "The extension cannot inspect any other process, including its own child processes."
        )
        : Statement(
          .warning,
          "The extension can inspect other processes (\(inspectionCalls.joined(separator: ", "))).",
          about: inspectionCalls
        )
    )
    return Section(title: "Programs and processes", statements: statements)
  }

  /// The statements about executing programs.
  private var execution: [Statement] {
    let place = " (\(policy.executeOrigin))"
    switch policy.execute {
    case .once:
      return [
        Statement(
          .cannot,
          "The extension cannot start any program other than its own, which starts once.\(place)",
          about: permittedCalls.intersection(["execve", "execveat"])
        )
      ]
    case .any:
      let shown = policy.readOnly.isEmpty ? "" : " and those in the visible paths of the host"
      var statements = [
        Statement(
          .can,
          "The extension can start every visible program any number of times: the programs of its "
            + "bundle\(shown).\(place)",
          about: permittedCalls.intersection(["execve", "execveat"])
        )
      ]
      let noExec = "The extension cannot start a file that it has written to /session or /container"
      if permittedCalls.permits("memfd_create") {
        statements.append(
          Statement(
            .warning,
            "\(noExec), but it can start a file in memory (memfd_create, execveat).",
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
          "The extension can create processes (\(calls.joined(separator: ", ")))\(threads ? " and threads" : ""): "
            + "\(number).",
          about: calls
        )
      ]
    }
    let none = Statement(.cannot, "The extension cannot create a second process.")
    return threads
      ? [
        none,
        Statement(
          .can,
          "The extension can create threads (clone with CLONE_THREAD): \(number).",
          about: ["clone"]
        ),
      ]
      : [none, Statement(.cannot, "The extension cannot create threads.")]
  }

  /// The statement about creating and entering namespaces.
  private var namespaces: Statement {
    let flags = (0..<32).map { UInt32(1) << $0 }.filter { PolicyCore.namespaceFlags & $0 != 0 }
    let byClone = flags.contains {
      permittedCalls.permits("clone", ArgumentCondition(index: 0, mask: $0, value: $0))
    }
    let calls = permittedCalls.intersection(["unshare", "setns", "clone3"]) + (byClone ? ["clone"] : [])
    return calls.isEmpty
      ? Statement(.cannot, "The extension cannot create or enter namespaces.")
      : Statement(
        .warning,
        "The extension can create or enter namespaces (\(calls.joined(separator: ", "))).",
        about: calls
      )
  }
}
