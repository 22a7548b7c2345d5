// SPDX-License-Identifier: Apache-2.0

/// Everything that one run measured, and where.
package struct Report: Sendable, Hashable {
  /// The machine.
  package var machine: MachineFacts
  /// The tables.
  package var tables: [Table]
  /// What other machines had of the processors meanwhile, group by group.
  package var stolen: [StolenTime] = []

  /// Makes a report.
  package init(_ machine: MachineFacts, _ tables: [Table] = []) {
    self.machine = machine
    self.tables = tables
  }
}

/// What a figure cannot be read without.
package struct MachineFacts: Sendable, Hashable {
  /// The kernel's name and version.
  package var kernel: String
  /// The architecture.
  package var architecture: String
  /// The number of processors.
  package var processors: Int
  /// Who ran it: `root`, or `ordinary user`.
  package var user: String
  /// The load at the beginning and at the end: what the figures had to share the machine with.
  package var load: String
  /// How the program was built: figures of a debug build mean nothing.
  package var build: String

  /// States facts.
  package init(
    kernel: String,
    architecture: String,
    processors: Int,
    user: String,
    load: String,
    build: String
  ) {
    self.kernel = kernel
    self.architecture = architecture
    self.processors = processors
    self.user = user
    self.load = load
    self.build = build
  }

  /// What must be the same for two runs' ratios to be comparable, and is not.
  package func differences(from other: MachineFacts) -> [String] {
    let pairs = [
      (kernel, other.kernel), (architecture, other.architecture),
      ("\(processors) processors", "\(other.processors) processors"), (user, other.user),
      ("\(build) build", "\(other.build) build"),
    ]
    return pairs.filter { $0.0 != $0.1 }.map { "\($0.0) instead of \($0.1)" }
  }
}
