// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeyInput
import LinuxPrimitives
import TestSupport
import Testing

/// A directory of input devices that are pipes: what is written to one is read as the kernel's `struct input_event`.
final class StreamedDevices {
  /// The directory.
  let directory: String
  /// What the kernel would say of each device, by the path.
  fileprivate var kernel: [String: Facts] = [:]
  private var writers: [String: Int32] = [:]

  /// One device as the kernel has it.
  fileprivate struct Facts {
    /// The keys that it has.
    var keys: Set<InputCode>
    /// Those that are down now.
    var held: Set<InputCode> = []
    /// Whether somebody has it alone.
    var isGrabbed = false
    /// Why it cannot be opened.
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

  /// The path of a device.
  func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Plugs a device in.
  func plug(_ name: String, _ keys: Set<InputCode>, held: Set<InputCode> = [], refusal: Errno? = nil) throws {
    let path = path(name)
    let error = refusal.map { SystemCallError("openat", path: path, errno: $0) }
    kernel[path] = Facts(keys: keys, held: held, refusal: error)
    // Under another name first, so that it is whole when it is seen.
    try #require(mkfifo("\(path).new", 0o600) == 0)
    writers[path] = Glibc.open("\(path).new", O_RDWR | O_CLOEXEC | O_NONBLOCK)
    try FileSystem.rename("\(path).new", to: path, .replace)
  }

  /// Pulls a device out: what reads it finds its end.
  func unplug(_ name: String) throws {
    let witness = try FileSystem.open(path(name), [.nonBlocking])
    try FileSystem.unlink(path(name))
    let writer = writers.removeValue(forKey: path(name))
    close(try #require(writer))
    // A process that another test is launching has everything that this one has open, for a moment.
    try #require(TestPatience.comes { try Poller.events(of: witness.rawValue, []) != [] })
  }

  /// Lets everybody open a device that was refused.
  func permit(_ name: String) throws {
    kernel[path(name)]?.refusal = nil
    try #require(chmod(path(name), 0o640) == 0)
  }

  /// Says what of a device is down, without an event.
  func hold(_ name: String, _ held: Set<InputCode>) { kernel[path(name)]?.held = held }

  /// Whether somebody has a device alone.
  func isGrabbed(_ name: String) -> Bool { kernel[path(name)]?.isGrabbed ?? false }

  /// Writes events, each 24 bytes: the time in seconds and microseconds, the type, the code, and the value.
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
  func change(_ name: String, _ code: InputCode, _ value: Int32, at second: Int = 1) throws {
    let report: (type: UInt16, code: UInt16, value: Int32) = (0, 0, 0)
    try write(name, [(code.kind.rawValue, code.number, value), report], at: second)
  }

  /// Reads the devices of a choice for some keys.
  func desk(_ choice: KeyDeviceChoice? = nil, _ wanted: Set<InputCode>) throws -> KeyDesk {
    try KeyDesk(choice ?? .every(directory: directory), wanted: wanted) { path throws(KeyInputError) in
      if let refusal = self.kernel[path]?.refusal { throw .refused(path: path, refusal) }
      do { return try StreamedDevice(FileSystem.open(path, [.nonBlocking]), path, self) } catch {
        throw .missing(path: path)
      }
    }
  }
}

/// One of them.
private final class StreamedDevice: KeyDevice {
  private let file: Descriptor
  private let path: String
  /// The world holds no device, so that this is no cycle.
  private let world: StreamedDevices

  init(_ file: consuming Descriptor, _ path: String, _ world: StreamedDevices) {
    self.file = file
    self.path = path
    self.world = world
  }

  var descriptor: Int32 { file.rawValue }
  var name: String { "streamed" }
  func has(_ code: InputCode) -> Bool { world.kernel[path]?.keys.contains(code) ?? false }
  func value(of code: InputCode) -> Int32 { world.kernel[path]?.held.contains(code) == true ? 1 : 0 }
  func setGrabbed(_ isGrabbed: Bool) { world.kernel[path]?.isGrabbed = isGrabbed }

  func next() throws(SystemCallError) -> KeyDeviceReading {
    guard let event = try read() else { return .nothing }
    if event.type == 0, event.code == 3 {
      // As libevdev does it: what was left of the report is thrown away.
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
