/// How records that were stored by an earlier version of the program become records of today.
///
/// ```swift
/// let migrations = Migrations()
///   .renaming("Human", to: Person.self)
///   .removing("Draft")
///   .step(for: Person.self, from: 1) { $0.rename("name", to: "givenName") }
///   .step(for: Person.self, from: 2) { $0["surname"] = $0["surname"] ?? "" }
/// ```
///
/// Each record is taken from the version that it was stored in, step by step, to the
/// ``GraphRecord/recordVersion`` of today; only then is it decoded. A property that is new and
/// optional, or one that is gone, needs neither a version nor a step: `Codable` bridges that.
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

  /// For whoever reads fields alone: no type is known, and none is missed.
  package static let leavingOutAll = {
    var migrations = Migrations()
    migrations.leavesOutUnknown = true
    return migrations
  }()

  /// Creates migrations without a step: all that is stored is of today.
  public init() {}

  /// The migrations with one more step.
  ///
  /// - Parameters:
  ///   - type: The record type, as it is called today.
  ///   - version: The version that the step starts from; it leads to the next.
  ///   - change: Changes the fields of a record. It may be called from several threads.
  /// - Returns: The migrations.
  public func step<R: GraphRecord>(
    for type: R.Type, from version: Int, _ change: @escaping Step
  ) -> Migrations {
    var migrations = self
    migrations.steps[Version(name: R.recordName, number: version)] = change
    return migrations
  }

  /// The migrations for a record type that had another name.
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

  /// The migrations for a record type that there is no longer: its records are left out.
  ///
  /// - Parameter name: The name that the type had.
  /// - Returns: The migrations.
  public func removing(_ name: String) -> Migrations {
    var migrations = self
    migrations.removed.insert(name)
    return migrations
  }

  /// What a stored type is today.
  ///
  /// - Throws: `KinshipError.unknownType`, `.notCodable`, `.newerVersion` and `.noMigration`.
  package func resolve(
    _ declaration: TypeDeclaration, in schema: GraphSchema
  ) throws(KinshipError) -> StoredType {
    let name = names[declaration.name] ?? declaration.name
    guard let number = schema.types.firstIndex(where: { $0.recordName == name }) else {
      guard leavesOutUnknown || removed.contains(declaration.name) else {
        throw .unknownType(declaration.name)
      }
      return StoredType(declaration: declaration, type: nil, number: nil, steps: [])
    }
    let type = schema.types[number]
    guard let codable = type as? any StorableRecord.Type else { throw .notCodable(type: name) }
    guard declaration.version <= type.recordVersion else {
      throw .newerVersion(
        type: name, version: declaration.version, known: type.recordVersion)
    }
    var steps: [Step] = []
    for version in declaration.version..<type.recordVersion {
      guard let step = self.steps[Version(name: name, number: version)] else {
        throw .noMigration(type: name, from: version)
      }
      steps.append(step)
    }
    return StoredType(
      declaration: declaration, type: codable, number: TypeNumber(number), steps: steps)
  }
}

/// A record that files can hold.
package typealias StorableRecord = GraphRecord & Codable

/// A record type as it is in a file, and what has become of it.
package struct StoredType: Sendable {
  package let declaration: TypeDeclaration
  /// The type of today; `nil` if there is none any longer.
  package let type: (any StorableRecord.Type)?
  /// Its number in the schema.
  package let number: TypeNumber?
  /// What makes a record of today from a stored one.
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
