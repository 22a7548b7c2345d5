// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The request to show a photo in the app, which the extension sends as a user activity.
public struct ShowPhoto: Hashable, Sendable {
  /// The name of the photo's file in the session content, or `nil` to show the library.
  public let name: String?

  /// Creates a request.
  public init(name: String?) { self.name = name }

  /// Decodes a request, or returns `nil` if the activity has another purpose.
  ///
  /// An extension is not trusted: a name with a path separator is not accepted.
  public init?(_ activity: NSUserActivity) {
    guard activity.activityType == NSUserActivityTypeLockedCameraCapture,
      activity.userInfo?["request"] as? String == Self.request
    else { return nil }
    name = activity.userInfo?["photo"] as? String
    guard name?.contains("/") != true else { return nil }
  }

  /// The encoded request.
  public var activity: NSUserActivity {
    let activity = NSUserActivity(activityType: NSUserActivityTypeLockedCameraCapture)
    activity.title = "Show a photo"
    var content: [AnyHashable: Any] = ["request": Self.request]
    content["photo"] = name
    activity.userInfo = content
    return activity
  }

  /// The purpose of the activity.
  private static let request = "show photo"
}
