// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

// MARK: - Connected devices

extension KeyInputService {
  /// Rescans the devices if the directories may have changed.
  func rescanDevices() {
    guard let found = try? Poller.wait([(watch.descriptor.rawValue, .readable)], until: 0), !found[0].isEmpty
    else { return }
    // The watch is renewed before the scan, so that no later change is missed. If renewing it fails, the open
    // devices are still read.
    try? watch.acknowledge()
    for directory in choice.directories { try? watch.watch(directory) }
    for path in candidates() {
      do throws(KeyInputError) {
        guard let device = try add(path) else { continue }
        notices.append("\(device) is now read, too")
      } catch .missing {
        // The device has not been reconnected yet.
      } catch { notices.append("\(error)") }
    }
  }

  /// The paths of the devices that are candidates for reading.
  func candidates() -> [String] {
    switch choice {
    case .named(let paths): paths
    case .every(let directory):
      ((try? FileSystem.names(in: directory)) ?? []).filter { $0.hasPrefix("event") }.map {
        "\(directory)/\($0)"
      }
    }
  }

  /// Opens a device unless it is open or was skipped, and returns its label. Only a device that the user
  /// named causes an error.
  @discardableResult
  func add(_ path: String) throws(KeyInputError) -> String? {
    guard !devices.values.contains(where: { $0.path == path }) else { return nil }
    let inode = (try? FileSystem.status(path))?.inode ?? 0
    if let before = skipped[path], before.inode == inode {
      // Its permissions may have changed, but not its keys.
      switch before.reason {
      case .refused, .missing: break
      default: return nil
      }
    }
    do throws(KeyInputError) { return try openDevice(path) } catch {
      let isNews = skipped.updateValue((inode, error), forKey: path)?.reason != error
      guard isNews, case .named = choice else { return nil }
      throw error
    }
  }

  private func openDevice(_ path: String) throws(KeyInputError) -> String {
    let device = try open(path)
    guard requiredCodes.contains(where: device.has) else { throw .noKeys(path: path, name: device.name) }
    do { try waiting.watch(device.descriptor) } catch { throw .system(path: path, error) }
    skipped[path] = nil
    // Keys that are down now were pressed before this service started to listen.
    let values = wanted.filter { device.has($0) && device.value(of: $0) != 0 }
    count += 1
    devices[count] = OpenDevice(path: path, device: device, values: values)
    updateGrab(count)
    return Self.label(path, device)
  }

  /// Grabs or ungrabs a device, as required.
  func updateGrab(_ index: Int) {
    guard let open = devices[index] else { return }
    let shouldGrab = isExclusive && (choice.isNamed || !open.device.has(.letter))
    guard shouldGrab != open.isGrabbed else { return }
    do {
      try open.device.setGrabbed(shouldGrab)
      devices[index]?.isGrabbed = shouldGrab
    } catch  where error.errno == .busy {
      notices.append(
        "another process has grabbed \(Self.label(open.path, open.device)); its keys are not received"
      )
    } catch {
      // A removed device is detected when it is read.
    }
  }

  /// Adds a notice if no device can be read at the start.
  func noteInitialState() {
    guard devices.isEmpty, case .every(let directory) = choice else { return }
    let refused = skipped.values.compactMap { entry in
      if case .refused = entry.reason { entry.reason } else { nil }
    }
    guard let first = refused.min(by: { "\($0)" < "\($1)" }) else {
      notices.append(
        "no device in \(directory) has one of the keys; a device that is connected later is read"
      )
      return
    }
    notices.append("none of \(refused.count) devices can be read: \(first)")
  }

  /// The label of a device in messages.
  static func label(_ path: String, _ device: any KeyDevice) -> String {
    "\(path) (\(device.name.filter { !$0.isNewline }))"
  }
}

extension KeyDeviceSelection {
  /// Whether the user named the devices.
  var isNamed: Bool {
    if case .named = self { true } else { false }
  }

  /// The directories that can contain the devices.
  var directories: [String] {
    switch self {
    case .every(let directory): [directory]
    case .named(let paths): Set(paths.map(FileSystem.directoryName)).sorted()
    }
  }
}
