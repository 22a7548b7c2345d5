// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import CommandGrammar
internal import KeyInput
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionServices
internal import SessionStore

/// A listener that waits for bound keys and presses their controls, one after another.
final class KeyListener {
  private let root: StateRoot
  private let parsed: ParsedCommand
  private let console: Console
  private let signals: HostSignals
  private let watch: ChangeWatch
  private var bindings: [KeyTrigger: KeyBinding] = [:]
  private var triggers = KeyTriggers([])
  /// The open devices, or `nil` while no key is bound.
  private var keyDevices: KeyInputService?

  /// Prepares to listen.
  ///
  /// - Throws: A `CommandFailure` if a device that the command line names does not exist.
  init(
    _ root: StateRoot,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals
  ) throws(CommandFailure) {
    self.root = root
    self.parsed = parsed
    self.console = console
    self.signals = signals
    do { watch = try ChangeWatch() } catch { throw CommandFailure(.machine, "\(error)") }
    // Creates the directory of the bindings, because only a directory can be watched.
    try CommandFailure.mappingStoreErrors { () throws(StoreError) in try KeyBindings(root).prepare() }
    try loadBindings()
    if bindings.isEmpty { printBindings() }
  }

  /// Listens until a signal is received.
  func listen() throws(CommandFailure) {
    while true {
      let found: [Readiness]
      do {
        found = try Poller.wait([
          (signals.descriptor.rawValue, .readable), (watch.descriptor.rawValue, .readable),
          (keyDevices?.descriptor ?? -1, .readable),
        ])
      } catch { throw CommandFailure(.machine, "\(error)") }
      if !found[0].isEmpty { return }
      if !found[1].isEmpty { reloadBindings() }
      if !found[2].isEmpty, handleEvents() == .stopped { return }
    }
  }

  /// The action after an event.
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
      case nil, .opened: continue
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

  /// Presses the control of a key, and returns the outcome, or `nil` after printing the error.
  private func press(_ binding: KeyBinding) -> ControlPress.Outcome.Kind? {
    do throws(CommandFailure) {
      let found: InstalledControl
      do { found = try ControlCommand.catalog(root, console).find(binding.control) } catch {
        throw CommandFailure((error as? CommandFailure)?.code ?? .missing, "\(error)")
      }
      let press = try ControlPress(found, nil, KeyOption.boundKeys, root, parsed, console, signals)
      return try press.perform(NoControl()).kind
    } catch { console.note("darkroom: \(binding.keyText): \(error)") }
    return nil
  }
}

// MARK: - Bindings

extension KeyListener {
  /// Reloads the bindings, and reopens the devices that have the bound keys.
  private func loadBindings() throws(CommandFailure) {
    do {
      try watch.acknowledge()
      try watch.watch(root.keysDirectory)
    } catch { throw CommandFailure(.machine, "the bindings cannot be watched: \(error)") }
    let list = try CommandFailure.mappingStoreErrors { () throws(StoreError) in try KeyBindings(root).read() }
    var new: [KeyTrigger: KeyBinding] = [:]
    if !list.isEmpty, let fault = EvdevLibrary.fault { throw CommandFailure(.machine, fault) }
    for binding in list {
      guard let trigger = KeyTrigger(binding.keyText) else {
        console.note("darkroom: there is no key \(binding.keyText): 'darkroom control unbind' removes it")
        continue
      }
      new[trigger] = binding
    }
    guard new != bindings else { return }
    let triggers = KeyTriggers(Set(new.keys))
    keyDevices =
      new.isEmpty
      ? nil : try KeyOption.openDevices(parsed.value(of: KeyOption.boundKeys) ?? "", wanted: triggers.codes)
    (bindings, self.triggers) = (new, triggers)
    printBindings()
  }

  /// Reloads changed bindings. On failure, the previous bindings remain in effect.
  private func reloadBindings() {
    do throws(CommandFailure) { try loadBindings() } catch { console.note("darkroom: \(error)") }
  }

  private func printBindings() {
    for binding in bindings.values.sorted(by: { $0.key < $1.key }) {
      console.note("darkroom: \(binding.keyText) presses \(binding.control)")
    }
    if bindings.isEmpty {
      console.note("darkroom: no key is bound; bind one with: darkroom control bind KEY CONTROL")
    }
    for name in keyDevices?.names ?? [] {
      console.note("darkroom: listening to \(TextTable.printable(name))")
    }
    printNotes()
  }

  private func printNotes() {
    for text in keyDevices?.takeNotices() ?? [] { console.note("darkroom: \(TextTable.printable(text))") }
  }
}
