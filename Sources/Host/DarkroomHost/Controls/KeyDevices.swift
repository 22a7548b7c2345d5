// SPDX-License-Identifier: Apache-2.0

internal import KeyInput
internal import SessionServices

/// The input devices whose keys a host reads.
public enum KeyDevices: Sendable, Hashable {
  /// All devices in `/dev/input` that have one of the keys and can be opened, including those that are connected
  /// later.
  case automatic
  /// The devices with these paths, each of which must exist at the start.
  case paths([String])
}

extension KeyDevices {
  /// Returns the corresponding selection.
  ///
  /// - Throws: ``HostError/system(_:)`` if libevdev is unavailable, or ``HostError/argument(_:)`` if a path is
  ///   empty.
  func selection() throws(HostError) -> KeyDeviceSelection {
    // The search for devices skips unreadable ones, so a missing library must be detected first.
    if let fault = EvdevLibrary.fault { throw .system(.init(fault)) }
    switch self {
    case .automatic: return .every(directory: KeyDeviceSelection.standardDirectory)
    case .paths(let paths):
      guard !paths.isEmpty, !paths.contains("") else {
        throw HostError(argument: "a path of an input device is empty; name one such as /dev/input/event3")
      }
      return .named(paths)
    }
  }

  /// Returns the keys of these devices as buttons of a session. `notice` receives messages for the user.
  func control(_ notice: @escaping (String) -> Void) throws(HostError) -> KeyControl {
    let selection = try selection()
    do throws(KeyInputError) {
      let service = try KeyInputService(
        selection,
        requiring: KeyFunction.requiredKeys,
        wanted: KeyControl.inputCodes
      )
      return KeyControl(service, note: notice)
    } catch { throw HostError(error) }
  }
}

extension HostError {
  /// Creates an error from the reason why input devices cannot be read.
  fileprivate init(_ error: KeyInputError) {
    switch error {
    case .missing, .noKeys, .notAnInputDevice: self = .argument(Failure("\(error)"))
    case .refused(_, let cause), .system(_, let cause): self = .system(Failure("\(error)", cause))
    case .noLibrary: self = .system(Failure("\(error)"))
    }
  }

  /// Creates an error from an error of the listener for bound keys.
  init(_ error: KeyListenerError) {
    switch error {
    case .store(let error): self.init(error)
    case .devices(let error): self.init(error)
    case .notWatched(let cause), .system(let cause): self = .system(Failure("\(error)", cause))
    }
  }
}
