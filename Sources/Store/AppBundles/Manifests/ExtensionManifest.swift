// SPDX-License-Identifier: Apache-2.0

/// What a capture extension says of itself in its `extension.json`.
package struct ExtensionManifest: Sendable, Hashable {
  /// The extension's name for machines: its app's id, a dot, and more.
  package var id: String
  /// The extension's name for people.
  package var name: String
  /// The path of the program, from the extension's own directory.
  package var executable: String
  /// The program's arguments.
  package var arguments: [String]
  /// How the program talks with the host.
  package var hostProtocol: HostProtocol
  /// The policy that it runs under.
  package var policy: PolicyReference
  /// How many seconds after its launch the extension must have a viewfinder.
  package var launchDeadline: Double
  /// The machines that the program runs on; empty if any.
  package var architectures: [Architecture]
  /// Variables that it wants in its environment.
  package var environment: [String: String]
  /// What the extension uses of the person's, and why.
  package var usageDescriptions: UsageDescriptions
  /// How camera frames come to it.
  package var frames: FrameDelivery
  /// The id of the capture intent that its controls perform, or nil if the bundle names none.
  package var intent: String?
  /// The orientations that it can draw in, in the order of its preference; empty if any.
  package var orientations: [InterfaceOrientation]
  /// Whether the program may be started ahead of its launch.
  package var preparation: Preparation

  /// The policy of an extension that names none.
  package static let defaultPolicy = "capture"
  /// The deadline of an extension that names none, in seconds.
  package static let defaultLaunchDeadline = 10.0
  /// The deadlines that an extension may name, in seconds.
  package static let launchDeadlines = 1.0...30.0

  /// Makes a manifest.
  package init(
    id: String,
    name: String,
    executable: String,
    arguments: [String] = [],
    hostProtocol: HostProtocol = .version1,
    policy: PolicyReference = .shipped(ExtensionManifest.defaultPolicy),
    launchDeadline: Double = ExtensionManifest.defaultLaunchDeadline,
    architectures: [Architecture] = [],
    environment: [String: String] = [:],
    usageDescriptions: UsageDescriptions = UsageDescriptions(),
    frames: FrameDelivery = .none,
    intent: String? = nil,
    orientations: [InterfaceOrientation] = [],
    preparation: Preparation = .atLaunch
  ) {
    self.id = id
    self.name = name
    self.executable = executable
    self.arguments = arguments
    self.hostProtocol = hostProtocol
    self.policy = policy
    self.launchDeadline = launchDeadline
    self.architectures = architectures
    self.environment = environment
    self.usageDescriptions = usageDescriptions
    self.frames = frames
    self.intent = intent
    self.orientations = orientations
    self.preparation = preparation
  }
}

/// A way in which the machine is held, by the name that the protocol has for it.
package enum InterfaceOrientation: String, Sendable, Hashable, CaseIterable {
  /// Upright.
  case portrait
  /// Upright, with the top below.
  case portraitUpsideDown
  /// On its side, with the top on the left.
  case landscapeLeft
  /// On its side, with the top on the right.
  case landscapeRight
}

/// When a program may be started.
package enum Preparation: Sendable, Hashable {
  /// When the extension is launched.
  case atLaunch
  /// Ahead, to wait for its launch by reading the first message, which tells it everything about its session.
  case ahead
}

/// How a program talks with the host.
package enum HostProtocol: String, Sendable, Hashable, CaseIterable {
  /// Version 1 of the protocol over two pipes.
  case version1 = "1"
  /// Not at all: it finds what it needs in its environment and on standard input.
  case none
}

/// How camera frames come to an extension.
package enum FrameDelivery: String, Sendable, Hashable, CaseIterable {
  /// Not at all.
  case none
  /// In shared memory.
  case ring
  /// As a YUV4MPEG stream on standard input.
  case stdin

  /// What an extension gets that does not say: the ring if it speaks the protocol and has a reason for the camera.
  package static func standard(for hostProtocol: HostProtocol, camera: String?) -> FrameDelivery {
    hostProtocol == .version1 && camera != nil ? .ring : .none
  }
}

/// Which policy an extension runs under.
package enum PolicyReference: Sendable, Hashable {
  /// A policy that comes with Darkroom, by name.
  case shipped(String)
  /// A policy document, by its path from the extension's own directory.
  case file(String)
}

/// A kind of machine, by the name that uname(2) has for it.
package enum Architecture: String, Sendable, Hashable, CaseIterable {
  /// 64-bit x86.
  case x86 = "x86_64"
  /// 64-bit ARM.
  case arm = "aarch64"
}
