// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LockedCameraCapture
import Testing

extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct PointerEventTests {
    /// Sends an event of a contact with the viewfinder.
    nonisolated private static func touch(
      _ host: FakeHost,
      _ phase: PointerPhase,
      _ x: Double,
      contact: Int = 0,
      time: UInt64 = 0
    ) throws {
      let event = ExtensionProtocol.PointerEvent(phase, x: x, y: 2.5, contact: contact, time: time)
      try host.send(.notification(.pointerEvent(event)))
    }

    @Test func `subscribes once, and passes each contact to all handlers`() async throws {
      var events: [LockedCameraCapture.PointerEvent] = []
      var count = 0
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.answer(.pointerSubscribe)
        try Self.touch(host, .began, 1, contact: 2, time: 7)
        try Self.touch(host, .moved, 3, contact: 2)
        try Self.touch(host, .cancelled, 3, contact: 2)
        try host.dismiss()
      } extension: { session in
        try EmptyView().onPointerEvent { events.append($0) }.appear(in: session)
        session.onPointerEvent { _ in count += 1 }
      }
      #expect(events.map(\.phase) == [.began, .moved, .cancelled] && count == 3)
      #expect(events.map(\.x) == [1, 3, 3] && events.allSatisfy { $0.y == 2.5 && $0.contact == 2 })
      #expect(events.first?.timestamp == 7)
    }

    @Test func `continues with a host that has no pointer events, and logs the refusal`() async throws {
      var events = 0
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.answer(.pointerSubscribe, .failure(ErrorObject(code: -32601, message: "unknown")))
        try host.expect(.log(.error, "pointer/subscribe: unknown (-32601)"))
        try host.send(.notification(.contextChanged("next")))
        try host.dismiss()
      } extension: { session in
        session.onPointerEvent { _ in events += 1 }
        session.onAppContextChange { events += 10 }
      }
      #expect(events == 10)
    }

    @Test func `logs the error of a handler and calls the next handler`() async throws {
      struct Failure: Error {}
      var events = 0
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.answer(.pointerSubscribe)
        try Self.touch(host, .began, 1)
        try host.expect(.log(.error, "a handler failed: Failure()"))
        try host.dismiss()
      } extension: { session in
        session.onPointerEvent { _ in throw Failure() }
        session.onPointerEvent { _ in events += 1 }
      }
      #expect(events == 1)
    }
  }
}
