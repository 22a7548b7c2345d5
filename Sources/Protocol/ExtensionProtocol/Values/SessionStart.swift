// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The parameters of `session/start`: all properties of a session.
package struct SessionStart: WireValue {
  /// The versions of the protocol that the host supports.
  package var protocolVersions: [Int]
  /// The session's UUID.
  package var sessionID: String
  /// The ID of the app that owns the captures.
  package var app: String
  /// The ID of the extension.
  package var `extension`: String
  /// The directory for captures, the only one that outlives the session.
  package var sessionDirectory: String
  /// The directory for temporary files, which are erased after the session.
  package var containerDirectory: String
  /// The read-only directory with the extension's own files.
  package var extensionDirectory: String
  /// The app context, or null if there is none.
  package var appContext: JSONValue
  /// Whether the screen is locked.
  package var lockState: LockState
  /// The permissions of the app.
  package var permissions: Permissions
  /// The deadlines of the host.
  package var deadlines: Deadlines
  /// The camera, or `nil` if the session has none.
  package var camera: CameraDescription?
  /// The phase and the orientation of the session's scene.
  package var scene: SceneState
  /// The origin of the session's launch.
  package var launch: LaunchOrigin
  /// The read-only directory in which the host exposes assets of the photo library.
  package var libraryDirectory: String
  /// The directory of the files that the app shares with the extension, or `nil` if there are none.
  package var assetsDirectory: String?
  /// Whether the extension has descriptors for drawing a viewfinder.
  package var preview: Bool
  /// The maximum number of camera controls, or 0 if the user has no means of adjusting them.
  package var cameraControls: Int
  /// The microphone, or `nil` if the session has none.
  package var microphone: MicrophoneDescription?

  /// Creates a session.
  package init(
    protocolVersions: [Int] = ProtocolVersion.supported,
    sessionID: String,
    app: String,
    extension: String,
    sessionDirectory: String = "/session",
    containerDirectory: String = "/container",
    extensionDirectory: String = "/extension",
    appContext: JSONValue = .null,
    lockState: LockState,
    permissions: Permissions,
    deadlines: Deadlines,
    camera: CameraDescription?,
    scene: SceneState = SceneState(),
    launch: LaunchOrigin = .commandLine,
    libraryDirectory: String = SessionStart.libraryDirectory,
    assetsDirectory: String? = nil,
    preview: Bool = false,
    cameraControls: Int = 0,
    microphone: MicrophoneDescription? = nil
  ) {
    self.protocolVersions = protocolVersions
    self.sessionID = sessionID
    self.app = app
    self.extension = `extension`
    self.sessionDirectory = sessionDirectory
    self.containerDirectory = containerDirectory
    self.extensionDirectory = extensionDirectory
    self.appContext = appContext
    self.lockState = lockState
    self.permissions = permissions
    self.deadlines = deadlines
    self.camera = camera
    self.scene = scene
    self.launch = launch
    self.libraryDirectory = libraryDirectory
    self.assetsDirectory = assetsDirectory
    self.preview = preview
    self.cameraControls = cameraControls
    self.microphone = microphone
  }

  /// The default directory of the photo library.
  package static let libraryDirectory = "/library"

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    protocolVersions = try fields.integers("protocolVersions")
    sessionID = try fields.string("sessionID")
    app = try fields.string("app")
    `extension` = try fields.string("extension")
    sessionDirectory = try fields.string("sessionDirectory")
    containerDirectory = try fields.string("containerDirectory")
    extensionDirectory = try fields.string("extensionDirectory")
    appContext = try fields.value("appContext")
    lockState = try fields.choice("lockState")
    permissions = try Permissions(from: try fields.object("permissions"))
    deadlines = try Deadlines(from: try fields.object("deadlines"))
    camera = try fields.optionalObject("camera").map { fields throws(ProtocolViolation) in
      try CameraDescription(from: fields)
    }
    scene =
      try fields.ifPresent("scene") { fields, name throws(ProtocolViolation) in
        try SceneState(from: try fields.object(name))
      } ?? SceneState()
    launch =
      try fields.ifPresent("launch") { fields, name throws(ProtocolViolation) in
        try LaunchOrigin(from: try fields.object(name))
      } ?? .commandLine
    libraryDirectory = try fields.ifPresent("libraryDirectory", FieldReader.string) ?? Self.libraryDirectory
    assetsDirectory = try fields.ifPresent("assetsDirectory", FieldReader.string)
    preview = try fields.ifPresent("preview", FieldReader.flag) ?? false
    cameraControls =
      try fields.ifPresent("cameraControls") { fields, name throws(ProtocolViolation) in
        try fields.integer(name, in: 0...Int.max)
      } ?? 0
    microphone = try fields.ifPresent("microphone") { fields, name throws(ProtocolViolation) in
      try MicrophoneDescription(from: try fields.object(name))
    }
  }

  /// The value as JSON.
  package var json: JSONValue {
    .object([
      "protocolVersions": .array(protocolVersions.map { .integer(Int64($0)) }),
      "sessionID": .string(sessionID),
      "app": .string(app),
      "extension": .string(`extension`),
      "sessionDirectory": .string(sessionDirectory),
      "containerDirectory": .string(containerDirectory),
      "extensionDirectory": .string(extensionDirectory),
      "appContext": appContext,
      "lockState": .string(lockState.rawValue),
      "permissions": permissions.json,
      "deadlines": deadlines.json,
      "camera": camera?.json ?? .null,
      "scene": scene.json,
      "launch": launch.json,
      "libraryDirectory": .string(libraryDirectory),
      "assetsDirectory": assetsDirectory.map(JSONValue.string) ?? .null,
      "preview": .bool(preview),
      "cameraControls": .integer(Int64(cameraControls)),
      "microphone": microphone?.json ?? .null,
    ])
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
