// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import Refusals
internal import SandboxLaunch
package import SandboxPolicy
package import SessionStore

/// Explains the access of an extension at a path under a policy, without launching it.
package struct PathExplainer {
  private let policy: ResolvedPolicy
  private let root: RootModel

  /// Plans a session under a policy. No file is created.
  package init(_ policy: ResolvedPolicy, _ stateRoot: StateRoot) throws(PlanError) {
    let subject = LaunchTarget(
      program: .shown("/extension"),
      arguments: [],
      environment: [],
      policy: policy
    )
    let session = LaunchPlanner.Session(
      id: SessionID.random(),
      // No session exists, so the paths are placeholders. They do not exist, so they contain no links.
      files: .init(
        content: "/proc/darkroom",
        library: "/proc/darkroom-library",
        assets: "/proc/darkroom-assets"
      ),
      context: Array("null".utf8),
      standard: [],
      named: [],
      identity: SessionIdentity.forOneSession()
    )
    var root = RootModel(try LaunchPlanner(stateRoot: stateRoot).plan(subject, session))
    // The bundle of the extension is unknown, and so is its content.
    root.items.append(.init("/extension", .writableDirectory(.followed), denied: [.write]))
    root.rules?.append(.init("/extension", [.read, .execute]))
    self.policy = policy
    self.root = root
  }

  /// Returns an explanation of the use of a path.
  package func explain(_ path: String, _ use: FileAccess) -> PathExplanation {
    PathExplanation(path, use, root: root, policy: policy, host: HostFile.inspect)
  }
}
