/// A record with a version, by which a backing store detects that someone else has changed it.
///
/// ```swift
/// struct Note: Versioned {
///   let id: Int
///   var text: String
///   var version = 0
/// }
/// ```
///
/// A transaction that updates such a record increases its version by one. The backing store
/// compares the version that the change is based on with its own, and throws
/// `KinshipError.conflict` if they differ. Such a record is always loaded before it is updated.
public protocol Versioned: GraphRecord {
  /// The number of updates of the record.
  ///
  /// Do not set it: transactions do.
  var version: Int { get set }
}

extension Versioned {
  /// Sets the version of staged records that have changed to the one after their base version.
  static func seal(_ staging: Staging, _ number: TypeNumber) {
    let property = Property<Self>(\.version)
    staging.table(number, of: Self.self).values.withLock { values in
      for change in values.stepEnd..<values.log.count {
        let position = values.log[change]
        guard case .present(let old) = values.values[position].base,
          case .present(var new) = values.values[position].current,
          !values.values[position].isUntouched
        else { continue }
        new.version = old.version &+ 1
        values.values[position].current = .present(new)
        values.values[position].addChange(PropertyChange(property, to: new.version))
      }
    }
  }

  /// Returns whether a record of the store has the version that a change is based on.
  func isVersion(of other: any GraphRecord) -> Bool { (other as? Self)?.version == version }
}

extension GraphRecord {
  /// Returns whether a change may be based on a record of the store: it is, unless their versions
  /// differ.
  ///
  /// Backing stores call it before they write.
  ///
  /// - Parameter stored: The record in the store.
  /// - Returns: Whether the versions are equal; `true` for records without a version.
  public func isUnchanged(in stored: Self) -> Bool {
    // Checking the type costs less than checking the record.
    guard Self.self is any Versioned.Type else { return true }
    return (self as? any Versioned)?.isVersion(of: stored) ?? true
  }
}

extension GraphRecord {
  /// The property that holds the version of the records; `nil` if they have none.
  static var versionProperty: AnyKeyPath? {
    func path<V: Versioned>(_ type: V.Type) -> AnyKeyPath { \V.version }
    guard let versioned = Self.self as? any Versioned.Type else { return nil }
    return path(versioned)
  }
}
