// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import Testing

@Suite struct CatalogRecoveryTests {
  @Test func `recovery removes only what interrupted installations and uninstallations left`()
    throws
  {
    let sample = try SampleBundle()
    let apps = "\(sample.root)/state/apps"
    // Recovery must not create a catalog that does not exist.
    try sample.catalog.recover()
    #expect(try FileSystem.status(apps) == nil)
    _ = try sample.catalog.install(sample.path)
    try FileSystem.makeDirectories("\(apps)/org.example.camera/bundle/2/Extensions")
    try FileSystem.makeDirectories("\(apps)/.uninstalled.0123456789abcdef/bundle/1")
    try FileSystem.makeDirectories("\(apps)/org.example.other/container")
    try sample.catalog.recover()
    #expect(try FileSystem.names(in: "\(apps)/org.example.camera/bundle") == ["1"])
    #expect(try FileSystem.names(in: apps) == [".lock", "org.example.camera", "org.example.other"])
    try sample.catalog.find("org.example.camera.capture").verifyDigest()
  }

  @Test func `recovery keeps a copy that a session runs from`() throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    let running = try sample.catalog.find("org.example.camera.capture")
    let hold = try running.hold()
    _ = try sample.catalog.install(sample.path)
    try sample.catalog.recover()
    let bundles = "\(sample.root)/state/apps/org.example.camera/bundle"
    #expect(try FileSystem.names(in: bundles) == ["1", "2"])
    _ = consume hold
    try sample.catalog.recover()
    #expect(try FileSystem.names(in: bundles) == ["2"])
  }

  @Test func `recovery keeps the copies of an app whose record is damaged`() throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    let app = "\(sample.root)/state/apps/org.example.camera"
    try FileSystem.replaceContents("\(app)/installation.json", with: Array("{".utf8))
    try sample.catalog.recover()
    #expect(try FileSystem.names(in: "\(app)/bundle") == ["1"])
  }
}
