// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Validates bundles and reports all problems, not only the first.
package struct ManifestValidator: Sendable {
  /// The names of the policies that are included in Darkroom.
  package var policyNames: [String]
  /// The machine on which the extensions will run, as in uname(2).
  package var machine: String

  /// Returns the files of the host that a session sees under a policy, or `nil` if the policy cannot be read.
  /// The policy is given by name or by the path of its document.
  package var view: @Sendable (_ policy: String) -> PolicyView?

  /// Creates a validator.
  package init(
    policyNames: [String] = ["base", "capture", "container", "strict"],
    machine: String = KernelRelease.running.machine,
    view: @escaping @Sendable (_ policy: String) -> PolicyView? = { _ in systemPolicyView }
  ) {
    self.policyNames = policyNames
    self.machine = machine
    self.view = view
  }

  /// Validates the bundle at a path.
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
