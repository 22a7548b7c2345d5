// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

@Suite struct AdministrationTests {
  let store: TemporaryStore
  let files: AdministrationFiles
  private let user = UserIdentity.named(["1000", "alice"])

  init() throws {
    store = try TemporaryStore()
    files = AdministrationFiles(machine: "\(store.outside)/administration.json")
  }

  private func write(_ text: String) throws {
    try FileSystem.replaceContents(files.machine, with: Array(text.utf8))
  }

  @Test func `restricts nothing without an administration file`() {
    let administration = files.read(for: user)
    #expect(administration == Administration())
    #expect(administration.prohibitsLockedCapture("org.example.camera") == nil)
    #expect(
      PermissionSubject.allCases.allSatisfy { administration.restricts($0, "org.example.camera") == nil }
    )
  }

  @Test(arguments: [
    (#"{"lockedCapture":"deny"}"#, true, true),
    (#"{"lockedCapture":"deny","apps":["org.example.camera"]}"#, true, false),
    (#"{"lockedCapture":"deny","users":["alice"]}"#, true, true),
    (#"{"lockedCapture":"deny","users":[1000]}"#, true, true),
    (#"{"lockedCapture":"deny","users":["bob", 1001]}"#, false, false),
    (#"{"lockedCapture":"deny","users":["alice"],"apps":["org.example.other"]}"#, false, true),
    (#"{"restrict":["camera"]}"#, false, false),
  ])
  func `denies locked capture to the apps and users of a rule`(
    rule: String,
    camera: Bool,
    other: Bool
  ) throws {
    try write(#"{"version":1,"rules":[\#(rule)]}"#)
    let administration = files.read(for: user)
    #expect(administration.fault == nil)
    #expect((administration.prohibitsLockedCapture("org.example.camera") != nil) == camera)
    #expect((administration.prohibitsLockedCapture("org.example.other") != nil) == other)
  }

  @Test func `restricting photo additions also restricts photo reading`() throws {
    try write(#"{"version":1,"rules":[{"restrict":["microphone"]},{"restrict":["photosAddOnly"]}]}"#)
    let administration = files.read(for: user)
    let restricted = PermissionSubject.allCases.filter {
      administration.restricts($0, "org.example.camera") != nil
    }
    #expect(restricted == [.microphone, .photosAddOnly, .photos])
    #expect(administration.restricts(.microphone, "x") == .rule(source: files.machine))
  }

  @Test(arguments: [
    "", "[]", #"{"version":2}"#, #"{"version":1,"rules":1}"#, #"{"version":1,"rule":[]}"#,
    #"{"version":1,"rules":[{"lockedCapture":"allow"}]}"#,
    #"{"version":1,"rules":[{"lockdCapture":"deny"}]}"#,
    #"{"version":1,"rules":[{"restrict":["kamera"]}]}"#, #"{"version":1,"rules":[{"apps":[]}]}"#,
    #"{"version":1,"rules":[{"users":[true]}]}"#, #"{"version":1,"rules":[{"audits":true}]}"#,
    #"{"version":1,"rules":[{"audits":{"directory":"/a"}}]}"#,
    #"{"version":1,"rules":[{"audits":{"directory":"a","key":"/k"}}]}"#,
    #"{"version":1,"rules":[{"audits":{"directory":"/a","key":"/k","keys":"/k"}}]}"#,
  ])
  func `denies everything if the administration file is damaged`(text: String) throws {
    try write(text)
    let administration = files.read(for: user)
    let fault = try #require(administration.fault)
    guard case .damaged(files.machine, _) = fault else {
      Issue.record("\(fault)")
      return
    }
    #expect(administration.prohibitsLockedCapture("a") == .fault(fault))
    #expect(PermissionSubject.allCases.allSatisfy { administration.restricts($0, "a") == .fault(fault) })
  }

  @Test(
    arguments: [
      (#"{"directory":"/a"}"#, "rules[1].audits.key", "a string"),
      (#"{"directory":"a","key":"/k"}"#, "rules[1].audits.directory", "an absolute path"),
      (#"{"directory":"/a","keys":"/k"}"#, "rules[1].audits.keys", "one of directory, key"),
    ] as [(String, String, String)]
  )
  func `reports the complete path of a wrong member of an audit rule`(
    rule: String,
    path: String,
    expected: String
  ) throws {
    try write(#"{"version":1,"rules":[{"restrict":["camera"]},{"audits":\#(rule)}]}"#)
    let fault = try #require(files.read(for: user).fault)
    #expect(fault == .damaged(path: files.machine, .member(path, expected: expected)))
  }

  @Test func `requires audits of the apps of a rule`() throws {
    try write(
      #"{"version":1,"rules":[{"apps":["a"],"audits":{"directory":"/a","key":"/k"}},{"restrict":["camera"]}]}"#
    )
    let found = files.read(for: user)
    #expect(found.audits("a") == [.init(directory: "/a", key: "/k")])
    #expect(found.audits("b").isEmpty)
  }

  @Test func `the environment can add an administration file but not replace the system one`() throws {
    let more = "\(store.outside)/more.json"
    try write(#"{"version":1,"rules":[{"restrict":["camera"]}]}"#)
    let both = AdministrationFiles(machine: files.machine, more: more)
    #expect(both.read(for: user).fault == .missing(path: more, variable: "DARKROOM_ADMINISTRATION"))
    try FileSystem.replaceContents(
      more,
      with: Array(#"{"version":1,"rules":[{"restrict":["microphone"]}]}"#.utf8)
    )
    let found = both.read(for: user)
    #expect(found.restricts(.camera, "a") == .rule(source: files.machine))
    #expect(found.restricts(.microphone, "a") == .rule(source: more))
    #expect(AdministrationFiles { $0 == "DARKROOM_ADMINISTRATION" ? more : nil }.more == more)
    #expect(AdministrationFiles { _ in "" }.more == nil)
    #expect(AdministrationFiles { _ in nil }.machine == "/etc/darkroom/administration.json")
  }

  @Test func `identifies the current user by UID and name`() {
    #expect(UserIdentity.current.names.contains("\(CurrentProcess.effectiveUserID)"))
    if CurrentProcess.effectiveUserID == 0 { #expect(UserIdentity.current.names.contains("root")) }
  }
}
