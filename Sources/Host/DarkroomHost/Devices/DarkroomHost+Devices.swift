// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import Microphones

extension DarkroomHost {
  /// Returns the cameras of the machine: those of Video4Linux, and then those of PipeWire if its server runs.
  ///
  /// Each camera is queried, and none is started. A camera that this user may not open is included.
  public func cameras() async throws(HostError) -> [CameraDevice] {
    try await HostThread.run { () throws(HostError) in
      (CameraList.cameras() + PipeWireCameras.cameras()).map { CameraDevice($0) }
    }
  }

  /// Returns the microphones of the machine.
  ///
  /// No microphone is opened: a listed microphone may be in use or refuse access.
  ///
  /// - Throws: ``HostError/system(_:)`` if the ALSA library is unavailable, or its configuration cannot be read.
  public func microphones() async throws(HostError) -> [MicrophoneDevice] {
    try await HostThread.run { () throws(HostError) in
      do throws(MicrophoneFault) {
        return try MicrophoneList.microphones().map { MicrophoneDevice($0) }
      } catch {
        throw .system(.init("the microphones cannot be listed: \(error)"))
      }
    }
  }
}
