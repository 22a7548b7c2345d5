// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import SessionStore

// MARK: - Opening the app

extension SessionDriver {
  /// The reason why the app cannot be opened, or `nil` if it can.
  var openingObstacle: ApplicationOpeningError? {
    guard let opener = dependencies.opener else { return .noOpener }
    do throws(ApplicationOpeningError) { try opener.check() } catch { return error }
    return nil
  }

  /// Starts to authenticate the user.
  mutating func authenticate(_ reason: String) {
    guard let authenticator = dependencies.authenticator else {
      perform(machine.authenticated(.noAuthenticator, now: MonotonicClock.now))
      return
    }
    authentication = authenticator.begin(reason: reason)
  }

  /// Cancels the authentication.
  mutating func cancelAuthentication() {
    authentication?.cancel()
    authentication = nil
  }

  /// Handles the result of the authentication.
  mutating func takeAuthentication(at now: UInt64) {
    guard let result = authentication?.result else { return }
    authentication = nil
    perform(machine.authenticated(result, now: now))
  }

  /// Writes the delivery to the app to disk. Returns the error if that failed.
  func note(_ activity: UserActivity) -> StoreError? {
    let delivery = AppDelivery(
      id: SessionID.random().description,
      reason: .captureExtension,
      activity: activity,
      control: dependencies.launch.control,
      session: places.session.description,
      appContext: (try? places.context.get()) ?? .null,
      createdAt: WallClock.milliseconds
    )
    do throws(StoreError) { try PendingDelivery.write(delivery, in: places.all) } catch { return error }
    return nil
  }
}

// MARK: - Content and photos

extension SessionDriver {
  /// Erases the content of the session directory and answers the request.
  mutating func eraseContent(_ id: RequestID) {
    do throws(StoreError) {
      let receipt = try ContentEraser.erase(places.all)
      answer(
        Reply(
          id: id,
          result: InvalidationResult(files: Int(receipt.files), bytes: Int(clamping: receipt.bytes))
        )
      )
    } catch {
      perform(machine.internalError(id, "the content could not be erased", error))
    }
  }

  /// Passes a request to the photo library, which may answer later.
  mutating func requestPhotos(_ request: PhotoRequest, _ id: RequestID) {
    guard let photos = dependencies.photos else {
      answer(Reply(id: id, outcomeWithoutLibrary(request)))
      return
    }
    switch photos.answer(request, id, lock: machine.lock, permissions: machine.permissions) {
    case .now(let outcome): answer(Reply(id: id, outcome))
    case .later: break
    }
  }

  /// Sends the replies of the photo library.
  mutating func takePhotoAnswers() {
    for reply in dependencies.photos?.takeAnswers() ?? [] { answer(reply) }
  }

  /// Returns the outcome of a request without a photo library, which depends only on the permissions.
  private func outcomeWithoutLibrary(_ request: PhotoRequest) -> Reply.Outcome {
    let permissions = machine.permissions
    switch request {
    case .authorization(let level):
      let status = level == .addOnly ? permissions.photosAddOnly : permissions.photos
      return .success(PhotoAuthorizationResult(status: status).json)
    case .add, .list, .open, .delete:
      return .failure(
        ErrorObject(
          code: ProtocolErrorCode.permissionDenied.rawValue,
          message:
            "this session has no photo library; store files in the session directory, which is migrated to the app"
        )
      )
    }
  }

  /// Handles a change of the photo library, after reading its notification.
  mutating func takePhotoChange() {
    guard let photos = dependencies.photos, let descriptor = photos.descriptor else { return }
    do { try Descriptor.discardReadable(descriptor) } catch {
      output?.note("[notice] changes of the photo library cannot be monitored: \(error)")
    }
    if photos.libraryChanged(lock: machine.lock, permissions: machine.permissions) {
      perform(machine.photosChanged())
    }
  }
}

// MARK: - Sounds

extension SessionDriver {
  /// Plays the first of the sounds that can be played, and answers the request if there is one.
  mutating func play(_ request: SoundRequest, answering id: RequestID?) {
    var isPlayed = false
    for sound in request.sounds where !isPlayed {
      do throws(SoundFailure) {
        guard let player = dependencies.sounds else { throw .unavailable }
        try player.play(sound, below: places.bundle)
        isPlayed = true
      } catch {
        // Logged once, because an extension can request the same sound repeatedly.
        if loggedSoundFailures.insert(error).inserted {
          output?.note("[notice] a sound was not played: \(error)")
        }
      }
    }
    if isPlayed { machine.soundPlayed(for: request.event) }
    if let id { answer(Reply(id: id, result: SoundResult(played: isPlayed))) }
  }
}
