// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import LockedCameraCapture

/// What a clown was about to do when the extension opened the app: to make a portrait their profile photo.
///
/// Both sides of the activity are here, so that they cannot differ.
public struct UpdateProfilePhoto: Sendable, Hashable {
  /// The session that the portrait was taken in.
  public let session: UUID
  /// The portrait's file in the content of the session.
  public let portrait: String

  /// Names the portrait.
  public init(session: UUID, portrait: String) {
    self.session = session
    self.portrait = portrait
  }

  /// Reads an activity; nil if it is about something else.
  public init?(_ activity: NSUserActivity) {
    guard activity.activityType == NSUserActivityTypeLockedCameraCapture,
      activity.userInfo?["flow"] as? String == Self.flow,
      let portrait = activity.userInfo?["portrait"] as? String, !portrait.contains("/"),
      let session = (activity.userInfo?["session"] as? String).flatMap({ UUID(uuidString: $0) })
    else { return nil }
    self.init(session: session, portrait: portrait)
  }

  /// The activity that ``init(_:)`` reads.
  public var activity: NSUserActivity {
    let activity = NSUserActivity(activityType: NSUserActivityTypeLockedCameraCapture)
    activity.title = "Update the profile photo"
    activity.userInfo = ["flow": Self.flow, "session": session.uuidString, "portrait": portrait]
    return activity
  }

  /// Tells this flow from others that the app may have one day.
  private static let flow = "update profile photo"
}
