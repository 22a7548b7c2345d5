// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// What a check is told of a machine; whatever it is not told, the rules that need it find nothing.
package struct KnownMachine: Sendable, Hashable {
  /// The library that compiles filters.
  package var library: Library?
  /// The running kernel.
  package var kernel: KernelVersion?
  /// What policies show of the machine's files; nil if nobody looked.
  package var files: FileFacts?

  /// The library that compiles filters.
  package struct Library: Sendable, Hashable {
    /// Its version.
    package var version: String
    /// The calls that it knows by name.
    package var calls: Set<String>

    /// Tells of a library.
    package init(version: String, calls: Set<String>) {
      self.version = version
      self.calls = calls
    }
  }

  /// Nothing is known.
  package static let unknown = KnownMachine()

  /// Tells of a machine.
  package init(library: Library? = nil, kernel: KernelVersion? = nil, files: FileFacts? = nil) {
    self.library = library
    self.kernel = kernel
    self.files = files
  }

  /// Whether what a rule needs is known.
  func has(_ evidence: RuleDescription.Evidence) -> Bool {
    switch evidence {
    case .policy: true
    case .library: library != nil
    case .kernel: kernel != nil
    case .files: files != nil
    }
  }
}
