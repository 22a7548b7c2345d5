// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockedCameraCapture
import TestSupport
import Testing

@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct CaptureFrameTests {
  @Test func `delivers the newest frame, counts dropped frames, and acknowledges all of them`() throws {
    var seen: [[UInt64]] = []
    try runSession { host in
      try host.start()
      for luma in 1...3 { try host.publish(luma: UInt8(luma)) }
      try host.startCamera()
      try host.waitUntilDone(3)
      try host.publish(luma: 4)
      try host.waitUntilDone(1)
      try host.dismiss()
    } extension: { session in
      try Viewfinder { frame in
        seen.append([frame.sequence, frame.dropped, frame.timestamp, UInt64(firstSample(frame))])
        let (intact, layout) = (frame.isIntact, frame.layout(of: .blue))
        let count = frame.withPlane(.red) { $0.byteCount }
        #expect(intact)
        #expect((layout.width, layout.height, layout.stride) == (17, 9, 17))
        #expect(count == 17 * 9)
      }.appear(in: session)
    }
    #expect(seen == [[3, 2, 3000, 3], [4, 0, 4000, 4]])
  }

  @Test func `delivers every frame if every frame is requested`() throws {
    var seen: [UInt8] = []
    var missed: UInt64 = 0
    try runSession { host in
      try host.start()
      try host.startCamera(.every)
      for luma in 1...4 { try host.publish(luma: UInt8(luma)) }
      try host.waitUntilDone(4)
      for luma in 5...8 { try host.publish(luma: UInt8(luma)) }
      try host.waitUntilDone(4)
      try host.dismiss()
    } extension: { session in
      try Viewfinder(.every) { frame in
        seen.append(firstSample(frame))
        missed += frame.dropped
      }.appear(in: session)
    }
    #expect(seen == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(missed == 0)
  }

  @Test func `reports a frame that is overwritten during a read, and keeps a copied image unchanged`()
    throws
  {
    let go = try Pipe.make()
    let (waiting, signalling) = (go.readEnd.rawValue, go.writeEnd.rawValue)
    var intact: [Bool] = []
    var lumas: [UInt8] = []
    try runSession { host in
      try host.start()
      try host.startCamera()
      try host.publish(luma: 1)
      _ = try Poller.wait([(waiting, .readable)], until: TestTimeout.deadline)
      for luma in 2...5 { try host.publish(luma: UInt8(luma), announce: false) }
      try host.expect(.log(.debug, "continue"))
      try host.waitUntilDone(1)
      try host.dismiss()
    } extension: { session in
      try Viewfinder { frame in
        let copy = frame.copy()
        intact.append(frame.isIntact)
        try go.writeEnd.writeAll([1])
        // Waits until the host has overwritten each slot of the ring.
        let deadline = TestTimeout.deadline
        while frame.isIntact, MonotonicClock.now < deadline {}
        intact.append(frame.isIntact)
        session.log(.debug, "continue")
        if let copy { lumas.append(firstSample(copy)) }
        let late = frame.copy() == nil
        #expect(late)
      }.appear(in: session)
    }
    #expect(signalling >= 0)
    #expect(intact == [true, false])
    #expect(lumas == [1])
  }

  @Test func `rejects a ring with an invalid header`() throws {
    let fake = try FakeHost()
    try fake.send(.request(id: .integer(1), .sessionStart(FakeHost.sessionStart())))
    let error = #expect(throws: ExtensionFailure.self) {
      var channel = try fake.channel(camera: false)
      channel.camera = CameraChannel(
        frames: try MemoryFile.make(name: "zero", size: 8192),
        frameEvent: try EventCounter.make(),
        frameDone: try EventCounter.make()
      )
      return try LockedCameraCaptureSession(channel)
    }
    #expect(error?.exitCode == 70)
  }
}
