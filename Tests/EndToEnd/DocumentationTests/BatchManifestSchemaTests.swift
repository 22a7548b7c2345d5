// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// The directory with the schemas, which `.ci/setup --tests` downloads.
private let schemas = "\(RigDirectory.path)/kubernetes"
private let areKubernetesSchemasPresent = ((try? FileSystem.status(schemas)) ?? nil) != nil

/// Compares the Kubernetes manifests in `Plugins/Batch` with the schemas of Kubernetes (`Tests/Rigs/kubernetes.py`).
@Suite(.enabled(if: areKubernetesSchemasPresent, "the schemas of Kubernetes are missing"))
struct BatchManifestSchemaTests {
  /// Returns a shell command that validates a manifest after an edit by sed(1), and prints the errors of the schemas.
  private func validation(_ name: String, edit: String = "") -> String {
    let package = PackageDirectory.path
    return """
      sed '\(edit)' '\(package)/Plugins/Batch/\(name)' | '\(package)/Tests/Rigs/kubernetes.py' '\(schemas)' /dev/stdin
      """
  }

  @Test(arguments: ["job.yaml", "indexed-job.yaml"]) func `Kubernetes accepts a manifest`(name: String) throws
  {
    try runShell(validation(name))
  }

  @Test(arguments: ["s/backoffLimit:/backofLimit:/", "s/runAsNonRoot: true/runAsNonRoot: always/"])
  func `Kubernetes rejects an unknown member and a value of another type`(edit: String) throws {
    try runShell("if \(validation("job.yaml", edit: edit)); then exit 1; fi")
  }
}
