// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import LockedCameraCapture

/// The user activity with which the extension opens the app: make a portrait the profile photo.
///
/// It contains both the encoding and the decoding of the activity, so that they match.
public struct UpdateProfilePhoto: Sendable, Hashable {
  /// The identifier of the session in which the portrait was taken.
  public let session: UUID
  /// The name of the portrait's file in the session content.
  public let portrait: String

  /// Creates the activity for a portrait.
  public init(session: UUID, portrait: String) {
    self.session = session
    self.portrait = portrait
  }

  /// Decodes an activity, or returns `nil` if it has another purpose.
  public init?(_ activity: NSUserActivity) {
    guard activity.activityType == NSUserActivityTypeLockedCameraCapture,
      activity.userInfo?["flow"] as? String == Self.flow,
      let portrait = activity.userInfo?["portrait"] as? String, !portrait.contains("/"),
      let session = (activity.userInfo?["session"] as? String).flatMap({ UUID(uuidString: $0) })
    else { return nil }
    self.init(session: session, portrait: portrait)
  }

  /// The encoded activity.
  public var activity: NSUserActivity {
    let activity = NSUserActivity(activityType: NSUserActivityTypeLockedCameraCapture)
    activity.title = "Update the profile photo"
    activity.userInfo = ["flow": Self.flow, "session": session.uuidString, "portrait": portrait]
    return activity
  }

  /// The identifier of this activity, which distinguishes it from other activities of the app.
  private static let flow = "update profile photo"
}
