// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import PhotoLibrary
import Testing

/// The photo access matrix, with one row for each level, written independently of the code as the oracle.
@Suite struct PhotoAccessTests {
  /// The access of a session with the given permissions.
  struct Row: Sendable {
    let photos: PermissionStatus
    let addOnly: PermissionStatus
    let addLocked: Bool
    let addUnlocked: Bool
    let readLocked: PhotoAccess.Reading
    let readUnlocked: PhotoAccess.Reading
  }

  static let rows: [Row] = [
    Row(
      photos: .notDetermined,
      addOnly: .notDetermined,
      addLocked: false,
      addUnlocked: false,
      readLocked: .nothing,
      readUnlocked: .nothing
    ),
    Row(
      photos: .restricted,
      addOnly: .restricted,
      addLocked: false,
      addUnlocked: false,
      readLocked: .nothing,
      readUnlocked: .nothing
    ),
    Row(
      photos: .denied,
      addOnly: .denied,
      addLocked: false,
      addUnlocked: false,
      readLocked: .nothing,
      readUnlocked: .nothing
    ),
    Row(
      photos: .denied,
      addOnly: .authorized,
      addLocked: true,
      addUnlocked: true,
      readLocked: .nothing,
      readUnlocked: .nothing
    ),
    Row(
      photos: .notDetermined,
      addOnly: .authorized,
      addLocked: true,
      addUnlocked: true,
      readLocked: .nothing,
      readUnlocked: .nothing
    ),
    Row(
      photos: .limited,
      addOnly: .authorized,
      addLocked: true,
      addUnlocked: true,
      readLocked: .ownSession,
      readUnlocked: .ownSessionAndSelection
    ),
    Row(
      photos: .authorized,
      addOnly: .authorized,
      addLocked: true,
      addUnlocked: true,
      readLocked: .ownSession,
      readUnlocked: .everything
    ),
    // Permission to read implies permission to add, even if adding is denied.
    Row(
      photos: .authorized,
      addOnly: .denied,
      addLocked: true,
      addUnlocked: true,
      readLocked: .ownSession,
      readUnlocked: .everything
    ),
  ]

  @Test(arguments: rows)
  func `grants the access that the matrix lists`(_ row: Row) {
    let permissions = Permissions(camera: .authorized, photos: row.photos, photosAddOnly: row.addOnly)
    let locked = PhotoAccess(lock: .locked, permissions: permissions)
    let unlocked = PhotoAccess(lock: .unlocked, permissions: permissions)
    #expect(locked.mayAdd == row.addLocked)
    #expect(unlocked.mayAdd == row.addUnlocked)
    #expect(locked.reading == row.readLocked)
    #expect(unlocked.reading == row.readUnlocked)
  }

  @Test func `grants no access beyond the matrix and no deletion beyond reading in any state`() {
    for lock in LockState.allCases {
      for photos in PermissionStatus.allCases {
        for addOnly in PermissionStatus.allCases {
          let permissions = Permissions(camera: .denied, photos: photos, photosAddOnly: addOnly)
          let access = PhotoAccess(lock: lock, permissions: permissions)
          let reads = photos == .authorized || photos == .limited
          #expect((access.reading != .nothing) == reads)
          if lock == .locked { #expect([.nothing, .ownSession].contains(access.reading)) }
          #expect((access.reading == .everything) == (lock == .unlocked && photos == .authorized))
          #expect(access.mayAdd == (reads || addOnly == .authorized || addOnly == .limited))
          #expect((access.deleting == .nothing) == !reads)
          if lock == .locked { #expect(access.deleting != .ownApp) }
        }
      }
    }
  }

  @Test func `limited applies to reading only`() {
    let permissions = Permissions(camera: .denied, photos: .limited, photosAddOnly: .denied)
    #expect(PhotoAccess.status(of: .readWrite, permissions) == .limited)
    #expect(PhotoAccess.status(of: .addOnly, permissions) == .authorized)
  }
}
