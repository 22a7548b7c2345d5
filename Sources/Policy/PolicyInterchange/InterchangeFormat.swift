// SPDX-License-Identifier: Apache-2.0

/// The formats that policies are exchanged in.
package enum InterchangeFormat: String, CaseIterable, Sendable {
  /// The JSON of the Open Container Initiative, which Docker, Podman, containerd and Kubernetes take.
  case oci
  /// A compiled filter, as `bwrap --seccomp` and `SECCOMP_SET_MODE_FILTER` take it.
  case bpf
  /// A policy of minijail0.
  case minijail
  /// A drop-in for a systemd service.
  case systemd
  /// A script that runs bwrap(1).
  case bwrap

  /// The formats that can be read.
  package static let readable: [InterchangeFormat] = [.oci, .bpf, .minijail, .systemd, .bwrap]

  /// What it is, for help.
  package var meaning: String {
    switch self {
    case .oci: "seccomp profile in JSON, as Docker, Podman and containerd take it"
    case .bpf: "compiled filter, as bwrap --seccomp takes it"
    case .minijail: "policy of minijail0 -S"
    case .systemd: "drop-in for a systemd service"
    case .bwrap: "shell script or command line that runs bwrap(1)"
    }
  }
}
