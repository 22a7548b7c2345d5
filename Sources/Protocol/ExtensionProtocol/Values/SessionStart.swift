// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What an extension is told first: everything about its session.
package struct SessionStart: WireValue {
  /// The versions of the protocol that the host speaks.
  package var protocolVersions: [Int]
  /// The session's UUID.
  package var sessionID: String
  /// The app that the captures belong to.
  package var app: String
  /// The extension that this is.
  package var `extension`: String
  /// Where captures go; the one directory that outlives the session.
  package var sessionDirectory: String
  /// Scratch space; erased.
  package var containerDirectory: String
  /// The extension's own files; read-only.
  package var extensionDirectory: String
  /// The app context; null if there is none.
  package var appContext: JSONValue
  /// Whether the person is locked out at the moment.
  package var lockState: LockState
  /// What the extension may use.
  package var permissions: Permissions
  /// The times that the host allows.
  package var deadlines: Deadlines
  /// The camera; nil if the session has none.
  package var camera: CameraDescription?
  /// How the session stands before the person.
  package var scene: SceneState
  /// What the session was launched from.
  package var launch: LaunchOrigin
  /// Where assets of the photo library appear that the extension may read; read-only.
  package var libraryDirectory: String
  /// The files that the app shares, which the extension may read; nil: it shares none.
  package var assetsDirectory: String?
  /// Whether there are descriptors for the viewfinder that the extension draws.
  package var preview: Bool
  /// How many camera controls the extension may declare; 0: nobody could adjust them.
  package var cameraControls: Int
  /// The microphone; nil if the session has none.
  package var microphone: MicrophoneDescription?

  /// Describes a session.
  package init(
    protocolVersions: [Int] = ProtocolVersion.spoken,
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

  /// Where the photo library appears unless the host says otherwise.
  package static let libraryDirectory = "/library"

  /// Reads it.
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

  /// Writes it.
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

/// The answer to `session/start`.
package struct SessionStartResult: WireValue {
  /// The version that the extension has chosen.
  package var protocolVersion: Int

  /// Makes an answer.
  package init(protocolVersion: Int) { self.protocolVersion = protocolVersion }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    protocolVersion = try fields.integer("protocolVersion", in: 0...Int.max)
  }

  /// Writes it.
  package var json: JSONValue { ["protocolVersion": .integer(Int64(protocolVersion))] }
}
