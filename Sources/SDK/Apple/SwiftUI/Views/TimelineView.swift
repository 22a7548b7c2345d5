// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// The times at which a ``TimelineView`` changes; SwiftUI's name. The library implements all schedules.
public protocol TimelineSchedule: Sendable {
  /// Returns the first time after `date`, or `nil` if there is none.
  func next(after date: Date) -> Date?
}

/// Times with equal distances; SwiftUI's name.
public struct PeriodicTimelineSchedule: TimelineSchedule {
  private let start: Date
  private let interval: TimeInterval

  /// Creates a schedule that starts at a time, with a distance of at least a hundredth of a second.
  public init(from start: Date, by interval: TimeInterval) {
    self.start = start
    self.interval = max(0.01, interval)
  }

  /// Returns the first time after `date`.
  public func next(after date: Date) -> Date? {
    guard date >= start else { return start }
    let count = (date.timeIntervalSince(start) / interval).rounded(.down) + 1
    return max(start.addingTimeInterval(count * interval), date.addingTimeInterval(0.001))
  }
}

/// Times as close as an animation needs, 30 in a second; SwiftUI's name.
public struct AnimationTimelineSchedule: TimelineSchedule {
  private let interval: TimeInterval

  /// Creates a schedule with a minimum distance in seconds, or `nil` for 30 times in a second.
  public init(minimumInterval: TimeInterval? = nil) { interval = max(1.0 / 30, minimumInterval ?? 0) }

  /// Returns the first time after `date`.
  public func next(after date: Date) -> Date? { date.addingTimeInterval(interval) }
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
  /// Returns a schedule with equal distances.
  public static func periodic(from start: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
    PeriodicTimelineSchedule(from: start, by: interval)
  }
}

extension TimelineSchedule where Self == AnimationTimelineSchedule {
  /// A schedule for animations.
  public static var animation: AnimationTimelineSchedule { AnimationTimelineSchedule() }
}

/// The time for which a ``TimelineView`` creates its content; SwiftUI's name.
public struct TimelineViewDefaultContext: Sendable {
  /// The time.
  public let date: Date
}

/// A view whose content is created again at the times of a schedule; SwiftUI's name.
public struct TimelineView<Schedule: TimelineSchedule, Content: View>: View, BuiltInView {
  /// The time for which content is created.
  public typealias Context = TimelineViewDefaultContext

  private let schedule: Schedule
  private let content: (Context) -> Content

  /// Creates a view.
  public init(_ schedule: Schedule, @ViewBuilder content: @escaping (Context) -> Content) {
    self.schedule = schedule
    self.content = content
  }

  package func update(_ node: ViewNode) throws {
    let now = Date()
    if let next = schedule.next(after: now) {
      node.run(after: next.timeIntervalSince(now)) { [weak node] in node?.invalidate() }
    }
    let context = Context(date: now)
    try node.setChild(node.tracking { content(context) })
  }
}
