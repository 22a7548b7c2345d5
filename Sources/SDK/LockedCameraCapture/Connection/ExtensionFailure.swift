// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// A failure that ends an extension.
package enum ExtensionFailure: Error, Equatable, CustomStringConvertible {
  /// The host has exited, or has closed the connection.
  case hostClosed
  /// This process was not started as an extension.
  case notLaunched(LaunchProblem)
  /// The host has violated the protocol.
  case violation(ProtocolViolation)
  /// The host and this library have no protocol version in common.
  case unsupportedVersion(VersionMismatch)
  /// The frame ring is invalid.
  case invalidFrameRing(FrameRingLayoutError)
  /// The sound ring is invalid.
  case invalidSoundRing(SoundRingLayoutError)
  /// A system call failed that an extension requires.
  case system(SystemCallError)

  /// A problem with the environment of an extension.
  package enum LaunchProblem: Equatable, Sendable {
    /// `LISTEN_FDS`, `LISTEN_PID` or `LISTEN_FDNAMES` is not set.
    case noDescriptors
    /// `LISTEN_PID` is the ID of another process.
    case otherProcess(meant: String, own: Int32)
    /// The number of names differs from the number of descriptors.
    case countMismatch(count: String, names: String)
    /// A required descriptor was not passed.
    case missingDescriptor(String)
    /// A descriptor has a name, but is not open.
    case closedDescriptor(String, number: Int32)
  }

  /// The exit code: 0 if the host closed the connection, otherwise a code from sysexits.h.
  package var exitCode: Int32 {
    switch self {
    case .hostClosed: 0
    case .notLaunched: 64
    case .violation, .unsupportedVersion, .invalidFrameRing, .invalidSoundRing: 70
    case .system: 71
    }
  }

  /// The error message.
  package var description: String {
    switch self {
    case .hostClosed: "the host closed the session"
    case .notLaunched(let problem):
      "\(problem); this program is a capture extension: start it with 'darkroom run'"
    case .violation(let violation): "the host violated the protocol: \(violation)"
    case .unsupportedVersion(let mismatch): mismatch.description
    case .invalidFrameRing(let error): error.description
    case .invalidSoundRing(let error): error.description
    case .system(let error): error.description
    }
  }
}

extension ExtensionFailure.LaunchProblem: CustomStringConvertible {
  /// The problem, as a clause of the error message.
  package var description: String {
    switch self {
    case .noDescriptors: "LISTEN_FDS, LISTEN_PID and LISTEN_FDNAMES are not all set"
    case .otherProcess(let meant, let own):
      "LISTEN_PID is \(meant), but this process is \(own)"
    case .countMismatch(let count, let names):
      "LISTEN_FDS is \(count), which is not the number of names in LISTEN_FDNAMES=\(names)"
    case .missingDescriptor(let name): "LISTEN_FDNAMES does not name \(name)"
    case .closedDescriptor(let name, let number): "descriptor \(number) (\(name)) is not open"
    }
  }
}
