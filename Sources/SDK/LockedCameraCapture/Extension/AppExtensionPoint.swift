// SPDX-License-Identifier: Apache-2.0

/// The name by which an extension and its host find each other.
///
/// Linux has one extension point: ``capture``, for capture extensions. The host reads the kind of an
/// installed extension from its manifest, `extension.json`, and not from this value. An extension that binds
/// to any other point is not presented.
public struct AppExtensionPoint: Hashable, Sendable {
  /// The name of the extension point.
  private let identifier: String

  /// The extension point of capture extensions, `org.darkroom.securecapture`.
  ///
  /// Apple's name, `com.apple.securecapture`, is an alias, so that sources can be shared.
  public static let capture = AppExtensionPoint("org.darkroom.securecapture")

  /// Creates the extension point with a known name.
  ///
  /// - Parameter identifier: `org.darkroom.securecapture` or Apple's `com.apple.securecapture`.
  /// - Throws: ``LockedCameraCaptureError`` with the code `refused` if the name is unknown.
  public init(identifier: StaticString) throws {
    let point = AppExtensionPoint("\(identifier)")
    guard point == .capture else { throw point.unknown }
    self = point
  }

  /// Creates an extension point with any name; maps Apple's name to Darkroom's.
  private init(_ name: String) {
    identifier = name == "com.apple.securecapture" ? "org.darkroom.securecapture" : name
  }

  /// The error for an extension point that no host supports.
  var unknown: LockedCameraCaptureError {
    LockedCameraCaptureError(
      .refused,
      "there is no extension point '\(identifier)' on this system; bind to '\(Self.capture.identifier)', or remove "
        + "extensionPoint"
    )
  }

  /// The name of an extension point, before it is resolved.
  public struct Identifier: Hashable, Sendable {
    /// The name, prefixed with the bundle identifier of the host app if there is one.
    fileprivate let name: String

    /// Creates the identifier of an extension point of the system.
    public init(_ value: StaticString) { name = "\(value)" }

    /// Creates the identifier of an extension point of an app.
    ///
    /// Apps on Linux have no extension points, so an extension that binds to one is not presented.
    public init(host bundleIdentifier: StaticString, name: StaticString) {
      self.name = "\(bundleIdentifier)/\(name)"
    }
  }

  /// The result builder that binds an extension to one extension point.
  @resultBuilder
  public struct Bind {
    /// Returns the extension point with the given identifier.
    public static func buildBlock(_ identifier: Identifier) -> AppExtensionPoint {
      AppExtensionPoint(identifier.name)
    }
  }
}
