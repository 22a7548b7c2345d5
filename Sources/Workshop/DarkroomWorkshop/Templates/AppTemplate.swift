// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import ExtensionTemplates

/// A new app with a capture extension, a control, an importer and a test, as `darkroom init` creates it.
public struct AppTemplate: Sendable {
  /// A language of the capture extension.
  public enum Language: String, Sendable, Hashable, CaseIterable {
    /// Swift. The app depends on the source package of Darkroom.
    case swift
    /// C. The app contains the sources of the C library.
    case c
    /// Python. The app contains the Python package.
    case python
    /// Shell, with only POSIX utilities.
    case shell
  }

  /// A file of the app.
  public struct File: Sendable, Hashable {
    /// The path relative to the directory of the app.
    public let path: String
    /// The mode bits, before the umask is applied.
    public let mode: UInt32
    /// The content.
    public let text: String
  }

  /// The ID of the app.
  public let appID: String
  /// The ID of the extension.
  public let extensionID: String
  /// The name of the app for users.
  public let title: String
  /// The files, in the order in which the README of the app lists them.
  public let files: [File]
  /// The commands that build and test the app, to be run in its directory.
  public let commands: [String]
  private let directory: String
  private let template: ExtensionTemplate

  /// Creates a template. Nothing is written.
  ///
  /// - Parameters:
  ///   - name: The name of the app, such as `camera`, or its ID, such as `org.flowers.camera`.
  ///   - language: The language of the capture extension.
  ///   - sources: The directory of the source package of Darkroom for an app in Swift. If it is `nil`, the app uses the
  ///     package that this program was built in.
  ///
  /// - Throws: `HostError.argument` if the name is invalid, or an app in Swift lacks the source package.
  public init(_ name: String, in language: Language, sources: String? = nil) throws(HostError) {
    let project: ProjectName
    do throws(ProjectNameError) { project = try ProjectName(name) } catch {
      throw HostError(argument: "\(error)")
    }
    let package = language == .swift ? try Self.package(sources) : ""
    template = ExtensionTemplate(project, TemplateLanguage(language), package: package)
    (appID, extensionID, title) = (project.id, project.extensionID, project.title)
    (directory, commands) = (project.directory, template.commands)
    files = template.files.map { File(path: $0.path, mode: $0.mode, text: $0.text) }
  }

  /// Creates the directory of the app, whose name is the name of the app. The directory appears complete or not at
  /// all.
  ///
  /// - Parameter parent: The directory in which the directory is created.
  ///
  /// - Returns: The path of the new directory.
  ///
  /// - Throws: `HostError.argument` if the directory exists and is not empty, or the parent is unusable, or
  ///   `HostError.system` if the files cannot be written.
  @discardableResult
  public func create(in parent: String) async throws(HostError) -> String {
    let (project, template) = (NewProject(name: directory, parent: parent), template)
    return try await HostThread.run { () throws(HostError) in
      do throws(NewProjectError) { try project.write(template.files) } catch { throw HostError(error) }
      return project.absolutePath
    }
  }

  /// Returns the path of the source package of Darkroom.
  private static func package(_ path: String?) throws(HostError) -> String {
    guard let found = path.map(DarkroomSources.sources) ?? DarkroomSources.ofCurrentExecutable() else {
      let place = path ?? "a parent directory of this program"
      throw HostError(
        argument: "an app in Swift depends on Darkroom's sources, which are not in \(place); give the "
          + "directory that contains Darkroom's Package.swift"
      )
    }
    return found
  }
}

extension TemplateLanguage {
  /// Creates the language of a template.
  fileprivate init(_ language: AppTemplate.Language) {
    switch language {
    case .swift: self = .swift
    case .c: self = .c
    case .python: self = .python
    case .shell: self = .shell
    }
  }
}
