// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import CommandGrammar
internal import KeyInput
internal import LinuxPrimitives
internal import PolicyWords
internal import SessionServices
internal import SessionStore

/// Waits for bound keys and presses their controls, one after the other.
final class KeyListener {
  private let root: StateRoot
  private let parsed: ParsedCommand
  private let console: Console
  private let signals: HostSignals
  private let watch: ChangeWatch
  private var bindings: [KeyTrigger: KeyBinding] = [:]
  private var triggers = KeyTriggers([])
  /// The devices; nil while no key is bound.
  private var desk: KeyDesk?

  /// Prepares to listen; a device that is named on the command line has to be there.
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
    // So that there is something to watch in which nothing else happens.
    try CommandFailure.store { () throws(StoreError) in try KeyBindings(root).prepare() }
    try takeBindings()
    if bindings.isEmpty { tellBindings() }
  }

  /// Listens until a signal ends it.
  func listen() throws(CommandFailure) {
    while true {
      let found: [Readiness]
      do {
        found = try Poller.wait([
          (signals.descriptor.rawValue, .readable), (watch.descriptor.rawValue, .readable),
          (desk?.descriptor ?? -1, .readable),
        ])
      } catch { throw CommandFailure(.machine, "\(error)") }
      if !found[0].isEmpty { return }
      if !found[1].isEmpty { lookAtBindings() }
      if !found[2].isEmpty, takeEvents() == .stopped { return }
    }
  }

  /// Whether the listening goes on after what has happened.
  private enum Continuation {
    /// It does.
    case further
    /// Somebody has ended it.
    case stopped
  }

  private func takeEvents() -> Continuation {
    defer { tellNotes() }
    for event in desk?.events() ?? [] {
      guard let trigger = triggers.fired(by: event), let binding = bindings[trigger] else { continue }
      switch press(binding) {
      case nil, .opened: continue
      case .stopped: return .stopped
      case .session:
        // What was pressed meanwhile was meant for the session.
        while desk?.events().isEmpty == false {}
        triggers.forget()
        return .further
      }
    }
    return .further
  }

  /// Presses the control of a key, and gives what came of it; nil: something has hindered it, which is said.
  private func press(_ binding: KeyBinding) -> ControlPress.Ending.Way? {
    do throws(CommandFailure) {
      let found: InstalledControl
      do { found = try ControlCommand.catalog(root, console).find(binding.control) } catch {
        throw CommandFailure((error as? CommandFailure)?.code ?? .missing, "\(error)")
      }
      let press = try ControlPress(found, nil, KeyOption.listened, root, parsed, console, signals)
      return try press.perform(NoControl()).way
    } catch { console.note("darkroom: \(binding.keyText): \(error)") }
    return nil
  }
}

// MARK: - Bindings

extension KeyListener {
  /// Reads the bindings anew, and the devices that have their keys.
  private func takeBindings() throws(CommandFailure) {
    do {
      try watch.acknowledge()
      try watch.watch(root.keysDirectory)
    } catch { throw CommandFailure(.machine, "the bindings cannot be watched: \(error)") }
    let list = try CommandFailure.store { () throws(StoreError) in try KeyBindings(root).read() }
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
    desk =
      new.isEmpty
      ? nil : try KeyOption.desk(parsed.value(of: KeyOption.listened) ?? "", wanted: triggers.codes)
    (bindings, self.triggers) = (new, triggers)
    tellBindings()
  }

  /// Takes bindings that have changed; if they cannot be taken, those from before stay.
  private func lookAtBindings() {
    do throws(CommandFailure) { try takeBindings() } catch { console.note("darkroom: \(error)") }
  }

  private func tellBindings() {
    for binding in bindings.values.sorted(by: { $0.key < $1.key }) {
      console.note("darkroom: \(binding.keyText) presses \(binding.control)")
    }
    if bindings.isEmpty {
      console.note("darkroom: no key is bound; bind one with: darkroom control bind KEY CONTROL")
    }
    for name in desk?.names ?? [] { console.note("darkroom: listening to \(TextTable.printable(name))") }
    tellNotes()
  }

  private func tellNotes() {
    for text in desk?.takeNotes() ?? [] { console.note("darkroom: \(TextTable.printable(text))") }
  }
}
