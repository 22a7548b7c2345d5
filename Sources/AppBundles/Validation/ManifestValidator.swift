// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Looks at a bundle and names all that is wrong with it, not only the first.
package struct ManifestValidator: Sendable {
  /// The names of the policies that come with Darkroom.
  package var policyNames: [String]
  /// The machine that the extensions shall run on, as uname(2) names it.
  package var machine: String

  /// Makes a validator.
  package init(
    policyNames: [String] = ["base", "capture", "strict"],
    machine: String = KernelRelease.running.machine
  ) {
    self.policyNames = policyNames
    self.machine = machine
  }

  /// Looks at the bundle in a directory.
  package func validate(_ path: String) -> BundleReport {
    var inspection = BundleInspection(validator: self)
    do {
      let root = try FileSystem.open(path, [.directory])
      inspection.inspect(root)
      inspection.diagnostics += BundleTree.faults(in: root)
    } catch {
      let fault = ManifestFault.unreadable(call: error.call, errno: error.errno)
      inspection.diagnostics = [ManifestDiagnostic(file: path, fault: fault)]
    }
    return inspection.report(path)
  }
}
