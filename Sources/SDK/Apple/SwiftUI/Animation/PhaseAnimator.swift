// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// The view that a sequence of phases changes.
public struct PlaceholderContentView: View {
  /// The view.
  public let body: AnyView
}

/// A view that goes through phases.
private struct PhasedView<Content: View, Phase: Equatable, Trigger: Equatable>: View {
  /// The trigger, and whether the view has seen another one before.
  struct Run: Equatable {
    var trigger: Trigger?
  }

  let phases: [Phase]
  let trigger: Trigger?
  let content: (Phase) -> Content
  let animation: (Phase) -> Animation?
  @State private var index = 0
  @State private var first: Run?

  var body: some View {
    if phases.isEmpty {
      EmptyView()
    } else {
      content(phases[min(index, phases.count - 1)]).task(id: Run(trigger: trigger)) { try await run() }
    }
  }

  /// Goes through all phases: once after a change of the trigger, or without an end if there is no trigger.
  private func run() async throws {
    guard phases.count > 1 else { return }
    if trigger != nil, first == nil {
      first = Run(trigger: trigger)
      return
    }
    repeat {
      for next in Array(phases.indices.dropFirst()) + [0] {
        let course = animation(phases[next])
        withAnimation(course) { index = next }
        // A course without a duration must not keep the main actor busy.
        try await Task.sleep(for: .seconds(max(0.02, course?.seconds ?? 0)))
      }
    } while trigger == nil
  }
}

extension View {
  /// Shows the view in each of several phases, one after the other, when `trigger` changes; then, the first phase is shown again.
  ///
  /// - Parameters:
  ///   - phases: The phases.
  ///   - trigger: The value whose changes start the sequence.
  ///   - content: Returns the view in a phase.
  ///   - animation: Returns the course with which a phase becomes visible, or `nil` to show the phase at once.
  /// - Returns: The view in the current phase.
  public func phaseAnimator<Phase: Equatable>(
    _ phases: some Sequence<Phase>,
    trigger: some Equatable,
    @ViewBuilder content: @escaping (PlaceholderContentView, Phase) -> some View,
    animation: @escaping (Phase) -> Animation? = { _ in .default }
  ) -> some View {
    let view = PlaceholderContentView(body: AnyView(self))
    return PhasedView(
      phases: Array(phases),
      trigger: trigger,
      content: { content(view, $0) },
      animation: animation
    )
  }

  /// Shows the view in each of several phases, one after the other, without an end.
  public func phaseAnimator<Phase: Equatable>(
    _ phases: some Sequence<Phase>,
    @ViewBuilder content: @escaping (PlaceholderContentView, Phase) -> some View,
    animation: @escaping (Phase) -> Animation? = { _ in .default }
  ) -> some View {
    let view = PlaceholderContentView(body: AnyView(self))
    return PhasedView(
      phases: Array(phases),
      trigger: nil as Int?,
      content: { content(view, $0) },
      animation: animation
    )
  }
}
