// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SandboxPolicy
internal import SystemCalls

/// What other sandboxes allow a program by default: to compare with, never to allow.
package enum PeerDefaults {
  /// One of them.
  package struct Peer: Sendable {
    /// What it is called.
    package var name: String
    /// Which version of it, and from where.
    package var source: String
    /// What it allows.
    package var profile: CallProfile
  }

  /// Docker's default profile for a container with the standard capabilities.
  package static let docker = Peer(
    name: "Docker",
    source: "the default profile of moby 20.10.24, as in Debian 12, with Docker's standard capabilities",
    profile: dockerProfile
  )

  /// A systemd service with `SystemCallFilter=@system-service` and nothing else.
  package static let systemdService = Peer(
    name: "systemd @system-service",
    source: "SystemCallFilter=@system-service of systemd 252, calls of x86_64 and aarch64",
    profile: systemdProfile
  )

  /// bwrap(1) without `--seccomp`.
  package static let bubblewrap = Peer(
    name: "bubblewrap",
    source: "bwrap 0.8.0 without --seccomp: no filter",
    profile: .unfiltered
  )

  /// All of them.
  package static let all = [docker, systemdService, bubblewrap]

  /// The text of Docker's default profile.
  package static var dockerText: [UInt8] { PackageResources.docker_json }

  private static let dockerProfile: CallProfile = {
    do { return try OCIProfile(bytes: PackageResources.docker_json).profile } catch {
      preconditionFailure("docker.json is a profile: \(error)")
    }
  }()

  private static let systemdProfile: CallProfile = {
    do { return try SystemdProfile(text: "[Service]\nSystemCallFilter=@system-service\n").profile } catch {
      preconditionFailure("@system-service is a group: \(error)")
    }
  }()
}
