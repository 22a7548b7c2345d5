// SPDX-License-Identifier: Apache-2.0

package import PolicyInterchange

/// Another sandbox in its default configuration, with which a policy is compared.
///
/// Its filter is measured like that of a policy. The other properties are the documented defaults of that
/// version.
package struct PeerSandbox: Sendable {
  /// The identifier for programs.
  var id: String
  /// The title of its column.
  package var name: String
  /// The source of the defaults that the filter does not show.
  var documentation: String
  /// The version, the source and the filter.
  package var peer: PeerDefaults.Peer
  /// The documented defaults, by ``Trait``.
  var traits: [Trait: AuditCell]

  /// The version, and the sources of the filter and of the other defaults.
  var source: String { "\(peer.name) \(peer.version): \(peer.source); \(documentation)" }

  /// A property that a filter does not show.
  enum Trait: String, Sendable, CaseIterable {
    /// The available network.
    case network
    /// The visible files.
    case files
    /// The visible processes.
    case processes
    /// The capabilities.
    case capabilities
    /// Whether starting a program can raise privileges.
    case newPrivileges

    /// The title of its row.
    var title: String {
      switch self {
      case .network: "network"
      case .files: "visible files"
      case .processes: "visible processes"
      case .capabilities: "capabilities"
      case .newPrivileges: "execve can raise privileges"
      }
    }
  }

  /// All sandboxes for comparison.
  package static let all = [bwrap, docker, systemd]

  /// bubblewrap, which loads a filter only if one is specified.
  private static let bwrap = PeerSandbox(
    id: "bwrap",
    name: "bwrap \(PeerDefaults.bubblewrap.version) --ro-bind / /",
    documentation: "bwrap(1)",
    peer: PeerDefaults.bubblewrap,
    traits: [
      .network: AuditCell("the host's, unless --unshare-net is given", .bad),
      .files: AuditCell("all bound paths, here the whole host, read-only", .warning),
      .processes: AuditCell("the host's, unless --unshare-pid is given", .warning),
      .capabilities: AuditCell("none for an unprivileged user", .good),
      .newPrivileges: AuditCell("no", .good),
    ]
  )

  /// Docker's default profile for a container with only the default capabilities.
  private static let docker = PeerSandbox(
    id: "docker",
    name: "docker \(PeerDefaults.docker.version) run",
    documentation: "docker-run(1)",
    peer: PeerDefaults.docker,
    traits: [
      .network: AuditCell("its own, with access to every network", .bad),
      .files: AuditCell("the image's", .good),
      .processes: AuditCell("its own", .good),
      .capabilities: AuditCell("\(OCIContext.standardCapabilities.count) of root's capabilities", .warning),
      .newPrivileges: AuditCell("yes, unless no-new-privileges is given", .warning),
    ]
  )

  /// A systemd service with its recommended group of calls.
  private static let systemd = PeerSandbox(
    id: "systemd",
    name: "systemd \(PeerDefaults.systemdService.version), @system-service",
    documentation: "systemd.exec(5)",
    peer: PeerDefaults.systemdService,
    traits: [
      .network: AuditCell("the host's, unless PrivateNetwork= is set", .bad),
      .files: AuditCell("the whole host, unless ProtectSystem= and others are set", .bad),
      .processes: AuditCell("the host's, unless ProtectProc= is set", .bad),
      .capabilities: AuditCell(
        "all for services of root, unless CapabilityBoundingSet= is set",
        .bad
      ),
      .newPrivileges: AuditCell("yes for services of root, unless NoNewPrivileges= is set", .warning),
    ]
  )
}
