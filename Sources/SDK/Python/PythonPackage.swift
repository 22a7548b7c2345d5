// SPDX-License-Identifier: Apache-2.0

/// The modules of the Python package `darkroom` for extensions, embedded in the program, so that new apps receive a
/// copy. Programs that host extensions use `darkroom.host`, which extensions do not need.
package enum PythonPackage {
  /// The name of the package, which is also the name of its directory.
  package static let name = "darkroom"

  /// The file names and contents of the modules.
  package static let modules: [(name: String, text: [UInt8])] = [
    ("__init__.py", PackageResources.__init___py),
    ("asyncsession.py", PackageResources.asyncsession_py),
    ("camera.py", PackageResources.camera_py),
    ("connection.py", PackageResources.connection_py),
    ("core.py", PackageResources.core_py),
    ("errors.py", PackageResources.errors_py),
    ("events.py", PackageResources.events_py),
    ("frames.py", PackageResources.frames_py),
    ("images.py", PackageResources.images_py),
    ("memory.py", PackageResources.memory_py),
    ("requests.py", PackageResources.requests_py),
    ("session.py", PackageResources.session_py),
    ("sound.py", PackageResources.sound_py),
    ("values.py", PackageResources.values_py),
    ("viewfinder.py", PackageResources.viewfinder_py),
  ]
}
