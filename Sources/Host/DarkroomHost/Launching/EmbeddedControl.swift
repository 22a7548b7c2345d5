// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import SessionStore

/// The control of a session by an embedding program. It belongs to the session's thread.
final class EmbeddedControl: SessionControl, SessionObserving {
  private let core: SessionCore
  private var hasPresented = false
  private var acceptsPresses = false
  /// The number of reported changes of ``acceptsPresses``.
  private var pressChanges = 0
  private var isDismissing = false

  /// The maximum number of reported changes, because an extension can subscribe and unsubscribe without end,
  /// and all events are kept.
  private static let maximumPressChanges = 10_000

  /// Creates the control of a session.
  init(_ core: SessionCore) { self.core = core }

  var descriptor: Int32? { core.input.event.rawValue }
  var nextDeadline: UInt64? { nil }
  var wantsSnapshots: Bool { true }
  func begin(at now: UInt64) {}
  func commands(at now: UInt64) -> [SessionCommand] { core.input.take() }

  func observe(_ sight: SessionSnapshot, at now: UInt64) {
    if sight.hasPresented, !hasPresented {
      hasPresented = true
      core.add(.presented)
    }
    if sight.receivesPresses != acceptsPresses, pressChanges < Self.maximumPressChanges {
      acceptsPresses = sight.receivesPresses
      pressChanges += 1
      core.add(.acceptsPresses(acceptsPresses))
    }
    if case .dismissing = sight.stage, !isDismissing {
      isDismissing = true
      core.add(.dismissing)
    }
  }

  func started(_ session: SessionID, _ enforcement: SessionRecord.Enforcement) {
    core.started(session.description, SandboxReport(enforcement))
  }

  func refused(_ refusal: SessionRecord.Refusal) { core.add(.refused(RefusalReport(refusal))) }
  func openingApplication() { core.add(.openingApplication) }
}
