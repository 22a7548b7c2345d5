// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The input devices whose keys are wanted: opens them, reads them, and notices which come and go. Nothing here waits.
package final class KeyDesk {
  /// How a device is opened.
  package typealias Opener = (String) throws(KeyInputError) -> any KeyDevice

  /// A device that is read.
  private struct OpenDevice {
    /// Where it was found.
    let path: String
    /// The device.
    let device: any KeyDevice
    /// What of the wanted is down or on.
    var values: Set<InputCode>
    /// Whether this process alone hears it.
    var isGrabbed = false
  }

  /// The most events that are taken of one device before others have their turn.
  private static let mostEvents = 256

  private let choice: KeyDeviceChoice
  private let wanted: Set<InputCode>
  private let open: Opener
  private let waiting: WaitSet
  private let watch: ChangeWatch
  private var devices: [Int: OpenDevice] = [:]
  private var count = 0
  /// The files that were looked at and are not read, by their paths: the inode of each, and why.
  private var passedOver: [String: (inode: UInt64, reason: KeyInputError)] = [:]
  private var isTaken = false
  private var notes: [String] = []

  /// Begins to read. Each device that is named has to be there; of the others, those that may not be opened are named in
  /// ``takeNotes()``.
  package init(
    _ choice: KeyDeviceChoice,
    wanted: Set<InputCode>,
    open: @escaping Opener = { path throws(KeyInputError) in try EvdevDevice(path) }
  ) throws(KeyInputError) {
    self.choice = choice
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
        case .value(let code, let value, let time): events += change(index, code, value, time)
        case .dropped: events += synchronize(index, device)
        }
      } catch { events += lose(index, error) }
    }
    return events
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
    guard let lost = devices.removeValue(forKey: index) else { return [] }
    waiting.forget(lost.device.descriptor)
    let why = error.errno == KeyInputError.noSuchDevice ? "it was unplugged" : "\(error)"
    notes.append("\(Self.label(lost.path, lost.device)) is read no more: \(why)")
    return lost.values.filter { $0.kind == .key }.map { .lost(KeyPlace(device: index, code: $0)) }
  }
}

// MARK: - Devices that come

extension KeyDesk {
  /// Looks for devices, if there may be other ones.
  private func lookAround() {
    guard let found = try? Poller.wait([(watch.descriptor.rawValue, .readable)], until: 0), !found[0].isEmpty
    else { return }
    // What is watched first is not missed afterwards. Without a watch, those that are open are read on.
    try? watch.acknowledge()
    for directory in choice.directories { try? watch.watch(directory) }
    for path in candidates() {
      do throws(KeyInputError) {
        guard let device = try add(path) else { continue }
        notes.append("\(device) is read, too")
      } catch .missing {
        // It is not back yet.
      } catch { notes.append("\(error)") }
    }
  }

  /// The paths that are worth a look.
  private func candidates() -> [String] {
    switch choice {
    case .named(let paths): paths
    case .every(let directory):
      ((try? FileSystem.names(in: directory)) ?? []).filter { $0.hasPrefix("event") }.map {
        "\(directory)/\($0)"
      }
    }
  }

  /// Reads a device from now on, unless it is read or was passed over; its label. Only a device that was named is missed.
  @discardableResult
  private func add(_ path: String) throws(KeyInputError) -> String? {
    guard !devices.values.contains(where: { $0.path == path }) else { return nil }
    let inode = (try? FileSystem.status(path))?.inode ?? 0
    if let before = passedOver[path], before.inode == inode {
      // Its rights may have changed, but not its keys.
      switch before.reason {
      case .refused, .missing: break
      default: return nil
      }
    }
    do throws(KeyInputError) { return try admit(path) } catch {
      let isNews = passedOver.updateValue((inode, error), forKey: path)?.reason != error
      guard isNews, case .named = choice else { return nil }
      throw error
    }
  }

  private func admit(_ path: String) throws(KeyInputError) -> String {
    let device = try open(path)
    guard wanted.contains(where: device.has) else { throw .noKeys(path: path, name: device.name) }
    do { try waiting.watch(device.descriptor) } catch { throw .system(path: path, error) }
    passedOver[path] = nil
    // What is held down now was pressed for somebody else.
    let values = wanted.filter { device.has($0) && device.value(of: $0) != 0 }
    count += 1
    devices[count] = OpenDevice(path: path, device: device, values: values)
    settle(count)
    return Self.label(path, device)
  }

  /// Takes a device, or gives it back, as it should be.
  private func settle(_ index: Int) {
    guard let open = devices[index] else { return }
    let shall = isTaken && (choice.isNamed || !open.device.has(.letter))
    guard shall != open.isGrabbed else { return }
    do {
      try open.device.setGrabbed(shall)
      devices[index]?.isGrabbed = shall
    } catch  where error.errno == .busy {
      notes.append("\(Self.label(open.path, open.device)) is somebody else's: its keys do not arrive here")
    } catch {
      // A device that is gone is found out when it is read.
    }
  }

  /// Says why there is nothing to hear, once.
  private func noteTheStart() {
    guard devices.isEmpty, case .every(let directory) = choice else { return }
    let refused = passedOver.values.compactMap { entry in
      if case .refused = entry.reason { entry.reason } else { nil }
    }
    guard let first = refused.min(by: { "\($0)" < "\($1)" }) else {
      notes.append("no device of \(directory) has one of the keys; one that comes is read")
      return
    }
    notes.append("of \(refused.count) devices none can be read: \(first)")
  }

  /// A device as people know it.
  private static func label(_ path: String, _ device: any KeyDevice) -> String {
    "\(path) (\(device.name.filter { !$0.isNewline }))"
  }
}

extension KeyDeviceChoice {
  /// Whether somebody has named the devices.
  var isNamed: Bool {
    if case .named = self { true } else { false }
  }

  /// The directories in which devices come.
  var directories: [String] {
    switch self {
    case .every(let directory): [directory]
    case .named(let paths): Set(paths.map(FileSystem.directoryName)).sorted()
    }
  }
}
