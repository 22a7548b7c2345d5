// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives

extension ScreenLockState {
  /// Creates a state from that of the protocol.
  init(_ state: LockState) {
    switch state {
    case .locked: self = .locked
    case .unlocked: self = .unlocked
    }
  }

  /// The corresponding state of the protocol.
  var protocolState: LockState {
    switch self {
    case .locked: .locked
    case .unlocked: .unlocked
    }
  }
}

/// The lock state of an embedding program, as one session watches it.
final class LockStateAdapter: LockWatching {
  private(set) var state: LockState
  private let newest: WatchedValue<ScreenLockState>
  private let event: HeldDescriptor
  private let task: Task<Void, Never>

  /// Starts to watch a source.
  init(_ source: any LockStateSource) throws(SystemCallError) {
    let changes = source.changes()
    let newest = WatchedValue(source.state)
    let event = HeldDescriptor(try EventCounter.make())
    (state, self.newest, self.event) = (newest.current.protocolState, newest, event)
    task = Task {
      for await state in changes {
        newest.change { $0 = state }
        try? EventCounter.add(to: event.descriptor)
      }
    }
  }

  deinit { task.cancel() }

  var descriptor: Int32? { event.rawValue }

  func refresh() {
    _ = try? EventCounter.take(event.descriptor)
    state = newest.current.protocolState
  }
}
