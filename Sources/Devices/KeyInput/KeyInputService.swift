// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A service that opens the input devices with the required keys, reads them, and detects connected and
/// removed devices. No method blocks.
package final class KeyInputService {
  /// A function that opens a device.
  package typealias Opener = (String) throws(KeyInputError) -> any KeyDevice

  /// A device that is being read.
  struct OpenDevice {
    /// The path of the device.
    let path: String
    let device: any KeyDevice
    /// The reported codes that are down or on.
    var values: Set<InputCode>
    /// The events since the last end of a report. Their origin is known only at the end of their report.
    var pending: [KeyInputEvent] = []
    /// Whether this process has grabbed the device.
    var isGrabbed = false
  }

  /// The maximum number of events that are read from one device before the next one.
  private static let maximumEvents = 256

  let choice: KeyDeviceSelection
  let requiredCodes: Set<InputCode>
  let wanted: Set<InputCode>
  let open: Opener
  let waiting: WaitSet
  let watch: ChangeWatch
  var devices: [Int: OpenDevice] = [:]
  var count = 0
  /// The devices that are not read, by path, with the inode and the reason.
  var skipped: [String: (inode: UInt64, reason: KeyInputError)] = [:]
  var isExclusive = false
  var notices: [String] = []

  /// Opens the devices that have one of the codes in `requiredCodes`, or in `wanted` if `requiredCodes` is `nil`. Events
  /// are reported for all codes in `wanted`.
  ///
  /// A device that the user named must exist. Other devices that cannot be opened are reported by
  /// ``takeNotices()``.
  package init(
    _ choice: KeyDeviceSelection,
    requiring requiredCodes: Set<InputCode>? = nil,
    wanted: Set<InputCode>,
    open: @escaping Opener = { path throws(KeyInputError) in try EvdevDevice(path) }
  ) throws(KeyInputError) {
    self.choice = choice
    self.requiredCodes = requiredCodes ?? wanted
    self.wanted = wanted
    self.open = open
    do {
      waiting = try WaitSet.make()
      watch = try ChangeWatch()
      try waiting.watch(watch.descriptor.rawValue)
      for directory in choice.directories { try watch.watch(directory) }
    } catch { throw .system(path: KeyDeviceSelection.standardDirectory, error) }
    for path in candidates() { try add(path) }
    noteInitialState()
  }

  /// Opens and closes the devices that the user named, each of which must exist and be readable.
  package static func check(_ choice: KeyDeviceSelection) throws(KeyInputError) {
    guard case .named(let paths) = choice else { return }
    for path in paths { _ = try EvdevDevice(path) }
  }

  /// A descriptor that is readable when an event is available.
  package var descriptor: Int32 { waiting.descriptor.rawValue }

  /// The paths and names of the open devices, in the order in which they were opened.
  package var names: [String] {
    devices.sorted { $0.key < $1.key }.map { Self.label($0.value.path, $0.value.device) }
  }

  /// Returns notices for the user about devices that were connected, removed or skipped; each notice only
  /// once.
  package func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  /// Returns all events since the last call.
  package func events() -> [KeyInputEvent] {
    var events: [KeyInputEvent] = []
    for index in devices.keys.sorted() { events += read(index) }
    rescanDevices()
    return events
  }

  /// Whether this process has grabbed a device.
  package func isGrabbed(_ index: Int) -> Bool { devices[index]?.isGrabbed ?? false }

  /// Grabs the devices for this process, or ungrabs them.
  ///
  /// A keyboard for typing is grabbed only if the user named it, because its input would be lost for other
  /// programs. A device that cannot be grabbed is still read, with a notice.
  package func setExclusive(_ isTaken: Bool) {
    self.isExclusive = isTaken
    for index in devices.keys { updateGrab(index) }
  }
}

// MARK: - Reading

extension KeyInputService {
  private func read(_ index: Int) -> [KeyInputEvent] {
    var events: [KeyInputEvent] = []
    for _ in 0..<Self.maximumEvents {
      guard let device = devices[index]?.device else { break }
      do throws(SystemCallError) {
        switch try device.next() {
        case .nothing: return events
        case .other: continue
        case .value(let code, let value, let time):
          let changes = change(index, code, value, time)
          devices[index]?.pending += changes
        case .end(let author): events += takePending(index, author)
        case .dropped:
          events += takePending(index, .driver)
          events += synchronize(index, device)
        }
      } catch { events += removeDevice(index, error) }
    }
    return events
  }

  /// Returns the events of a report at its end. A key that the kernel released is reported as lost, because
  /// the user did not release it.
  private func takePending(_ index: Int, _ author: KeyReportOrigin) -> [KeyInputEvent] {
    let pending = devices[index]?.pending ?? []
    devices[index]?.pending = []
    guard author == .kernel else { return pending }
    return pending.map { event in
      if case .up(let place, _) = event, place.code.kind == .key { .lost(place) } else { event }
    }
  }

  private func change(_ index: Int, _ code: InputCode, _ value: Int32, _ time: UInt64) -> [KeyInputEvent] {
    guard wanted.contains(code) else { return [] }
    let place = DeviceKey(device: index, code: code)
    switch value {
    case 0: return devices[index]?.values.remove(code) == nil ? [] : [.up(place, time: time)]
    case 1: return devices[index]?.values.insert(code).inserted == true ? [.down(place, time: time)] : []
    default: return [.repeated(place)]
    }
  }

  /// Reports changes that occurred while events were lost: released keys as up, pressed keys as down.
  private func synchronize(_ index: Int, _ device: any KeyDevice) -> [KeyInputEvent] {
    let now = MonotonicClock.now
    return wanted.sorted { ($0.kind.rawValue, $0.number) < ($1.kind.rawValue, $1.number) }.flatMap { code in
      device.has(code) ? change(index, code, device.value(of: code) == 0 ? 0 : 1, now) : []
    }
  }

  /// Closes a removed device; the others stay open.
  private func removeDevice(_ index: Int, _ error: SystemCallError) -> [KeyInputEvent] {
    let pending = takePending(index, .kernel)
    guard let lost = devices.removeValue(forKey: index) else { return [] }
    waiting.forget(lost.device.descriptor)
    let why = error.errno == KeyInputError.noSuchDevice ? "it was unplugged" : "\(error)"
    notices.append("\(Self.label(lost.path, lost.device)) is no longer read: \(why)")
    return pending
      + lost.values.filter { $0.kind == .key }.map { .lost(DeviceKey(device: index, code: $0)) }
  }
}
