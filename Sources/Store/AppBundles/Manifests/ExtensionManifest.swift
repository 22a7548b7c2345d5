// SPDX-License-Identifier: Apache-2.0

/// The manifest of a capture extension, `extension.json`.
package struct ExtensionManifest: Sendable, Hashable {
  /// The ID of the extension: the ID of its app, a dot, and further labels.
  package var id: String
  /// The display name of the extension.
  package var name: String
  package var program: Program
  /// The connection of the program to the host, the camera and the user.
  package var capture: Capture
  /// The policy of the extension.
  package var policy: PolicyReference
  /// The time in seconds after launch within which the extension must present a viewfinder.
  package var launchDeadline: Double

  package static let defaultPolicy = "capture"
  /// The default launch deadline, in seconds.
  package static let defaultLaunchDeadline = 10.0
  /// The valid launch deadlines, in seconds.
  package static let launchDeadlines = 1.0...30.0

  /// Creates a manifest.
  package init(
    id: String,
    name: String,
    program: Program,
    capture: Capture = Capture(),
    policy: PolicyReference = .shipped(ExtensionManifest.defaultPolicy),
    launchDeadline: Double = ExtensionManifest.defaultLaunchDeadline
  ) {
    self.id = id
    self.name = name
    self.program = program
    self.capture = capture
    self.policy = policy
    self.launchDeadline = launchDeadline
  }
}

extension ExtensionManifest {
  /// The program of an extension.
  package struct Program: Sendable, Hashable {
    /// The path, relative to the extension's directory.
    package var path: String
    package var arguments: [String]
    /// Additional environment variables.
    package var environment: [String: String]
    /// The supported architectures, or an empty array for all.
    package var architectures: [Architecture]
    /// Whether the program may be prewarmed.
    package var preparation: Preparation

    /// Creates a program.
    package init(
      _ path: String,
      arguments: [String] = [],
      environment: [String: String] = [:],
      architectures: [Architecture] = [],
      preparation: Preparation = .atLaunch
    ) {
      self.path = path
      self.arguments = arguments
      self.environment = environment
      self.architectures = architectures
      self.preparation = preparation
    }
  }

  /// The connection of a program to the host, the camera and the user.
  package struct Capture: Sendable, Hashable {
    /// The protocol between program and host.
    package var hostProtocol: HostProtocol
    /// The delivery of camera frames.
    package var frames: FrameDelivery
    /// The usage descriptions of protected resources.
    package var usageDescriptions: UsageDescriptions
    /// The ID of the capture intent that its controls perform, or `nil` if the bundle names none.
    package var intent: String?
    /// The supported orientations in order of preference, or an empty array for all.
    package var orientations: [InterfaceOrientation]

    /// Creates a description of a connection.
    package init(
      hostProtocol: HostProtocol = .version1,
      frames: FrameDelivery = .none,
      usageDescriptions: UsageDescriptions = UsageDescriptions(),
      intent: String? = nil,
      orientations: [InterfaceOrientation] = []
    ) {
      self.hostProtocol = hostProtocol
      self.frames = frames
      self.usageDescriptions = usageDescriptions
      self.intent = intent
      self.orientations = orientations
    }
  }
}

/// An orientation of the device, by its name in the protocol.
package enum InterfaceOrientation: String, Sendable, Hashable, CaseIterable {
  /// Upright.
  case portrait
  /// Upright, upside down.
  case portraitUpsideDown
  /// On its side, with the top on the left.
  case landscapeLeft
  /// On its side, with the top on the right.
  case landscapeRight
}

/// The time at which a program may be started.
package enum Preparation: Sendable, Hashable {
  /// At the launch of the extension.
  case atLaunch
  /// Before the launch. The program waits for its first message, which contains all information about its
  /// session.
  case beforeLaunch
}

/// The protocol between program and host.
package enum HostProtocol: String, Sendable, Hashable, CaseIterable {
  /// Version 1 of the protocol, over two pipes.
  case version1 = "1"
  /// No protocol: the program uses its environment and standard input.
  case none
}

/// The delivery of camera frames to an extension.
package enum FrameDelivery: String, Sendable, Hashable, CaseIterable {
  /// No frames.
  case none
  /// In shared memory.
  case ring
  /// As a YUV4MPEG stream on standard input.
  case stdin

  /// Returns the default delivery: the ring if the extension uses the protocol and has a usage description
  /// for the camera.
  package static func standard(for hostProtocol: HostProtocol, camera: String?) -> FrameDelivery {
    hostProtocol == .version1 && camera != nil ? .ring : .none
  }
}

/// A reference to the policy of an extension.
package enum PolicyReference: Sendable, Hashable {
  /// A policy that is included in Darkroom, by name.
  case shipped(String)
  /// A policy document, by its path relative to the extension's directory.
  case file(String)
}

/// A machine architecture, by its name in uname(2).
package enum Architecture: String, Sendable, Hashable, CaseIterable {
  /// 64-bit x86.
  case x86 = "x86_64"
  /// 64-bit ARM.
  case arm = "aarch64"
}
