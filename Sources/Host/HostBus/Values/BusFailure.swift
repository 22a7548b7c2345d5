// SPDX-License-Identifier: Apache-2.0

/// An error reply to a method call.
struct BusFailure: Error, Sendable, Hashable {
  /// The name of the error.
  var name: String
  /// The message for the user.
  var message: String

  private static let standard = "org.freedesktop.DBus.Error"
  private static let own = "org.darkroom.Host1.Error"

  /// Returns an error with a name of the D-Bus specification.
  static func standard(_ name: String, _ message: String) -> BusFailure {
    BusFailure(name: "\(standard).\(name)", message: message)
  }

  /// Returns an error of the service. `kind` is a kind of the host interface, such as `notInstalled`.
  static func own(_ kind: String, _ message: String) -> BusFailure {
    BusFailure(name: "\(own).\(kind.prefix(1).uppercased())\(kind.dropFirst())", message: message)
  }

  /// The arguments of a call have the wrong types or values.
  static func invalidArguments(_ message: String) -> BusFailure { .standard("InvalidArgs", message) }
  /// A limit of the service is exceeded.
  static func limitsExceeded(_ message: String) -> BusFailure { .standard("LimitsExceeded", message) }
  /// The caller may not call a method.
  static func accessDenied(_ message: String) -> BusFailure { .standard("AccessDenied", message) }
  /// A property is unknown.
  static func unknownProperty(_ name: String) -> BusFailure {
    .standard("UnknownProperty", "the property '\(name)' does not exist")
  }
  /// An interface is unknown, or the object does not implement it.
  static func unknownInterface(_ name: String, _ path: String) -> BusFailure {
    .standard("UnknownInterface", "\(path): the interface '\(name)' does not exist")
  }
  /// No object has this path.
  static func unknownObject(_ path: String) -> BusFailure {
    .standard("UnknownObject", "\(path): the object does not exist")
  }
  /// The service is stopping.
  static let stopping = BusFailure.own("closed", "the service is stopping; call it again later")
}
