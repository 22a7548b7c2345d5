// SPDX-License-Identifier: Apache-2.0

/// The methods of the delegate of a ``UIImagePickerController``.
@MainActor
public protocol UIImagePickerControllerDelegate: AnyObject {
  /// Handles a picture.
  ///
  /// - Parameters:
  ///   - picker: The picker, which remains visible.
  ///   - info: The values of ``UIImagePickerController/InfoKey``.
  func imagePickerController(
    _ picker: UIImagePickerController,
    didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
  )
}

extension UIImagePickerControllerDelegate {
  /// Does nothing; the picture is in the session content directory.
  public func imagePickerController(
    _ picker: UIImagePickerController,
    didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
  ) {}
}

/// UIKit's protocol, to which the delegate of a ``UIImagePickerController`` also conforms. It has no members,
/// because there are no navigation controllers.
@MainActor
public protocol UINavigationControllerDelegate: AnyObject {}
