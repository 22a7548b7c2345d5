// SPDX-License-Identifier: Apache-2.0

internal import HostInterface

/// An interface that objects of the service implement.
enum BusInterface: String, CaseIterable, Sendable {
  /// The interface of the manager.
  case manager = "org.darkroom.Host1.Manager"
  /// The interface of installed apps.
  case app = "org.darkroom.Host1.App"
  /// The interface of installed extensions.
  case captureExtension = "org.darkroom.Host1.Extension"
  /// The interface of sessions.
  case session = "org.darkroom.Host1.Session"
  /// The properties of objects.
  case properties = "org.freedesktop.DBus.Properties"
  /// The list of all objects.
  case objectManager = "org.freedesktop.DBus.ObjectManager"
  /// The description of objects.
  case introspectable = "org.freedesktop.DBus.Introspectable"
  /// The interface that sd-bus implements for all paths.
  case peer = "org.freedesktop.DBus.Peer"

  /// The description of the interface.
  var description: InterfaceDescription {
    guard let description = Self.descriptions[rawValue] else {
      preconditionFailure("no document describes \(rawValue)")
    }
    return description
  }

  /// The documents that describe the interfaces.
  static let documents: [[UInt8]] = [
    "org.darkroom.Host1.Manager.xml", "org.darkroom.Host1.App.xml", "org.darkroom.Host1.Extension.xml",
    "org.darkroom.Host1.Session.xml", "org.freedesktop.DBus.xml",
  ].map(InterfaceFile.content)

  private static let descriptions: [String: InterfaceDescription] = {
    let all = documents.flatMap { InterfaceDescription.read($0) ?? [] }
    return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  }()
}
