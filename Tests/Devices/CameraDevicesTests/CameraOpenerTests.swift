// SPDX-License-Identifier: Apache-2.0

import CameraDevices
import CameraSource
import LinuxPrimitives
import Testing

/// The errors for cameras that cannot be opened.
@Suite struct CameraOpenerTests {
  /// Returns the fault with which opening a device fails, or `nil` if the device opens.
  private func fault(_ device: ScriptedDevice) throws -> CameraFault? {
    do { _ = try CameraOpener.open(device) } catch let error as FrameSourceError {
      guard case .camera(let fault) = error.reason else { return nil }
      return fault
    }
    return nil
  }

  /// Returns the fault with which opening fails if `openat(2)` fails with an errno.
  private func fault(opening errno: Errno) throws -> CameraFault? {
    let opening = VideoDeviceOpener { path throws(SystemCallError) in
      throw SystemCallError("openat", path: path, errno: errno)
    }
    do { _ = try CameraOpener.open("/dev/video7", by: opening) } catch {
      guard case .camera(let fault) = error.reason else { return nil }
      return fault
    }
    return nil
  }

  @Test func `explains why a camera cannot be opened and how to fix it`() throws {
    #expect(try fault(opening: .noSuchFile) == .noSuchDevice)
    let refused = try #require(try fault(opening: .permissionDenied))
    #expect("\(refused)".contains("usermod -aG video"))
    #expect(try fault(opening: .busy) == .cameraBusy(holders: []))
    #expect("\(try #require(try fault(opening: .noSuchFile)))".contains("darkroom camera list"))
  }

  @Test func `distinguishes a device that is not a camera from a camera whose driver fails`() throws {
    let device = try ScriptedDevice()
    device.failures["identity"] = .unknownRequest
    #expect(try fault(device) == .notACamera(name: ""))
    device.failures["identity"] = .noSuchDevice
    #expect(try fault(device) == .unplugged)
    device.failures = [:]
    device.deviceIdentity.capabilities = [.streaming]
    #expect(try fault(device) == .notACamera(name: "Scripted camera"))
    device.deviceIdentity.capabilities = [.streaming, .planarCapture]
    #expect(try fault(device) == nil)
  }

  @Test(arguments: ["setPicture", "setRate", "takeBuffers"])
  func `reports a camera as busy whichever request fails with EBUSY`(request: String) throws {
    let device = try ScriptedDevice()
    device.failures[request] = .busy
    #expect(try fault(device) == .cameraBusy(holders: []))
  }

  @Test func `lists the offered formats if none of them can be converted`() throws {
    let device = try ScriptedDevice()
    device.offeredFormats = [
      CameraFormat(PixelFormat("H264"), title: "", sizes: .listed([CameraSize(width: 64, height: 48)]))
    ]
    #expect(try fault(device) == .noSupportedFormat(offered: ["H264"]))
  }

  @Test func `rejects a format that the camera lacks and lists those that it offers`()
    throws
  {
    let device = try ScriptedDevice()
    device.offeredFormats = ["YU12", "YUYV"].map { name in
      CameraFormat(
        PixelFormat(named: name)!,
        title: "",
        sizes: .listed([CameraSize(width: 64, height: 48)])
      )
    }
    func open(_ name: String) throws {
      _ = try CameraOpener.open(
        "/dev/video0:64x48,\(name)",
        by: VideoDeviceOpener { path throws(SystemCallError) in device }
      )
    }
    let error = #expect(throws: FrameSourceError.self) { try open("MJPG") }
    #expect(error?.reason == .camera(.noSuchFormat(wanted: "MJPG", offered: ["YU12", "YUYV"])))
    for wrong in ["", "MJ", "MJPEG", "Y,12", "é12"] {
      let error = #expect(throws: FrameSourceError.self) { try open(wrong) }
      #expect(error?.reason == .camera(.invalidSpecification), "\(wrong)")
    }
  }

  @Test func `finds the processes that have a device open by their descriptors`() throws {
    let directory = try FileSystem.realPath("/tmp")
    let place = "\(directory)/darkroom-holders-\(CurrentProcess.processID)"
    defer { _ = try? FileSystem.removeTree(place) }
    for (process, target) in [("12", "/dev/video7"), ("13", "/dev/video70"), ("x", "/dev/video7")] {
      try FileSystem.makeDirectories("\(place)/\(process)/fd")
      try FileSystem.makeSymbolicLink("\(place)/\(process)/fd/5", to: target)
      try FileSystem.replaceContents("\(place)/\(process)/comm", with: Array("cheese\n".utf8))
    }
    let found = DeviceHolders.find("/dev/video7", processes: place)
    #expect(found == [CameraHolder(process: 12, program: "cheese")])
    #expect("\(CameraFault.cameraBusy(holders: found))".contains("in use by cheese (12)"))
  }

  @Test func `lists cameras by number, and unreadable devices with the reason`() throws {
    let place = "\(try FileSystem.realPath("/tmp"))/darkroom-cameras-\(CurrentProcess.processID)"
    defer { _ = try? FileSystem.removeTree(place) }
    try FileSystem.makeDirectories(place)
    for name in ["video10", "video2", "video3", "video4", "videos", "null"] {
      try FileSystem.replaceContents("\(place)/\(name)", with: [])
    }
    let camera = try ScriptedDevice()
    let metadata = try ScriptedDevice()
    metadata.deviceIdentity.capabilities = [.streaming]
    let opening = VideoDeviceOpener { path throws(SystemCallError) in
      if path.hasSuffix("video3") { throw SystemCallError("openat", errno: .permissionDenied) }
      return path.hasSuffix("video4") ? metadata : camera
    }
    let found = CameraList.cameras(in: place, by: opening)
    #expect(found.map(\.path) == ["2", "3", "10"].map { "\(place)/video\($0)" })
    #expect(try found[0].identity.get() == camera.deviceIdentity)
    #expect(throws: CameraFault.permissionDenied(SystemCallError("openat", errno: .permissionDenied))) {
      try found[1].identity.get()
    }
  }
}
