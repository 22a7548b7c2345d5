// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeyInput
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.waiting) struct KeyDeskTests {
  private let devices: StreamedDevices
  private let camera = KeyPlace(device: 1, code: .camera)

  init() throws { devices = try StreamedDevices() }

  /// Returns the timestamp of an event that was written at `second`, in nanoseconds.
  private func time(_ second: UInt64) -> UInt64 { second * 1_000_000_000 + 500_000_000 }

  /// Whether the descriptor of a service is readable.
  private func isReady(_ desk: KeyDesk) throws -> Bool {
    try !Poller.wait([(desk.descriptor, .readable)], until: 0)[0].isEmpty
  }

  @Test func `wanted keys are told with their times, and other keys and axes are not`() throws {
    try devices.plug("event0", [.camera, .volumeUp])
    let desk = try devices.desk(nil, [.camera])
    #expect(try desk.events() == [] && !isReady(desk))
    try devices.change("event0", .camera, 1, at: 3)
    try devices.change("event0", .camera, 2, at: 4)
    try devices.change("event0", .volumeUp, 1)
    try devices.write("event0", [(3, 0, 17), (0, 0, 0)])
    try devices.change("event0", .camera, 0, at: 5)
    #expect(try isReady(desk))
    #expect(desk.events() == [.down(camera, time: time(3)), .repeated(camera), .up(camera, time: time(5))])
    #expect(try !isReady(desk))
  }

  @Test func `a key that went up while events were lost is told as released, and one still down is not`()
    throws
  {
    try devices.plug("event0", [.camera, .volumeUp, .volumeDown])
    let desk = try devices.desk(nil, [.camera, .volumeUp, .volumeDown])
    try devices.change("event0", .camera, 1)
    try devices.change("event0", .volumeUp, 1)
    #expect(desk.events().count == 2)
    devices.hold("event0", [.volumeUp, .volumeDown])
    // The order of the kernel: SYN_DROPPED, the rest of a report, and the end of that report.
    try devices.write("event0", [(0, 3, 0), (1, InputCode.volumeUp.number, 0), (0, 0, 0)])
    let events = desk.events()
    let changes = events.map { event -> String in
      switch event {
      case .down(let place, _): "down \(place.code)"
      case .up(let place, _): "up \(place.code)"
      default: "\(event)"
      }
    }
    #expect(changes == ["down KEY_VOLUMEDOWN", "up KEY_CAMERA"])
    try devices.change("event0", .camera, 0)
    try devices.change("event0", .volumeUp, 0)
    #expect(desk.events() == [.up(KeyPlace(device: 1, code: .volumeUp), time: time(1))])
  }

  @Test func `a device that is unplugged loses its pressed keys, and the others are read on`() throws {
    try devices.plug("event0", [.camera])
    try devices.plug("event1", [.camera])
    let desk = try devices.desk(nil, [.camera])
    try devices.change("event0", .camera, 1)
    #expect(desk.events() == [.down(camera, time: time(1))])
    try devices.unplug("event0")
    #expect(desk.events() == [.lost(camera)])
    #expect(desk.takeNotes() == ["\(devices.path("event0")) (streamed) is read no more: it was unplugged"])
    #expect(desk.takeNotes() == [] && desk.names == ["\(devices.path("event1")) (streamed)"])
    try devices.change("event1", .camera, 1)
    #expect(desk.events() == [.down(KeyPlace(device: 2, code: .camera), time: time(1))])
  }

  @Test func `a key that the kernel lets go because its device goes is lost, and not released`() throws {
    try devices.plug("event0", [.camera, .volumeUp])
    let desk = try devices.desk(nil, [.camera, .volumeUp])
    try devices.change("event0", .camera, 1)
    // The kernel also marks the report of an autorepeat event with the value 1.
    try devices.write("event0", [(1, InputCode.camera.number, 2), (0, 0, 1)])
    #expect(desk.events() == [.down(camera, time: time(1)), .repeated(camera)])
    try devices.write("event0", [(1, InputCode.camera.number, 0)])
    #expect(desk.events() == [])
    try devices.write("event0", [(0, 0, 1)])
    #expect(desk.events() == [.lost(camera)])
    let volume = KeyPlace(device: 1, code: .volumeUp)
    try devices.change("event0", .volumeUp, 1)
    try devices.write("event0", [(1, InputCode.volumeUp.number, 0)])
    #expect(desk.events() == [.down(volume, time: time(1))])
    try devices.unplug("event0")
    #expect(desk.events() == [.lost(volume)])
  }

  @Test func `a device that comes is read, also a named one that comes back`() throws {
    try devices.plug("event0", [.camera])
    let named = try devices.desk(.named([devices.path("event0")]), [.camera])
    try devices.unplug("event0")
    #expect(named.events() == [])
    let every = try devices.desk(nil, [.camera])
    #expect(
      every.takeNotes() == ["no device of \(devices.directory) has one of the keys; one that comes is read"]
    )
    try devices.plug("event0", [.camera])
    for desk in [named, every] {
      #expect(try isReady(desk) && desk.events() == [])
      #expect(desk.names == ["\(devices.path("event0")) (streamed)"])
    }
    try devices.change("event0", .camera, 1)
    #expect(named.events() == [.down(KeyPlace(device: 2, code: .camera), time: time(1))])
  }

  @Test func `a key that is down already belongs to somebody else until it is pressed again`() throws {
    try devices.plug("event0", [.camera], held: [.camera])
    let desk = try devices.desk(nil, [.camera])
    #expect(desk.events() == [])
    try devices.change("event0", .camera, 0)
    try devices.change("event0", .camera, 1)
    #expect(desk.events().last == .down(camera, time: time(1)))
  }

  @Test func `devices are taken only while they are wanted alone, and a keyboard only if it was named`()
    throws
  {
    try devices.plug("event0", [.camera])
    try devices.plug("event1", [.camera, .letter])
    let every = try devices.desk(nil, [.camera])
    every.setTaken(true)
    #expect(devices.isGrabbed("event0") && !devices.isGrabbed("event1"))
    try devices.plug("event2", [.camera])
    #expect(every.events() == [] && devices.isGrabbed("event2"))
    every.setTaken(false)
    #expect(!devices.isGrabbed("event0") && !devices.isGrabbed("event2"))
    let named = try devices.desk(.named([devices.path("event1")]), [.camera])
    named.setTaken(true)
    #expect(devices.isGrabbed("event1"))
  }

  @Test func `a refusal names the device and the mend, and is over when the device may be read`() throws {
    try devices.plug("event0", [.camera], refusal: .permissionDenied)
    let desk = try devices.desk(nil, [.camera])
    let note = try #require(desk.takeNotes().first)
    #expect(
      note.contains("of 1 devices none") && note.contains("\(devices.path("event0")) (Permission denied")
    )
    #expect(note.contains("usermod -aG input"))
    #expect(throws: KeyInputError.self) { try devices.desk(.named([devices.path("event0")]), [.camera]) }
    try devices.permit("event0")
    #expect(desk.events() == [] && desk.names == ["\(devices.path("event0")) (streamed)"])
  }

  @Test func `a device that is named has to be there and to have one of the keys`() throws {
    try devices.plug("event0", [.volumeUp])
    func failure(_ path: String) -> KeyInputError? {
      do {
        _ = try devices.desk(.named([path]), [.camera])
        return nil
      } catch { return error as? KeyInputError }
    }
    #expect(failure(devices.path("event0")) == .noKeys(path: devices.path("event0"), name: "streamed"))
    #expect(failure(devices.path("event7")) == .missing(path: devices.path("event7")))
  }

  @Test func `libevdev refuses what is no input device, and knows the kernel's names`() throws {
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

  @Test func `devices are chosen by the word auto or by their paths`() {
    #expect(KeyDeviceChoice("auto") == .every(directory: "/dev/input"))
    #expect(KeyDeviceChoice("/a,/b") == .named(["/a", "/b"]))
    #expect(KeyDeviceChoice("") == nil && KeyDeviceChoice("/a,") == nil)
  }
}
