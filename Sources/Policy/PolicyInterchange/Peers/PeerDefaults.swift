// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import SandboxPolicy
internal import SystemCalls

/// What other sandboxes allow a program by default: to compare with, never to allow.
package enum PeerDefaults {
  /// One of them.
  package struct Peer: Sendable {
    /// The program's name.
    package var name: String
    /// The version that the profile belongs to.
    package var version: String
    /// The origin of the profile, and what it is evaluated with.
    package var source: String
    /// What it allows.
    package var profile: CallProfile
  }

  /// Docker's default profile for a container with the standard capabilities.
  package static let docker = Peer(
    name: "Docker",
    version: dockerDocument.version,
    source: "\(dockerDocument.source); with Docker's standard capabilities",
    profile: dockerDocument.profile
  )

  /// A systemd service with `SystemCallFilter=@system-service` and nothing else.
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

  /// All of them.
  package static let all = [docker, systemdService, bubblewrap]

  /// Docker's default profile and its origin, as `.ci/peers` writes them.
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
