// SPDX-License-Identifier: Apache-2.0

/// The measurements of one run and its machine.
package struct Report: Sendable, Hashable {
  /// The facts of the machine.
  package var machine: MachineFacts
  package var tables: [Table]
  /// The shares of steal time of the groups.
  package var stolen: [StolenTime] = []

  /// Creates a report.
  package init(_ machine: MachineFacts, _ tables: [Table] = []) {
    self.machine = machine
    self.tables = tables
  }
}

/// The facts that are needed to interpret measurements.
package struct MachineFacts: Sendable, Hashable {
  /// The name and version of the kernel.
  package var kernel: String
  package var architecture: String
  /// The number of processors.
  package var processors: Int
  /// The user: `root` or `ordinary user`.
  package var user: String
  /// The load average at the start and at the end of the run.
  package var load: String
  /// The build configuration; measurements of a debug build are meaningless.
  package var build: String

  /// Creates the facts.
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

  /// Returns the differences that make the ratios of two runs incomparable.
  package func differences(from other: MachineFacts) -> [String] {
    let pairs = [
      (kernel, other.kernel), (architecture, other.architecture),
      ("\(processors) processors", "\(other.processors) processors"), (user, other.user),
      ("\(build) build", "\(other.build) build"),
    ]
    return pairs.filter { $0.0 != $0.1 }.map { "\($0.0) instead of \($0.1)" }
  }
}
