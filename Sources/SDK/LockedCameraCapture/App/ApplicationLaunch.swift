// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials
internal import JSONText
internal import LinuxPrimitives

/// Why the app was opened, or is being told something while it runs: everything of it in one value.
public struct ApplicationLaunch: Sendable, Identifiable {
  /// The ways in which an app is opened.
  public enum Kind: String, Sendable, Hashable {
    /// Its capture extension has called `openApplication(for:)`.
    case captureExtension
    /// A control was used where the app runs and not the extension.
    case control
    /// A control was used, and the app has to ask for a permission before the extension can run.
    case permission
  }

  /// The launch's own identity.
  public let id: UUID
  /// The way in which the app was opened.
  public let kind: Kind
  /// What the extension has handed over; nil for the other ways.
  public let activity: NSUserActivity?
  /// The session that has ended for it. Its content is there already; nil if there was none.
  public let sessionID: UUID?
  /// The id of the control that was used; nil for none.
  public let control: String?
  /// When it was asked for.
  public let date: Date
  private let context: JSONValue

  /// Reads a delivery of the mailbox.
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
        CurrentProcess.complain("launch \(delivery.id): \(error)")
        return nil
      }
    }
    sessionID = delivery.session.flatMap { UUID(uuidString: $0) }
    control = delivery.control
    date = Date(timeIntervalSince1970: Double(delivery.createdAt) / 1000)
    context = delivery.appContext
  }

  /// The app context as it was then; nil if there was none. Throws the decoder's error.
  public func appContext<Context: Decodable>(as type: Context.Type = Context.self) throws -> Context? {
    context.isNull ? nil : try JSONDecoder().decode(type, from: Data(context.bytes()))
  }
}
