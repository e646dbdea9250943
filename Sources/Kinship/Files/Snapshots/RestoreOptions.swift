/// Options for restoring a snapshot.
///
/// ```swift
/// var options = RestoreOptions()
/// options.maximumAge = .seconds(24 * 60 * 60)
/// options.damage = .salvage
/// let report = try await cache.restore(from: url, options)
/// ```
public struct RestoreOptions: Sendable {
  /// The maximum size of the file in bytes; 4 GB by default.
  ///
  /// It is compared with the file's size before a byte is read.
  public var maximumSize = 1 << 32
  /// The maximum age of a restored record since it was loaded or written; `nil` for no limit.
  public var maximumAge: Duration?
  /// The treatment of damage.
  public var damage = DamagePolicy.refuse
  /// Turns records of earlier versions into current ones.
  public var migrations = Migrations()
  /// Your own coder, if you used one; Kinship finds its own coders by the name in the file.
  public var coder: (any RecordCoder)?

  /// Creates the default options: no maximum age and no migrations, and damage throws.
  public init() {}
}
