// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import Refusals
internal import SandboxLaunch
package import SandboxPolicy
package import SessionStore

/// Works out what an extension under a policy gets at a path, without launching one.
package struct PathExplainer {
  private let policy: ResolvedPolicy
  private let root: RootModel

  /// Plans a session under a policy. Nothing of it is made.
  package init(_ policy: ResolvedPolicy, _ stateRoot: StateRoot) throws(PlanError) {
    let subject = LaunchSubject(
      program: .shown("/extension"),
      arguments: [],
      environment: [],
      policy: policy
    )
    let session = LaunchPlanner.Session(
      id: SessionID.random(),
      // No session has a directory yet; that of none has no links in it.
      content: "/proc/darkroom",
      library: "/proc/darkroom-library",
      assets: "/proc/darkroom-assets",
      context: Array("null".utf8),
      standard: [],
      named: [],
      identity: SessionIdentity.forOneSession()
    )
    var root = RootModel(try LaunchPlanner(stateRoot: stateRoot).plan(subject, session))
    // The bundle of an extension that nobody has named: what is in it is not known.
    root.items.append(.init("/extension", .space(.followed), denied: [.write]))
    root.rules?.append(.init("/extension", [.read, .execute]))
    self.policy = policy
    self.root = root
  }

  /// What comes of a path.
  package func explain(_ path: String, _ use: FileUse) -> PathExplanation {
    PathExplanation(path, use, root: root, policy: policy, host: HostFile.look)
  }
}
