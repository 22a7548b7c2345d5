// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeyInput
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.waiting) struct KeyInputServiceTests {
  private let devices: FIFOInputDevices
  private let camera = DeviceKey(device: 1, code: .camera)

  init() throws { devices = try FIFOInputDevices() }

  /// Returns the timestamp of an event that was written at `second`, in nanoseconds.
  private func time(_ second: UInt64) -> UInt64 { second * 1_000_000_000 + 500_000_000 }

  /// Whether the descriptor of a service is readable.
  private func isReady(_ service: KeyInputService) throws -> Bool {
    try !Poller.wait([(service.descriptor, .readable)], until: 0)[0].isEmpty
  }

  @Test func `reports events of watched keys with timestamps, and ignores other keys and axes`() throws {
    try devices.plug("event0", [.camera, .volumeUp])
    let service = try devices.makeService(nil, [.camera])
    #expect(try service.events() == [] && !isReady(service))
    try devices.writeChange("event0", .camera, 1, at: 3)
    try devices.writeChange("event0", .camera, 2, at: 4)
    try devices.writeChange("event0", .volumeUp, 1)
    try devices.write("event0", [(3, 0, 17), (0, 0, 0)])
    try devices.writeChange("event0", .camera, 0, at: 5)
    #expect(try isReady(service))
    #expect(
      service.events() == [.down(camera, time: time(3)), .repeated(camera), .up(camera, time: time(5))]
    )
    #expect(try !isReady(service))
  }

  @Test func `synchronizes key states after SYN_DROPPED, and keeps pressed keys pressed`()
    throws
  {
    try devices.plug("event0", [.camera, .volumeUp, .volumeDown])
    let service = try devices.makeService(nil, [.camera, .volumeUp, .volumeDown])
    try devices.writeChange("event0", .camera, 1)
    try devices.writeChange("event0", .volumeUp, 1)
    #expect(service.events().count == 2)
    devices.setHeldKeys("event0", [.volumeUp, .volumeDown])
    // The order of the kernel: SYN_DROPPED, the rest of a report, and the end of that report.
    try devices.write("event0", [(0, 3, 0), (1, InputCode.volumeUp.number, 0), (0, 0, 0)])
    let events = service.events()
    let changes = events.map { event -> String in
      switch event {
      case .down(let place, _): "down \(place.code)"
      case .up(let place, _): "up \(place.code)"
      default: "\(event)"
      }
    }
    #expect(changes == ["down KEY_VOLUMEDOWN", "up KEY_CAMERA"])
    try devices.writeChange("event0", .camera, 0)
    try devices.writeChange("event0", .volumeUp, 0)
    #expect(service.events() == [.up(DeviceKey(device: 1, code: .volumeUp), time: time(1))])
  }

  @Test func `reports pressed keys of an unplugged device as lost, and keeps reading other devices`() throws {
    try devices.plug("event0", [.camera])
    try devices.plug("event1", [.camera])
    let service = try devices.makeService(nil, [.camera])
    try devices.writeChange("event0", .camera, 1)
    #expect(service.events() == [.down(camera, time: time(1))])
    try devices.unplug("event0")
    #expect(service.events() == [.lost(camera)])
    #expect(
      service.takeNotices() == ["\(devices.path("event0")) (streamed) is no longer read: it was unplugged"]
    )
    #expect(service.takeNotices() == [] && service.names == ["\(devices.path("event1")) (streamed)"])
    try devices.writeChange("event1", .camera, 1)
    #expect(service.events() == [.down(DeviceKey(device: 2, code: .camera), time: time(1))])
  }

  @Test
  func `reports a key that the kernel releases because of an unplugged device as lost, not as released`()
    throws
  {
    try devices.plug("event0", [.camera, .volumeUp])
    let service = try devices.makeService(nil, [.camera, .volumeUp])
    try devices.writeChange("event0", .camera, 1)
    // The kernel also marks the report of an autorepeat event with the value 1.
    try devices.write("event0", [(1, InputCode.camera.number, 2), (0, 0, 1)])
    #expect(service.events() == [.down(camera, time: time(1)), .repeated(camera)])
    try devices.write("event0", [(1, InputCode.camera.number, 0)])
    #expect(service.events() == [])
    try devices.write("event0", [(0, 0, 1)])
    #expect(service.events() == [.lost(camera)])
    let volume = DeviceKey(device: 1, code: .volumeUp)
    try devices.writeChange("event0", .volumeUp, 1)
    try devices.write("event0", [(1, InputCode.volumeUp.number, 0)])
    #expect(service.events() == [.down(volume, time: time(1))])
    try devices.unplug("event0")
    #expect(service.events() == [.lost(volume)])
  }

  @Test func `reads devices that are plugged in later, including a named device that returns`() throws {
    try devices.plug("event0", [.camera])
    let named = try devices.makeService(.named([devices.path("event0")]), [.camera])
    try devices.unplug("event0")
    #expect(named.events() == [])
    let every = try devices.makeService(nil, [.camera])
    #expect(
      every.takeNotices() == [
        "no device in \(devices.directory) has one of the keys; a device that is connected later is read"
      ]
    )
    try devices.plug("event0", [.camera])
    for service in [named, every] {
      #expect(try isReady(service) && service.events() == [])
      #expect(service.names == ["\(devices.path("event0")) (streamed)"])
    }
    try devices.writeChange("event0", .camera, 1)
    #expect(named.events() == [.down(DeviceKey(device: 2, code: .camera), time: time(1))])
  }

  @Test func `ignores a key that is already down until it is pressed again`() throws {
    try devices.plug("event0", [.camera], held: [.camera])
    let service = try devices.makeService(nil, [.camera])
    #expect(service.events() == [])
    try devices.writeChange("event0", .camera, 0)
    try devices.writeChange("event0", .camera, 1)
    #expect(service.events().last == .down(camera, time: time(1)))
  }

  @Test func `grabs devices only while grabbing is requested, and keyboards only if they are named`()
    throws
  {
    try devices.plug("event0", [.camera])
    try devices.plug("event1", [.camera, .letter])
    let every = try devices.makeService(nil, [.camera])
    every.setExclusive(true)
    #expect(devices.isGrabbed("event0") && !devices.isGrabbed("event1"))
    try devices.plug("event2", [.camera])
    #expect(every.events() == [] && devices.isGrabbed("event2"))
    every.setExclusive(false)
    #expect(!devices.isGrabbed("event0") && !devices.isGrabbed("event2"))
    let named = try devices.makeService(.named([devices.path("event1")]), [.camera])
    named.setExclusive(true)
    #expect(devices.isGrabbed("event1"))
  }

  @Test func `reports a refused device with a fix, and reads the device once access is permitted`() throws {
    try devices.plug("event0", [.camera], refusal: .permissionDenied)
    let service = try devices.makeService(nil, [.camera])
    let note = try #require(service.takeNotices().first)
    #expect(
      note.contains("none of 1 devices") && note.contains("\(devices.path("event0")) (Permission denied")
    )
    #expect(note.contains("usermod -aG input"))
    #expect(throws: KeyInputError.self) {
      try devices.makeService(.named([devices.path("event0")]), [.camera])
    }
    try devices.permitAccess("event0")
    #expect(service.events() == [] && service.names == ["\(devices.path("event0")) (streamed)"])
  }

  @Test func `rejects a named device that is missing or has none of the keys`() throws {
    try devices.plug("event0", [.volumeUp])
    func failure(_ path: String) -> KeyInputError? {
      do {
        _ = try devices.makeService(.named([path]), [.camera])
        return nil
      } catch { return error as? KeyInputError }
    }
    #expect(failure(devices.path("event0")) == .noKeys(path: devices.path("event0"), name: "streamed"))
    #expect(failure(devices.path("event7")) == .missing(path: devices.path("event7")))
  }

  @Test func `rejects a file that is not an input device, and knows the key names of the kernel`() throws {
    #expect(throws: KeyInputError.notAnInputDevice(path: "/dev/null")) { try EvdevDevice("/dev/null") }
    #expect(throws: KeyInputError.missing(path: "/dev/input/none")) { try EvdevDevice("/dev/input/none") }
    let codes: [InputCode] = [
      .camera, .cameraFocus, .zoomIn, .zoomOut, .volumeDown, .volumeUp, .power, .playPause, .play, .pause,
      .nextSong, .letter, .lensCover,
    ]
    let names = [
      "KEY_CAMERA", "KEY_CAMERA_FOCUS", "KEY_CAMERA_ZOOMIN", "KEY_CAMERA_ZOOMOUT", "KEY_VOLUMEDOWN",
      "KEY_VOLUMEUP", "KEY_POWER", "KEY_PLAYPAUSE", "KEY_PLAYCD", "KEY_PAUSECD", "KEY_NEXTSONG", "KEY_A",
      "SW_CAMERA_LENS_COVER",
    ]
    #expect(codes.map(\.description) == names && names.map(InputCode.init(name:)) == codes)
    for wrong in ["", "KEY_MAX", "KEY_", "camera", "SW_LID"] { #expect(InputCode(name: wrong) == nil) }
  }

  @Test func `parses a device selection from the keyword auto or a list of paths`() {
    #expect(KeyDeviceSelection("auto") == .every(directory: "/dev/input"))
    #expect(KeyDeviceSelection("/a,/b") == .named(["/a", "/b"]))
    #expect(KeyDeviceSelection("") == nil && KeyDeviceSelection("/a,") == nil)
  }
}
