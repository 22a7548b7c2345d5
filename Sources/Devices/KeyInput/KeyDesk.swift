// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The input devices whose keys are wanted: opens them, reads them, and notices which come and go. Nothing here waits.
package final class KeyDesk {
  /// How a device is opened.
  package typealias Opener = (String) throws(KeyInputError) -> any KeyDevice

  /// A device that is read.
  struct OpenDevice {
    /// Where it was found.
    let path: String
    /// The device.
    let device: any KeyDevice
    /// What of the wanted is down or on.
    var values: Set<InputCode>
    /// What has happened, as long as it is not known who says so.
    var pending: [KeyDeskEvent] = []
    /// Whether this process alone hears it.
    var isGrabbed = false
  }

  /// The most events that are taken of one device before others have their turn.
  private static let mostEvents = 256

  let choice: KeyDeviceChoice
  let sought: Set<InputCode>
  let wanted: Set<InputCode>
  let open: Opener
  let waiting: WaitSet
  let watch: ChangeWatch
  var devices: [Int: OpenDevice] = [:]
  var count = 0
  /// The files that were looked at and are not read, by their paths: the inode of each, and why.
  var passedOver: [String: (inode: UInt64, reason: KeyInputError)] = [:]
  var isTaken = false
  var notes: [String] = []

  /// Begins to read the devices that have one of the keys that are `sought` (nil: of those that are `wanted`); everything
  /// wanted is told of them. Each device that is named has to be there; that no other may be opened is said in
  /// ``takeNotes()``.
  package init(
    _ choice: KeyDeviceChoice,
    seeking sought: Set<InputCode>? = nil,
    wanted: Set<InputCode>,
    open: @escaping Opener = { path throws(KeyInputError) in try EvdevDevice(path) }
  ) throws(KeyInputError) {
    self.choice = choice
    self.sought = sought ?? wanted
    self.wanted = wanted
    self.open = open
    do {
      waiting = try WaitSet.make()
      watch = try ChangeWatch()
      try waiting.watch(watch.descriptor.rawValue)
      for directory in choice.directories { try watch.watch(directory) }
    } catch { throw .system(path: KeyDeviceChoice.standardDirectory, error) }
    for path in candidates() { try add(path) }
    noteTheStart()
  }

  /// Readable when something has happened.
  package var descriptor: Int32 { waiting.descriptor.rawValue }

  /// The paths and names of the devices that are read, in the order in which they were opened.
  package var names: [String] {
    devices.sorted { $0.key < $1.key }.map { Self.label($0.value.path, $0.value.device) }
  }

  /// What a person should know of devices that came, went, or are not read; each is told once.
  package func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
  }

  /// Everything that has happened since the last call.
  package func events() -> [KeyDeskEvent] {
    var events: [KeyDeskEvent] = []
    for index in devices.keys.sorted() { events += read(index) }
    lookAround()
    return events
  }

  /// Whether nobody else hears a device now.
  package func hasTaken(_ index: Int) -> Bool { devices[index]?.isGrabbed ?? false }

  /// Takes the devices for this process alone, or gives them back.
  ///
  /// A keyboard that people write with is taken only if it was named: it would be missed. What cannot be taken is heard
  /// by others, too, and noted.
  package func setTaken(_ isTaken: Bool) {
    self.isTaken = isTaken
    for index in devices.keys { settle(index) }
  }
}

// MARK: - Reading

extension KeyDesk {
  private func read(_ index: Int) -> [KeyDeskEvent] {
    var events: [KeyDeskEvent] = []
    for _ in 0..<Self.mostEvents {
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
      } catch { events += lose(index, error) }
    }
    return events
  }

  /// What has happened until the end of a report. A key that the kernel has let go was let go by nobody.
  private func takePending(_ index: Int, _ author: KeyReportAuthor) -> [KeyDeskEvent] {
    let pending = devices[index]?.pending ?? []
    devices[index]?.pending = []
    guard author == .kernel else { return pending }
    return pending.map { event in
      if case .up(let place, _) = event, place.code.kind == .key { .lost(place) } else { event }
    }
  }

  private func change(_ index: Int, _ code: InputCode, _ value: Int32, _ time: UInt64) -> [KeyDeskEvent] {
    guard wanted.contains(code) else { return [] }
    let place = KeyPlace(device: index, code: code)
    switch value {
    case 0: return devices[index]?.values.remove(code) == nil ? [] : [.up(place, time: time)]
    case 1: return devices[index]?.values.insert(code).inserted == true ? [.down(place, time: time)] : []
    default: return [.repeated(place)]
    }
  }

  /// Events were lost. Keys that went up meanwhile are told as released, and those that went down as pressed.
  private func synchronize(_ index: Int, _ device: any KeyDevice) -> [KeyDeskEvent] {
    let now = MonotonicClock.now
    return wanted.sorted { ($0.kind.rawValue, $0.number) < ($1.kind.rawValue, $1.number) }.flatMap { code in
      device.has(code) ? change(index, code, device.value(of: code) == 0 ? 0 : 1, now) : []
    }
  }

  /// A device is gone; the others stay.
  private func lose(_ index: Int, _ error: SystemCallError) -> [KeyDeskEvent] {
    let pending = takePending(index, .kernel)
    guard let lost = devices.removeValue(forKey: index) else { return [] }
    waiting.forget(lost.device.descriptor)
    let why = error.errno == KeyInputError.noSuchDevice ? "it was unplugged" : "\(error)"
    notes.append("\(Self.label(lost.path, lost.device)) is read no more: \(why)")
    return pending
      + lost.values.filter { $0.kind == .key }.map { .lost(KeyPlace(device: index, code: $0)) }
  }
}
