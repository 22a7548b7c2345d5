// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import DarkroomCommands
import TestSupport
import Testing

/// Tests of the Kubernetes manifests in `Plugins/Batch`. They check the required members of a Job, the security context
/// and the arguments; `BatchManifestSchemaTests` checks the names and types of all members.
@Suite struct BatchManifestTests {
  private static let manifests = ["job.yaml", "indexed-job.yaml"]

  /// Returns the lines of a manifest without comments and indentation.
  private func lines(_ name: String) throws -> [String] {
    try SourceTree.text("Plugins/Batch/\(name)").split(separator: "\n").filter { !$0.contains("# ") }
      .map { String($0.drop { $0 == " " }) }
  }

  /// Returns the items of the list `args`, without quotation marks.
  private func arguments(_ name: String) throws -> [String] {
    let lines = try lines(name)
    let start = try #require(lines.firstIndex(of: "args:"))
    return lines[(start + 1)...].prefix { $0.hasPrefix("- ") }
      .map { item in
        let text = item.dropFirst(2)
        return text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : String(text)
      }
  }

  @Test(arguments: manifests) func `a manifest has the required members and drops all privileges`(
    name: String
  ) throws {
    let lines = try lines(name)
    for line in [
      "apiVersion: batch/v1", "kind: Job", "template:", "containers:", "image: darkroom-batch:latest",
      "runAsNonRoot: true", "type: RuntimeDefault", "allowPrivilegeEscalation: false",
      "readOnlyRootFilesystem: true", "drop: [ALL]", "automountServiceAccountToken: false",
    ] {
      #expect(lines.contains(line), "\(name): \(line)")
    }
    #expect(lines.contains { $0.hasPrefix("restartPolicy: ") && !$0.contains("Always") })
    // Each mounted volume is declared.
    let mounted = lines.filter { $0.contains("mountPath: ") }
    #expect(mounted.count >= 3)
    for mount in mounted {
      let volume = mount.dropFirst("- {name: ".count).prefix { $0 != "," }
      #expect(lines.contains("- name: \(volume)"), "\(name): \(volume)")
    }
  }

  @Test func `the arguments of the Job are valid`() throws {
    let parsed = try DarkroomCommandLine.spec.parse(try arguments("job.yaml"))
    #expect(parsed.names == ["batch"])
    #expect(parsed.rest.last == "{}")
  }

  @Test func `the Indexed Job starts a pod for each shard`() throws {
    let lines = try lines("indexed-job.yaml")
    let shards = try #require(try arguments("indexed-job.yaml").dropFirst(3).first)
    for line in ["completionMode: Indexed", "completions: \(shards)", "parallelism: \(shards)"] {
      #expect(lines.contains(line), "\(line)")
    }
  }
}
