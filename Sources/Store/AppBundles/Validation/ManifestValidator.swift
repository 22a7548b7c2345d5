// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Looks at a bundle and names all that is wrong with it, not only the first.
package struct ManifestValidator: Sendable {
  /// The names of the policies that come with Darkroom.
  package var policyNames: [String]
  /// The machine that the extensions shall run on, as uname(2) names it.
  package var machine: String

  /// What a session sees of the host under a policy, which is named as it is or by the path of its document; nil if the policy cannot
  /// be read.
  package var view: @Sendable (_ policy: String) -> PolicyView?

  /// Makes a validator.
  package init(
    policyNames: [String] = ["base", "capture", "strict"],
    machine: String = KernelRelease.running.machine,
    view: @escaping @Sendable (_ policy: String) -> PolicyView? = { _ in viewOfSystem }
  ) {
    self.policyNames = policyNames
    self.machine = machine
    self.view = view
  }

  /// Looks at the bundle in a directory.
  package func validate(_ path: String) -> BundleReport {
    var inspection = BundleInspection(validator: self, path: path)
    do {
      let root = try FileSystem.open(path, [.directory])
      inspection.inspect(root)
      inspection.diagnostics += BundleTree.faults(in: root, inspection.views)
    } catch {
      let fault = ManifestFault.unreadable(call: error.call, errno: error.errno)
      inspection.diagnostics = [ManifestDiagnostic(file: path, fault: fault)]
    }
    return inspection.report(path)
  }
}
