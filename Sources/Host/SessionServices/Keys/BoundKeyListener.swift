// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import KeyInput
package import LinuxPrimitives
internal import PolicyExplanation
package import SessionStore

/// A listener that waits for bound keys and presses their controls, one after another.
package final class BoundKeyListener {
  /// The effect of a press on the listener.
  package enum Press: Sendable {
    /// No session was run.
    case completed
    /// A session was run to its end.
    case session
    /// A session was dismissed because the host received a signal.
    case stopped
  }

  private let root: StateRoot
  private let selection: KeyDeviceSelection
  private let signals: HostSignals
  /// A closure that receives messages.
  private let notice: (String) -> Void
  /// A closure that presses the control of a bound key.
  private let press: (KeyBinding) -> Press
  private let watch: ChangeWatch
  private var bindings: [KeyTrigger: KeyBinding] = [:]
  private var triggers = KeyTriggers([])
  /// The open devices, or `nil` while no key is bound.
  private var keyDevices: KeyInputService?

  /// Prepares to listen.
  ///
  /// - Parameters:
  ///   - root: The state root with the bindings.
  ///   - selection: The input devices.
  ///   - signals: The signals of the host. A signal ends the listener.
  ///   - notice: A closure that receives messages.
  ///   - press: A closure that presses the control of a bound key.
  /// - Throws: A `KeyListenerError` if a named device does not exist, even if no key is bound yet.
  package init(
    _ root: StateRoot,
    _ selection: KeyDeviceSelection,
    _ signals: HostSignals,
    notice: @escaping (String) -> Void,
    press: @escaping (KeyBinding) -> Press
  ) throws(KeyListenerError) {
    (self.root, self.selection, self.signals) = (root, selection, signals)
    (self.notice, self.press) = (notice, press)
    do { watch = try ChangeWatch() } catch { throw .system(error) }
    // Creates the directory of the bindings, because only a directory can be watched.
    do { try KeyBindings(root).prepare() } catch { throw .store(error) }
    try loadBindings()
    if bindings.isEmpty {
      // The devices are opened with the first binding. A wrong name must not wait until then.
      do { try KeyInputService.check(selection) } catch { throw .devices(error) }
      printBindings()
    }
  }

  /// Listens until a signal is received.
  package func listen() throws(KeyListenerError) {
    while true {
      let found: [Readiness]
      do {
        found = try Poller.wait([
          (signals.descriptor.rawValue, .readable), (watch.descriptor.rawValue, .readable),
          (keyDevices?.descriptor ?? -1, .readable),
        ])
      } catch { throw .system(error) }
      if !found[0].isEmpty { return }
      if !found[1].isEmpty { reloadBindings() }
      if !found[2].isEmpty, handleEvents() == .stopped { return }
    }
  }

  /// Whether to continue to listen after an event.
  private enum Continuation {
    /// Continue to listen.
    case keepListening
    /// Stop, because a signal ended a session.
    case stopped
  }

  private func handleEvents() -> Continuation {
    defer { printNotes() }
    for event in keyDevices?.events() ?? [] {
      guard let trigger = triggers.fired(by: event), let binding = bindings[trigger] else { continue }
      switch press(binding) {
      case .completed: continue
      case .stopped: return .stopped
      case .session:
        // Keys that were pressed during the session were input for the session.
        while keyDevices?.events().isEmpty == false {}
        triggers.forget()
        return .keepListening
      }
    }
    return .keepListening
  }
}

// MARK: - Bindings

extension BoundKeyListener {
  /// Reloads the bindings, and reopens the devices that have the bound keys.
  private func loadBindings() throws(KeyListenerError) {
    do {
      try watch.acknowledge()
      try watch.watch(root.keysDirectory)
    } catch { throw .notWatched(error) }
    let list: [KeyBinding]
    do { list = try KeyBindings(root).read() } catch { throw .store(error) }
    var new: [KeyTrigger: KeyBinding] = [:]
    // The names of keys are those of the library.
    if !list.isEmpty, EvdevLibrary.fault != nil { throw .devices(.noLibrary) }
    for binding in list {
      guard let trigger = KeyTrigger(binding.keyText) else {
        let fix = "remove the binding with 'darkroom control unbind \(binding.keyText)'"
        notice("'\(binding.keyText)' is not a key name; \(fix)")
        continue
      }
      new[trigger] = binding
    }
    guard new != bindings else { return }
    let triggers = KeyTriggers(Set(new.keys))
    if new.isEmpty {
      keyDevices = nil
    } else {
      do { keyDevices = try KeyInputService(selection, wanted: triggers.codes) } catch {
        throw .devices(error)
      }
    }
    (bindings, self.triggers) = (new, triggers)
    printBindings()
  }

  /// Reloads changed bindings. On failure, the previous bindings remain in effect.
  private func reloadBindings() {
    do { try loadBindings() } catch { notice("\(error)") }
  }

  private func printBindings() {
    for binding in bindings.values.sorted(by: { $0.key < $1.key }) {
      notice("\(binding.keyText) presses \(binding.control)")
    }
    if bindings.isEmpty {
      notice("no key is bound; bind a key with 'darkroom control bind KEY CONTROL'")
    }
    for name in keyDevices?.names ?? [] {
      notice("listening to \(TextTable.printable(name))")
    }
    printNotes()
  }

  private func printNotes() {
    for text in keyDevices?.takeNotices() ?? [] { notice("\(TextTable.printable(text))") }
  }
}

/// An error of the listener for bound keys.
package enum KeyListenerError: Error, CustomStringConvertible {
  /// The bindings could not be read or written.
  case store(StoreError)
  /// The directory of the bindings could not be watched.
  case notWatched(SystemCallError)
  /// The input devices could not be opened.
  case devices(KeyInputError)
  /// A system call failed.
  case system(SystemCallError)

  /// The error message.
  package var description: String {
    switch self {
    case .store(let error): "\(error)"
    case .notWatched(let error): "the bindings cannot be watched: \(error)"
    case .devices(let error): "\(error)"
    case .system(let error): "\(error)"
    }
  }
}
