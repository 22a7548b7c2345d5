// SPDX-License-Identifier: Apache-2.0

import CPipeWire
import Glibc
import Testing

@testable import CameraDevices
@testable import CameraSource

@Suite struct PipeWireNodeTests {
  /// Creates a node that reports the object path `object`.
  private func node(_ object: String) -> PipeWireNode {
    PipeWireNode(
      id: 1,
      serial: 1,
      priority: 0,
      name: "n",
      description: "",
      role: "Camera",
      objectPath: object
    )
  }

  @Test func `recognizes the object path of a numbered video device as a kernel device`() {
    #expect(node("v4l2:/dev/video0").kernelPath == "/dev/video0")
    #expect(node("v4l2:/dev/video12").kernelPath == "/dev/video12")
  }

  @Test(arguments: [
    "", "v4l2:", "v4l2:/dev/watchdog", "v4l2:/dev/video", "v4l2:/dev/video0/../watchdog", "v4l2:/dev/videos",
    "v4l2:/dev/../tmp/video0", "v4l2:/tmp/video0", "v4l2:/dev/video\u{0660}", "v4l2:/dev/video-1",
    "v4l2:/dev/video00000",
    "libcamera:/dev/video0", " v4l2:/dev/video0",
  ])
  func `rejects every other object path that a node reports`(object: String) {
    #expect(node(object).kernelPath == nil)
  }

  /// Without a connected camera, the session manager answers ENOENT. The registry reports a removed camera.
  @Test func `distinguishes a removed camera from one that is not connected`() {
    var status = darkroom_pipewire_status()
    status.error = -ENOENT
    #expect(CameraFault(status) == .pipeWire(.failed("")))
    status.is_removed = true
    #expect(CameraFault(status) == .unplugged)
    status.is_removed = false
    status.error = -ENODEV
    #expect(CameraFault(status) == .unplugged)
    status.error = 0
    #expect(CameraFault(status) == nil)
  }
}
