// SPDX-License-Identifier: Apache-2.0

/// What is done to make a file an asset, and an asset no asset any more, in its order.
///
/// | after | a crash leaves | recovery |
/// |---|---|---|
/// | `reserved`, `copied` | a row and perhaps a part of the bytes in `incoming`; the session's file is untouched | undoes it |
/// | `staged` | all bytes in `incoming`, durable | puts the file into its place, and goes on |
/// | `placed` | the file in its place, which nobody is shown yet | says that it is there, and goes on |
/// | `committed` | the asset, and the session's file | removes the session's file if it is to go |
/// | `taken` | the asset, and a row that says that something remains | removes the row |
/// | `leaving` | an asset that nobody is shown any more, and its file | removes the file |
/// | `removed` | an asset that nobody is shown any more | forgets it |
package enum IngestStep: String, CaseIterable, Sendable {
  /// Name and place are taken, durably.
  case reserved
  /// The bytes are in the incoming directory.
  case copied
  /// They are durable, and the index says so.
  case staged
  /// The file has its name in the library.
  case placed
  /// The index says that the asset is there.
  case committed
  /// The file is gone from the session, if it was to go.
  case taken
  /// The index says that the asset is not there any more.
  case leaving
  /// Its file is gone.
  case removed
}
