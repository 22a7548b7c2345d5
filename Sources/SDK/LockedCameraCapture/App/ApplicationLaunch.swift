// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials
internal import JSONText
internal import LinuxPrimitives

/// A launch of the app, or a message to the running app, with its reason and context.
public struct ApplicationLaunch: Sendable, Identifiable {
  /// The ways to launch an app.
  public enum Kind: String, Sendable, Hashable {
    /// Its capture extension called `openApplication(for:)`.
    case captureExtension
    /// A control was activated whose action runs in the app and not in the extension.
    case control
    /// A control was activated, but the app has to request a permission before the extension can run.
    case permission
  }

  /// The identifier of the launch.
  public let id: UUID
  /// The way in which the app was launched.
  public let kind: Kind
  /// The activity that the extension has sent, or `nil` for other kinds of launches.
  public let activity: NSUserActivity?
  /// The identifier of the session that ended with this launch, or `nil` if there was none.
  ///
  /// The content of the session is already available.
  public let sessionID: UUID?
  /// The ID of the control that was activated, or `nil` if there was none.
  public let control: String?
  /// The time of the launch request.
  public let date: Date
  private let context: JSONValue

  /// Creates a launch from a delivery of the mailbox.
  init(_ delivery: AppDelivery) {
    id = UUID(uuidString: delivery.id) ?? UUID()
    kind =
      switch delivery.reason {
      case .captureExtension: .captureExtension
      case .control: .control
      case .permission: .permission
      }
    activity = delivery.activity.flatMap { activity in
      do { return try NSUserActivity(json: activity.json) } catch {
        CurrentProcess.writeToStandardError("launch \(delivery.id): \(error)")
        return nil
      }
    }
    sessionID = delivery.session.flatMap { UUID(uuidString: $0) }
    control = delivery.control
    date = Date(timeIntervalSince1970: Double(delivery.createdAt) / 1000)
    context = delivery.appContext
  }

  /// Returns the app context at the time of the launch.
  ///
  /// - Parameter type: The type to decode.
  /// - Returns: The context, or `nil` if none was stored.
  /// - Throws: The error of the decoder.
  public func appContext<Context: Decodable>(as type: Context.Type = Context.self) throws -> Context? {
    context.isNull ? nil : try JSONDecoder().decode(type, from: Data(context.bytes()))
  }
}
