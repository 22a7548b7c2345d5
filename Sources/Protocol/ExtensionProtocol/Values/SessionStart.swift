// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The parameters of `session/start`: all properties of a session.
package struct SessionStart: WireValue {
  /// The versions of the protocol that the host supports.
  package var protocolVersions: [Int]
  /// The IDs of the session, the app and the extension.
  package var identity: Identity
  /// The directories that the extension can access.
  package var directories: Directories
  /// The app context, or null if there is none.
  package var appContext: JSONValue
  /// Whether the screen is locked.
  package var lockState: LockState
  /// The permissions of the app.
  package var permissions: Permissions
  /// The deadlines of the host.
  package var deadlines: Deadlines
  /// The devices of the session.
  package var devices: Devices
  /// The phase and the orientation of the session's scene.
  package var scene = SceneState()
  /// The origin of the session's launch.
  package var launch = LaunchOrigin.commandLine

  /// Creates a session that was launched from a command line.
  package init(
    _ identity: Identity,
    directories: Directories = Directories(),
    appContext: JSONValue = .null,
    lockState: LockState,
    permissions: Permissions,
    deadlines: Deadlines,
    devices: Devices
  ) {
    protocolVersions = ProtocolVersion.supported
    self.identity = identity
    self.directories = directories
    self.appContext = appContext
    self.lockState = lockState
    self.permissions = permissions
    self.deadlines = deadlines
    self.devices = devices
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    protocolVersions = try fields.integers("protocolVersions")
    identity = Identity(
      sessionID: try fields.string("sessionID"),
      app: try fields.string("app"),
      extension: try fields.string("extension")
    )
    directories = try Directories(from: fields)
    appContext = try fields.value("appContext")
    lockState = try fields.choice("lockState")
    permissions = try Permissions(from: try fields.object("permissions"))
    deadlines = try Deadlines(from: try fields.object("deadlines"))
    devices = try Devices(from: fields)
    scene =
      try fields.ifPresent("scene") { fields, name throws(ProtocolViolation) in
        try SceneState(from: try fields.object(name))
      } ?? SceneState()
    launch =
      try fields.ifPresent("launch") { fields, name throws(ProtocolViolation) in
        try LaunchOrigin(from: try fields.object(name))
      } ?? .commandLine
  }

  /// The value as JSON.
  package var json: JSONValue {
    .object([
      "protocolVersions": .array(protocolVersions.map { .integer(Int64($0)) }),
      "sessionID": .string(identity.sessionID),
      "app": .string(identity.app),
      "extension": .string(identity.extension),
      "sessionDirectory": .string(directories.session),
      "containerDirectory": .string(directories.container),
      "extensionDirectory": .string(directories.extension),
      "appContext": appContext,
      "lockState": .string(lockState.rawValue),
      "permissions": permissions.json,
      "deadlines": deadlines.json,
      "camera": devices.camera?.json ?? .null,
      "scene": scene.json,
      "launch": launch.json,
      "libraryDirectory": .string(directories.library),
      "assetsDirectory": directories.assets.map(JSONValue.string) ?? .null,
      "preview": .bool(devices.preview),
      "cameraControls": .integer(Int64(devices.cameraControls)),
      "microphone": devices.microphone?.json ?? .null,
    ])
  }
}

extension SessionStart {
  /// The IDs of a session, its app and its extension.
  package struct Identity: Sendable, Hashable {
    /// The session's UUID.
    package var sessionID: String
    /// The ID of the app that owns the captures.
    package var app: String
    /// The ID of the extension.
    package var `extension`: String

    /// Creates an identity.
    package init(sessionID: String, app: String, extension: String) {
      self.sessionID = sessionID
      self.app = app
      self.extension = `extension`
    }
  }

  /// The directories that an extension can access.
  package struct Directories: Sendable, Hashable {
    /// The directory for captures, the only one that outlives the session.
    package var session: String
    /// The directory for temporary files, which are erased after the session.
    package var container: String
    /// The read-only directory with the extension's own files.
    package var `extension`: String
    /// The read-only directory in which the host exposes assets of the photo library.
    package var library: String
    /// The directory of the files that the app shares with the extension, or `nil` if there are none.
    package var assets: String?

    /// The default directory of the photo library.
    package static let defaultLibrary = "/library"

    /// Creates directories.
    package init(
      session: String = "/session",
      container: String = "/container",
      extension: String = "/extension",
      library: String = Directories.defaultLibrary,
      assets: String? = nil
    ) {
      self.session = session
      self.container = container
      self.extension = `extension`
      self.library = library
      self.assets = assets
    }

    fileprivate init(from fields: FieldReader) throws(ProtocolViolation) {
      session = try fields.string("sessionDirectory")
      container = try fields.string("containerDirectory")
      `extension` = try fields.string("extensionDirectory")
      library = try fields.ifPresent("libraryDirectory", FieldReader.string) ?? Self.defaultLibrary
      assets = try fields.ifPresent("assetsDirectory", FieldReader.string)
    }
  }

  /// The devices of a session.
  package struct Devices: Sendable, Equatable {
    /// The camera, or `nil` if the session has none.
    package var camera: CameraDescription?
    /// The microphone, or `nil` if the session has none.
    package var microphone: MicrophoneDescription?
    /// Whether the extension has descriptors for drawing a viewfinder.
    package var preview: Bool
    /// The maximum number of camera controls, or 0 if the user has no means of adjusting them.
    package var cameraControls: Int

    /// Creates a list of devices.
    package init(
      camera: CameraDescription?,
      microphone: MicrophoneDescription? = nil,
      preview: Bool = false,
      cameraControls: Int = 0
    ) {
      self.camera = camera
      self.microphone = microphone
      self.preview = preview
      self.cameraControls = cameraControls
    }

    fileprivate init(from fields: FieldReader) throws(ProtocolViolation) {
      camera = try fields.optionalObject("camera").map { fields throws(ProtocolViolation) in
        try CameraDescription(from: fields)
      }
      microphone = try fields.ifPresent("microphone") { fields, name throws(ProtocolViolation) in
        try MicrophoneDescription(from: try fields.object(name))
      }
      preview = try fields.ifPresent("preview", FieldReader.flag) ?? false
      cameraControls =
        try fields.ifPresent("cameraControls") { fields, name throws(ProtocolViolation) in
          try fields.integer(name, in: 0...Int.max)
        } ?? 0
    }
  }
}

/// The result of `session/start`.
package struct SessionStartResult: WireValue {
  /// The version that the extension has chosen.
  package var protocolVersion: Int

  /// Creates an answer.
  package init(protocolVersion: Int) { self.protocolVersion = protocolVersion }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    protocolVersion = try fields.integer("protocolVersion", in: 0...Int.max)
  }

  /// The value as JSON.
  package var json: JSONValue { ["protocolVersion": .integer(Int64(protocolVersion))] }
}
