// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The devices of a session, as the host described them at the launch.
package struct SessionDevices: Sendable {
  /// The camera, or `nil` if the session has none.
  package let camera: SessionCamera?
  /// The microphone, or `nil` if the session has none.
  package let microphone: SessionMicrophone?

  /// Creates the devices from the parameters of `session/start`.
  init(_ devices: SessionStart.Devices) {
    camera = devices.camera.map(SessionCamera.init)
    microphone = devices.microphone.map { SessionMicrophone($0) }
  }
}

/// The camera of a session, as the host described it at the launch.
package struct SessionCamera: Sendable {
  /// The name for the user.
  package let name: String
  /// The width of a frame in pixels.
  package let width: Int
  /// The height of a frame in pixels.
  package let height: Int
  /// The numerator of the frame rate, in frames per second.
  package let rateNumerator: Int
  /// The denominator of the frame rate, in frames per second.
  package let rateDenominator: Int
  /// The pattern of the sensor's samples that each frame has as well, or `nil` if it has none.
  package let rawPattern: RawFormat.Pattern?

  fileprivate init(_ camera: CameraDescription) {
    (name, width, height) = (camera.name, camera.width, camera.height)
    (rateNumerator, rateDenominator) = (camera.frameRate.numerator, camera.frameRate.denominator)
    rawPattern = camera.raw.map { RawFormat.Pattern($0.pattern) }
  }
}

extension LockedCameraCaptureSession {
  /// Whether the microphone delivers sound.
  @MainActor
  package var isMicrophoneRunning: Bool { runtime.isMicrophoneRunning }

  /// The current state of the camera.
  @MainActor
  package var currentCameraState: SessionCameraState { runtime.cameraState.value }

  /// The size of the viewfinder in pixels, or `nil` if the host shows none.
  @MainActor
  package var viewfinderSize: (width: Int, height: Int)? {
    (runtime.preview?.geometry).map { ($0.width, $0.height) }
  }
}
