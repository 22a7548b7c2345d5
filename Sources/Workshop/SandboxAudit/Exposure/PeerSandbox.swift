// SPDX-License-Identifier: Apache-2.0

package import PolicyInterchange

/// Another way to run a program apart, as it comes when nobody configures it further: what a policy is compared with.
///
/// The filter is measured like a policy's. The rest is what the documentation of that version says of its defaults.
package struct PeerSandbox: Sendable {
  /// A word for programs.
  var id: String
  /// What stands above the column.
  package var name: String
  /// The origin of the defaults that the filter does not show.
  var documentation: String
  /// The version, the origin and the filter.
  package var peer: PeerDefaults.Peer
  /// What the documentation says of its defaults, in the order of ``Trait``.
  var traits: [Trait: AuditCell]

  /// The version and the origin of the filter and of the other defaults.
  var source: String { "\(peer.name) \(peer.version): \(peer.source); \(documentation)" }

  /// What a filter does not show.
  enum Trait: String, Sendable, CaseIterable {
    /// Which network there is.
    case network
    /// Which files are seen.
    case files
    /// Which processes are seen.
    case processes
    /// Which capabilities there are.
    case capabilities
    /// Whether starting a program can give rights.
    case newPrivileges

    /// The question.
    var words: String {
      switch self {
      case .network: "network"
      case .files: "files that are seen"
      case .processes: "processes that are seen"
      case .capabilities: "capabilities"
      case .newPrivileges: "gains rights by starting a program"
      }
    }
  }

  /// All of them.
  package static let all = [bwrap, docker, systemd]

  /// bubblewrap, which loads a filter only if it is given one.
  private static let bwrap = PeerSandbox(
    id: "bwrap",
    name: "bwrap \(PeerDefaults.bubblewrap.version) --ro-bind / /",
    documentation: "bwrap(1)",
    peer: PeerDefaults.bubblewrap,
    traits: [
      .network: AuditCell("the host's, unless --unshare-net is given", .bad),
      .files: AuditCell("all that is bound, here the whole host, for reading", .beware),
      .processes: AuditCell("the host's, unless --unshare-pid is given", .beware),
      .capabilities: AuditCell("none for an ordinary user", .good),
      .newPrivileges: AuditCell("no", .good),
    ]
  )

  /// Docker's standard profile for a container that was given nothing beyond the standard capabilities.
  private static let docker = PeerSandbox(
    id: "docker",
    name: "docker \(PeerDefaults.docker.version) run",
    documentation: "docker-run(1)",
    peer: PeerDefaults.docker,
    traits: [
      .network: AuditCell("its own, with a way out to every network", .bad),
      .files: AuditCell("the image's", .good),
      .processes: AuditCell("its own", .good),
      .capabilities: AuditCell("\(OCIContext.standardCapabilities.count) of root's", .beware),
      .newPrivileges: AuditCell("yes, unless no-new-privileges is given", .beware),
    ]
  )

  /// A service of systemd with its recommended group of calls.
  private static let systemd = PeerSandbox(
    id: "systemd",
    name: "systemd \(PeerDefaults.systemdService.version), @system-service",
    documentation: "systemd.exec(5)",
    peer: PeerDefaults.systemdService,
    traits: [
      .network: AuditCell("the host's, unless PrivateNetwork= is set", .bad),
      .files: AuditCell("the whole host's, unless ProtectSystem= and others are set", .bad),
      .processes: AuditCell("the host's, unless ProtectProc= is set", .bad),
      .capabilities: AuditCell(
        "all, where the service is root's, unless CapabilityBoundingSet= is set",
        .bad
      ),
      .newPrivileges: AuditCell("yes where the service is root's, unless NoNewPrivileges= is set", .beware),
    ]
  )
}
