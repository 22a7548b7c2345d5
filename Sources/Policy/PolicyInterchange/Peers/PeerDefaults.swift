// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import SandboxPolicy
internal import SystemCalls

/// The default filters of other sandboxes, for comparison only.
package enum PeerDefaults {
  /// Another sandbox with its default filter.
  package struct Peer: Sendable {
    /// The name of the program.
    package var name: String
    /// The version of the program.
    package var version: String
    /// The origin of the profile, and the context for its evaluation.
    package var source: String
    /// The default filter.
    package var profile: CallProfile
  }

  /// Docker's default profile for a container with the default capabilities.
  package static let docker = Peer(
    name: "Docker",
    version: dockerDocument.version,
    source: "\(dockerDocument.source); with Docker's standard capabilities",
    profile: dockerDocument.profile
  )

  /// A systemd service with only `SystemCallFilter=@system-service`.
  package static let systemdService = Peer(
    name: "systemd @system-service",
    version: "252",
    source: "SystemCallFilter=@system-service, calls of x86_64 and aarch64",
    profile: systemdProfile
  )

  /// bwrap(1) without `--seccomp`.
  package static let bubblewrap = Peer(
    name: "bubblewrap",
    version: "0.8.0",
    source: "bwrap without --seccomp: no filter",
    profile: .unfiltered
  )

  /// All peers.
  package static let all = [docker, systemdService, bubblewrap]

  /// Docker's default profile and its origin, which `.ci/peers` updates.
  private static let dockerDocument: (version: String, source: String, profile: CallProfile) = {
    do {
      let comment = try JSONNode.parse(PackageResources.docker_json).value["$comment"]?.string ?? ""
      let parts = comment.split(separator: ": ", maxSplits: 1).map(String.init)
      return (
        parts.first ?? "", parts.last ?? "", try OCIProfile(bytes: PackageResources.docker_json).profile
      )
    } catch { preconditionFailure("docker.json is a profile: \(error)") }
  }()

  private static let systemdProfile: CallProfile = {
    do { return try SystemdProfile(text: "[Service]\nSystemCallFilter=@system-service\n").profile } catch {
      preconditionFailure("@system-service is a group: \(error)")
    }
  }()
}
