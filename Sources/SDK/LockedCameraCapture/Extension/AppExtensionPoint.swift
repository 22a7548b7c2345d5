// SPDX-License-Identifier: Apache-2.0

/// What extensions are started for: the name by which an extension and its host find each other.
///
/// There is one on Linux: ``capture``, that of capture extensions. What an installed extension is for is not read from
/// here but from its manifest, `extension.json`; an extension that binds to anything else is not shown.
public struct AppExtensionPoint: Hashable, Sendable {
  /// The name.
  private let identifier: String

  /// The point of capture extensions, `org.darkroom.securecapture`.
  ///
  /// Apple's name of the same, `com.apple.securecapture`, means this one, so that sources can be shared.
  public static let capture = AppExtensionPoint("org.darkroom.securecapture")

  /// The point with a name that is known; throws ``LockedCameraCaptureError`` with the code `refused` otherwise.
  public init(identifier: StaticString) throws {
    let point = AppExtensionPoint("\(identifier)")
    guard point == .capture else { throw point.unknown }
    self = point
  }

  /// A name as it is, or ours for Apple's.
  private init(_ name: String) {
    identifier = name == "com.apple.securecapture" ? "org.darkroom.securecapture" : name
  }

  /// What is said of a point that nobody here starts extensions for.
  var unknown: LockedCameraCaptureError {
    LockedCameraCaptureError(
      .refused,
      "there is no extension point \"\(identifier)\" on this system; bind to \"\(Self.capture.identifier)\", or leave "
        + "extensionPoint out"
    )
  }

  /// The name of the extension point that an extension is for.
  public struct Identifier: Hashable, Sendable {
    /// The name, with the host in front of it where there is one.
    fileprivate let name: String

    /// Names a point of the system.
    public init(_ value: StaticString) { name = "\(value)" }

    /// Names a point of an app. No app has any on Linux, so that nothing that is bound to one is shown.
    public init(host bundleIdentifier: StaticString, name: StaticString) {
      self.name = "\(bundleIdentifier)/\(name)"
    }
  }

  /// Binds an extension to one point.
  @resultBuilder
  public struct Bind {
    /// The point with a name.
    public static func buildBlock(_ identifier: Identifier) -> AppExtensionPoint {
      AppExtensionPoint(identifier.name)
    }
  }
}
