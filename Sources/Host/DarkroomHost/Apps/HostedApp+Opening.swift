// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import ExtensionProtocol
internal import JSONText
internal import LaunchPlanning
internal import SessionServices
internal import SessionStore

extension HostedApp {
  /// Opens the app, as `darkroom app open` does. An app that watches its mailbox receives the delivery. Otherwise, the
  /// command of `open` in its `app.json` is started.
  ///
  /// - Parameter activity: A user activity: a JSON object with at least `activityType`, or `nil`.
  ///
  /// - Returns: The ID of the delivery.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the activity is invalid, ``HostError/store(_:)`` if the context of the app
  ///   is damaged, ``HostError/program(_:)`` if the app has no program or the program did not start, or ``HostError/notInstalled(_:_:)`` if the app was uninstalled.
  @discardableResult
  public func open(with activity: String? = nil) async throws(HostError) -> String {
    var given: UserActivity?
    if let activity {
      do throws(ActivityTextError) { given = try UserActivity(text: activity) } catch {
        throw HostError(argument: "the activity is not valid: \(error)")
      }
    }
    let (store, wanted) = (store, given)
    return try await HostThread.run { () throws(HostError) in
      let context: JSONValue?
      do throws(StoreError) { context = try AppContextStore(store).get() } catch { throw HostError(error) }
      let delivery = AppDelivery.now(.control, activity: wanted, appContext: context ?? .null)
      let opener = ApplicationOpener(
        store,
        catalog: store.root.catalog,
        environment: SessionLaunching.environment
      )
      do throws(ApplicationOpeningError) { try opener.deliver(delivery) } catch { throw HostError(error) }
      return delivery.id
    }
  }
}

extension HostError {
  /// Creates an error from the reason why an app was not opened.
  fileprivate init(_ error: ApplicationOpeningError) {
    switch error {
    case .notInstalled(let app): self.init(CatalogError.appNotInstalled(id: app, nearest: nil))
    case .installation(let error): self.init(error)
    case .mailbox(let error): self.init(error)
    case .notStarted(let cause): self = .program(Failure("\(error)", cause))
    case .noCommand, .programNotFound, .notExecutable, .exitedAtStart, .noOpener:
      self = .program(Failure("\(error)"))
    }
  }
}
