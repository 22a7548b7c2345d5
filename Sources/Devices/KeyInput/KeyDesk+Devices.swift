// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

// MARK: - Devices that come

extension KeyDesk {
  /// Looks for devices, if there may be other ones.
  func lookAround() {
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
  func candidates() -> [String] {
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
  func add(_ path: String) throws(KeyInputError) -> String? {
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
    guard sought.contains(where: device.has) else { throw .noKeys(path: path, name: device.name) }
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
  func settle(_ index: Int) {
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
  func noteTheStart() {
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
  static func label(_ path: String, _ device: any KeyDevice) -> String {
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
