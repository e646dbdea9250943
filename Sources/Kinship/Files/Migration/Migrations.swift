/// Turns records that an earlier version of the program has stored into current ones.
///
/// ```swift
/// let migrations = Migrations()
///   .renaming("Human", to: Person.self)
///   .removing("Draft")
///   .step(for: Person.self, from: 1) { $0.rename("name", to: "givenName") }
///   .step(for: Person.self, from: 2) { $0["surname"] = $0["surname"] ?? "" }
/// ```
///
/// Each record is converted step by step, from the version in which it was stored to the current
/// ``GraphRecord/recordVersion``, and only then decoded. A new optional property, or a removed one,
/// needs neither a version nor a step: `Codable` handles it.
public struct Migrations: Sendable {
  /// Changes the fields of a record of one version to those of the next.
  public typealias Step = @Sendable (inout RecordFields) throws -> Void

  private struct Version: Hashable, Sendable {
    let name: String
    let number: Int
  }

  private var steps: [Version: Step] = [:]
  private var names: [String: String] = [:]
  private var removed: Set<String> = []
  private var leavesOutUnknown = false

  /// For readers of fields alone: all types are unknown, which is no error.
  package static let leavingOutAll = {
    var migrations = Migrations()
    migrations.leavesOutUnknown = true
    return migrations
  }()

  /// Creates migrations without steps, for stored records that are all current.
  public init() {}

  /// Returns a copy with one more step.
  ///
  /// - Parameters:
  ///   - type: The record type, with its current name.
  ///   - version: The version from which the step starts; it leads to the next one.
  ///   - change: Changes the fields of a record. It may be called from several threads.
  /// - Returns: The migrations.
  public func step<R: GraphRecord>(
    for type: R.Type, from version: Int, _ change: @escaping Step
  ) -> Migrations {
    var migrations = self
    migrations.steps[Version(name: R.recordName, number: version)] = change
    return migrations
  }

  /// Returns a copy that knows an earlier name of a record type.
  ///
  /// - Parameters:
  ///   - name: The name that the type had, in any version.
  ///   - type: The type.
  /// - Returns: The migrations.
  public func renaming<R: GraphRecord>(_ name: String, to type: R.Type) -> Migrations {
    var migrations = self
    migrations.names[name] = R.recordName
    return migrations
  }

  /// Returns a copy that skips the records of a removed type.
  ///
  /// - Parameter name: The name that the type had.
  /// - Returns: The migrations.
  public func removing(_ name: String) -> Migrations {
    var migrations = self
    migrations.removed.insert(name)
    return migrations
  }

  /// Finds the current type for a stored one.
  ///
  /// - Throws: `KinshipError.invalidSchema(.unknownType)`, `.invalidSchema(.notCodable)`,
  ///   `.file(.newerVersion)` and `.invalidSchema(.noMigration)`.
  package func resolve(
    _ declaration: TypeDeclaration, in schema: GraphSchema
  ) throws(KinshipError) -> StoredType {
    let name = names[declaration.name] ?? declaration.name
    guard let number = schema.types.firstIndex(where: { $0.recordName == name }) else {
      guard leavesOutUnknown || removed.contains(declaration.name) else {
        throw .invalidSchema(.unknownType(declaration.name))
      }
      return StoredType(declaration: declaration, type: nil, number: nil, steps: [])
    }
    let type = schema.types[number]
    guard let codable = type as? any StorableRecord.Type else {
      throw .invalidSchema(.notCodable(type: name))
    }
    guard declaration.version <= type.recordVersion else {
      throw .file(
        .newerVersion(
          type: name, version: declaration.version, known: type.recordVersion))
    }
    var steps: [Step] = []
    for version in declaration.version..<type.recordVersion {
      guard let step = self.steps[Version(name: name, number: version)] else {
        throw .invalidSchema(.noMigration(type: name, from: version))
      }
      steps.append(step)
    }
    return StoredType(
      declaration: declaration, type: codable, number: TypeNumber(number), steps: steps)
  }
}

/// A record that can be stored in files.
package typealias StorableRecord = GraphRecord & Codable

/// A record type as declared in a file, and the current type for it.
package struct StoredType: Sendable {
  package let declaration: TypeDeclaration
  /// The current type; `nil` if it was removed.
  package let type: (any StorableRecord.Type)?
  /// Its number in the schema.
  package let number: TypeNumber?
  /// The steps from the stored version to the current one.
  package let steps: [Migrations.Step]

  package init(
    declaration: TypeDeclaration, type: (any StorableRecord.Type)?, number: TypeNumber?,
    steps: [Migrations.Step]
  ) {
    self.declaration = declaration
    self.type = type
    self.number = number
    self.steps = steps
  }
}
