// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyDescriber {
  /// The corresponding constants are `PROT_WRITE` and `PROT_EXEC`.
  private static let protections: (write: UInt32, execute: UInt32) = (2, 4)

  /// The section about memory, and about creating code at run time.
  var memory: Section {
    var statements = code
    let files = permittedCalls.intersection(["memfd_create", "memfd_secret"])
    if !files.isEmpty {
      statements.append(
        Statement(
          .can,
          "It can make files in memory, which count as memory (\(files.joined(separator: ", "))).",
          about: files
        )
      )
    }
    let objects = permittedCalls.intersection(["shmget", "semget", "msgget", "mq_open"])
    statements.append(
      objects.isEmpty
        ? Statement(.cannot, "It can make no System V shared memory, semaphores or message queues.")
        : Statement(
          .warning,
          "It can make System V objects or message queues (\(objects.joined(separator: ", "))), which outlive the process "
            + (mode.hasNamespaces ? "that made them but not the session." : "and the session."),
          about: objects
        )
    )
    if mode.hasNamespaces, policy.semaphores == .named {
      statements.append(
        Statement(
          .can,
          "It can create named semaphores: the host makes the hard links in /dev/shm for them\(originSuffix(.semaphores)).",
          about: []
        )
      )
    }
    if permittedCalls.permits("userfaultfd") {
      statements.append(
        Statement(.warning, "It can handle its own page faults (userfaultfd).", about: ["userfaultfd"])
      )
    }
    let locked = permittedCalls.intersection(["mlock", "mlock2", "mlockall"])
    if !locked.isEmpty {
      statements.append(
        Statement(
          .can,
          "It can keep memory from being paged out, 64KiB in each process (\(locked.joined(separator: ", "))).",
          about: locked
        )
      )
    }
    return Section(title: "What it can do with memory", statements: statements)
  }

  /// The statements about executable memory.
  private var code: [Statement] {
    let (write, execute) = Self.protections
    let both = write | execute
    let makers = ["mmap", "mprotect", "pkey_mprotect"]
    func calls(_ mask: UInt32, _ value: UInt32) -> [String] {
      makers.filter { permittedCalls.permits($0, ArgumentCondition(index: 2, mask: mask, value: value)) }
    }
    let atOnce = calls(both, both)
    if !atOnce.isEmpty {
      return [
        Statement(
          .warning,
          "It can make memory that is writable and executable (\(atOnce.joined(separator: ", "))): it can make new code "
            + "while it runs.",
          about: permittedCalls.intersection(makers)
        )
      ]
    }
    let executable = calls(execute, execute)
    let later = executable.filter { $0 != "mmap" }
    if !later.isEmpty {
      return [
        Statement(
          .warning,
          "No memory is writable and executable at once, but memory that was written can be made executable afterwards "
            + "(\(later.joined(separator: ", "))): it can make new code while it runs.",
          about: permittedCalls.intersection(makers)
        )
      ]
    }
    if executable.isEmpty {
      return [
        Statement(
          .cannot,
          "It can make no new code: none of \(RuleText.list(makers)) is allowed with PROT_EXEC, so that the code which its "
            + "program starts with is all that it ever has.",
          about: permittedCalls.intersection(makers)
        )
      ]
    }
    return [
      Statement(
        .can,
        "It can map files as code (\(executable.joined(separator: ", "))), and never write to such memory.",
        about: permittedCalls.intersection(makers)
      )
    ]
  }
}
