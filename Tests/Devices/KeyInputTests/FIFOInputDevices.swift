// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeyInput
import LinuxPrimitives
import TestSupport
import Testing

/// A directory of simulated input devices. Each one is a FIFO that carries `struct input_event` values.
final class FIFOInputDevices {
  let directory: String
  /// The state of each device, by its path.
  fileprivate var states: [String: DeviceState] = [:]
  private var writers: [String: Int32] = [:]

  /// The state of one device in the kernel.
  fileprivate struct DeviceState {
    var keys: Set<InputCode>
    /// The keys that are down.
    var held: Set<InputCode> = []
    /// Whether a client has grabbed the device with `EVIOCGRAB`.
    var isGrabbed = false
    /// The error with which opening the device fails, or `nil` if it can be opened.
    var refusal: SystemCallError?
  }

  init() throws {
    directory = "/tmp/darkroom-keys-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories(directory)
  }

  deinit {
    for writer in writers.values { close(writer) }
    try? FileSystem.removeTree(directory)
  }

  /// Returns the path of a device.
  func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Adds a device.
  func plug(_ name: String, _ keys: Set<InputCode>, held: Set<InputCode> = [], refusal: Errno? = nil) throws {
    let path = path(name)
    let error = refusal.map { SystemCallError("openat", path: path, errno: $0) }
    states[path] = DeviceState(keys: keys, held: held, refusal: error)
    // The FIFO is renamed after it is set up, so that a watcher does not see an incomplete device.
    try #require(mkfifo("\(path).new", 0o600) == 0)
    writers[path] = Glibc.open("\(path).new", O_RDWR | O_CLOEXEC | O_NONBLOCK)
    try FileSystem.rename("\(path).new", to: path, .replace)
  }

  /// Removes a device. Its readers find the end of the file.
  func unplug(_ name: String) throws {
    let witness = try FileSystem.open(path(name), [.nonBlocking])
    try FileSystem.unlink(path(name))
    let writer = writers.removeValue(forKey: path(name))
    close(try #require(writer))
    // While another test starts a process, the child holds copies of all descriptors until execve(2).
    try #require(TestTimeout.waitUntil { try Poller.events(of: witness.rawValue, []) != [] })
  }

  /// Permits access to a device that was refused.
  func permitAccess(_ name: String) throws {
    states[path(name)]?.refusal = nil
    try #require(chmod(path(name), 0o640) == 0)
  }

  /// Sets the keys that are down, without an event.
  func setHeldKeys(_ name: String, _ held: Set<InputCode>) { states[path(name)]?.held = held }

  /// Whether a client has grabbed a device.
  func isGrabbed(_ name: String) -> Bool { states[path(name)]?.isGrabbed ?? false }

  /// Writes events of 24 bytes: time in seconds and microseconds, type, code, and value.
  func write(_ name: String, _ events: [(type: UInt16, code: UInt16, value: Int32)], at second: Int = 1)
    throws
  {
    var bytes: [UInt8] = []
    for event in events {
      withUnsafeBytes(of: (Int64(second), Int64(500_000))) { bytes += $0 }
      withUnsafeBytes(of: (event.type, event.code, event.value)) { bytes += $0 }
    }
    let writer = try #require(writers[path(name)])
    try #require(Glibc.write(writer, bytes, bytes.count) == bytes.count)
  }

  /// Writes one change of a key or switch, and the end of its report.
  func writeChange(_ name: String, _ code: InputCode, _ value: Int32, at second: Int = 1) throws {
    let report: (type: UInt16, code: UInt16, value: Int32) = (0, 0, 0)
    try write(name, [(code.kind.rawValue, code.number, value), report], at: second)
  }

  /// Creates a service that reads the selected devices for the wanted keys.
  func makeService(_ choice: KeyDeviceSelection? = nil, _ wanted: Set<InputCode>) throws -> KeyInputService {
    try KeyInputService(choice ?? .every(directory: directory), wanted: wanted) {
      path throws(KeyInputError) in
      if let refusal = self.states[path]?.refusal { throw .refused(path: path, refusal) }
      do { return try FIFOInputDevice(FileSystem.open(path, [.nonBlocking]), path, self) } catch {
        throw .missing(path: path)
      }
    }
  }
}

/// A device whose events are read from a FIFO.
private final class FIFOInputDevice: KeyDevice {
  private let file: Descriptor
  private let path: String
  /// Not a reference cycle, because the directory does not own its devices.
  private let devices: FIFOInputDevices

  init(_ file: consuming Descriptor, _ path: String, _ devices: FIFOInputDevices) {
    self.file = file
    self.path = path
    self.devices = devices
  }

  var descriptor: Int32 { file.rawValue }
  var name: String { "streamed" }
  func has(_ code: InputCode) -> Bool { devices.states[path]?.keys.contains(code) ?? false }
  func value(of code: InputCode) -> Int32 { devices.states[path]?.held.contains(code) == true ? 1 : 0 }
  func setGrabbed(_ isGrabbed: Bool) { devices.states[path]?.isGrabbed = isGrabbed }

  func next() throws(SystemCallError) -> KeyDeviceEvent {
    guard let event = try read() else { return .nothing }
    if event.type == 0, event.code == 3 {
      // libevdev also discards the rest of the report.
      while let rest = try read(), (rest.type, rest.code) != (0, 0) {}
      return .dropped
    }
    if event.type == 0, event.code == 0 { return .end(event.value == 0 ? .driver : .kernel) }
    guard let kind = InputCode.Kind(rawValue: event.type) else { return .other }
    return .value(InputCode(kind, event.code), event.value, time: event.time)
  }

  private func read() throws(SystemCallError) -> (type: UInt16, code: UInt16, value: Int32, time: UInt64)? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 24, alignment: 8)
    defer { buffer.deallocate() }
    switch try file.read(into: buffer) {
    case .wouldBlock: return nil
    case .end: throw SystemCallError("read", path: path, errno: Errno(rawValue: ENODEV))
    case .bytes(let count):
      #expect(count == 24)
      let seconds = buffer.load(as: Int64.self)
      let microseconds = buffer.load(fromByteOffset: 8, as: Int64.self)
      return (
        buffer.load(fromByteOffset: 16, as: UInt16.self), buffer.load(fromByteOffset: 18, as: UInt16.self),
        buffer.load(fromByteOffset: 20, as: Int32.self), UInt64(seconds * 1_000_000_000 + microseconds * 1000)
      )
    }
  }
}
