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
          "The extension can create files in memory, which count as memory (\(files.joined(separator: ", "))).",
          about: files
        )
      )
    }
    let objects = permittedCalls.intersection(["shmget", "semget", "msgget", "mq_open"])
    statements.append(
      objects.isEmpty
        ? Statement(
          .cannot,
          "The extension cannot create System V shared memory, semaphores or message queues."
        )
        : Statement(
          .warning,
          "The extension can create System V objects or message queues (\(objects.joined(separator: ", "))), which "
            + "outlive their process "
            + (mode.hasNamespaces ? "but not the session." : "and the session."),
          about: objects
        )
    )
    if mode.hasNamespaces, policy.semaphores == .named {
      statements.append(
        Statement(
          .can,
          "The extension can create named semaphores: the host creates their hard links in "
            + "/dev/shm\(originSuffix(.semaphores)).",
          about: []
        )
      )
    }
    if permittedCalls.permits("userfaultfd") {
      statements.append(
        Statement(
          .warning,
          "The extension can handle page faults of its processes (userfaultfd).",
          about: ["userfaultfd"]
        )
      )
    }
    let locked = permittedCalls.intersection(["mlock", "mlock2", "mlockall"])
    if !locked.isEmpty {
      statements.append(
        Statement(
          .can,
          "The extension can lock 64KiB of memory in each process against swapping "
            + "(\(locked.joined(separator: ", "))).",
          about: locked
        )
      )
    }
    return Section(title: "Memory", statements: statements)
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
          "The extension can map memory that is writable and executable (\(atOnce.joined(separator: ", "))), and "
            + "thus create new code at run time.",
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
          "No memory is writable and executable at the same time, but written memory can be made executable later "
            + "(\(later.joined(separator: ", "))): the extension can create new code at run time.",
          about: permittedCalls.intersection(makers)
        )
      ]
    }
    if executable.isEmpty {
      return [
        Statement(
          .cannot,
          "The extension cannot create new code: none of \(RuleText.list(makers)) is allowed with PROT_EXEC, so its "
            + "program can only run the code that it starts with.",
          about: permittedCalls.intersection(makers)
        )
      ]
    }
    return [
      Statement(
        .can,
        "The extension can map files as code (\(executable.joined(separator: ", "))), but cannot write to such memory.",
        about: permittedCalls.intersection(makers)
      )
    ]
  }
}
