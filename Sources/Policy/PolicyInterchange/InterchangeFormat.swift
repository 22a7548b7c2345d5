// SPDX-License-Identifier: Apache-2.0

/// A format for importing and exporting policies.
package enum InterchangeFormat: String, CaseIterable, Sendable {
  /// A seccomp profile in JSON of the Open Container Initiative, used by Docker, Podman, containerd and
  /// Kubernetes.
  case oci
  /// A compiled filter, for `bwrap --seccomp` and `SECCOMP_SET_MODE_FILTER`.
  case bpf
  /// A policy file for minijail0(1).
  case minijail
  /// A drop-in file for a systemd service.
  case systemd
  /// A shell script that runs bwrap(1).
  case bwrap

  /// The formats that can be imported.
  package static let readable: [InterchangeFormat] = [.oci, .bpf, .minijail, .systemd, .bwrap]

  /// A short description for help texts.
  package var summary: String {
    switch self {
    case .oci: "seccomp profile in JSON for Docker, Podman and containerd"
    case .bpf: "compiled filter for bwrap --seccomp"
    case .minijail: "policy for minijail0 -S"
    case .systemd: "drop-in for a systemd service"
    case .bwrap: "shell script or command line for bwrap(1)"
    }
  }
}
