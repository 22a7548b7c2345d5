// SPDX-License-Identifier: Apache-2.0

/// The services that a host provides to its sessions.
public struct HostConfiguration: Sendable {
  /// The source of the lock state.
  public var lockState: LockStateSelection = .standard
  /// The service that authenticates the user before an extension opens its app.
  public var authenticator: AuthenticatorSelection = .standard
  /// The photo library of the user.
  public var photoLibrary: PhotoLibrarySelection = .standard
  /// Prompts the user for a device of a session, if the user has chosen to be prompted each time. With `nil`,
  /// such a session gets no device.
  public var deviceConsent: (@Sendable (DeviceConsentRequest) async -> Bool)?
  /// The limits of prewarmed extensions, or `nil` to prewarm none. With limits, the host also keeps a broker
  /// process, which makes launches faster.
  public var prewarming: PrewarmingLimits?

  /// Creates the configuration of the `darkroom` command, without prompts.
  public init() {}
}

/// The photo library of a host.
public enum PhotoLibrarySelection: Sendable, Hashable {
  /// The sessions have no photo library.
  case none
  /// The library of the user: `DARKROOM_LIBRARY`, or `Darkroom` in the pictures directory.
  case standard
  /// The library in a directory.
  case path(String)
}

/// The limits of prewarmed extensions.
public struct PrewarmingLimits: Sendable, Hashable {
  /// The maximum number of prewarmed extensions.
  public var maximumExtensions: Int
  /// The maximum age of a prewarmed extension.
  public var lifetime: Duration

  /// Creates limits.
  public init(maximumExtensions: Int = 4, lifetime: Duration = .seconds(300)) {
    (self.maximumExtensions, self.lifetime) = (maximumExtensions, lifetime)
  }
}

/// A request to the user for a device of one session.
public struct DeviceConsentRequest: Sendable, Hashable {
  /// A kind of device.
  public enum Kind: String, Sendable, Hashable {
    /// A camera.
    case camera
    /// A microphone.
    case microphone
  }

  /// The kind of the device.
  public let kind: Kind
  /// The device as the launch names it.
  public let device: String
  /// The ID of the app.
  public let appID: String
  /// The name of the app, which its author chose.
  public let appName: String
}
