// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// The known facts about a machine. A rule without the facts that it needs has no findings.
package struct MachineEvidence: Sendable, Hashable {
  /// The library that compiles filters.
  package var library: Library?
  /// The version of the running kernel.
  package var kernel: KernelVersion?
  /// The files at the paths of the policies, or `nil` if they were not scanned.
  package var files: FileFacts?

  /// A version of libseccomp.
  package struct Library: Sendable, Hashable {
    /// The version of the library.
    package var version: String
    /// The names of the calls that the library knows.
    package var calls: Set<String>

    /// Creates a library.
    package init(version: String, calls: Set<String>) {
      self.version = version
      self.calls = calls
    }
  }

  /// A machine without any known facts.
  package static let unknown = MachineEvidence()

  /// Creates a set of facts about a machine.
  package init(library: Library? = nil, kernel: KernelVersion? = nil, files: FileFacts? = nil) {
    self.library = library
    self.kernel = kernel
    self.files = files
  }

  /// Returns whether the facts that a rule needs are known.
  func provides(_ evidence: RuleDescription.Evidence) -> Bool {
    switch evidence {
    case .policy: true
    case .library: library != nil
    case .kernel: kernel != nil
    case .files: files != nil
    }
  }
}
