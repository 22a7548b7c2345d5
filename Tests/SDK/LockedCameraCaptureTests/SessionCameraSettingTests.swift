// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LockedCameraCapture
import Testing

/// The camera settings that an extension reads and changes.
@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct SessionCameraSettingTests {
  nonisolated private static let zoom = ExtensionProtocol.CameraSetting(
    .zoom,
    from: 100,
    to: 500,
    step: 10,
    standard: 100,
    value: 120
  )
  nonisolated private static let focus = ExtensionProtocol.CameraSetting(
    .focus,
    from: 0,
    to: 9,
    standard: 1,
    value: 2,
    isAdjustable: false
  )
  nonisolated private static let bias = ExtensionProtocol.CameraSetting(
    .exposureBias,
    from: -700,
    to: 1000,
    standard: 0,
    value: 0,
    values: [-700, 0, 1000]
  )

  @Test func `reports setting ranges, returns the value that the camera applied, and throws typed errors`()
    async throws
  {
    try await runAsyncSession { host in
      try host.start()
      try host.startCamera()
      try host.answer(
        .cameraSettings,
        .success(CameraSettingsResult([Self.zoom, Self.focus, Self.bias]).json)
      )
      let wish = CameraSettingRequest(name: "zoom", value: 217)
      try host.answer(.cameraSet(wish), .success(CameraSettingResult(value: 210).json))
      let refusal = ErrorObject(code: 4021, message: "an automatic sets it")
      try host.answer(.cameraSet(CameraSettingRequest(name: "focus", value: 3)), .failure(refusal))
      try host.answer(.cameraSettings, .failure(ErrorObject(code: 4002, message: "the camera was unplugged")))
      try host.dismiss()
    } extension: { session in
      try session.startCamera()
      let settings = try session.cameraSettings()
      #expect(settings.map(\.name) == [.zoom, .focus, .exposureBias])
      #expect(
        settings.map(\.range) == [100...500, 0...9, -700...1000] && settings.map(\.step) == [10, 1, 1]
      )
      #expect(settings.map(\.values) == [[], [], [-700, 0, 1000]])
      #expect(settings.map(\.defaultValue) == [100, 1, 0] && settings.map(\.value) == [120, 2, 0])
      #expect(settings.map(\.isAdjustable) == [true, false, true])
      #expect(try session.setCamera(.zoom, to: 217) == 210)
      let refused = #expect(throws: LockedCameraCaptureError.self) { try session.setCamera(.focus, to: 3) }
      #expect(refused?.code == .invalidSetting && refused?.description.contains("automatic") == true)
      let gone = #expect(throws: LockedCameraCaptureError.self) { try session.cameraSettings() }
      #expect(gone?.code == .cameraUnavailable)
    }
  }
}
