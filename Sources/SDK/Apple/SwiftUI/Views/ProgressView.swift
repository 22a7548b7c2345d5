// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// The progress of a task; SwiftUI's name.
public struct ProgressView: View {
  private let title: String?
  private let share: Double?
  @Environment(\.progressViewStyle) private var style

  /// Creates a view of a task whose progress is unknown.
  public init() { (title, share) = (nil, nil) }

  /// Creates a view of a task whose progress is unknown, with a title below it.
  public init(_ title: some StringProtocol) { (self.title, share) = (String(title), nil) }

  /// Creates a view of a task of which `value` of `total` are complete; `nil` for an unknown progress.
  public init(value: Double?, total: Double = 1) {
    title = nil
    share = value.map { total > 0 ? min(max($0 / total, 0), 1) : 0 }
  }

  /// A bar, or a turning arc if the progress is unknown; the style can select a ring instead of a bar.
  public var body: some View {
    VStack {
      if let share {
        if style == .circular { ProgressRing(share: share) } else { ProgressBar(share: share) }
      } else {
        TurningArc()
      }
      if let title { Text(title).font(.footnote) }
    }
  }
}

/// A bar with the share of a task that is complete.
private struct ProgressBar: View {
  let share: Double
  @Environment(\.style) private var style

  var body: some View {
    GeometryReader { space in
      ZStack(alignment: .leading) {
        Capsule().fill(Color(white: 0.5, opacity: 0.6))
        Capsule().fill(style.tint).frame(width: space.size.width * share)
      }
    }
    .frame(height: 4)
  }
}

/// A ring with the share of a task that is complete.
private struct ProgressRing: View {
  let share: Double
  @Environment(\.style) private var style

  var body: some View {
    ZStack {
      Circle().stroke(Color(white: 0.5, opacity: 0.6), lineWidth: 4)
      Circle().trim(from: 0, to: share).stroke(style.tint, lineWidth: 4).rotationEffect(.degrees(-90))
    }
    .padding(2)
    .frame(width: 32, height: 32)
  }
}

/// The appearance of the progress of tasks; SwiftUI's name.
public enum ProgressViewStyle: Hashable, Sendable {
  /// A bar.
  case automatic
  /// A bar.
  case linear
  /// A ring.
  case circular
}

/// The key of the appearance of the progress of tasks.
private struct ProgressViewStyleKey: EnvironmentKey {
  static let defaultValue = ProgressViewStyle.automatic
}

extension EnvironmentValues {
  /// The appearance of the progress of tasks.
  fileprivate(set) var progressViewStyle: ProgressViewStyle {
    get { self[ProgressViewStyleKey.self] }
    set { self[ProgressViewStyleKey.self] = newValue }
  }
}

extension View {
  /// Sets the appearance of the progress of tasks in the view.
  public func progressViewStyle(_ style: ProgressViewStyle) -> some View {
    environment(\.progressViewStyle, style)
  }
}

/// An arc that turns once in a second, in eight steps.
private struct TurningArc: View {
  var body: some View {
    TimelineView(.periodic(from: .distantPast, by: 0.125)) { context in
      let step = Int((context.date.timeIntervalSinceReferenceDate * 8).rounded()) % 8
      Circle()
        .trim(from: 0, to: 0.75)
        .stroke(lineWidth: 3)
        .frame(width: 20, height: 20)
        .rotationEffect(.degrees(Double(step) * 45))
    }
  }
}
