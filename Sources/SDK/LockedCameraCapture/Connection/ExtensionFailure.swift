// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// Why an extension cannot go on.
package enum ExtensionFailure: Error, Equatable, CustomStringConvertible {
  /// The host is gone, or wants nothing more.
  case hostGone
  /// This process was not started as an extension.
  case notLaunched(LaunchProblem)
  /// The host has left the protocol.
  case violation(ProtocolViolation)
  /// The host speaks no version that this library speaks.
  case unsupportedVersion(VersionMismatch)
  /// The frame ring is none.
  case brokenRing(FrameRingLayoutError)
  /// The sound ring is none.
  case brokenSound(SoundRingLayoutError)
  /// The kernel has refused something that an extension cannot do without.
  case system(SystemCallError)

  /// What the environment of an extension lacks.
  package enum LaunchProblem: Equatable, Sendable {
    /// No descriptors were passed at all.
    case noDescriptors
    /// The descriptors were passed to another process.
    case otherProcess(meant: String, own: Int32)
    /// There are not as many names as descriptors.
    case countMismatch(count: String, names: String)
    /// A descriptor was not passed.
    case missingDescriptor(String)
    /// A descriptor was named, but is not open.
    case closedDescriptor(String, number: Int32)
  }

  /// The exit code: 0 for the host's end, else as sysexits.h has them.
  package var exitCode: Int32 {
    switch self {
    case .hostGone: 0
    case .notLaunched: 64
    case .violation, .unsupportedVersion, .brokenRing, .brokenSound: 70
    case .system: 71
    }
  }

  /// A sentence.
  package var description: String {
    switch self {
    case .hostGone: "the host has closed the session"
    case .notLaunched(let problem):
      "\(problem); this program is a capture extension: start it with \"darkroom run\""
    case .violation(let violation): "the host has left the protocol: \(violation)"
    case .unsupportedVersion(let mismatch): mismatch.description
    case .brokenRing(let error): error.description
    case .brokenSound(let error): error.description
    case .system(let error): error.description
    }
  }
}

extension ExtensionFailure.LaunchProblem: CustomStringConvertible {
  /// A clause.
  package var description: String {
    switch self {
    case .noDescriptors: "LISTEN_FDS, LISTEN_PID and LISTEN_FDNAMES are not all set"
    case .otherProcess(let meant, let own):
      "LISTEN_PID is \(meant), but this process is \(own)"
    case .countMismatch(let count, let names):
      "LISTEN_FDS is \(count), which is not the number of names in LISTEN_FDNAMES=\(names)"
    case .missingDescriptor(let name): "LISTEN_FDNAMES does not name \(name)"
    case .closedDescriptor(let name, let number): "\(name) should be descriptor \(number), which is not open"
    }
  }
}
